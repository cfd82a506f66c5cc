"""What a person says or does about a reply whose way out ended nowhere."""

from datetime import datetime
from uuid import UUID

from django.contrib.auth.models import User
from django.db import transaction

from drafts.decisions.delivering import DeliveryState
from drafts.models import Delivery
from drafts.services import outbox, returning, sending, waking
from drafts.services.outcomes import Unusable
from drafts.services.undoing import TooLate
from ledger.decisions.calendar import BusinessCalendar
from ledger.decisions.text import is_blank

STUCK = (DeliveryState.DEAD, DeliveryState.UNKNOWN, DeliveryState.NO_DESTINATION, DeliveryState.RETRYING)


@transaction.atomic(durable=True)
def send_again(*, delivery_id: UUID | str, actor: User, now: datetime) -> Delivery:
    """Let a reply be tried at once, under the same id; one without a destination gets the one that is there now.

    Raises TooLate where it is under way or has ended, Unusable where there is still no destination,
    Delivery.DoesNotExist.
    """
    delivery = _stuck(delivery_id)
    if delivery.destination is None or not delivery.destination.is_active:
        delivery.destination = outbox.destination_for(delivery.conversation.channel)
    if delivery.destination is None:
        raise Unusable("destination", "There is no destination for this channel yet. An administrator adds one.")
    delivery.state, delivery.due_at, delivery.offered_at = DeliveryState.RETRYING, now, None
    delivery.because, delivery.settled_by = f"{actor.get_username()} asked for another attempt.", None
    delivery.save(update_fields=["destination", "state", "due_at", "offered_at", "because", "settled_by"])
    waking.wake_after_commit(delivery.pk, wait=sending.AT_ONCE)
    return delivery


@transaction.atomic(durable=True)
def mark_delivered(*, delivery_id: UUID | str, reason: str, actor: User, now: datetime) -> Delivery:
    """Note that a reply has reached the customer, on a person's word; it stands in the thread from now on.

    Raises TooLate, Unusable without a reason, Delivery.DoesNotExist.
    """
    _check_reason(reason, "Say how you know that it arrived.")
    delivery = _stuck(delivery_id)
    delivery.settled_by = actor
    sending.mark_sent(delivery, now=now)
    delivery.because = reason
    delivery.save(update_fields=["because"])
    return delivery


@transaction.atomic(durable=True)
def take_back(
    *, delivery_id: UUID | str, reason: str, actor: User, now: datetime, calendar: BusinessCalendar
) -> Delivery:
    """Give a reply up for good: its item is back in the queue, and the ledger says that the answer was withdrawn.

    Where it may have arrived, the reason is a person's word that it did not. Raises TooLate, Unusable,
    Delivery.DoesNotExist.
    """
    _check_reason(reason, "Say why it is taken back; the reason stands in the ledger.")
    delivery = _stuck(delivery_id)
    returning.return_to_queue(delivery, because=reason, actor=actor, now=now, calendar=calendar)
    return delivery


def _stuck(delivery_id: UUID | str) -> Delivery:
    delivery = sending.locked(delivery_id)
    if delivery.state not in STUCK:
        raise TooLate("This reply is under way or has ended, so there is nothing to settle. Look at its state again.")
    return delivery


def _check_reason(reason: str, message: str) -> None:
    if is_blank(reason):
        raise Unusable("reason", message)
