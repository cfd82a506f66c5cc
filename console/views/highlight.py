"""Cut a text at the edges of its marks, so that a template prints each slice escaped and in place.

Offsets are code points into the raw text. Nothing here makes HTML: a slice knows its words and which marks it lies in.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from drafts.decisions.structure import Piece, visible_pieces


@dataclass(frozen=True, slots=True)
class Mark:
    """One stretch to be shown: `style` names its look, `label` says in words what it is, `target` where it is told."""

    start: int
    end: int
    style: str
    number: int
    label: str
    target: str

    @property
    def anchor(self) -> str:
        """Return the id under which the list of findings jumps to this stretch."""
        return f"place-{self.number}"


@dataclass(frozen=True, slots=True)
class Slice:
    """A stretch in which the same marks hold: `begins` start here, `ends` stop here."""

    pieces: tuple[Piece, ...]
    styles: tuple[str, ...]
    begins: tuple[Mark, ...]
    ends: tuple[Mark, ...]


def marked(text: str, marks: Iterable[Mark]) -> tuple[Slice, ...]:
    """Cut the whole text into slices; marks that lie outside it or hold no character are left out."""
    kept = sorted(placed(text, marks), key=lambda m: (m.start, -m.end, m.number))
    edges = sorted({0, len(text), *(m.start for m in kept), *(m.end for m in kept)})
    return tuple(_slice(text, start, end, kept) for start, end in pairwise(edges))


def placed(text: str, marks: Iterable[Mark]) -> list[Mark]:
    """Return the marks that stand on at least one character of the text."""
    return [m for m in marks if 0 <= m.start < m.end <= len(text)]


def plain(text: str) -> tuple[Piece, ...]:
    """Cut a text without marks, so that its hidden characters are shown."""
    return visible_pieces(text)


def _slice(text: str, start: int, end: int, marks: Sequence[Mark]) -> Slice:
    over = [m for m in marks if m.start <= start and end <= m.end]
    return Slice(
        visible_pieces(text, start, end),
        tuple(dict.fromkeys(m.style for m in over)),
        tuple(m for m in over if m.start == start),
        tuple(m for m in over if m.end == end),
    )
