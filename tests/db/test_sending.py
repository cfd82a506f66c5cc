"""Replies on their way out: claimed once, looked at once more, in order, and told truly whatever comes back."""

import json
from datetime import timedelta

import pytest
from django.utils import timezone

from drafts.decisions.arriving import MessageIn
from drafts.decisions.delivering import LEASE, WAITS, Answered, DeliveryState, Outcome
from drafts.models import Attempt, Conversation, Delivery, Message, ReviewItem
from drafts.services import correcting, sending, settling, undoing, updates
from drafts.services.outcomes import Unusable
from ledger import queries as ledger
from ledger.decisions.vocabulary import VersionStatus
from tests import builders

pytestmark = pytest.mark.django_db(transaction=True)

TAKEN = Answered(Outcome.TAKEN, 200, "ok")
FAILED = Answered(Outcome.FAILED, 500, "boom")
REFUSED = Answered(Outcome.REFUSED, 404, "not here")
NO_ANSWER = Answered(Outcome.NO_ANSWER, None, "no answer within 20 s")


@pytest.fixture
def doc_id():
    return builders.unique("returns")


@pytest.fixture
def sources(people, doc_id):
    builders.return_policy(people["owner"], doc_id=doc_id)
    builders.destination(channels=[builders.CHANNEL])


@pytest.fixture
def waiting(sources, agent):
    return builders.delivery(agent)


def claim(delivery, *, at=None):
    return sending.claim(delivery.pk, now=at or delivery.undo_until, calendar=builders.calendar())


def settle(claimed, answered, *, at=None):
    return sending.settle(claimed, answered, now=at or claimed.sent_at, chance=0)


def tell(delivery, text, role="customer", name=None):
    return updates.tell_message(
        conversation_id=delivery.conversation.external_id,
        message=MessageIn(name or builders.unique("m"), role, text, None),
        now=timezone.now(),
        calendar=builders.calendar(),
    )


def fresh(delivery):
    return Delivery.objects.get(pk=delivery.pk)


def kinds(delivery):
    return [entry["kind"] for entry in ledger.entries(delivery.conversation.external_id)]


# Claiming


def test_a_reply_leaves_when_its_grace_is_over(waiting):
    assert claim(waiting, at=waiting.undo_until - timedelta(seconds=1)) is None
    claimed = claim(waiting)

    assert (claimed.delivery_id, claimed.number) == (waiting.pk, 1)
    assert fresh(waiting).state == DeliveryState.SENDING


def test_a_claimed_reply_is_not_claimed_again(waiting):
    assert claim(waiting)

    assert claim(waiting) is None


def test_the_attempt_is_written_before_the_request(waiting):
    claim(waiting)

    attempt = Attempt.objects.get(delivery=waiting)
    assert (attempt.number, attempt.ended_at, attempt.url) == (1, None, "https://desk.example/in")


def test_every_attempt_sends_the_same_words(waiting):
    first = claim(waiting)
    settle(first, FAILED)
    Conversation.objects.filter(pk=waiting.conversation_id).update(customer_id="renamed", channel="letter")
    second = claim(waiting, at=first.sent_at + WAITS[0])

    assert second.body == first.body
    assert json.loads(second.body)["data"] == {
        "delivery_id": str(waiting.pk),
        "conversation_id": waiting.conversation.external_id,
        "in_reply_to": waiting.decision.item.reply_to.external_id,
        "draft_external_id": waiting.decision.item.external_id,
        "item_id": str(waiting.decision.item_id),
        "kind": "approve",
        "text": builders.CLEAN,
    }


def test_nothing_leaves_for_a_destination_that_is_switched_off(waiting):
    waiting.destination.is_active = False
    waiting.destination.save()

    assert claim(waiting) is None
    assert waiting.pk not in sending.due(now=waiting.undo_until)


def test_an_unknown_delivery_is_nothing_to_do(sources):
    gone = Delivery().pk

    assert sending.claim(gone, now=timezone.now(), calendar=builders.calendar()) is None


# What comes back


def test_a_reply_that_was_taken_is_sent_and_stands_in_its_thread(waiting):
    claimed = claim(waiting)

    assert settle(claimed, TAKEN) == DeliveryState.SENT

    told = Message.objects.filter(conversation=waiting.conversation).order_by("ordinal").last()
    assert (told.role, told.text, told.through_desk, told.sent_at) == ("agent", builders.CLEAN, True, claimed.sent_at)
    assert fresh(waiting).delivered_at == claimed.sent_at
    assert Attempt.objects.get(delivery=waiting).outcome == Outcome.TAKEN


