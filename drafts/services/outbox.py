"""Write what is to leave into the outbox. Part of the transaction of the decision or correction that it carries."""

from datetime import datetime

from drafts import queries
from drafts.decisions.delivering import DeliveryState
from drafts.models import Correction, Decision, Delivery, Destination
from drafts.services import waking


def enqueue(carried: Decision | Correction, *, now: datetime) -> Delivery:
    """Write the outbox row of a decided reply, and tell a worker when the transaction is over.

    It leaves after the grace in which whoever decided may take it back. Without a destination it waits and says so.
    """
    decision = carried if isinstance(carried, Decision) else None
    correction = carried if isinstance(carried, Correction) else None
    conversation = carried.item.conversation if isinstance(carried, Decision) else carried.conversation
    destination = destination_for(conversation.channel)
    undo_until = now + queries.grace()
    delivery = Delivery.objects.create(
        conversation=conversation,
        decision=decision,
        correction=correction,
        destination=destination,
        text=carried.text if isinstance(carried, Decision) else carried.message,
        state=DeliveryState.SCHEDULED if destination else DeliveryState.NO_DESTINATION,
        created_at=now,
        undo_until=undo_until,
        due_at=undo_until if destination else None,
    )
    if destination:
        waking.wake_after_commit(delivery.pk, wait=undo_until - now)
    return delivery


def destination_for(channel: str | None) -> Destination | None:
    """Return where replies on a channel go: the oldest active destination that names it, else one for all channels."""
    active = list(Destination.objects.filter(is_active=True).order_by("created_at", "pk"))
    named = (d for d in active if channel in d.channels)
    return next(named, None) or next((d for d in active if not d.channels), None)
