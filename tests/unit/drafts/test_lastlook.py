"""The last look before sending stops what may no longer be said, and says why in a sentence."""

from datetime import date, timedelta

import pytest

from drafts.decisions.lastlook import LastLook, hindrances

TODAY = date(2026, 10, 4)
LOOK = {
    "text": "The lamp can be returned within 14 days.",
    "newer_message": None,
    "outside_reply": None,
    "answered_here": None,
    "corrected": (),
    "retired": (),
    "decided_on": TODAY,
    "today": TODAY,
}


def found(**changes):
    return list(hindrances(LastLook(**{**LOOK, **changes})))


def test_what_was_approved_leaves_where_nothing_has_changed():
    assert found() == []


@pytest.mark.parametrize(("changes", "words"), [
    ({"newer_message": "Never mind."}, "The customer wrote again: “Never mind.”"),
    ({"outside_reply": "We called you."}, "outside the desk: “We called you.”"),
    ({"answered_here": "Hello."}, "Another reply to the same message was sent from here: “Hello.”"),
    ({"corrected": ("returns::online",)}, "The answer to returns::online was corrected"),
    ({"retired": ("returns/RET-1",)}, "returns/RET-1, on which the answer rests"),
])  # fmt: skip
def test_what_has_changed_stops_it(changes, words):
    (sentence,) = found(**changes)

    assert words in sentence


def test_every_reason_is_told():
    assert len(found(newer_message="a", outside_reply="b", corrected=("x::y",), retired=("d/1",))) == 4


@pytest.mark.parametrize("words", ["tomorrow", "today", "tonight"])
def test_a_word_for_a_day_does_not_leave_on_another_day(words):
    text = f"We will call you {words}."

    assert found(text=text) == []
    assert words in found(text=text, today=TODAY + timedelta(days=1))[0]


def test_a_date_leaves_on_any_day():
    assert found(text="We will call you on 9 October 2026.", today=TODAY + timedelta(days=1)) == []


def test_a_long_message_is_quoted_in_part():
    (sentence,) = found(newer_message="word " * 1000)

    assert len(sentence) < 260