@pytest.mark.parametrize(("answered", "state"), [
    (FAILED, DeliveryState.RETRYING), (REFUSED, DeliveryState.RETRYING), (NO_ANSWER, DeliveryState.UNKNOWN),
    (Answered(Outcome.NOT_REACHED, None, "refused"), DeliveryState.RETRYING),
    (Answered(Outcome.REFUSED, 410, "gone"), DeliveryState.DEAD),
])  # fmt: skip
def test_what_was_not_taken_is_told_as_it_is(waiting, answered, state):
    assert settle(claim(waiting), answered) == state
    assert not Message.objects.filter(conversation=waiting.conversation, role="agent").exists()


def test_a_wait_that_the_receiver_asks_for_is_kept(waiting):
    claimed = claim(waiting)
    busy = Answered(Outcome.REFUSED, 429, "busy", timedelta(minutes=7))
    settle(claimed, busy)

    assert fresh(waiting).due_at == claimed.sent_at + timedelta(minutes=7)


def test_a_reply_is_given_up_after_the_last_wait(waiting):
    at = waiting.undo_until
    for _attempt in range(len(WAITS) + 1):
        settle(claim(waiting, at=at), FAILED)
        at = fresh(waiting).due_at or at

    assert fresh(waiting).state == DeliveryState.DEAD
    assert f"Given up after {len(WAITS) + 1} attempts" in fresh(waiting).because


def test_a_worker_that_vanished_leaves_a_reply_of_unknown_fate(waiting):
    claimed = claim(waiting)
    lost_at = claimed.sent_at + LEASE + timedelta(seconds=1)

    assert sending.expire(now=claimed.sent_at + LEASE, chance=0) == 0
    assert sending.expire(now=lost_at, chance=0) == 1
    assert fresh(waiting).state == DeliveryState.UNKNOWN
    assert Attempt.objects.get(delivery=waiting).outcome == Outcome.INTERRUPTED
    assert claim(waiting, at=fresh(waiting).due_at).number == 2


def test_an_outdated_worker_changes_nothing(waiting):
    first = claim(waiting)
    lost_at = first.sent_at + LEASE + timedelta(seconds=1)
    sending.expire(now=lost_at, chance=0)
    second = claim(waiting, at=fresh(waiting).due_at)

    assert settle(first, REFUSED, at=lost_at) == DeliveryState.SENDING
    assert settle(second, TAKEN) == DeliveryState.SENT


def test_a_late_word_that_it_was_taken_counts(waiting):
    first = claim(waiting)
    lost_at = first.sent_at + LEASE + timedelta(seconds=1)
    sending.expire(now=lost_at, chance=0)
    second = claim(waiting, at=fresh(waiting).due_at)

    assert settle(first, TAKEN, at=lost_at) == DeliveryState.SENT
    assert settle(second, FAILED, at=lost_at) == DeliveryState.SENT
    assert Message.objects.filter(conversation=waiting.conversation, role="agent").count() == 1


def test_two_words_that_it_was_taken_make_one_reply(waiting):
    first = claim(waiting)
    sending.expire(now=first.sent_at + LEASE + timedelta(seconds=1), chance=0)
    second = claim(waiting, at=fresh(waiting).due_at)
    settle(second, TAKEN)

    assert settle(first, TAKEN) == DeliveryState.SENT
    assert Message.objects.filter(conversation=waiting.conversation, role="agent").count() == 1


# The last look


def test_a_newer_customer_message_brings_the_item_back_to_the_queue(waiting):
    tell(waiting, "Forget it, I found the receipt.")

    assert claim(waiting) is None

    item = ReviewItem.objects.get(pk=waiting.decision.item_id)
    assert (item.state, item.decision, item.holder) == ("pending", None, None)
    assert "I found the receipt" in fresh(waiting).because
    assert kinds(waiting) == ["ANSWER", "WITHDRAWAL"]
    assert "newer_customer_message" in {b["code"] for b in item.analysis["blocked_by"]}


def test_a_reply_from_outside_brings_the_item_back_with_the_reason(waiting):
    tell(waiting, "We wrote to you by post.", role="agent")

    assert claim(waiting) is None

    item = ReviewItem.objects.get(pk=waiting.decision.item_id)
    assert fresh(waiting).state == DeliveryState.RETURNED
    assert "reply_already_sent" in {b["code"] for b in item.analysis["blocked_by"]}


