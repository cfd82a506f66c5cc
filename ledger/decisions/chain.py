"""The hash chain of one conversation, and the check that stored rows still say what was hashed.

Every entry's exact payload bytes are stored beside its columns and never serialised again:
`entry_hash = SHA256(00 | previous hash | SHA256(payload))`, beginning from a hash of the conversation id.
"""

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

FORMAT_VERSION = 1
_GENESIS = b"countersign ledger 1\n"


class Layer(StrEnum):
    """What a problem was found by."""

    COLUMNS = "columns"
    CHAIN = "chain"
    HEADS = "heads"
    SOURCES = "sources"
    LEAVES = "leaves"
    CHECKPOINTS = "checkpoints"


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that does not fit; `position` and `entry_id` name the row, where there is one.

    `number` is the entry's place among all, counted from zero, where the problem was found by it.
    """

    layer: Layer
    conversation_id: str | None
    position: int | None
    entry_id: str | None
    message: str
    number: int | None = None


@dataclass(frozen=True, slots=True)
class Row:
    """One stored entry: its bytes and hashes, and its readable columns under the payload's names."""

    entry_id: str
    position: int
    payload: bytes
    prev_hash: bytes
    entry_hash: bytes
    columns: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Head:
    """What the conversation's head row says: how many entries there are, and the newest one's hash."""

    position: int
    entry_hash: bytes


def genesis(conversation_id: str) -> bytes:
    """Return the hash that a conversation's first entry builds on."""
    return hashlib.sha256(_GENESIS + conversation_id.encode()).digest()


def entry_hash(previous: bytes, payload: bytes) -> bytes:
    """Return an entry's hash from the one before it and its own payload bytes."""
    return hashlib.sha256(b"\x00" + previous + hashlib.sha256(payload).digest()).digest()


def verify_line(conversation_id: str, rows: Sequence[Row], head: Head | None) -> tuple[Problem, ...]:
    """Check one conversation's rows, in the order of their positions, and return every problem with row and layer.

    Layers: readable columns equal the stored bytes; each hash follows from the bytes and the hash before; positions
    run from one without a gap; the head row names the newest entry. What these cannot show (the newest entry deleted
    together with its head, a whole chain computed anew) needs a checkpoint kept elsewhere.
    """
    line = LineCheck(conversation_id)
    found = [problem for row in rows for problem in line.follow(row)]
    return (*found, *line.end(head))


class LineCheck:
    """The same check row by row, for a conversation of any length: only the newest row's hash is kept."""

    def __init__(self, conversation_id: str) -> None:
        """Begin before the first row."""
        self.conversation_id = conversation_id
        self._last = Head(0, genesis(conversation_id))

    def follow(self, row: Row) -> tuple[Problem, ...]:
        """Return what is wrong with the next row."""
        last, self._last = self._last, Head(row.position, row.entry_hash)
        return (
            *_columns(self.conversation_id, row),
            *_link(self.conversation_id, row, last.entry_hash, last.position + 1),
        )

    def end(self, head: Head | None) -> tuple[Problem, ...]:
        """Return what is wrong with the head row, after the last entry."""
        return tuple(_head(self.conversation_id, self._last, head))


def _columns(conversation_id: str, row: Row) -> Iterator[Problem]:
    said = _decoded(row.payload)
    if said is None:
        yield _at(Layer.COLUMNS, conversation_id, row, "the stored bytes are no JSON object")
        return
    if said == row.columns:
        return
    differing = sorted(name for name in said.keys() | row.columns.keys() if not _same(said, row.columns, name))
    if differing:
        yield _at(Layer.COLUMNS, conversation_id, row, f"{', '.join(differing)} differ from the stored bytes")


def _decoded(payload: bytes) -> Mapping[str, object] | None:
    try:
        said = json.loads(payload)
    except (ValueError, RecursionError):
        return None
    return said if isinstance(said, dict) else None


def _same(said: Mapping[str, object], columns: Mapping[str, object], name: str) -> bool:
    return name in said and name in columns and said[name] == columns[name]


def _link(conversation_id: str, row: Row, previous: bytes, expected: int) -> Iterator[Problem]:
    if row.position != expected:
        gone = f"position {expected} is missing" if row.position > expected else f"position {row.position} stands twice"
        yield _at(Layer.CHAIN, conversation_id, row, f"{gone} before this entry")
    if row.prev_hash != previous:
        yield _at(Layer.CHAIN, conversation_id, row, "the previous hash is not that of the entry before")
    if row.entry_hash != entry_hash(row.prev_hash, row.payload):
        yield _at(Layer.CHAIN, conversation_id, row, "the hash does not follow from the stored bytes")


def _head(conversation_id: str, last: Head, head: Head | None) -> Iterator[Problem]:
    if head is None:
        yield _beside(conversation_id, "entries exist, but no head row names the newest")
    elif last.position == 0:
        yield _beside(conversation_id, f"the head counts {head.position} entries, none is left")
    elif head.position != last.position:
        yield _beside(
            conversation_id, f"the head names entry {head.position}, the newest stored one is {last.position}"
        )
    elif head.entry_hash != last.entry_hash:
        yield _beside(conversation_id, "the head's hash is not that of the newest entry")


def _at(layer: Layer, conversation_id: str, row: Row, message: str) -> Problem:
    return Problem(layer, conversation_id, row.position, row.entry_id, message)


def _beside(conversation_id: str, message: str) -> Problem:
    return Problem(Layer.HEADS, conversation_id, None, None, message)
