"""Whether a customer holds that we said something else."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drafts.decisions.comparison import asserts_different_answer

LOCKED = "Every bicycle carries a 36-month frame guarantee."


@pytest.mark.parametrize(
    "message",
    [
        "The woman in your shop told me five years.",
        "your page says 48 months",
        "I was assured of a lifetime guarantee.",
        "You told me. Five years.",
        "According to your brochure it is ten years.",
        "That isn't what I was told.",
        "Your mechanic said something else.",
        "This is different from what your agent wrote.",
        "You said there is no guarantee.",
        "Last time you answered 24 months.",
        "I have it in writing that it is five years.",
    ],
)
def test_another_answer_from_our_side_is_asserted(message):
    assert asserts_different_answer(message, LOCKED)


@pytest.mark.parametrize(
    "message",
    [
        "",
        "How long is the guarantee?",
        "So five years, right?",
        "You told me three years, correct?",
        "Your page says 36 months, does that hold for the fork?",
        "My neighbour said five years.",
        "Nobody told me it was five years.",
        "You told me two weeks ago that you would write.",
        "You promised to call me within 2 hours.",
        "Your page says delivery takes 4 days.",
        "You told me to send a photo. It took me 2 days.",
    ],
)
def test_the_same_answer_a_question_or_another_speaker_asserts_nothing(message):
    assert not asserts_different_answer(message, LOCKED)


@pytest.mark.parametrize("message", ["You told me I get it back within 9 days.", "Your agent said 50 %."])
def test_any_value_differs_from_an_answer_without_one(message):
    assert asserts_different_answer(message, "Credit is decided case by case.")


@given(st.text(max_size=150))
def test_any_message_is_judged(message):
    assert asserts_different_answer(message, LOCKED) in {True, False}
