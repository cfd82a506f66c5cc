"""Take in drafts: idempotent, whole or not at all."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction

from drafts import queries
from drafts.decisions.arriving import AskIn, DraftIn, Unacceptable, check, check_as_of
from drafts.decisions.classifier import classify
from drafts.decisions.given import NO_NOTES, Given, ModelNotes
from drafts.decisions.vocabulary import Message as ThreadMessage
from drafts.models import DraftVersion, Event, Message, ReviewItem
from drafts.services import analysing, threads
from ledger import queries as ledger
from ledger.decisions.calendar import BusinessCalendar
from ledger.decisions.keys import root_of
from ledger.decisions.vocabulary import KeyEntry, KeyStatus, QuestionKey


class ExternalIdReused(Exception):
    """The same `external_id` came before with other content."""

    def __init__(self, external_id: str) -> None:
        super().__init__(f"A draft with external_id {external_id!r} came before with other content. Use a new id.")
        self.external_id = external_id


@dataclass(frozen=True, slots=True)
class TakenIn:
    """The item, and whether this call made it."""

    item: ReviewItem
    created: bool


def _named(ask: AskIn) -> tuple[str, ...]:
    return (ask.question.key,) if ask.question else ()


@transaction.atomic(durable=True)
def take_in(draft: DraftIn, *, now: datetime, calendar: BusinessCalendar) -> TakenIn:
    """Store a draft as a review item with its analysis, or return the item that the same content made before.

    Raises ExternalIdReused, Unacceptable or BadDate; nothing is stored then.
    """
    if known := ReviewItem.objects.filter(external_id=draft.external_id).first():
        return _again(known, draft)
    registry = ledger.registry()
    check(draft.ask, registry)
    check_as_of("ticket.as_of", draft.ask.ticket.as_of if draft.ask.ticket else None, now)
    reached = threads.reach(draft.ask, now=now)
    if not reached.is_new and (known := ReviewItem.objects.filter(external_id=draft.external_id).first()):
        return _again(known, draft)  # a twin was stored while this call waited for the conversation
    thread = threads.add_messages(reached, draft.ask.messages, now=now, asking=_named(draft.ask))
    reply_to = answered_message(draft.ask, thread)
    questions = questions_for(draft.ask, reply_to, registry)
    item = _item(draft, reply_to, thread, questions, now)
    item.conversation = reached.conversation
    item.ticket = threads.note_ticket(draft.ask.ticket, now=now)
    given = ask_given(
        draft.ask,
        questions=questions,
        thread=thread,
        registry=registry,
        now=now,
        calendar=calendar,
        told_in=None if reached.is_new else reached.conversation.external_id,
        reply_to=reply_to,
        channel=reached.conversation.channel,
        ticket=queries.ticket_values(item.ticket),
        text=draft.text,
        notes=draft.notes,
    )
    _store(item, draft, given, now)
    if not reached.is_new:
        _tell_others(item, thread, now, calendar)
    return TakenIn(item, created=True)


def _store(item: ReviewItem, draft: DraftIn, given: Given, now: datetime) -> None:
    analysis = analysing.look(item, given, now=now)
    item.save(force_insert=True)
    DraftVersion.objects.create(item=item, number=1, text=draft.text, created_at=now)
    Event.objects.create(item=item, kind="item:intake:arrived", happened_at=now, detail={"model": draft.model_name})
    analysing.store_rows(item, analysis)


def _again(known: ReviewItem, draft: DraftIn) -> TakenIn:
    if known.content_digest != draft.digest:
        raise ExternalIdReused(draft.external_id)
    return TakenIn(known, created=False)


def answered_message(ask: AskIn, thread: Sequence[Message]) -> Message | None:
    """Return the message a reply answers: the one named, else the last of the customer. Raises Unacceptable."""
    if ask.in_reply_to is not None:
        named = next((m for m in thread if m.external_id == ask.in_reply_to), None)
        if named is None:
            raise Unacceptable("in_reply_to", f"No message {ask.in_reply_to!r} is in this conversation.")
        return named
    customers = [m for m in thread if m.role == "customer"]
    return max(customers, key=lambda m: m.ordinal, default=None)


def questions_for(ask: AskIn, reply_to: Message | None, registry: Mapping[str, KeyEntry]) -> tuple[QuestionKey, ...]:
    """Return the questions of the answered message: a given key first, then the others the classifier is sure of.

    Where the classifier does not hear the given key at all, it has misheard that very question as its first one.
    """
    found = classify(reply_to.text, registry).questions if reply_to else ()
    if ask.question is None:
        return found or (QuestionKey(KeyStatus.NONE),)
    first = QuestionKey(KeyStatus.ESTABLISHED, ask.question.key, ask.question.by)
    root = root_of(ask.question.key, registry)
    sure = [q for q in found if q.status is KeyStatus.ESTABLISHED and q.key]
    others = [q for q in sure if q.key and root_of(q.key, registry) != root]
    return (first, *(others if len(others) < len(sure) else others[1:]))


def _item(
    draft: DraftIn, reply_to: Message | None, thread: Sequence[Message], questions: Sequence[QuestionKey], now: datetime
) -> ReviewItem:
    first, others = questions[0], questions[1:]
    return ReviewItem(
        external_id=draft.external_id,
        content_digest=draft.digest,
        reply_to=reply_to,
        seen_ordinal=max((m.ordinal for m in thread), default=0),
        facts=dict(draft.ask.facts),
        question_status=first.status,
        question_key=first.key,
        question_by=first.by,
        question_score=first.score,
        also_asked=[{"key": q.key, "by": q.by, "score": q.score} for q in others if q.status is KeyStatus.ESTABLISHED],
        model_name=draft.model_name,
        raw_output=draft.notes.raw_output,
        selected_version=draft.notes.selected_version,
        missing_fields=list(draft.notes.missing_fields),
        retrieved=[{"doc_id": r.doc_id, "section": r.section, "score": r.score} for r in draft.notes.retrieved],
        created_at=now,
    )


def ask_given(
    ask: AskIn,
    *,
    questions: tuple[QuestionKey, ...],
    thread: Sequence[Message],
    registry: Mapping[str, KeyEntry],
    now: datetime,
    calendar: BusinessCalendar,
    told_in: str | None,
    reply_to: Message | None,
    channel: str | None,
    ticket: Mapping[str, object] | None,
    text: str = "",
    notes: ModelNotes = NO_NOTES,
) -> Given:
    """Gather what an analysis of an ask needs, with or without a draft.

    `told_in` names the conversation whose ledger counts; None where the conversation is new and nothing was told.
    """
    return Given(
        text=text,
        questions=questions,
        now=now,
        requested_on=queries.requested_on(ask.facts, reply_to.sent_at if reply_to else None, now, calendar.zone),
        written_on=now.astimezone(calendar.zone).date(),
        calendar=calendar,
        notes=notes,
        messages=tuple(ThreadMessage(m.external_id, m.role, m.text, m.sent_at) for m in thread),
        reply_to=reply_to.external_id if reply_to else None,
        desk_messages=frozenset(m.external_id for m in thread if m.through_desk),
        sources=queries.withdrawn_left_out(queries.sources(told_in, questions, registry), told_in, thread),
        facts=ask.facts,
        channel=channel,
        ticket=ticket,
    )


def _tell_others(item: ReviewItem, thread: Sequence[Message], now: datetime, calendar: BusinessCalendar) -> None:
    """A later message has the effect of `POST /messages` on the conversation's other open drafts."""
    threads.retire_overtaken(item.conversation, thread, now=now, apart_from=item)
    newest = max((m.ordinal for m in thread if m.role == "customer"), default=0)
    others = [
        other for other in threads.open_items_of(item.conversation) if other != item and other.seen_ordinal < newest
    ]
    analysing.refresh_all(others, now=now, calendar=calendar)
