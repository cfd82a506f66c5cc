"""Bring a reply that did not leave back to the queue, with the reason. Part of a transaction."""

from datetime import datetime

from django.contrib.auth.models import User
from django.db import transaction

from drafts.decisions.delivering import DeliveryState
from drafts.models import Delivery, ReviewItem
from drafts.services import withdrawing
from ledger.decisions.calendar import BusinessCalendar
from ledger.services.entries import EntryRepeatedSince

UNSENT = (DeliveryState.NO_DESTINATION, DeliveryState.SCHEDULED, DeliveryState.RETRYING)


def return_to_queue(
    delivery: Delivery, *, because: str, actor: User | None, now: datetime, calendar: BusinessCalendar
) -> None:
    """Take a reply back and reopen its item; `actor` is nobody where the last look before sending stopped it.

    Replies of the conversation that were decided after it and still wait rest on it, so they come back first. Where its
    answer was repeated by one that has left, it stays given up: such an answer can only be corrected.
    """
    for later in _later_waiting(delivery):
        _take_back(later, because=because, actor=actor, now=now, calendar=calendar)
    try:
        _take_back(delivery, because=because, actor=actor, now=now, calendar=calendar)
    except EntryRepeatedSince as repeated:
        delivery.state, delivery.due_at = DeliveryState.DEAD, None
        delivery.because = f"{because} It cannot be taken back, since it was repeated ({repeated}). Issue a correction."
        delivery.save(update_fields=["state", "due_at", "because"])


def _later_waiting(delivery: Delivery) -> list[Delivery]:
    later = Delivery.objects.select_for_update(of=("self",)).filter(
        conversation=delivery.conversation_id, created_at__gt=delivery.created_at, state__in=UNSENT, attempts=0
    )
    return list(later.order_by("-created_at", "-pk"))


@transaction.atomic
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
