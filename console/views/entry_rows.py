"""Ledger entries as lines in words: what was said, by whom, when, on what, and what it replaced."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, ClassVar
from uuid import UUID

from django.contrib.auth.models import User

from console.views import history, words
from console.views.fact_words import deciding_in_words, facts_in_words
from console.views.highlight import plain
from console.views.shapes import EntryShape
from console.views.source_rows import SourceRow, Versions, source_row
from drafts.decisions.structure import Piece
from ledger.decisions.vocabulary import EntryKind, KeyOrigin

if TYPE_CHECKING:
    from drafts.models import Correction

HASH_SHOWN = 12
GIVES_AN_ANSWER = (EntryKind.ANSWER, EntryKind.CORRECTION)
"""Other entries carry the source of the one that they repeat or take back, where it is shown."""
NOTICEABLE = timedelta(minutes=1)
"""How far the two clocks of an entry may be apart before that is said."""


@dataclass(frozen=True, slots=True)
class EntryRow:
    """One entry; `links` tell in words which other entries it concerns, by their place in the line.

    `clocks_differ` says how far the two clocks are apart where that is noticeable. `withdrawn_outside` holds words
    that were said past the desk and that this entry's correction withdrew.
    """

    is_ask: ClassVar[bool] = False

    position: int
    kind: str
    style: str
    sentence: str
    question: tuple[Piece, ...]
    key: str
    asked_key: str | None
    matched_by: str
    text: tuple[Piece, ...]
    is_live: bool
    replay_count: int
    effective_at: datetime
    recorded_at: datetime
    clocks_differ: str
    source: SourceRow | None
    facts: tuple[tuple[str, str], ...]
    values: tuple[str, ...]
    reason: tuple[Piece, ...]
    owner: str | None
    correction: UUID | None
    message: tuple[Piece, ...]
    withdrawn_outside: tuple[Piece, ...]
    item: UUID | None
    links: tuple[tuple[str, int], ...]
    short_hash: str
    entry_hash: str
    prev_hash: str
    entry_id: str


@dataclass(frozen=True, slots=True)
class LiveRow:
    """What a customer has been told and what still counts, for one question."""

    position: int
    question: tuple[Piece, ...]
    key: str
    text: tuple[Piece, ...]
    source: SourceRow | None
    replay_count: int
    since: datetime


@dataclass(frozen=True, slots=True)
class Beside:
    """What belongs to entries and stands elsewhere: corrections by entry id, items by decision id, versions as now."""

    corrections: "Mapping[str, Correction]"
    items: Mapping[str, UUID]
    versions: Versions


class Teller:
    """Tells entries of one conversation, which name each other by id, by their places in the line."""

    def __init__(self, every: Sequence[EntryShape], beside: Beside) -> None:
        self.by_id = {entry["entry_id"]: entry for entry in every}
        self.superseded_by = {entry["supersedes"]: entry for entry in every if entry["supersedes"]}
        self.beside = beside
        self.names = _names(every)

    def row(self, entry: EntryShape) -> EntryRow:
        """Return the line of one entry."""
        asked, made = entry["asked_key"], self.beside.corrections.get(entry["entry_id"])
        outside = made is not None and made.outside_message_id is not None
        return EntryRow(
            position=entry["position"],
            kind=words.ENTRY_KINDS[EntryKind(entry["kind"])],
            style=entry["kind"].lower(),
            sentence=self._sentence(entry),
            question=plain(entry["question_canonical"]),
            key=entry["question_key"],
            asked_key=asked if asked != entry["question_key"] else None,
            matched_by=words.ORIGINS[KeyOrigin(entry["matched_by"])],
            text=plain(entry["answer_text"]),
            is_live=entry["locked"],
            replay_count=entry["replay_count"],
            effective_at=entry["effective_at"],
            recorded_at=entry["locked_at"],
            clocks_differ=apart(entry["effective_at"], entry["locked_at"]),
            source=self._source(entry),
            facts=deciding_in_words(entry["deciding_facts"]),
            values=facts_in_words(entry["typed_facts"]),
            reason=plain(entry["reason"] or (made.reason if made else "")),
            owner=self._owner(entry, made),
            correction=made.pk if made else None,
            message=plain(made.message if made else ""),
            withdrawn_outside=plain(made.old_text) if made and outside else (),
            item=self.beside.items.get(entry["decision_id"]),
            links=tuple(self._links(entry)),
            short_hash=entry["entry_hash"][:HASH_SHOWN],
            entry_hash=entry["entry_hash"],
            prev_hash=entry["prev_hash"],
            entry_id=entry["entry_id"],
        )

    def live(self, entry: EntryShape) -> LiveRow:
        """Return what still counts of an entry."""
        return LiveRow(
            position=entry["position"],
            question=plain(entry["question_canonical"]),
            key=entry["question_key"],
            text=plain(entry["answer_text"]),
            source=source_row(entry["answer_source"], key=entry["question_key"], versions=self.beside.versions),
            replay_count=entry["replay_count"],
            since=entry["effective_at"],
        )

    def _source(self, entry: EntryShape) -> SourceRow | None:
        if entry["kind"] not in GIVES_AN_ANSWER:
            return None
        return source_row(entry["answer_source"], key=entry["question_key"], versions=self.beside.versions)

    def _owner(self, entry: EntryShape, made: "Correction | None") -> str | None:
        if entry["owner"]:
            return self._name(entry["owner"])
        return history.name_of(made.owner) if made else None

    def _name(self, username: str) -> str:
        return self.names.get(username, username)

    def _sentence(self, entry: EntryShape) -> str:
        undone = self.by_id.get(entry["supersedes"] or "")
        kind = EntryKind(undone["kind"]) if undone and entry["kind"] == EntryKind.WITHDRAWAL else None
        done = words.UNDOES[kind] if kind else words.ENTERS[EntryKind(entry["kind"])]
        return f"{self._name(entry['decided_by'])} {done}"

    def _links(self, entry: EntryShape) -> Iterable[tuple[str, int]]:
        before, after = self.by_id.get(entry["supersedes"] or ""), self.superseded_by.get(entry["entry_id"])
        for relation, other in (
            (words.SUPERSEDES[EntryKind(entry["kind"])], before),
            ("Repeats" if entry["kind"] == EntryKind.REPLAY else "Was a repeat of", self._replayed(entry)),
            ("Brings back", self.by_id.get(entry["restores"] or "")),
            (words.SUPERSEDED_BY[EntryKind(after["kind"])] if after else "", after),
        ):
            if other is not None:
                yield relation, other["position"]

    def _replayed(self, entry: EntryShape) -> EntryShape | None:
        return self.by_id.get(entry["replays"] or "")


def apart(effective_at: datetime, recorded_at: datetime) -> str:
    """Say how far the two clocks of an entry are apart, where that is noticeable."""
    distance = abs(recorded_at - effective_at)
    if distance < NOTICEABLE:
        return ""
    order = "after" if recorded_at > effective_at else "before"
    return f"It was written down {_length(distance)} {order} the time from which it counts."


def _length(distance: timedelta) -> str:
    minutes = int(distance.total_seconds() // 60)
    for size, name in ((1440, "day"), (60, "hour"), (1, "minute")):
        if minutes >= size:
            count = minutes // size
            return f"{count} {name}{'' if count == 1 else 's'}"
    return "a moment"


def _names(every: Sequence[EntryShape]) -> Mapping[str, str]:
    usernames = {name for entry in every for name in (entry["decided_by"], entry["owner"]) if name}
    people = User.objects.filter(username__in=usernames)
    return {person.get_username(): history.name_of(person) or "" for person in people}
