"""Which answers are one, which are two, and which are none; each rule with the case that it must not swallow."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from drafts.decisions.drifting import Counts, DriftRow, Transcript, Turn, rows_of
from tests.unit.drafts.drifting.threads import FOUR_ANSWERS, PASSAGES, answers, thread, told

TWO_ANSWERS = [
    pytest.param(
        ("Your money will be back on your card within 6 working days.", "You should see the refund within 36 hours."),
        "refund_timing",
        id="a-refund-by-another-day",
    ),
    pytest.param(
        ("We will call you back within six hours.", "We'll get back to you within 90 minutes."),
        "response_sla",
        id="a-call-and-an-answer-are-one-promise-of-word",
    ),
    pytest.param(
        ("Your sofa will be delivered within 3 weeks.", "It should arrive within 10 days."),
        "delivery_time",
        id="it-is-the-sofa",
    ),
    pytest.param(
        (
            "I passed this to the claims department. They usually answer within 3 to 4 days.",
            "I will make sure that the claims department answers you within one day.",
        ),
        "response_sla",
        id="the-same-department",
    ),
    pytest.param(
        (
            "The refund takes 8 business days after the parcel is back.",
            "I have spoken with accounting. The amount should reflect on your card within 2 business days.",
        ),
        "refund_timing",
        id="from-another-event-with-another-span",
    ),
    pytest.param(
        ("The bike arrives 3-4 days after the deposit is paid.", "It will arrive within 4 days."),
        "delivery_time",
        id="the-same-end-from-an-earlier-start",
    ),
    pytest.param(
        ("Your desk arrives within 2 business days.", "Your desk arrives within 2 days."),
        "delivery_time",
        id="business-days-are-not-days",
    ),
    pytest.param(
        ("You can return it within 30 days.", "Our return window is 14 days."), "return_window", id="a-return-window"
    ),
    pytest.param(
        ("The cancellation fee is 40 EUR.", "There is a cancellation fee of 55 EUR."), "cancellation_fee", id="a-fee"
    ),
    pytest.param(
        ("Shipping costs 6.50 EUR.", "Shipping is free."), "delivery_cost", id="free-is-another-price"
    ),
    pytest.param(
        ("Your lamp will arrive on 4 May.", "Your lamp will arrive on 9 May."), "delivery_time", id="another-date"
    ),
    pytest.param(
        ("Our fitter will visit you within 2 days.", "The technician will be there within 4 days."),
        "appointment_terms",
        id="a-visit-comes-as-goods-do",
    ),
    pytest.param(
        ("Your deposit is returned within 14 days.", "The deposit is returned 25 days after check-out."),
        "deposit_terms",
        id="the-return-of-a-deposit-returns-no-goods",
    ),
    pytest.param(
        ("The quote is valid for 30 days.", "The quote stays valid for 2 weeks."), "price_validity", id="a-quote"
    ),
    pytest.param(
        ("A repair takes 6 days.", "Your laptop will be repaired within 11 days."), "repair_turnaround", id="a-repair"
    ),
    pytest.param(
        ("Could you please allow 2 days for the refund to arrive?", "The refund will arrive within 6 days."),
        "refund_timing",
        id="a-polite-request-for-patience-is-an-answer",
    ),
]  # fmt: skip

ONE_ANSWER = [
    pytest.param(
        ("We will write back to you within 48 hours.", "You will hear from us within 2 days."), id="hours-and-days"
    ),
    pytest.param(
        ("The refund takes 4 to 6 business days.", "Please allow up to 6 business days for the refund to show."),
        id="the-end-of-the-range",
    ),
    pytest.param(
        ("The refund takes 4 days.", "Your bank may take another 9 days to post the refund."), id="the-banks-days"
    ),
    pytest.param(
        ("We will call you within 2 hours.", "The courier will call you within 20 minutes."), id="the-couriers-call"
    ),
    pytest.param(
        ("I will update you within 2 hours.", "Our tax department will contact you within 3 days."),
        id="another-departments-word",
    ),
    pytest.param(
        ("We give the seller 4 days to answer.", "We will write to you within 24 hours."), id="the-sellers-answer"
    ),
    pytest.param(
        ("The refund takes 4 days.", "To make up for it you get a refund or a 1-month extension."), id="a-present"
    ),
    pytest.param(
        ("Your table will be delivered within 5 days.", "We will send you an update within 24 hours."),
        id="a-delivery-and-an-update",
    ),
    pytest.param(
        ("Your table will be delivered within 5 days.", "You will get a shipping confirmation within 24 hours."),
        id="a-delivery-and-a-mail-about-it",
    ),
    pytest.param(
        ("Your table will be delivered within 5 days.", "It will be dispatched within 24 hours."),
        id="a-delivery-and-a-dispatch",
    ),
    pytest.param(
        ("We will get back to you within 3 days.", "If you hear nothing within 4 days, please write to us."),
        id="a-condition",
    ),
    pytest.param(
        ("The refund takes 5 days.", "Please contact us again after 8 days."), id="what-the-customer-is-to-do"
    ),
    pytest.param(
        ("I will update you within 24 hours.", "I will send you updates every 4 hours."), id="an-interval"
    ),
    pytest.param(
        ("The refund takes 7 days.", "While the usual time is 9 days, I have asked them to hurry."), id="a-concession"
    ),
    pytest.param(
        ("The refund takes 7 days.", "Please wait for the remaining 3 days."), id="what-is-left-of-the-time"
    ),
    pytest.param(
        ("Your order arrives within 4 days.", "I am sorry that you have been waiting for 11 days."), id="the-past"
    ),
    pytest.param(
        ("Your order arrives within 4 days.", "Would you like delivery within 2 days?"), id="a-question"
    ),
    pytest.param(
        ("Your order arrives within 4 days.", "We could deliver it within 2 days at an extra charge."), id="an-offer"
    ),
    pytest.param(
        ("Your order arrives within 4 days.", "You wrote that it should arrive within 2 days."), id="their-words"
    ),
    pytest.param(
        ("Your order arrives within 4 days.", "We cannot deliver it within 2 days."), id="a-refusal"
    ),
    pytest.param(
        ("Your order arrives within 4 days.", "We will send a replacement. It should arrive within 9 days."),
        id="other-goods",
    ),
    pytest.param(
        ("A refund to a card takes 5 days and to a wallet 1 day.", "The refund to your card takes 5 days."),
        id="two-cases-in-one-message",
    ),
    pytest.param(
        ("Refund timeline:\n- Card: 6 business days\n- Wallet: 24 hours", "The refund to your wallet takes 24 hours."),
        id="the-entries-of-a-list",
    ),
    pytest.param(
        ("The deposit is 200 EUR.", "Your deposit is returned within 14 days."), id="an-amount-and-a-time"
    ),
    pytest.param(
        ("The minimum term is 12 months.", "The notice period is 3 months."), id="a-term-and-a-notice-period"
    ),
    pytest.param(
        ("Your order arrives within 4 days.", "The tracking number will arrive within 1 day."), id="a-number-arrives"
    ),
    pytest.param(
        ("The voucher is valid for 30 days.", "The refund takes 5 days."), id="different-questions"
    ),
    pytest.param(
        ("Shipping is free for orders over 50 EUR.", "Shipping costs 6.50 EUR."), id="a-threshold-is-no-price"
    ),
    pytest.param(
        ("The change fee is 20 EUR.", "The baggage fee is 35 EUR."), id="two-fees"
    ),
    pytest.param(
        ("Your lamp was delivered on 4 May.", "The new lamp will arrive on 9 May."), id="a-date-of-the-past"
    ),
    pytest.param(("The refund takes a few days.", "The refund takes 5 days."), id="a-vague-time"),
]  # fmt: skip


@pytest.mark.parametrize(("replies", "key"), TWO_ANSWERS)
def test_another_value_of_the_same_promise_is_a_second_answer(replies, key):
    assert {name: len(found) for name, found in answers(*replies).items()} == {key: 2}


@pytest.mark.parametrize("replies", ONE_ANSWER)
def test_what_is_no_other_answer_to_the_same_question_does_not_count(replies):
    assert answers(*replies) == {}


def test_the_thread_with_four_answers_has_three_distinct_ones_with_their_documents():
    (row,) = rows_of(FOUR_ANSWERS, PASSAGES)

    assert (row.question_key, row.times_asked) == ("warranty_duration", 4)
    assert row.distinct_answers == ("12 months", "24 months", "a lifetime")
    assert [(one.turn, one.value) for one in row.evidence] == [
        (1, "12 months"), (3, "24 months"), (5, "a lifetime"), (7, "12 months"),
    ]  # fmt: skip
    assert row.evidence[3].text == "The warranty is one year."
    assert [(one.answer, one.doc_id, one.version, one.section) for one in row.documents] == [
        ("12 months", "policy", "v4", "2.1"),
        ("24 months", "promotion", "p1", "Offer"),
        ("a lifetime", "parts_sheet", "s1", "Compressors"),
    ]


def test_a_question_asked_twice_with_one_answer_is_listed_and_one_asked_once_is_not():
    twice = rows_of(thread("Where is my refund?", "It takes 5 days.", "So when do I get my refund?", "In 5 days."))
    once = rows_of(thread("Where is my refund?", "It takes 5 days."))

    assert [(row.question_key, row.times_asked, row.distinct_answers) for row in twice] == [
        ("refund_timing", 2, ("5 days",))
    ]
    assert once == ()


def test_a_how_long_without_a_topic_asks_what_the_answer_answers():
    said = ("Fine. So how long will that be?", "The lamp arrives in 6 days.", "When?")
    answered = rows_of(thread(*said, "It arrives in 6 days."))
    unanswered = rows_of(thread(*said, "I am sorry about that."))

    assert [(row.question_key, row.times_asked) for row in answered] == [("delivery_time", 2)]
    assert unanswered == ()


def test_two_promises_of_one_question_that_both_drift_are_told_apart_by_name():
    (row,) = told(
        "We will call you within 4 hours. The investigation takes 6 days.",
        "We will call you within 1 hour. The investigation takes 9 days.",
    )

    assert row.distinct_answers == (
        "update: within 4 hours", "update: within 1 hour", "investigation: 6 days", "investigation: 9 days",
    )  # fmt: skip


def test_turns_count_every_message_and_notes_state_nothing():
    turns = (
        Turn("user", "Hi"),
        Turn("system", "The refund takes 1 day."),
        Turn("assistant", "The refund takes 5 days."),
        Turn("tool", "The refund takes 2 days."),
        Turn("bot", "The refund takes 9 days."),
    )

    (row,) = rows_of(Transcript("c", turns))

    assert [one.turn for one in row.evidence] == [2, 4]


def test_conversations_are_counted_once_each():
    counts = Counts()
    for rows in (rows_of(FOUR_ANSWERS), (), (row("a", 2, ("1 day", "2 days")), row("b", 3, ()))):
        counts.add(rows)

    assert counts.as_dict() == {
        "conversations": 3, "asked_three_or_more": 2, "two_answers_or_more": 2, "three_answers_or_more": 1,
    }  # fmt: skip


def row(key, asked, distinct):
    return DriftRow("c", key, asked, distinct, ())


pieces = st.sampled_from([
    "within 3 days", "If ", "you ", "will ", "refund ", "the bank ", "every ", "12 months ", "warranty ", "not ",
    "we ", "call ", "? ", ". ", ", ", "\n", "30 EUR ", "fee ", "on 4 May ", "team ", "they ", "\u202e", "> ", '"',
])  # fmt: skip
texts = st.one_of(st.text(max_size=200), st.lists(pieces, max_size=30).map("".join))


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(["customer", "agent", "note"]), texts), max_size=6))
def test_any_conversation_is_read_alike_twice_and_quotes_what_was_said(said):
    transcript = Transcript("c", tuple(Turn(role, text) for role, text in said))

    rows = rows_of(transcript)

    assert rows == rows_of(transcript)
    for found in rows:
        assert {one.value for one in found.evidence} <= set(found.distinct_answers)
        assert all(transcript.turns[one.turn].role == "agent" for one in found.evidence)
        assert all(one.text and one.text in transcript.turns[one.turn].text for one in found.evidence)


@pytest.mark.parametrize(
    "piece",
    ["within 3 days ", "a", "the refund takes 4 days, ", "our team was for ", "1-2 "],
)
def test_a_hostile_message_of_64_kb_is_read_to_its_limits(piece):
    text = (piece * 65_536)[:65_536]

    for found in rows_of(Transcript("c", (Turn("customer", text), Turn("agent", text)))):
        assert all(len(one.text) <= 1_000 for one in found.evidence)
