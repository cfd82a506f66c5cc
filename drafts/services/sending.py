"""Bring decided replies to their destinations: claim one for an attempt, write down what came of it, find what is due.

The rows of the outbox are the truth. A worker may be killed at any moment: an attempt is written before its request and
completed after it, under a lease and a fence, and every attempt carries the same id, by which the receiver knows a
reply that it has already taken. Locks are taken in the order conversation, delivery, item.
"""

import json
from collections.abc import Iterable
from datetime import datetime, timedelta
from uuid import UUID

from django.db import transaction
from django.db.models import Q, QuerySet

from drafts import queries
from drafts.decisions.delivering import (
    DUE_STATES,
    LEASE,
    ON_THE_WAY,
    Answered,
    Claimed,
    DeliveryState,
    Next,
    Outcome,
    after,
    may_have_arrived,
)
from drafts.decisions.lastlook import hindrances
from drafts.decisions.report import instant
from drafts.models import Attempt, Conversation, Delivery, Event
from drafts.services import returning, threads, waking
from ledger.decisions.calendar import BusinessCalendar

OFFERED_AGAIN_AFTER = timedelta(seconds=30)
AT_ONCE = timedelta(0)
LOST = "The attempt was cut short, so it may have arrived."


def claim(delivery_id: UUID | str, *, now: datetime, calendar: BusinessCalendar) -> Claimed | None:
    """Claim a due delivery for one attempt, after a last look; None where there is nothing to send now.

    There is nothing to send when it is not due, another worker has it, an earlier reply of the conversation is still on
    its way, its destination is switched off, or the last look stopped it: then its item is back in the queue, or, where
    an earlier attempt may have arrived, it waits for a person.
    """
    with transaction.atomic(durable=True):
        delivery = _due(delivery_id, now)
        if delivery is None or _waits_its_turn(delivery):
            return None
        found = tuple(hindrances(queries.last_look(delivery, now=now, calendar=calendar)))
        if found:
            _stop(delivery, found, now, calendar)
            return None
        return _begin(delivery, now)


def settle(claimed: Claimed, answered: Answered, *, now: datetime, chance: float) -> DeliveryState:
    """Write down what came of an attempt and return where the delivery stands; `chance` from 0 to 1 spreads retries.

    An attempt whose lease was lost meanwhile changes nothing, unless its receiver took the reply: then it is sent.
    """
    with transaction.atomic(durable=True):
        delivery = locked(claimed.delivery_id)
        _end_attempt(delivery, claimed.number, answered, now)
        outdated = delivery.fence != claimed.fence or delivery.state != DeliveryState.SENDING
        if outdated and (answered.outcome is not Outcome.TAKEN or not _may_still_be_sent(delivery)):
            return DeliveryState(delivery.state)
        _move(delivery, after(answered, attempts=delivery.attempts, now=now, chance=chance), now)
        return DeliveryState(delivery.state)


def expire(*, now: datetime, chance: float) -> int:
    """Give up on attempts whose lease has run out: what became of their replies is not known. Return how many."""
    lost = Delivery.objects.filter(state=DeliveryState.SENDING, leased_until__lt=now).values_list("pk", flat=True)
    return sum(_expire(pk, now, chance) for pk in list(lost))


def due(*, now: datetime, limit: int = 100) -> tuple[UUID, ...]:
    """Return deliveries that are due and that no worker was told of lately, and note that they are offered now."""
    with transaction.atomic(durable=True):
        not_lately = Q(offered_at=None) | Q(offered_at__lt=now - OFFERED_AGAIN_AFTER)
        waiting = Delivery.objects.select_for_update(of=("self",), skip_locked=True).filter(
            not_lately, state__in=DUE_STATES, due_at__lte=now, destination__is_active=True
        )
        found = tuple(waiting.order_by("due_at", "pk").values_list("pk", flat=True)[:limit])
        Delivery.objects.filter(pk__in=found).update(offered_at=now)
        return found


def mark_sent(delivery: Delivery, *, now: datetime) -> None:
    """Note that a reply has arrived: it stands in its thread from now on. Part of a transaction."""
    delivery.state, delivery.delivered_at = DeliveryState.SENT, now
    delivery.due_at = delivery.leased_until = delivery.because = None
    delivery.save(update_fields=["state", "delivered_at", "due_at", "leased_until", "because", "settled_by"])
    threads.add_delivered(delivery, now=now)
    if delivery.decision is not None:
        Event.objects.create(item=delivery.decision.item, kind="item:delivery:sent", happened_at=now)
    _wake_next(delivery.conversation_id)


def locked(delivery_id: UUID | str) -> Delivery:
    """Lock a delivery and, before it, its conversation, so that a message that is arriving is seen or comes after."""
    pk = Delivery.objects.values_list("conversation_id", flat=True).get(pk=delivery_id)
    Conversation.objects.select_for_update(no_key=True).get(pk=pk)
    return _with_what_it_carries().select_for_update(of=("self",)).get(pk=delivery_id)


