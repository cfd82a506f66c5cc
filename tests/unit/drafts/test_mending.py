import pytest
from hypothesis import given
from hypothesis import strategies as st

from drafts.decisions import mending
from drafts.decisions.characters import hidden_characters
from drafts.decisions.structure import several_drafts

CLAIM = "Our agents are reviewing it."


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(f"One here. {CLAIM} Two here.", "One here. Two here.", id="in-the-middle"),
        pytest.param(f"{CLAIM} Two here.", "Two here.", id="at-the-start"),
        pytest.param(f"One here. {CLAIM}", "One here.", id="at-the-end"),
        pytest.param(CLAIM, "", id="the-whole-text"),
        pytest.param(f"One.\n\n{CLAIM}\n\nTwo.", "One.\n\nTwo.", id="a-paragraph"),
        pytest.param(f"One.\n\n{CLAIM} Two.\n\nThree.", "One.\n\nTwo.\n\nThree.", id="first-of-a-paragraph"),
        pytest.param(f"One.\n\nTwo. {CLAIM}\n\nThree.", "One.\n\nTwo.\n\nThree.", id="last-of-a-paragraph"),
        pytest.param(f"Now:\n- One.\n- {CLAIM}\n- Two.", "Now:\n- One.\n- Two.", id="a-point-of-a-list"),
        pytest.param(f"Hello Ana,\n{CLAIM} Bye.", "Hello Ana,\nBye.", id="after-a-greeting-line"),
        pytest.param(f"Hello Ana,\n\n{CLAIM}\nKind regards", "Hello Ana,\n\nKind regards", id="before-a-closing"),
        pytest.param(f"One here.  {CLAIM}   Two here.", "One here. Two here.", id="wide-gaps"),
        pytest.param("One. Our agents are\nreviewing it now. Two.", "One. Two.", id="a-wrapped-line"),
        pytest.param("One. Our agents now are reviewing", "One.", id="without-a-full-stop"),
    ],
)
def test_exactly_the_sentence_goes_and_the_gap_is_tidied(text, expected):
    start = text.index("agents")

    assert mending.remove_sentence(text, start, start + 6) == expected


def test_a_span_over_two_sentences_takes_both():
    text = "One here. Two is gone. Three is gone. Four here."

    assert mending.remove_sentence(text, text.index("gone"), text.index("Three") + 3) == "One here. Four here."


@pytest.mark.parametrize(("start", "end"), [(-1, 3), (4, 4), (5, 2), (0, 999)])
def test_a_place_that_is_none_changes_nothing(start, end):
    assert mending.remove_sentence("One. Two.", start, end) == "One. Two."
    assert mending.remove_span("One. Two.", start, end) == "One. Two."


def test_other_words_stand_in_place_of_the_sentence():
    text = "Hello Ana,\n\nyou have 30 days. Bye."
    at = text.index("30")

    assert mending.replace_sentence(text, at, at + 2, "It is 14 days.") == "Hello Ana,\n\nIt is 14 days. Bye."


def test_hidden_characters_go_and_the_drawn_ones_stay():
    mended = mending.remove_hidden("He\u200bllo \u202eAna\u2066, 👩\u200d🔧 ok\u00ad.")

    assert mended == "Hello Ana, 👩\u200d🔧 ok."
    assert hidden_characters(mended) == ()


def test_more_runs_of_hidden_characters_than_are_told_go_as_well():
    assert mending.remove_hidden("a\u200bb" * 30) == "ab" * 30


@pytest.mark.parametrize(
    ("text", "expected"),
    [("Hello <b>Ana", "Hello Ana"), ("<b> Ana", "Ana"), ("Hello <b> Ana", "Hello Ana"), ("Hi.<b>\nAna", "Hi.\nAna")],
)
def test_a_stretch_goes_without_leaving_two_blanks(text, expected):
    start = text.index("<b>")

    assert mending.remove_span(text, start, start + 3) == expected


TWO = "Hello Ana,\n\nfirst reply.\n\nKind regards\n\n---\n\nHello Ana,\n\nsecond reply.\n\nKind regards"
LABELLED = "Draft 1:\nHello Ana, the first reply.\n\nDraft 2:\nHello Ana, the second reply."


@pytest.mark.parametrize(
    ("text", "kept", "expected"),
    [
        (TWO, -1, "Hello Ana,\n\nfirst reply.\n\nKind regards"),
        (TWO, 0, "Hello Ana,\n\nsecond reply.\n\nKind regards"),
        (LABELLED, 0, "Hello Ana, the first reply."),
        (LABELLED, 1, "Hello Ana, the second reply."),
        (LABELLED, -1, ""),
    ],
)
def test_one_of_several_drafts_is_kept(text, kept, expected):
    signs = [(found.start, found.end) for found in several_drafts(text)]

    assert mending.keep_piece(text, -1 if kept < 0 else signs[kept][0], signs) == expected
    assert several_drafts(expected) == ()


@pytest.mark.parametrize(
    ("field", "expected"),
    [
        ("received_on", "Please tell us on which day you received the item."),
        ("opened_on", "Please tell us the date we need here (“opened on”)."),
        ("order.size", "Please tell us the following: size."),
    ],
)
def test_a_fact_is_asked_for_in_words(field, expected):
    assert mending.question_for(field) == expected


def test_the_question_stands_before_the_closing():
    mended = mending.ask_for("Hello Ana,\n\nthank you for writing.\n\nKind regards,\nThe lamp shop", "received_on")

    assert mended == (
        "Hello Ana,\n\nthank you for writing.\n\nPlease tell us on which day you received the item.\n\n"
        "Kind regards,\nThe lamp shop"
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Hello Ana,\n\nwithin 14 days.\n\nKind regards,\nThe shop", "Hello Ana,\n\n{}\n\nKind regards,\nThe shop"),
        ("Within 14 days.", "{}"),
        ("Thank you for your message. It is 14 days.", "{}"),
    ],
)
def test_a_reply_that_only_asks_states_nothing_else(text, expected):
    assert mending.only_ask_for(text, "ordered_on") == expected.format(mending.question_for("ordered_on"))


@given(st.text(alphabet="ab .\n!-", max_size=80), st.integers(0, 80), st.integers(1, 20))
def test_whatever_the_text_only_one_stretch_of_it_goes(text, start, length):
    end = min(len(text), start + length)
    mended = mending.remove_sentence(text, start, end)

    assert len(mended) <= len(text)
    assert set("".join(mended.split())) <= set("".join(text.split()))
