"""Bring a reply that did not leave back to the queue, with the reason. Part of a transaction."""

from datetime import datetime
from uuid import UUID

from django.contrib.auth.models import User
from django.db import transaction

from drafts.decisions.delivering import DeliveryState
from drafts.models import Delivery, ReviewItem
from drafts.services import withdrawing
from ledger import queries as ledger
from ledger.decisions.calendar import BusinessCalendar
from ledger.services.entries import EntryRepeatedSince

UNSENT = (DeliveryState.NO_DESTINATION, DeliveryState.SCHEDULED, DeliveryState.RETRYING)


def return_to_queue(
    delivery: Delivery, *, because: str, actor: User | None, now: datetime, calendar: BusinessCalendar
) -> None:
    """Take a reply back and reopen its item; `actor` is nobody where the last look before sending stopped it.

    Replies that repeat its answer and still wait come back first. Where its answer was repeated by one that has left,
    it is given up instead: such an answer can only be corrected.
    """
    for later in _resting_on(delivery):
        _take_back(later, because=because, actor=actor, now=now, calendar=calendar)
    try:
        with transaction.atomic():
            _take_back(delivery, because=because, actor=actor, now=now, calendar=calendar)
    except EntryRepeatedSince as repeated:
        delivery.state, delivery.due_at = DeliveryState.DEAD, None
        delivery.because = f"{because} It cannot be taken back, since it was repeated ({repeated}). Issue a correction."
        delivery.save(update_fields=["state", "due_at", "because"])


def _resting_on(delivery: Delivery) -> list[Delivery]:
    """Return the replies, newest first, that repeat this one's answer and of which nothing has left."""
    if delivery.decision is None:
        return []
    repeating = [UUID(decision) for decision in ledger.decisions_repeating(delivery.decision.entry_ids)]
    resting = Delivery.objects.select_for_update(of=("self",)).filter(
        decision__in=repeating, state__in=UNSENT, attempts=0
    )
    return list(resting.order_by("-created_at", "-pk"))


def _take_back(
    delivery: Delivery, *, because: str, actor: User | None, now: datetime, calendar: BusinessCalendar
) -> None:
    if delivery.decision is not None:
        item = (
            ReviewItem.objects.select_for_update(of=("self",))
            .select_related("conversation")
            .get(pk=delivery.decision.item_id)
        )
        withdrawing.withdraw_decision(item, delivery.decision, actor=actor, because=because, now=now, calendar=calendar)
    elif delivery.correction is not None:
        withdrawing.withdraw_correction(delivery.correction, actor=actor, because=because, now=now, calendar=calendar)
    delivery.state, delivery.due_at, delivery.leased_until = DeliveryState.RETURNED, None, None
    delivery.because, delivery.settled_by = because, actor
    delivery.save(update_fields=["state", "due_at", "leased_until", "because", "settled_by"])
