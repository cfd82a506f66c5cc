"""Whether what an earlier decision said still holds."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from uuid import UUID

from ledger.decisions.vocabulary import EntryKind, VersionStatus
from ledger.models import Entry, PolicyVersion
from ledger.queries.answers import live_answers


@dataclass(frozen=True, slots=True)
class Outdated:
    """The questions whose answer was replaced since, and the policy versions (`document/version`) that hold no more."""

    corrected: tuple[str, ...]
    retired: tuple[str, ...]


def outdated(conversation_id: str, entry_ids: Sequence[str]) -> Outdated:
    """Return what has changed under these entries of one conversation since they were written.

    A repeated answer holds although its policy was retired, since what was promised is kept; a new one does not.
    """
    if not entry_ids:
        return Outdated((), ())
    rows = list(Entry.objects.filter(conversation_id=conversation_id, pk__in=entry_ids).order_by("position"))
    return Outdated(tuple(dict.fromkeys(_replaced(conversation_id, rows))), tuple(dict.fromkeys(_retired(rows))))


def decisions_repeating(entry_ids: Sequence[str]) -> tuple[str, ...]:
    """Return the ids of the decisions that repeated one of these entries."""
    repeats = Entry.objects.filter(replays__in=[UUID(entry) for entry in entry_ids], kind=EntryKind.REPLAY)
    return tuple(repeats.values_list("decision_id", flat=True))


def decision_behind(entry_id: str) -> str:
    """Return the id of the decision, or of the correction without a draft, that wrote an entry."""
    return str(Entry.objects.values_list("decision_id", flat=True).get(pk=entry_id))


def _replaced(conversation_id: str, rows: Iterable[Entry]) -> Iterator[str]:
    live = live_answers(conversation_id)
    for row in rows:
        stands = live.get(row.question_key)
        if stands is None or stands.entry_id != str(row.replays_id or row.pk):
            yield row.question_key


def _retired(rows: Iterable[Entry]) -> Iterator[str]:
    for row in rows:
        if row.kind == EntryKind.REPLAY or row.answer_source is None:
            continue
        source = row.answer_source
        found = PolicyVersion.objects.filter(document=source["doc_id"], version=source["version"])
        if found.values_list("status", flat=True).first() != VersionStatus.ACTIVE:
            yield f"{source['doc_id']}/{source['version']}"
