"""What would be locked, and what a thread already says."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from drafts.decisions.comparison import Sameness, answer_in_thread, propose_answer, typed_facts
from ledger.decisions.values import FactKind

COVER = "Every bicycle carries a 36-month frame guarantee."
TWO_FACTS = "Goods can be sent back within 20 days of delivery. Sending back costs £6."
PLAIN = "Bulky goods are collected by appointment only. A person agrees the day."


@pytest.mark.parametrize(
    ("text", "statement", "expected"),
    [
        (COVER, COVER, COVER),
        (f"Hello Jo. {COVER} Enjoy the ride!", COVER, COVER),
        ("Hello Jo. The guarantee lasts three years. Enjoy the ride!", COVER, "The guarantee lasts three years."),
        ("Hello. You have 20 days. It costs £6. Bye.", TWO_FACTS, "You have 20 days. It costs £6."),
        (
            "You have 20 days. We hope you like it. It costs £6, and 20 days is firm.",
            TWO_FACTS,
            "It costs £6, and 20 days is firm.",
        ),
        ("The guarantee lasts two years.", COVER, None),
        ("Thanks for writing.", COVER, None),
        ("Would 36 months suit you?", COVER, None),
        ("Thanks! We collect bulky goods by appointment only.", PLAIN, "We collect bulky goods by appointment only."),
        ("Thanks! Your bicycle is blue.", PLAIN, None),
    ],
)
def test_the_answer_sentences_are_proposed_word_for_word(text, statement, expected):
    assert propose_answer(text, statement) == expected


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.sampled_from(["Hello.", "It is 36 months.", "Three years!", "Bye", "\n\n", "£6?"]), max_size=8).map(
        " ".join
    )
)
def test_what_is_proposed_stands_in_the_reply(text):
    proposed = propose_answer(text, COVER)

    assert proposed is None or proposed in text


def test_the_facts_to_record_are_one_per_value():
    facts = typed_facts(TWO_FACTS)

    assert [(fact.kind, fact.low, fact.anchor) for fact in facts] == [
        (FactKind.DURATION, 20, "delivery"),
        (FactKind.MONEY, 6, None),
    ]


def test_a_plain_no_is_a_fact_to_record():
    assert [(f.kind, f.unit, f.polarity) for f in typed_facts("Vouchers are not refundable.")] == [
        (FactKind.STANCE, "refund", False)
    ]


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("The frame is guaranteed for 3 years.", Sameness.SAME),
        ("It is 36 months.", Sameness.SAME),
        ("The guarantee is five years.", Sameness.DIFFERENT),
        (COVER, Sameness.VERBATIM),
    ],
)
def test_an_earlier_answer_in_the_thread_is_compared(message, expected):
    outcome = answer_in_thread(message, COVER)

    assert outcome is not None
    assert outcome.sameness is expected


@pytest.mark.parametrize(
    "message",
    ["Delivery takes 4 days.", "We will call you within 2 hours.", "Your visit is on 3 May.", "Thanks, noted."],
)
def test_a_message_about_something_else_is_no_answer(message):
    assert answer_in_thread(message, COVER) is None
