"""What customers were told: the live answers of a conversation, its whole line, and the corrections."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from django.db.models import OuterRef, Subquery

from ledger.decisions.line import Link, standing_answers
from ledger.decisions.vocabulary import EntryKind, LockedAnswer
from ledger.models import Entry, PublishedEntry

_WORKED_OUT = ("locked", "replay_count", "correction_event")
"""What the published view says of an entry that its own columns do not."""


@dataclass(frozen=True, slots=True)
class Correction:
    """One correction as the log shows it; `corrected_at` is the database's own clock."""

    entry_id: str
    conversation_id: str
    question_key: str
    question_canonical: str
    old_text: str
    new_text: str
    reason: str
    owner: str
    decided_by: str
    corrected_at: datetime
    source: Mapping[str, object] | None
    is_live: bool


@dataclass(frozen=True, slots=True)
class Told:
    """What a conversation was told: its live answers by root key, and every text ever recorded, oldest first."""

    live: Mapping[str, LockedAnswer]
    texts: tuple[str, ...]


def told(conversation_id: str) -> Told:
    """Return what a conversation was told, with the newest known deciding facts of each live answer."""
    rows = {str(row.pk): row for row in _line(conversation_id)}
    live = {
        key: _locked(rows[standing.entry_id], standing.facts, standing.replay_count)
        for key, standing in standing_answers(link_of(row) for row in rows.values()).items()
    }
    return Told(live, tuple(dict.fromkeys(row.answer_text for row in rows.values())))


def live_answers(conversation_id: str) -> Mapping[str, LockedAnswer]:
    """Return the locked answer of each root key in a conversation."""
    return told(conversation_id).live


def entries(conversation_id: str) -> tuple[dict[str, object], ...]:
    """Return every entry of a conversation in order: the published shape, with position, kind, hashes and the rest.

    A WITHDRAWAL, which the published view leaves out, carries the text that it withdraws.
    """
    shown = PublishedEntry.objects.filter(conversation_id=conversation_id).only(*_WORKED_OUT)
    published = {row.entry_id: row for row in shown}
    rows = Entry.objects.filter(conversation_id=conversation_id).prefetch_related("typed_facts").order_by("position")
    return tuple(_as_published(row, published.get(row.pk)) for row in rows.defer("payload"))


def entry(entry_id: object) -> dict[str, object] | None:
    """Return one entry in the same shape, or None."""
    row = Entry.objects.prefetch_related("typed_facts").filter(pk=str(entry_id)).first()
    return None if row is None else _as_published(row, PublishedEntry.objects.filter(pk=row.pk).first())


def column_of_entry(column: str, entry_id: OuterRef) -> Subquery:
    """Return one column of the entry whose id stands in another row, to be read in the same query as that row."""
    return Subquery(Entry.objects.filter(pk=entry_id).values(column))


def corrections(
    *, before: tuple[datetime, str] | None = None, limit: int = 100, question_key: str | None = None
) -> tuple[Correction, ...]:
    """Return the newest corrections first; `before` continues behind a row's (`corrected_at`, `entry_id`)."""
    rows = Entry.objects.filter(kind=EntryKind.CORRECTION).order_by("-recorded_at", "-pk")
    if question_key is not None:
        rows = rows.filter(question_key=question_key)
    if before is not None:
        at, entry_id = before
        rows = rows.filter(recorded_at__lte=at).exclude(recorded_at=at, pk__gte=entry_id)
    page = list(rows[:limit])
    published = PublishedEntry.objects.in_bulk([row.pk for row in page])
    return tuple(_correction(row, published[row.pk]) for row in page)


def _line(conversation_id: str) -> list[Entry]:
    wanted = Entry.objects.filter(conversation_id=conversation_id).order_by("position")
    return list(wanted.defer("payload", "prev_hash", "entry_hash"))


def link_of(row: Entry) -> Link:
    """Return a row as the place in its line that it holds."""
    return Link(
        entry_id=str(row.pk),
        position=row.position,
        kind=EntryKind(row.kind),
        question_key=row.question_key,
        supersedes=_text(row.supersedes_id),
        replays=_text(row.replays_id),
        restores=_text(row.restores_id),
        facts=row.deciding_facts,
    )


def _text(value: object) -> str | None:
    return None if value is None else str(value)


def _locked(row: Entry, facts: Mapping[str, object], replay_count: int) -> LockedAnswer:
    source = row.answer_source or {}
    return LockedAnswer(
        entry_id=str(row.pk),
        question_key=row.question_key,
        answer_text=row.answer_text,
        doc_id=source.get("doc_id"),
        version=source.get("version"),
        section=source.get("section"),
        facts=facts,
        locked_at=row.recorded_at,
        replay_count=replay_count,
        told_at=row.effective_at,
    )


def _as_published(row: Entry, published: PublishedEntry | None) -> dict[str, object]:
    return {
        "entry_id": str(row.pk),
        "conversation_id": row.conversation_id,
        "customer_id": row.customer_id,
        "question_key": row.question_key,
        "question_canonical": row.question_canonical,
        "matched_by": row.matched_by,
        "answer_text": row.answer_text,
        "answer_source": row.answer_source,
        "commitment_class": row.commitment_class,
        "locked": published is not None and published.locked,
        "locked_at": row.recorded_at,
        "supersedes": _text(row.supersedes_id),
        "replay_count": published.replay_count if published else 0,
        "correction_event": published.correction_event if published else None,
        "position": row.position,
        "kind": row.kind,
        "asked_key": row.asked_key,
        "channel": row.channel,
        "replays": _text(row.replays_id),
        "restores": _text(row.restores_id),
        "deciding_facts": row.deciding_facts,
        "typed_facts": [typed_fact(fact) for fact in sorted(row.typed_facts.all(), key=lambda fact: fact.ordinal)],
        "reason": row.reason,
        "owner": row.owner,
        "decided_by": row.decided_by,
        "decision_id": row.decision_id,
        "effective_at": row.effective_at,
        "prev_hash": bytes(row.prev_hash).hex(),
        "entry_hash": bytes(row.entry_hash).hex(),
    }


def typed_fact(fact: object) -> dict[str, object]:
    """Return a typed fact as plain values; numbers are text."""
    names = ("kind", "unit", "bound", "per", "anchor", "applies_to", "polarity", "start", "end", "topics")
    numbers = {name: _text(getattr(fact, name)) for name in ("low", "high")}
    return {**{name: getattr(fact, name) for name in names}, **numbers}


def _correction(row: Entry, published: PublishedEntry) -> Correction:
    event = published.correction_event or {}
    return Correction(
        entry_id=str(row.pk),
        conversation_id=row.conversation_id,
        question_key=row.question_key,
        question_canonical=row.question_canonical,
        old_text=event["old_text"],
        new_text=row.answer_text,
        reason=row.reason or "",
        owner=row.owner or "",
        decided_by=row.decided_by,
        corrected_at=row.recorded_at,
        source=row.answer_source,
        is_live=published.locked,
    )
