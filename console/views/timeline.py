"""A conversation's ledger as lines in words: what was asked and said, by whom, when, on what, and what it replaced."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import cast

from django.contrib.auth.models import User

from console.views import history, words
from console.views.highlight import plain
from console.views.shapes import EntryShape, SourceShape
from drafts.decisions.structure import Piece
from ledger.decisions.vocabulary import EntryKind, KeyOrigin

SHOWN_AT_ONCE = 40
HASH_SHOWN = 12
GIVES_AN_ANSWER = (EntryKind.ANSWER, EntryKind.CORRECTION)
"""Other entries carry the source of the one that they repeat or take back, where it is shown."""


@dataclass(frozen=True, slots=True)
class SourceRow:
    """The policy version an answer rests on, as it was then."""

    document: str
    name: str
    version: str
    section: str
    effective_from: date | None
    effective_until: date | None
    passage: tuple[Piece, ...]


@dataclass(frozen=True, slots=True)
class EntryRow:
    """One entry; `links` tell in words which other entries it concerns, by their place in the line."""

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
    source: SourceRow | None
    facts: tuple[tuple[str, str], ...]
    reason: tuple[Piece, ...]
    owner: str | None
    message: tuple[Piece, ...]
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
class Timeline:
    """The entries shown, oldest first; `before` is the place from which earlier ones can be asked for."""

    rows: tuple[EntryRow, ...]
    live: tuple[LiveRow, ...]
    count: int
    before: int | None
    is_newest: bool


def timeline_of(
    entries: Iterable[Mapping[str, object]], messages: Mapping[str, str], before: int | None = None
) -> Timeline:
    """Return a conversation's newest entries, or those that stand before a place in the line.

    `messages` holds, by the id of a correction's entry, what the customer was told by it.
    """
    every = cast("Sequence[EntryShape]", tuple(entries))
    reached = [entry for entry in every if before is None or entry["position"] < before]
    shown = reached[-SHOWN_AT_ONCE:]
    tell = _Teller(every, messages)
    return Timeline(
        rows=tuple(tell.row(entry) for entry in shown),
        live=tuple(tell.live(entry) for entry in every if entry["locked"]),
        count=len(every),
        before=shown[0]["position"] if len(reached) > len(shown) else None,
        is_newest=before is None,
    )


class _Teller:
    """Tells entries of one conversation, which name each other by id, by their places in the line."""

    def __init__(self, every: Sequence[EntryShape], messages: Mapping[str, str]) -> None:
        self.by_id = {entry["entry_id"]: entry for entry in every}
        self.superseded_by = {entry["supersedes"]: entry for entry in every if entry["supersedes"]}
        self.messages = messages
        self.names = _names(every)

    def row(self, entry: EntryShape) -> EntryRow:
        asked = entry["asked_key"]
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
            source=source_row(entry["answer_source"]) if entry["kind"] in GIVES_AN_ANSWER else None,
            facts=tuple((words.field_name(k), str(v)) for k, v in entry["deciding_facts"].items() if v is not None),
            reason=plain(entry["reason"] or ""),
            owner=self._name(entry["owner"]) if entry["owner"] else None,
            message=plain(self.messages.get(entry["entry_id"], "")),
            links=tuple(self._links(entry)),
            short_hash=entry["entry_hash"][:HASH_SHOWN],
            entry_hash=entry["entry_hash"],
            prev_hash=entry["prev_hash"],
            entry_id=entry["entry_id"],
        )

    def live(self, entry: EntryShape) -> LiveRow:
        return LiveRow(
            position=entry["position"],
            question=plain(entry["question_canonical"]),
            key=entry["question_key"],
            text=plain(entry["answer_text"]),
            source=source_row(entry["answer_source"]),
            replay_count=entry["replay_count"],
            since=entry["effective_at"],
        )

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


def source_row(source: SourceShape | None) -> SourceRow | None:
    """Tell the snapshot of a source."""
    if source is None:
        return None
    return SourceRow(
        document=source.get("title") or source["doc_id"],
        name=source["doc_id"],
        version=source.get("version") or "",
        section=source.get("section") or "",
        effective_from=_day(source.get("effective_from")),
        effective_until=_day(source.get("effective_until")),
        passage=plain(source.get("passage") or ""),
    )


def _day(value: str | None) -> date | None:
    return date.fromisoformat(value) if value else None


def _names(every: Sequence[EntryShape]) -> Mapping[str, str]:
    usernames = {name for entry in every for name in (entry["decided_by"], entry["owner"]) if name}
    people = User.objects.filter(username__in=usernames)
    return {person.get_username(): history.name_of(person) or "" for person in people}
