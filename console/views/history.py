"""What happened to an item: its versions, the difference to the original, kept texts, and events as sentences."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from difflib import SequenceMatcher
from typing import TYPE_CHECKING

from console.views import words
from console.views.highlight import plain
from drafts.decisions.structure import Piece

if TYPE_CHECKING:
    from django.contrib.auth.models import User

    from drafts.models import ReviewItem

COMPARED_WORDS = 2000
EVENTS_SHOWN = 100
GLANCE = 400
"""How many changed characters are taken in at a glance; a longer comparison starts folded."""
_WORDS = re.compile(r"\s+|[^\s]+")


@dataclass(frozen=True, slots=True)
class VersionRow:
    """One text of the draft."""

    number: int
    author: str
    at: datetime
    pieces: tuple[Piece, ...]
    is_current: bool


@dataclass(frozen=True, slots=True)
class ParkedRow:
    """A text that was overtaken and kept; `source` is what puts it into the editor."""

    source: str
    author: str
    at: datetime
    because: str
    pieces: tuple[Piece, ...]


@dataclass(frozen=True, slots=True)
class EventRow:
    """One line of the history."""

    at: datetime
    sentence: str
    kind: str


@dataclass(frozen=True, slots=True)
class Change:
    """A stretch of the comparison: kept, taken out or put in."""

    kind: str
    pieces: tuple[Piece, ...]


def name_of(person: "User | None") -> str | None:
    """Return how a person is called on screen: their full name, else the name they sign in with."""
    return None if person is None else person.get_full_name() or person.get_username()


def versions_of(item: "ReviewItem") -> tuple[VersionRow, ...]:
    """Return every text of a draft, the newest first."""
    found = item.draft_versions.select_related("author").order_by("-number")
    return tuple(
        VersionRow(
            v.number,
            name_of(v.author) or item.model_name or "the model",
            v.created_at,
            plain(v.text),
            v.number == item.version,
        )
        for v in found
    )


def parked_of(item: "ReviewItem") -> tuple[ParkedRow, ...]:
    """Return the texts that were overtaken, the newest first."""
    found = item.parked_texts.select_related("author").order_by("-parked_at", "-pk")
    return tuple(
        ParkedRow(f"parked:{p.pk}", name_of(p.author) or "", p.parked_at, p.because, plain(p.text)) for p in found
    )


def events_of(item: "ReviewItem") -> tuple[EventRow, ...]:
    """Return the newest events of an item as sentences, the newest first."""
    found = item.events.select_related("actor").order_by("-pk")[:EVENTS_SHOWN]
    return tuple(
        EventRow(e.happened_at, words.event_sentence(e.kind, name_of(e.actor), e.detail), e.kind) for e in found
    )


def changes(original: str, current: str) -> tuple[Change, ...]:
    """Compare two texts word by word; nothing where they are the same."""
    return () if original == current else tuple(_compared(original, current))


def is_small(compared: Sequence[Change]) -> bool:
    """Say whether a comparison can be taken in at a glance."""
    changed = sum(len(piece.text) for one in compared if one.kind != "same" for piece in one.pieces)
    return changed <= GLANCE


def _compared(original: str, current: str) -> Iterator[Change]:
    old, new = _WORDS.findall(original), _WORDS.findall(current)
    if len(old) + len(new) > COMPARED_WORDS:
        yield Change("removed", plain(original))
        yield Change("added", plain(current))
        return
    for kind, a, b, c, d in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if kind == "equal":
            yield Change("same", plain("".join(old[a:b])))
            continue
        if b > a:
            yield Change("removed", plain("".join(old[a:b])))
        if d > c:
            yield Change("added", plain("".join(new[c:d])))