def correct(conversation, agent):
    wanted = correcting.CorrectionWanted(
        "An unused lamp can be returned within 14 days of receipt, with its box.", "The box is needed.", agent.username
    )
    return correcting.correct(
        conversation_id=conversation.external_id,
        question_key=builders.RETURN_KEY,
        wanted=wanted,
        actor=agent,
        now=timezone.now(),
        calendar=builders.calendar(),
    )


def test_a_repeat_of_what_was_corrected_meanwhile_does_not_leave_and_the_correction_does(waiting, agent):
    conversation = waiting.conversation
    thread = [builders.message(name=m.external_id) for m in conversation.messages.all()]
    settle(claim(waiting), TAKEN)
    again = builders.delivery(agent, conversation=conversation.external_id, messages=thread)
    correction = correct(conversation, agent)

    assert claim(again, at=again.undo_until) is None
    assert f"The answer to {builders.RETURN_KEY} was corrected" in fresh(again).because
    assert ReviewItem.objects.get(pk=again.decision.item_id).state == "pending"
    assert claim(correction.delivery, at=correction.delivery.undo_until)


def test_what_nobody_has_read_is_not_corrected(waiting, agent):
    with pytest.raises(correcting.CorrectionRefused, match="has not reached the customer"):
        correct(waiting.conversation, agent)


def test_an_answer_from_a_retired_policy_does_not_leave(waiting, people, doc_id):
    builders.version(by=people["owner"], doc_id=doc_id, status=VersionStatus.RETIRED)

    assert claim(waiting) is None
    assert f"{doc_id}/RET-1" in fresh(waiting).because


def test_a_repeat_of_what_was_promised_leaves_although_its_policy_was_retired(sources, agent, people, doc_id):
    conversation = builders.locked(agent)
    first = Delivery.objects.get(conversation__external_id=conversation)
    settle(claim(first), TAKEN)
    again = builders.delivery(agent, conversation=conversation)
    builders.version(by=people["owner"], doc_id=doc_id, status=VersionStatus.RETIRED)

    assert claim(again)


def test_tomorrow_does_not_leave_on_another_day(people, agent, sources):
    tomorrow = (timezone.now() + timedelta(days=1)).isoformat()
    text = f"{builders.CLEAN}\n\nWe will call you tomorrow."
    ticket = {"status": "open", "assignee": "agent", "callback_at": tomorrow}
    delivery = builders.delivery(agent, text, ticket=ticket)

    assert claim(delivery, at=delivery.undo_until + timedelta(days=2)) is None
    assert "tomorrow" in fresh(delivery).because


def test_of_two_replies_to_one_message_the_second_does_not_leave(waiting, agent):
    thread = [builders.message(name=m.external_id) for m in waiting.conversation.messages.all()]
    second = builders.delivery(agent, conversation=waiting.conversation.external_id, messages=thread)
    settle(claim(waiting), TAKEN)

    assert claim(second, at=second.undo_until) is None
    assert "Another reply to the same message" in fresh(second).because
    assert Message.objects.filter(conversation=waiting.conversation, role="agent").count() == 1


def test_what_may_have_arrived_waits_for_a_person_instead_of_coming_back(waiting):
    settle(claim(waiting), NO_ANSWER)
    tell(waiting, "And by when?")

    assert claim(waiting, at=fresh(waiting).due_at) is None
    assert (fresh(waiting).state, fresh(waiting).due_at) == (DeliveryState.UNKNOWN, None)
    assert ReviewItem.objects.get(pk=waiting.decision.item_id).state == "approved"


def test_what_surely_did_not_arrive_comes_back_even_after_attempts(waiting):
    settle(claim(waiting), REFUSED)
    tell(waiting, "And by when?")

    assert claim(waiting, at=fresh(waiting).due_at) is None
    assert fresh(waiting).state == DeliveryState.RETURNED


def test_replies_that_rest_on_a_returned_one_come_back_too(waiting, agent):
    thread = [builders.message(name=m.external_id) for m in waiting.conversation.messages.all()]
    again = builders.delivery(agent, conversation=waiting.conversation.external_id, messages=thread)
    tell(waiting, "One more thing.")

    assert claim(waiting) is None
    assert {fresh(waiting).state, fresh(again).state} == {DeliveryState.RETURNED}
    assert kinds(waiting) == ["ANSWER", "REPLAY", "WITHDRAWAL", "WITHDRAWAL"]