def _due(delivery_id: UUID | str, now: datetime) -> Delivery | None:
    conversation = Delivery.objects.filter(pk=delivery_id).values_list("conversation_id", flat=True).first()
    if conversation is None:
        return None
    Conversation.objects.select_for_update(no_key=True).get(pk=conversation)
    waiting = _with_what_it_carries().select_for_update(of=("self",), skip_locked=True)
    return waiting.filter(pk=delivery_id, state__in=DUE_STATES, due_at__lte=now, destination__is_active=True).first()


def _with_what_it_carries() -> QuerySet[Delivery]:
    return Delivery.objects.select_related(
        "conversation", "destination", "decision__item__reply_to", "decision__item__conversation",
        "correction__conversation",
    )  # fmt: skip


def _waits_its_turn(delivery: Delivery) -> bool:
    """Say whether an earlier reply of the same conversation is still on its way."""
    earlier = Q(created_at__lt=delivery.created_at) | Q(created_at=delivery.created_at, pk__lt=delivery.pk)
    return Delivery.objects.filter(earlier, conversation=delivery.conversation_id, state__in=ON_THE_WAY).exists()


def _stop(delivery: Delivery, found: Iterable[str], now: datetime, calendar: BusinessCalendar) -> None:
    because = " ".join(found)
    if may_have_arrived(delivery.tries.values_list("outcome", flat=True)):
        _move(delivery, Next(DeliveryState.UNKNOWN, None, f"It may have arrived already. {because}"), now)
    else:
        returning.return_to_queue(delivery, because=because, actor=None, now=now, calendar=calendar)
    _wake_next(delivery.conversation_id)


def _begin(delivery: Delivery, now: datetime) -> Claimed:
    destination = delivery.destination
    assert destination is not None  # noqa: S101 - the database refuses a due delivery without one
    delivery.state, delivery.leased_until, delivery.due_at = DeliveryState.SENDING, now + LEASE, None
    delivery.fence += 1
    delivery.attempts += 1
    delivery.save(update_fields=["state", "leased_until", "due_at", "fence", "attempts"])
    Attempt.objects.create(
        delivery=delivery, number=delivery.attempts, fence=delivery.fence, url=destination.url, started_at=now
    )
    return Claimed(
        delivery_id=delivery.pk,
        fence=delivery.fence,
        number=delivery.attempts,
        url=destination.url,
        secret=destination.secret,
        body=_body(delivery),
        sent_at=now,
    )


def _body(delivery: Delivery) -> str:
    """Return what the receiver gets. It holds nothing that can change, so every attempt sends the same."""
    decision = delivery.decision
    item = decision.item if decision else None
    data = {
        "delivery_id": str(delivery.pk),
        "conversation_id": delivery.conversation.external_id,
        "in_reply_to": item.reply_to.external_id if item and item.reply_to else None,
        "draft_external_id": item.external_id if item else None,
        "item_id": str(item.pk) if item else None,
        "kind": decision.kind if decision else "correct",
        "text": delivery.text,
    }
    return json.dumps(
        {"type": "reply.approved", "timestamp": instant(delivery.created_at), "data": data}, ensure_ascii=False
    )


def _end_attempt(delivery: Delivery, number: int, answered: Answered, now: datetime) -> None:
    Attempt.objects.filter(delivery=delivery, number=number, ended_at=None).update(
        ended_at=now, outcome=answered.outcome, status=answered.status, said=answered.said
    )


def _may_still_be_sent(delivery: Delivery) -> bool:
    return delivery.state in {*ON_THE_WAY, DeliveryState.DEAD}


def _move(delivery: Delivery, to: Next, now: datetime) -> None:
    if to.state is DeliveryState.SENT:
        mark_sent(delivery, now=now)
        return
    delivery.state, delivery.due_at, delivery.because, delivery.leased_until = to.state, to.due_at, to.because, None
    delivery.offered_at = None
    delivery.save(update_fields=["state", "due_at", "because", "leased_until", "offered_at"])
    if to.due_at is None:
        _wake_next(delivery.conversation_id)


@transaction.atomic(durable=True)
def _expire(delivery_id: UUID, now: datetime, chance: float) -> int:
    delivery = locked(delivery_id)
    if delivery.state != DeliveryState.SENDING or delivery.leased_until is None or delivery.leased_until >= now:
        return 0
    lost = Answered(Outcome.INTERRUPTED, said=LOST)
    _end_attempt(delivery, delivery.attempts, lost, now)
    _move(delivery, after(lost, attempts=delivery.attempts, now=now, chance=chance), now)
    return 1


def _wake_next(conversation_id: int) -> None:
    """Tell a worker of the conversation's next reply, which has waited for its turn."""
    following = Delivery.objects.filter(conversation=conversation_id, state__in=DUE_STATES, due_at__isnull=False)
    pk = following.order_by("created_at", "pk").values_list("pk", flat=True).first()
    if pk is not None:
        waking.wake_after_commit(pk, wait=AT_ONCE)
