"""The key classifier: what is asked, in which order, of which scope; and that silence is the answer to doubt."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drafts.decisions.classifier import classify, classify_topic
from ledger.decisions.default_keys import default_registry
from ledger.decisions.phrasings import NONE_PHRASINGS, PHRASINGS
from ledger.decisions.vocabulary import CommitmentClass, KeyEntry, KeyOrigin, KeyStatus

DEFAULT = default_registry()
GENERAL = KeyEntry("warranty_duration::repairs", "How long is the warranty on a repair?")
PUMP = KeyEntry(
    "warranty_duration::pump",
    "How long is the warranty on the pump?",
    parent="warranty_duration::repairs",
    boundary="The pump is part of the same coverage.",
)
HIRE = KeyEntry("warranty_duration::rentals", "How long is the warranty on rented tools?")


def registry(*entries):
    return {entry.key: entry for entry in entries}


def topics(message, known=DEFAULT):
    return [question.key.split("::")[0] for question in classify(message, known).questions if question.key]


@pytest.mark.parametrize(
    ("message", "topic"),
    [
        ("How long is the guarantee on the new pump?", "warranty_duration"),
        ("Does opening the lid void the warranty?", "warranty_coverage"),
        ("What is the deadline for returning a lamp?", "return_window"),
        ("Can I return worn socks?", "return_eligibility"),
        ("I want my money back for this kettle.", "refund_eligibility"),
        ("Where is my refund?", "refund_timing"),
        ("I would like to swap the shirt for a bigger size.", "exchange_terms"),
        ("Please cancel my booking for Friday.", "cancellation_window"),
        ("Is there a cancellation fee?", "cancellation_fee"),
        ("Where is my parcel?", "delivery_time"),
        ("my dlivery has not arrived", "delivery_time"),
        ("How much is shipping for a lamp?", "delivery_cost"),
        ("Do you ship to Norway?", "delivery_area"),
        ("How long is this quote valid?", "price_validity"),
        ("When do I get my deposit back?", "deposit_terms"),
        ("Which payment methods do you accept?", "payment_terms"),
        ("How long will the repair of my bike take?", "repair_turnaround"),
        ("Does the subscription renew automatically?", "subscription_renewal"),
        ("How do I delete my account?", "account_closure"),
        ("Is the jacket waterproof?", "product_guarantee"),
    ],
)
def test_a_plain_question_has_its_key(message, topic):
    (question,) = classify(message, DEFAULT).questions

    assert (question.status, question.key, question.by) == (
        KeyStatus.ESTABLISHED,
        f"{topic}::general",
        KeyOrigin.CLASSIFIER,
    )
    assert 0.8 < question.score < 1


@pytest.mark.parametrize(
    "message",
    [
        "yes please", "ok go ahead", "👍", "Thanks!!", "no", "", "   ", "hi", "...", "Great, thank you so much",
        "How do I reset my password?", "I want to talk to a human", "My number is 4471.", "the driver was rude",
        "unsubscribe me from the newsletter", "I'd like to buy a lamp", "Yes, please proceed with the exchange.",
        "Great, the return details are correct.",
    ],
)  # fmt: skip
def test_what_asks_for_no_commitment_has_no_key(message):
    classification = classify(message, DEFAULT)

    assert [question.status for question in classification.questions] == [KeyStatus.NONE]
    assert classification.suggestions == ()


def test_several_questions_are_several_keys_in_the_order_of_the_message():
    assert topics("Where is my parcel? And how long is the warranty on it?") == ["delivery_time", "warranty_duration"]
    assert topics("How long is the warranty? Also, where is my parcel?") == ["warranty_duration", "delivery_time"]


def test_a_report_before_a_question_is_not_asked():
    assert topics("I cancelled my order last week. When do I get my refund?") == ["refund_timing"]


def test_a_question_of_time_takes_its_object_from_the_rest_of_the_message():
    assert topics("I want my money back. How long will it take?") == ["refund_timing"]


def test_an_if_clause_describes_the_case_and_asks_nothing():
    assert topics("If the parcel has not arrived by Monday, I want a full refund.") == ["refund_eligibility"]


def test_the_money_of_a_refund_is_asked_for_without_the_word():
    assert topics("so where is my money??") == ["refund_timing"]


def test_an_unwanted_thing_is_not_asked_for():
    assert "refund_eligibility" not in topics("I do not want a refund, please send a replacement.")


def test_doubt_about_a_commitment_waits_for_a_person_with_suggestions():
    classification = classify("Something about the warranty and my pump please", registry(GENERAL, HIRE))

    assert [question.status for question in classification.questions] == [KeyStatus.UNCERTAIN]
    assert set(classification.suggestions) <= {GENERAL.key, HIRE.key}


@pytest.mark.parametrize(
    "message",
    [
        "So 24 months, right?",
        "Your colleague told me it was two years.",
        "Which policy applies to me?",
        "Does this also hold for our contract?",
    ],
)
def test_what_leans_on_a_commitment_without_naming_it_is_uncertain(message):
    assert classify(message, DEFAULT).questions[0].status is KeyStatus.UNCERTAIN


def test_a_follow_up_that_names_an_adjacent_key_suggests_it():
    classification = classify("And what about the pump?", registry(GENERAL, PUMP))

    assert classification.questions[0].status is KeyStatus.UNCERTAIN
    assert classification.suggestions[0] == PUMP.key


def test_the_only_root_of_a_topic_is_its_key():
    assert classify("How long is the warranty?", registry(GENERAL, PUMP)).questions[0].key == GENERAL.key


def test_an_adjacent_key_needs_a_word_of_its_own():
    assert classify("How long is the warranty on the pump?", registry(GENERAL, PUMP)).questions[0].key == PUMP.key


def test_scopes_that_the_message_does_not_tell_apart_are_uncertain():
    classification = classify("How long is the warranty?", registry(GENERAL, HIRE))

    assert classification.questions[0].status is KeyStatus.UNCERTAIN
    assert set(classification.suggestions) == {GENERAL.key, HIRE.key}


def test_a_scope_that_the_message_names_is_chosen():
    assert classify("How long is the warranty on rented tools?", registry(GENERAL, HIRE)).questions[0].key == HIRE.key


def test_a_topic_without_a_key_is_uncertain_and_suggests_nothing():
    classification = classify("How long is the warranty?", {})

    assert [question.status for question in classification.questions] == [KeyStatus.UNCERTAIN]
    assert classification.suggestions == ()


def test_a_topic_of_its_own_is_learnt_from_examples():
    loyalty = KeyEntry(
        "points_expiry::club",
        "When do loyalty points expire?",
        CommitmentClass.BINDING_POLICY,
        examples=("when do my loyalty points lapse", "do bonus points run out", "how long are club points good for"),
    )

    assert (
        classify("When do my loyalty points expire?", {**DEFAULT, **registry(loyalty)}).questions[0].key == loyalty.key
    )
    assert (
        classify("When does my parcel arrive?", {**DEFAULT, **registry(loyalty)}).questions[0].key
        == "delivery_time::general"
    )


def test_the_default_phrasings_are_recognised_and_none_of_the_others_has_a_key():
    sure = [(topic, classify_topic(text)) for topic, texts in PHRASINGS.items() for text in texts]
    established = [(topic, guess) for topic, guess in sure if guess.established]

    assert len(established) > 0.7 * len(sure)
    assert sum(guess.topic == topic for topic, guess in established) > 0.97 * len(established)
    assert not [text for text in NONE_PHRASINGS if classify_topic(text).established]


def test_the_default_registry_has_one_scope_a_topic_and_enough_phrasings():
    assert len(DEFAULT) == 23
    assert all(entry.key == key and len(entry.examples) >= 10 for key, entry in DEFAULT.items())
    assert len({text for entry in DEFAULT.values() for text in entry.examples}) == sum(
        len(entry.examples) for entry in DEFAULT.values()
    )


@given(st.text(max_size=300))
def test_any_message_is_classified(message):
    classification = classify(message, DEFAULT)

    assert classification.questions
    assert all(
        (question.key is None) == (question.status is not KeyStatus.ESTABLISHED)
        for question in classification.questions
    )


@pytest.mark.parametrize(
    "text",
    ["how long " * 8_000, "is my " * 10_000, "if, " * 15_000, "a" * 60_000, "send me back " * 5_000, "? " * 30_000],
)
def test_hostile_repetition_is_classified_too(text):
    assert classify(text, DEFAULT).questions
