"""Review items and corrections in the shape that other programs read. Reads only; instants end in Z."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from django.contrib.auth.models import AnonymousUser, User
from django.db.models import OuterRef, Q, QuerySet, Subquery

from drafts import queries
from drafts.decisions.analysis import analyse
from drafts.decisions.report import as_json, instant
from drafts.decisions.transitions import DECIDED_STATES, ItemState, is_open
from drafts.models import Correction, Decision, Delivery, DraftVersion, Escalation, Message, ReviewItem, Ticket
from ledger.decisions.calendar import BusinessCalendar

RELATED = (
    "conversation", "ticket", "reply_to", "holder", "decided_by",
    "decision__decided_by", "decision__owner", "decision__delivery",
)  # fmt: skip


def item(user: User | AnonymousUser, item_id: UUID, *, now: datetime, calendar: BusinessCalendar) -> dict[str, object]:
    """Return one item with a fresh analysis while it is open, and the last one when it is closed.

    Raises ReviewItem.DoesNotExist for what is not there or not for this person to see.
    """
    found = queries.visible_items(user).select_related(*RELATED).get(pk=item_id)
    analysis = found.analysis
    if is_open(found.state):
        given = queries.given_for(found, now=now, calendar=calendar)
        analysis = as_json(analyse(given), given)
    return as_dict(found, analysis=analysis, text=queries.current_version(found).text)


def items(
    user: User | AnonymousUser,
    *,
    states: Sequence[str] = (),
    conversation_id: str | None = None,
    after: tuple[datetime, str] | None = None,
    limit: int,
) -> list[dict[str, object]]:
    """Return items in the order of their arrival, each with its stored analysis; `after` is the last one seen."""
    newest = DraftVersion.objects.filter(item=OuterRef("pk"), number=OuterRef("version")).values("text")
    found: QuerySet[ReviewItem] = queries.visible_items(user).select_related(*RELATED)
    if states:
        found = found.filter(state__in=states)
    if conversation_id is not None:
        found = found.filter(conversation__external_id=conversation_id)
    if after is not None:
        found = found.filter(Q(created_at__gt=after[0]) | Q(created_at=after[0], id__gt=after[1]))
    rows = found.annotate(newest_text=Subquery(newest[:1])).order_by("created_at", "id")[:limit]
    return [as_dict(row, analysis=row.analysis, text=row.newest_text) for row in rows]


def as_dict(found: ReviewItem, *, analysis: object, text: str) -> dict[str, object]:
    """Return an item as plain JSON values, with the analysis and the text that are given; a new one reads no row."""
    return {
        "id": str(found.pk),
        "external_id": found.external_id,
        "conversation_id": found.conversation.external_id,
        "customer_id": found.conversation.customer_id,
        "channel": found.conversation.channel,
        "in_reply_to": found.reply_to.external_id if found.reply_to else None,
        "state": found.state,
        "version": found.version,
        "text": text,
        "facts": found.facts,
        "ticket": ticket(found.ticket),
        "created_at": instant(found.created_at),
        "held_by": found.holder.get_username() if found.holder else None,
        "held_until": instant(found.lease_until),
        "retired_at": instant(found.retired_at),
        "retired_because": found.retired_because,
        "analysis": analysis,
        "decision": _decision(found),
        "delivery": _delivery(found),
    }


def ticket(found: Ticket | None) -> dict[str, object] | None:
    """Return a ticket as the helpdesk sent it, with its id and the instant it is known as of."""
    if found is None:
        return None
    return {**found.fields, "id": found.external_id, "as_of": instant(found.as_of)}


def message(found: Message) -> dict[str, object]:
    """Return one turn of a thread."""
    return {
        "id": found.external_id,
        "role": found.role,
        "text": found.text,
        "sent_at": instant(found.sent_at),
        "received_at": instant(found.received_at),
        "ordinal": found.ordinal,
    }


def corrections(
    user: User | AnonymousUser,
    narrowing: queries.Narrowing,
    *,
    after: tuple[datetime, UUID] | None = None,
    limit: int,
) -> list[dict[str, object]]:
    """Return the corrections that a narrowing lets through, the newest first; `after` is the last one seen."""
    found = queries.corrections_page(user, narrowing, before=after, limit=limit)
    return [correction(logged.correction) for logged in found]


def correction(found: Correction) -> dict[str, object]:
    """Return a correction with both texts, its reason, its owner and the message to the customer."""
    sent = getattr(found.decision or found, "delivery", None)
    return {
        "id": str(found.pk),
        "conversation_id": found.conversation.external_id,
        "question_key": found.question_key,
        "old_text": found.old_text,
        "new_text": found.new_text,
        "message": found.message,
        "reason": found.reason,
        "owner": found.owner.get_username(),
        "corrected_by": found.corrected_by.get_username(),
        "corrected_at": instant(found.corrected_at),
        "entry_id": str(found.entry_id),
        "item_id": str(found.decision.item_id) if found.decision else None,
        "outside_message_id": found.outside_message.external_id if found.outside_message else None,
        "source_document": found.source_document or None,
        "withdrawn_at": instant(found.withdrawn_at),
        "withdrawn_because": found.withdrawn_because,
        "delivery": None if sent is None else delivery(sent),
    }


def _decision(found: ReviewItem) -> dict[str, object] | None:
    if found.state == ItemState.ESCALATED:
        return _escalation(found)
    made = _made(found)
    if made is None:
        return None
    return {
        "kind": made.kind,
        "text": made.text,
        "answer_text": made.answer_text,
        "decided_by": made.decided_by.get_username(),
        "decided_at": instant(made.decided_at),
        "reason": made.reason,
        "owner": made.owner.get_username() if made.owner else None,
        "seen_version": made.seen_version,
        "entry_ids": made.entry_ids,
    }


def _made(found: ReviewItem) -> Decision | None:
    """Return an item's decision; one that is not decided is not looked up, since it has none."""
    return found.decision if found.state in DECIDED_STATES else None


def _escalation(found: ReviewItem) -> dict[str, object] | None:
    by_time = found.escalations.select_related("escalated_by").order_by("-escalated_at", "-id")
    newest: Escalation | None = by_time.first()
    if newest is None:
        return None
    return {
        "kind": "escalate",
        "text": queries.current_version(found).text,
        "answer_text": None,
        "decided_by": newest.escalated_by.get_username(),
        "decided_at": instant(newest.escalated_at),
        "reason": newest.reason,
        "owner": None,
        "seen_version": found.version,
        "entry_ids": [],
    }


def _delivery(found: ReviewItem) -> dict[str, object] | None:
    made = _made(found)
    sent = getattr(made, "delivery", None)
    if sent is None:
        return None
    return delivery(sent)


def delivery(sent: Delivery) -> dict[str, object]:
    """Return where a reply stands on its way out; until `undo_until` whoever decided may still take it back."""
    return {
        "id": str(sent.pk),
        "state": sent.state,
        "attempts": sent.attempts,
        "delivered_at": instant(sent.delivered_at),
        "undo_until": instant(sent.undo_until),
        "next_attempt_at": instant(sent.due_at),
        "because": sent.because,
    }
