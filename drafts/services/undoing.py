"""Undo a decision within its grace, before its reply leaves."""

from datetime import datetime
from uuid import UUID

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import QuerySet

from drafts import queries
from drafts.decisions.delivering import UNSENT_STATES, DeliveryState
from drafts.models import Correction, Delivery, ReviewItem
from drafts.services import threads, withdrawing
from ledger.decisions.calendar import BusinessCalendar
from ledger.services.entries import EntryRepeatedSince, EntrySuperseded

UNDONE = "Undone before it left."


class TooLate(Exception):
    """It cannot be undone (any more), or not by this person; the message says why and what to do instead."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


@transaction.atomic(durable=True)
def undo(*, item_id: UUID | str, actor: User, now: datetime, calendar: BusinessCalendar) -> ReviewItem:
    """Take back one's own decision while its reply has not left; the item is open again and held by the actor.

    What was typed into it stays its newest text. Raises TooLate, ReviewItem.DoesNotExist.
    """
    threads.lock_conversation_of(item_id)
    item = ReviewItem.objects.select_for_update(of=("self",)).select_related("conversation").get(pk=item_id)
    decision = item.decision
    if decision is None:
        raise TooLate("There is no decision to undo: this item is not decided.")
    if decision.decided_by != actor:
        raise TooLate(f"Only {decision.decided_by.get_username()}, who decided this, can undo it.")
    delivery = _unsent(Delivery.objects.filter(decision=decision), has_one=bool(decision.text))
    _check_grace(delivery.undo_until if delivery else decision.decided_at + queries.grace(), now)
    try:
        withdrawing.withdraw_decision(item, decision, actor=actor, because=UNDONE, now=now, calendar=calendar)
    except EntryRepeatedSince as repeated:
        raise TooLate(f"{REPEATED} ({repeated})") from repeated
    _mark_undone(delivery)
    return item


@transaction.atomic(durable=True)
def undo_correction(*, correction_id: UUID | str, actor: User, now: datetime, calendar: BusinessCalendar) -> Correction:
    """Take back one's own correction that was issued without a draft. Raises TooLate, Correction.DoesNotExist."""
    found = Correction.objects.select_for_update(of=("self",)).select_related("conversation")
    correction = found.get(pk=correction_id, decision=None)
    if correction.withdrawn_at is not None:
        raise TooLate("This correction was taken back already.")
    if correction.corrected_by != actor:
        raise TooLate(f"Only {correction.corrected_by.get_username()}, who issued this, can undo it.")
    delivery = _unsent(Delivery.objects.filter(correction=correction), has_one=True)
    _check_grace(delivery.undo_until if delivery else correction.corrected_at + queries.grace(), now)
    try:
        withdrawing.withdraw_correction(correction, actor=actor, because=UNDONE, now=now, calendar=calendar)
    except (EntryRepeatedSince, EntrySuperseded) as moved:
        raise TooLate(f"{REPEATED} ({moved})") from moved
    _mark_undone(delivery)
    return correction


REPEATED = "This answer has been repeated or replaced since, so it cannot be undone. Issue a correction instead."


def _unsent(deliveries: QuerySet[Delivery], *, has_one: bool) -> Delivery | None:
    """Return the delivery, locked, that has not begun to leave. Raises TooLate.

    A worker that holds the row is sending it at this moment: to wait for it would be to wait for the outcome.
    """
    if not has_one:
        return None
    delivery = deliveries.select_for_update(of=("self",), skip_locked=True).first()
    if delivery is None or delivery.state == DeliveryState.SENDING:
        raise TooLate("The reply is being sent right now. If it was wrong, issue a correction.")
    if delivery.state not in UNSENT_STATES:
        raise TooLate("The reply is on its way or has left. If it was wrong, issue a correction.")
    return delivery


def _check_grace(until: datetime, now: datetime) -> None:
    if now >= until:
        raise TooLate("The time to undo this is over. If the reply was wrong, issue a correction.")


def _mark_undone(delivery: Delivery | None) -> None:
    if delivery is not None:
        delivery.state, delivery.due_at, delivery.because = DeliveryState.UNDONE, None, UNDONE
        delivery.save(update_fields=["state", "due_at", "because"])