# Order, sweep, threads


def test_a_later_reply_waits_for_the_earlier_one(waiting, agent):
    thread = [builders.message(name=m.external_id) for m in waiting.conversation.messages.all()]
    again = builders.delivery(agent, conversation=waiting.conversation.external_id, messages=thread)
    at = again.undo_until

    assert claim(again, at=at) is None
    assert fresh(again).state == DeliveryState.SCHEDULED
    settle(claim(waiting, at=at), TAKEN)
    assert again.pk in sending.due(now=at)


def test_the_sweep_offers_what_is_due_once_in_a_while(waiting):
    at = waiting.undo_until

    assert waiting.pk not in sending.due(now=at - timedelta(seconds=1))
    assert waiting.pk in sending.due(now=at)
    assert waiting.pk not in sending.due(now=at + timedelta(seconds=5))
    assert waiting.pk in sending.due(now=at + sending.OFFERED_AGAIN_AFTER + timedelta(seconds=1))


def test_a_delivered_reply_that_its_helpdesk_tells_back_stands_once(waiting):
    settle(claim(waiting), TAKEN)
    tell(waiting, f"{builders.CLEAN}\n\n-- \nSent by the lamp shop", role="agent", name="hd-991")

    told = Message.objects.get(conversation=waiting.conversation, role="agent")
    assert (told.external_id, told.through_desk) == ("hd-991", True)


def test_a_delivered_reply_leaves_drafts_to_other_messages_open(waiting, agent):
    name = waiting.conversation.external_id
    claimed = claim(waiting)
    second = builders.item(conversation=name, messages=[builders.message("And the shade, how long for that?")])
    settle(claimed, TAKEN)

    second.refresh_from_db()
    assert second.state == "pending"


def test_a_delivered_reply_retires_drafts_to_the_same_message(waiting, agent):
    thread = [builders.message(name=m.external_id) for m in waiting.conversation.messages.all()]
    second = builders.item(conversation=waiting.conversation.external_id, messages=thread)
    settle(claim(waiting), TAKEN)

    second.refresh_from_db()
    assert second.state == "retired"


# What a person settles


def test_a_person_sends_a_dead_reply_again(waiting, agent):
    settle(claim(waiting), Answered(Outcome.REFUSED, 410, "gone"))
    settling.send_again(delivery_id=waiting.pk, actor=agent, now=timezone.now())

    assert claim(waiting, at=timezone.now()).number == 2


def test_a_person_sends_what_had_no_destination(people, agent, doc_id):
    builders.return_policy(people["owner"], doc_id=doc_id)
    delivery = builders.delivery(agent)
    with pytest.raises(Unusable, match="no destination"):
        settling.send_again(delivery_id=delivery.pk, actor=agent, now=timezone.now())
    builders.destination()

    settling.send_again(delivery_id=delivery.pk, actor=agent, now=timezone.now())

    assert claim(delivery, at=timezone.now())


def test_a_person_says_that_it_arrived(waiting, agent):
    settle(claim(waiting), NO_ANSWER)
    settling.mark_delivered(delivery_id=waiting.pk, reason="I see it there.", actor=agent, now=timezone.now())

    assert (fresh(waiting).state, fresh(waiting).settled_by) == (DeliveryState.SENT, agent)
    assert Message.objects.filter(conversation=waiting.conversation, role="agent").count() == 1


def test_a_person_takes_a_dead_reply_back(waiting, agent):
    settle(claim(waiting), Answered(Outcome.REFUSED, 410, "gone"))
    settling.take_back(
        delivery_id=waiting.pk, reason="They moved away.", actor=agent, now=timezone.now(), calendar=builders.calendar()
    )

    assert fresh(waiting).state == DeliveryState.RETURNED
    assert ReviewItem.objects.get(pk=waiting.decision.item_id).holder == agent
    assert kinds(waiting) == ["ANSWER", "WITHDRAWAL"]


@pytest.mark.parametrize("reason", ["", "  \u200b"])
def test_settling_needs_a_reason(waiting, agent, reason):
    settle(claim(waiting), NO_ANSWER)

    with pytest.raises(Unusable):
        settling.mark_delivered(delivery_id=waiting.pk, reason=reason, actor=agent, now=timezone.now())


def test_what_is_under_way_is_not_settled_by_hand(waiting, agent):
    claim(waiting)

    with pytest.raises(undoing.TooLate):
        settling.send_again(delivery_id=waiting.pk, actor=agent, now=timezone.now())
