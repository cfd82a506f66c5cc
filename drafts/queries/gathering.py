"""Gather what one analysis of an item needs."""

from collections.abc import Iterable, Mapping
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from django.conf import settings

from drafts.decisions.given import Dismissed, Given, ModelNotes, Retrieved, Sources
from drafts.decisions.vocabulary import Message as ThreadMessage
from drafts.models import DraftVersion, Message, ReviewItem, Ticket
from drafts.queries.outside import withdrawn_left_out
from ledger import queries as ledger
from ledger.decisions.calendar import BusinessCalendar
from ledger.decisions.keys import root_of
from ledger.decisions.router import plain_date
from ledger.decisions.vocabulary import KeyEntry, KeyOrigin, KeyStatus, QuestionKey
from ledger.queries import organisation_calendar


def grace() -> timedelta:
    """Return how long a decision can be taken back before its reply leaves."""
    return timedelta(seconds=settings.UNDO_SECONDS)


def questions_of(item: ReviewItem) -> tuple[QuestionKey, ...]:
    """Return the item's own question first, then the others of the same message."""
    first = QuestionKey(
        KeyStatus(item.question_status),
        item.question_key,
        KeyOrigin(item.question_by) if item.question_by else None,
        item.question_score,
    )
    others = (
        QuestionKey(KeyStatus.ESTABLISHED, other["key"], KeyOrigin(other["by"]), other.get("score"))
        for other in item.also_asked
    )
    return (first, *others)


def sources(
    told_in: str | None, questions: Iterable[QuestionKey], registry: Mapping[str, KeyEntry] | None = None
) -> Sources:
    """Return what a reply may rest on, for the questions asked.

    `told_in` names the conversation whose ledger counts; None where nothing can have been told yet.
    """
    known = ledger.registry() if registry is None else registry
    roots = {root_of(q.key, known) for q in questions if q.key and q.key in known}
    versions = ledger.versions(roots) if roots else ()
    told = ledger.told(told_in) if told_in is not None else None
    return Sources(
        registry=known,
        versions=versions,
        version_names=frozenset(v.version for v in versions) if roots else ledger.version_names(),
        locked=told.live if told else {},
        recorded_texts=told.texts if told else (),
    )


def requested_on(facts: Mapping[str, object], asked_at: datetime | None, now: datetime, zone: ZoneInfo) -> date:
    """Return the request day: the fact, else the answered message's day in the organisation's zone, else today."""
    given = facts.get("requested_on")
    if given is not None:
        return plain_date("facts.requested_on", given)
    return (asked_at or now).astimezone(zone).date()


def given_for(
    item: ReviewItem, *, now: datetime, text: str | None = None, calendar: BusinessCalendar | None = None
) -> Given:
    """Gather everything that one analysis of an item needs; `text` replaces the newest draft version's."""
    calendar = calendar or organisation_calendar()
    newest = current_version(item)
    first = item.draft_versions.get(number=1).text if newest.number > 1 else newest.text
    body = newest.text if text is None else text
    thread = list(item.conversation.messages.all())
    questions, told_in = questions_of(item), item.conversation.external_id
    reply_to = next((m for m in thread if m.pk == item.reply_to_id), None)
    return Given(
        text=body,
        questions=questions,
        now=now,
        requested_on=requested_on(item.facts, reply_to.sent_at if reply_to else None, now, calendar.zone),
        written_on=(now if body != newest.text else newest.created_at).astimezone(calendar.zone).date(),
        calendar=calendar,
        notes=notes_of(item),
        messages=tuple(ThreadMessage(m.external_id, m.role, m.text, m.sent_at) for m in thread),
        reply_to=reply_to.external_id if reply_to else None,
        desk_messages=frozenset(m.external_id for m in thread if m.through_desk),
        sources=withdrawn_left_out(sources(told_in, questions), told_in, thread),
        facts=item.facts,
        channel=item.conversation.channel,
        ticket=ticket_values(item.ticket),
        dismissed=tuple(Dismissed(d.subject, d.quote) for d in item.dismissals.all()),
        edited=body != first,
        newer_message=is_overtaken(item, thread),
        outside_reply=any(m.role == "agent" and not m.through_desk and m.ordinal > item.seen_ordinal for m in thread),
    )


def notes_of(item: ReviewItem) -> ModelNotes:
    """Return what the model said beside its text."""
    return ModelNotes(
        raw_output=item.raw_output,
        selected_version=item.selected_version,
        missing_fields=tuple(item.missing_fields),
        retrieved=tuple(Retrieved(r["doc_id"], r.get("section"), r.get("score")) for r in item.retrieved),
    )


def ticket_values(ticket: Ticket | None) -> Mapping[str, object] | None:
    """Return the ticket as the helpdesk sent it, with its id and `as_of`; None where there is none."""
    if ticket is None:
        return None
    return {**ticket.fields, "id": ticket.external_id, "as_of": ticket.as_of}


def is_overtaken(item: ReviewItem, thread: Iterable[Message]) -> bool:
    """Say whether the customer wrote after the newest message this draft's reviewer has answered."""
    return any(m.role == "customer" and m.ordinal > item.seen_ordinal for m in thread)


def current_version(item: ReviewItem) -> DraftVersion:
    """Return the newest text of a draft."""
    return item.draft_versions.get(number=item.version)


def original_text(item: ReviewItem) -> str:
    """Return the text as the draft brought it in."""
    return item.draft_versions.get(number=1).text
