"""Gather what the last look before sending needs."""

from datetime import datetime

from django.db.models import Q, QuerySet

from drafts.decisions.delivering import ON_THE_WAY, DeliveryState
from drafts.decisions.lastlook import LastLook
from drafts.models import Decision, Delivery, Message
from ledger import queries as ledger
from ledger.decisions.calendar import BusinessCalendar


def last_look(delivery: Delivery, *, now: datetime, calendar: BusinessCalendar) -> LastLook:
    """Return what is known now about a reply that is about to leave.

    A correction issued without a draft answers no message, so none can overtake it.
    """
    decision = delivery.decision
    entry_ids = decision.entry_ids if decision else [str(delivery.correction.entry_id)] if delivery.correction else []
    outdated = ledger.outdated(delivery.conversation.external_id, entry_ids)
    since = list(_written_since(delivery)) if decision else []
    return LastLook(
        text=delivery.text,
        newer_message=_newest(since, "customer"),
        outside_reply=_newest([m for m in since if not m.through_desk], "agent"),
        answered_here=_newest([m for m in since if m.through_desk], "agent")
        if _answered_by_another(delivery)
        else None,
        corrected=outdated.corrected,
        retired=outdated.retired,
        decided_on=delivery.created_at.astimezone(calendar.zone).date(),
        today=now.astimezone(calendar.zone).date(),
    )


def still_leaving(entry_id: str) -> bool:
    """Say whether the reply that carries this ledger entry is on its way and has not arrived yet."""
    behind = ledger.decision_behind(entry_id)
    carried = Q(decision=behind) | Q(correction=behind)
    return Delivery.objects.filter(carried, state__in=ON_THE_WAY).exists()


def _written_since(delivery: Delivery) -> QuerySet[Message]:
    item = delivery.decision.item if delivery.decision else None
    seen = item.seen_ordinal if item else 0
    return Message.objects.filter(conversation=delivery.conversation_id, ordinal__gt=seen).order_by("ordinal")


def _answered_by_another(delivery: Delivery) -> bool:
    """Say whether another reply to the same message has arrived; a correction goes out all the same."""
    decision = delivery.decision
    if decision is None or decision.kind == Decision.Kind.CORRECT or decision.item.reply_to_id is None:
        return False
    arrived = Delivery.objects.filter(state=DeliveryState.SENT, decision__item__reply_to=decision.item.reply_to_id)
    return arrived.exclude(pk=delivery.pk).exists()


def _newest(messages: list[Message], role: str) -> str | None:
    texts = [m.text for m in messages if m.role == role]
    return texts[-1] if texts else None
