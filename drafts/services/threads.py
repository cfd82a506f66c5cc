"""Take in conversations, messages and tickets. Parts of other services; each needs an open transaction."""

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db import connection
from django.db.models import Max

from drafts.decisions.arriving import AskIn, MessageIn, TicketIn
from drafts.decisions.comparison import contains_verbatim
from drafts.decisions.delivering import DeliveryState
from drafts.decisions.transitions import OPEN_STATES, ItemState
from drafts.models import Conversation, Delivery, Event, Message, MessageRevision, ReviewItem, Ticket, TicketSnapshot
from drafts.services import outside_commitments, parking

DELIVERED = "countersign:"
"""How the name of a message begins that the desk itself delivered, until its helpdesk tells its own name for it."""


@dataclass(frozen=True, slots=True)
class Reached:
    """A conversation, locked until the transaction ends, and whether this transaction made it."""

    conversation: Conversation
    is_new: bool


def reach(ask: AskIn, *, now: datetime) -> Reached:
    """Find or make the ask's conversation, and keep what the ask newly tells of its customer and channel."""
    query = """
        INSERT INTO drafts_conversation (external_id, customer_id, channel, created_at) VALUES (%s, %s, %s, %s)
        ON CONFLICT (external_id) DO NOTHING RETURNING id
    """
    values = [ask.conversation_id, ask.customer_id, ask.channel, now]
    with connection.cursor() as cursor:
        cursor.execute(query, values)
        made = cursor.fetchone()
    if made is None:
        return Reached(_known_conversation(ask), is_new=False)
    conversation = Conversation(
        pk=made[0], external_id=ask.conversation_id, customer_id=ask.customer_id, channel=ask.channel, created_at=now
    )
    return Reached(conversation, is_new=True)


def lock_conversation_of(item_id: UUID | str) -> None:
    """Lock an item's conversation before the item: whatever touches several items of a conversation comes one by one.

    The lock lets others insert rows that name the conversation, or a decision and a message would wait in a circle.
    """
    found = Conversation.objects.select_for_update(of=("self",), no_key=True).filter(items__pk=item_id)
    found.first()


def _known_conversation(ask: AskIn) -> Conversation:
    found = Conversation.objects.select_for_update(no_key=True).get(external_id=ask.conversation_id)
    changed = [
        name
        for name, value in (("customer_id", ask.customer_id), ("channel", ask.channel))
        if value is not None and getattr(found, name) != value
    ]
    for name in changed:
        setattr(found, name, getattr(ask, name))
    if changed:
        found.save(update_fields=changed)
    return found


def add_messages(
    reached: Reached, arriving: Sequence[MessageIn], *, now: datetime, asking: Collection[str] = ()
) -> list[Message]:
    """Add the messages that are new, keep every earlier text of those that changed, and return the whole thread.

    The order of the array is the order of the thread. A message that comes again with other text is an edit by its
    writer: the newest text counts, the earlier ones are kept with the time we learnt of them. What replies from outside
    the desk commit us to is written down, and so is what a reply of ours says after somebody edited it elsewhere;
    `asking` holds the keys that are asked with the messages.
    """
    conversation = reached.conversation
    known = {} if reached.is_new else {m.external_id: m for m in conversation.messages.all()}
    _adopt(known, arriving)
    fresh = [m for m in arriving if m.id not in known]
    revised = [_revised(known[m.id], m, now) for m in arriving if m.id in known and known[m.id].text != m.text]
    last = max((m.ordinal for m in known.values()), default=0)
    told = _decided_texts(conversation) if known and any(m.role == "agent" for m in fresh) else ()
    added = [
        Message(
            conversation=conversation,
            external_id=m.id,
            ordinal=last + place,
            role=m.role,
            text=m.text,
            sent_at=m.sent_at,
            received_at=now,
            through_desk=m.role == "agent" and _is_ours(m.text, told),
        )
        for place, m in enumerate(fresh, start=1)
    ]
    Message.objects.bulk_create(added)
    past_the_desk = [*revised, *(m for m in added if not m.through_desk)]
    outside_commitments.note(conversation, past_the_desk, now=now, asking=asking)
    return [*known.values(), *added]


def _adopt(known: dict[str, Message], arriving: Sequence[MessageIn]) -> None:
    """Give a reply that the desk delivered the name under which its helpdesk tells it back, so that it stands once."""
    ours = [m for m in known.values() if m.external_id.startswith(DELIVERED)]
    for told in arriving:
        if told.role != "agent" or told.id in known:
            continue
        found = next((m for m in ours if _is_ours(told.text, (m.text,))), None)
        if found is not None:
            ours.remove(found)
            del known[found.external_id]
            found.external_id = told.id
            found.save(update_fields=["external_id"])
            known[told.id] = found


def _revised(message: Message, arriving: MessageIn, now: datetime) -> Message:
    learnt = message.revisions.aggregate(at=Max("replaced_at"))["at"] or message.received_at
    MessageRevision.objects.create(message=message, text=message.text, learnt_at=learnt, replaced_at=now)
    message.text = arriving.text
    message.save(update_fields=["text"])
    return message


