"""Replies that leave out what they answer, read by the question before them; values that nothing gives a meaning."""

import pytest

from drafts.decisions.drifting import rows_of
from tests.unit.drafts.drifting.threads import thread

RETURN = ("How long can I return the mixer after receipt?", "You can return it within 14 days.")
ASKED_AGAIN = "How long after receipt can I return it?"
SECOND_ANSWERS = [
    ("Within 30 days of receipt.", "within 30 days"),
    ("30 days", "30 days"),
    ("Hi! Up to 60 days.", "at most 60 days"),
    ("Two months, used or unused.", "2 months"),
    ("It's 30 days.", "30 days"),
    ("The period is 30 days.", "30 days"),
    ("That would be 30 days then", "30 days"),
    ("No, you have 30 days from delivery.", "30 days"),
    ("Hello Ann,\n\n30 days\n\nKind regards\nJo", "30 days"),
]
NO_ANSWERS = [
    pytest.param("30 days?", id="a-question"),
    pytest.param("Is 30 days enough?", id="a-question-of-its-own"),
    pytest.param("If 30 days are over, write to us.", id="a-condition"),
    pytest.param("30 days for the refund.", id="another-matter"),
    pytest.param("Your repair takes 30 days.", id="another-statement"),
    pytest.param("30 days ago.", id="the-past"),
    pytest.param("It was 30 days.", id="an-earlier-rule"),
    pytest.param("Not 30 days.", id="a-denial"),
    pytest.param("30 EUR.", id="another-sort-of-value"),
    pytest.param("Order 30.", id="an-order-number"),
    pytest.param("Hello there!", id="a-greeting"),
]
WARRANTY = "How long is the warranty on my repair?"
OTHER_QUESTIONS = [
    pytest.param(WARRANTY, ("12 months.", "Lifetime!"), ("12 months", "a lifetime"), id="warranty"),
    pytest.param(
        WARRANTY,
        ("A year, on parts and labour.", "24 months on all repairs."),
        ("12 months", "24 months"),
        id="what-a-warranty-covers",
    ),
    pytest.param("How much is the cancellation fee?", ("€25.", "It's 40 EUR."), ("25 EUR", "40 EUR"), id="a-fee"),
    pytest.param("What does delivery cost?", ("Free!", "5 EUR"), ("nothing to pay", "5 EUR"), id="a-price-of-nothing"),
    pytest.param("When will my parcel arrive?", ("On 4 May.", "On 9 May."), ("4 May", "9 May"), id="a-date"),
]


@pytest.mark.parametrize(("reply", "answer"), SECOND_ANSWERS)
def test_a_short_reply_answers_the_question_before_it(reply, answer):
    (row,) = rows_of(thread(*RETURN, ASKED_AGAIN, reply))

    assert (row.question_key, row.times_asked) == ("return_window", 2)
    assert row.distinct_answers == ("within 14 days", answer)


@pytest.mark.parametrize(("question", "replies", "distinct"), OTHER_QUESTIONS)
def test_short_replies_alone_are_answers_of_the_sort_that_was_asked_for(question, replies, distinct):
    (row,) = rows_of(thread(question, replies[0], f"Sorry, once more. {question}", replies[1]))

    assert (row.times_asked, row.distinct_answers) == (2, distinct)


@pytest.mark.parametrize("reply", NO_ANSWERS)
def test_a_short_reply_that_answers_nothing_or_something_else_is_no_answer(reply):
    (row,) = rows_of(thread(*RETURN, ASKED_AGAIN, reply))

    assert row.distinct_answers == ("within 14 days",)
    assert row.unread == ()


@pytest.mark.parametrize("question", ["How long?", "And until when exactly?"])
def test_a_how_long_without_a_topic_asks_again_what_was_asked_before(question):
    (row,) = rows_of(thread(*RETURN, question, "30 days."))

    assert (row.question_key, row.times_asked) == ("return_window", 2)
    assert row.distinct_answers == ("within 14 days", "30 days")


def test_a_how_much_without_a_topic_asks_the_last_price_again():
    (row,) = rows_of(thread("How much is the cancellation fee?", "It is 40 EUR.", "How much?", "25 EUR."))

    assert (row.times_asked, row.distinct_answers) == (2, ("40 EUR", "25 EUR"))


def test_a_how_long_after_a_promise_of_something_else_asks_for_that():
    said = ("Where is my refund?", "We will call you within 2 hours.", "How long?", "4 hours.")

    assert [(row.question_key, row.distinct_answers) for row in rows_of(thread(*said))] == [
        ("response_sla", ("within 2 hours", "4 hours"))
    ]


@pytest.mark.parametrize("between", ["Thank you.", "Where is the shop?"])
def test_a_value_that_no_question_precedes_answers_none(between):
    (row,) = rows_of(thread(*RETURN, ASKED_AGAIN, "One moment.", between, "30 days."))

    assert row.distinct_answers == ("within 14 days",)


def test_a_value_that_two_questions_wait_for_answers_neither():
    asked = f"{WARRANTY} And how long can I return the mixer?"

    rows = rows_of(thread(asked, "Let me see.", asked, "12 months."))

    assert {row.question_key: row.distinct_answers for row in rows} == {"warranty_duration": (), "return_window": ()}


def test_a_reply_whose_value_nothing_gives_a_meaning_is_laid_beside_the_answers():
    (row,) = rows_of(thread(*RETURN, ASKED_AGAIN, "Hello. Members have 30 days."))

    assert row.distinct_answers == ("within 14 days",)
    assert [(one.turn, one.text) for one in row.unread] == [(3, "Members have 30 days.")]
    assert row.as_dict()["unread"] == [{"turn": 3, "text": "Members have 30 days."}]


@pytest.mark.parametrize("reply", ["I will ask and call you. 2 days.", "2 more days."])
def test_what_a_short_reply_may_say_of_something_else_is_no_answer_and_not_understood(reply):
    (row,) = rows_of(thread(*RETURN, ASKED_AGAIN, reply))

    assert row.distinct_answers == ("within 14 days",)
    assert [one.text for one in row.unread] == [reply.rpartition("you. ")[2]]


def test_one_question_in_five_wordings_is_asked_five_times():
    asked = (
        "How long is the guarantee on my repair?",
        "And how long does the warranty for the repair last?",
        "How long is my repair covered?",
        "For how many months is the repair covered, please?",
        "Once more: for how many years is the repair under guarantee?",
    )
    told = ("Each repair is covered for 12 months.", "Each repair is covered for 24 months.", "A lifetime.")

    (row,) = rows_of(thread(*(said for at, question in enumerate(asked) for said in (question, told[at % 3]))))

    assert (row.question_key, row.times_asked) == ("warranty_duration", 5)
    assert row.distinct_answers == ("12 months", "24 months", "a lifetime")
