"""News from outside about open items: messages, ticket fields, policies, keys, conflicts. Each is one transaction."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.contrib.auth.models import User
from django.db import transaction

from drafts.decisions.arriving import AskIn, MessageIn, TicketIn, Unacceptable, check_as_of
from drafts.decisions.transitions import OPEN_STATES
from drafts.models import Conversation, Event, Message, ReviewItem, Ticket
from drafts.queries.policy_owners import names_of_policy_owners
from drafts.services import analysing, conflicts, threads
from ledger import queries as ledger
from ledger.decisions.calendar import BusinessCalendar
from ledger.decisions.keys import root_of
from ledger.queries import managing
from ledger.services import keys, policies, settling
from ledger.services.settling import Settlement


@dataclass(frozen=True, slots=True)
class Told:
    """A message as stored, and whether it is new."""

    message: Message
    created: bool


@transaction.atomic(durable=True)
def tell_message(*, conversation_id: str, message: MessageIn, now: datetime, calendar: BusinessCalendar) -> Told:
    """Add one message to a thread. A customer's makes open drafts stale, a public reply retires them, a note neither.

    The same id with other text is an edit: the newest text counts and the earlier ones are kept.
    Raises Unacceptable for a conversation that is not known.
    """
    if not Conversation.objects.filter(external_id=conversation_id).exists():
        raise Unacceptable("conversation_id", f"No conversation {conversation_id!r} is known. Send its draft first.")
    reached = threads.reach(AskIn(conversation_id, (message,)), now=now)
    conversation = reached.conversation
    created = not conversation.messages.filter(external_id=message.id).exists()
    thread = threads.add_messages(reached, (message,), now=now)
    threads.retire_overtaken(conversation, thread, now=now)
    if message.role != "note":
        analysing.refresh_all(threads.open_items_of(conversation), now=now, calendar=calendar)
    return Told(next(m for m in thread if m.external_id == message.id), created)


class UnknownTicket(Unacceptable):
    """No draft has brought this ticket yet."""


@transaction.atomic(durable=True)
def update_ticket(
    *,
    ticket_id: str,
    changes: Mapping[str, object],
    as_of: datetime | None,
    now: datetime,
    calendar: BusinessCalendar,
) -> tuple[Ticket, int]:
    """Lay changed fields over a ticket and analyse its open items again; return it and how many items there were.

    Raises UnknownTicket, and Unacceptable for one that is dated in the future.
    """
    check_as_of("as_of", as_of, now)
    known = Ticket.objects.select_for_update().filter(external_id=ticket_id).first()
    if known is None:
        raise UnknownTicket("id", f"No ticket {ticket_id!r} is known. It becomes known with a draft.")
    merged = threads.overlay(known.fields, changes)
    ticket = threads.note_ticket(TicketIn(ticket_id, merged, as_of or now), now=now) or known
    items = list(
        ReviewItem.objects.select_for_update(of=("self",)).filter(ticket=ticket, state__in=OPEN_STATES).order_by("id")
    )
    for item in items:
        Event.objects.create(item=item, kind="item:ticket:changed", happened_at=now, detail={"fields": sorted(changes)})
    return ticket, analysing.refresh_all(items, now=now, calendar=calendar)


@transaction.atomic(durable=True)
def put_version(
    *, version: policies.VersionIn, actor: User, now: datetime, calendar: BusinessCalendar
) -> policies.PutVersion:
    """Publish, change or retire a policy version, and analyse the open drafts that ask its document's questions again.

    An owner's token may publish what its owner prepared: here the review of whoever sends it counts, not ours.
    """
    before = managing.document_keys([version.doc_id])
    put = policies.put_version(version, actor=actor, now=now)
    conflicts.published(before | managing.document_keys([version.doc_id]), now=now, calendar=calendar)
    return put


@transaction.atomic(durable=True)
def put_key(*, key: keys.KeyIn, actor: User, now: datetime, calendar: BusinessCalendar) -> keys.PutKey:
    """Create or change a question key, and analyse the open drafts that ask it again. Raises KeyRefused."""
    before = root_of(key.key, ledger.registry())
    put = keys.put_key(key, actor=actor, now=now, may_own=names_of_policy_owners())
    conflicts.published({before, key.parent or key.key}, now=now, calendar=calendar)
    return put


@transaction.atomic(durable=True)
def resolve_conflict(
    *,
    conflict_id: UUID | str,
    wanted: Settlement,
    actor: User,
    now: datetime,
    calendar: BusinessCalendar,
) -> int:
    """Settle a conflict among its own versions and analyse every held item again; return how many those were.

    Whoever holds or escalated an item that is free now is told. Raises Conflict.DoesNotExist, ConflictNotSettled.
    """
    settled = settling.resolve(conflict_id=conflict_id, wanted=wanted, actor=actor, now=now)
    roots = {settled.view.question_key}
    return conflicts.published(roots, ended=settled.ended, now=now, calendar=calendar)