def _decided_texts(conversation: Conversation) -> tuple[str, ...]:
    taken_back = (DeliveryState.UNDONE, DeliveryState.RETURNED)
    return tuple(conversation.deliveries.exclude(state__in=taken_back).values_list("text", flat=True))


def add_delivered(delivery: Delivery, *, now: datetime) -> None:
    """Put a reply that has arrived into its thread, and retire the open drafts that it overtakes."""
    conversation = delivery.conversation
    last = conversation.messages.aggregate(last=Max("ordinal"))["last"] or 0
    Message.objects.create(
        conversation=conversation,
        external_id=f"{DELIVERED}{delivery.pk}",
        ordinal=last + 1,
        role="agent",
        text=delivery.text,
        sent_at=now,
        received_at=now,
        through_desk=True,
    )
    retire_overtaken(conversation, list(conversation.messages.all()), now=now)


def _is_ours(text: str, told: Iterable[str]) -> bool:
    return any(contains_verbatim(text, one) is not None for one in told)


def retire_overtaken(
    conversation: Conversation, thread: Sequence[Message], *, now: datetime, apart_from: ReviewItem | None = None
) -> None:
    """Retire open drafts that a public reply has overtaken.

    One from outside the desk overtakes every draft, since nobody here knows what it answers. One that was decided here
    overtakes the drafts that answer the same message.
    """
    replies = [m for m in thread if m.role == "agent"]
    answered = _answered_here(conversation) if any(m.through_desk for m in replies) else frozenset()
    for item in open_items_of(conversation):
        overtakes_all = item.reply_to_id in answered
        newer = [m for m in replies if m.ordinal > item.seen_ordinal and (overtakes_all or not m.through_desk)]
        if item != apart_from and newer:
            _retire(item, newer[-1].text, newer[-1].external_id, now)


def _answered_here(conversation: Conversation) -> frozenset[int]:
    """Return the messages that a reply decided here answers."""
    decided = conversation.items.filter(state__in=(ItemState.APPROVED, ItemState.CORRECTED), reply_to__isnull=False)
    return frozenset(decided.values_list("reply_to_id", flat=True))


def _retire(item: ReviewItem, reply: str, name: str, now: datetime) -> None:
    item.state = ItemState.RETIRED
    item.retired_at = now
    item.retired_because = f"A public reply was already sent in this thread: “{reply[:200]}”"
    item.holder, item.lease_until = None, None
    item.save(update_fields=["state", "retired_at", "retired_because", "holder", "lease_until"])
    parking.park_all_typed(item, because="The draft was retired while this was being typed.", now=now)
    Event.objects.create(item=item, kind="item:thread:retired", happened_at=now, detail={"message": name})


def open_items_of(conversation: Conversation) -> list[ReviewItem]:
    """Return the conversation's open items, locked in a fixed order."""
    return list(
        ReviewItem.objects.select_for_update(of=("self",))
        .filter(conversation=conversation, state__in=OPEN_STATES)
        .order_by("id")
    )


def note_ticket(arriving: TicketIn | None, *, now: datetime) -> Ticket | None:
    """Keep a ticket as told now. A snapshot older than the one we hold is kept too, but changes nothing."""
    if arriving is None:
        return None
    as_of = arriving.as_of or now
    fields = dict(arriving.fields)
    ticket = _new_ticket(arriving.id, fields, as_of)
    if ticket is None:
        ticket = Ticket.objects.select_for_update().get(external_id=arriving.id)
        if as_of >= ticket.as_of and (ticket.fields, ticket.as_of) != (fields, as_of):
            ticket.fields, ticket.as_of = fields, as_of
            ticket.save(update_fields=["fields", "as_of"])
    TicketSnapshot.objects.create(ticket=ticket, fields=fields, as_of=as_of, received_at=now)
    return ticket


def _new_ticket(name: str, fields: Mapping[str, object], as_of: datetime) -> Ticket | None:
    """Store a ticket that is not known yet; None where it is."""
    query = """
        INSERT INTO drafts_ticket (external_id, fields, as_of) VALUES (%s, %s::jsonb, %s)
        ON CONFLICT (external_id) DO NOTHING RETURNING external_id
    """
    with connection.cursor() as cursor:
        cursor.execute(query, [name, json.dumps(fields), as_of])
        made = cursor.fetchone()
    return None if made is None else Ticket(external_id=name, fields=fields, as_of=as_of)


def overlay(fields: Mapping[str, object], changes: Mapping[str, object]) -> dict[str, object]:
    """Lay changed ticket fields over the known ones; the nested `refund`, `order` and `fields` merge by name."""
    merged = dict(fields)
    for name, value in changes.items():
        known = merged.get(name)
        merged[name] = {**known, **value} if isinstance(known, dict) and isinstance(value, dict) else value
    return merged
