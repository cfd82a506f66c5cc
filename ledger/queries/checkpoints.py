"""The tree over the whole ledger: its leaves, its checkpoints, and proofs that an entry is in it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise

from django.db import connection

from ledger.decisions.merkle import consistency_ranges, hashes_of, inclusion_ranges

BATCH = 5000
_CHECKPOINTS = "SELECT number, size, root, sealed_at, key_id, note, edge FROM ledger.checkpoint"
_PLACES = "SELECT number, entry_id FROM ledger.leaf WHERE entry_id = ANY (%s::uuid[]) AND number < %s ORDER BY number"


@dataclass(frozen=True, slots=True)
class StoredCheckpoint:
    """A row of the database; `note` is the signed text, and nothing here says that its signature is right.

    `edge` are the roots of the full subtrees of the tree at that size, largest first.
    """

    number: int
    size: int
    root: bytes
    sealed_at: datetime
    key_id: str
    note: str
    edge: tuple[bytes, ...]


@dataclass(frozen=True, slots=True)
class Unsealed:
    """Entries that no checkpoint covers yet: how many, and when the oldest was recorded (None without any)."""

    count: int
    since: datetime | None


@dataclass(frozen=True, slots=True)
class Inclusion:
    """Where an entry stands in the tree, and the hashes that lead from it to the root of a checkpoint."""

    entry_id: str
    number: int
    path: tuple[bytes, ...]


def newest_checkpoint() -> StoredCheckpoint | None:
    """Return the newest checkpoint in the database, None while nothing was sealed."""
    return next(map(_checkpoint, _rows(f"{_CHECKPOINTS} ORDER BY number DESC LIMIT 1")), None)


def newest_checkpoints() -> Iterator[StoredCheckpoint]:
    """Yield the checkpoints in the database, the newest first."""
    for row in _rows(f"{_CHECKPOINTS} ORDER BY number DESC"):
        yield _checkpoint(row)


def checkpoints(*, after: int = 0) -> Iterator[StoredCheckpoint]:
    """Yield the checkpoints whose number is greater than `after`, the oldest first."""
    yield from map(_checkpoint, _rows(f"{_CHECKPOINTS} WHERE number > %s ORDER BY number", after))


def leaf_count() -> int:
    """Return how many entries have a place in the tree."""
    [[count]] = _rows("SELECT coalesce(max(number) + 1, 0) FROM ledger.leaf")
    return int(str(count))


def leaf_hashes(start: int, end: int) -> Iterator[bytes]:
    """Yield the hashes of the entries with the numbers from `start`, included, to `end`, excluded."""
    query = "SELECT entry_hash FROM ledger.leaf WHERE number >= %s AND number < %s ORDER BY number"
    for (entry_hash,) in _rows(query, start, end):
        yield as_bytes(entry_hash)


def unsealed(*, size: int) -> Unsealed:
    """Return what lies beyond a checkpoint of `size` entries: those numbered since, and those without a number."""
    query = """
        SELECT count(*), min(e.recorded_at) FROM ledger.entry e LEFT JOIN ledger.leaf l ON l.entry_id = e.id
        WHERE l.number IS NULL OR l.number >= %s
    """
    [[count, since]] = _rows(query, size)
    return Unsealed(int(str(count)), since if isinstance(since, datetime) else None)


def inclusions(entry_ids: Sequence[str], *, size: int) -> tuple[Inclusion, ...]:
    """Return a proof for each entry among the first `size`, in their order; entries beyond have none.

    `ledger.decisions.merkle.is_included` checks one against the checkpoint's root, the leaf being the entry's hash.
    Reads every leaf once.
    """
    places = {int(str(number)): str(entry_id) for number, entry_id in _rows(_PLACES, list(entry_ids), size)}
    paths = {number: inclusion_ranges(number, size) for number in places}
    found = hashes_of({one for path in paths.values() for one in path}, leaf_hashes(0, size))
    return tuple(Inclusion(places[number], number, tuple(found[one] for one in path)) for number, path in paths.items())


def consistency(older: int, size: int) -> tuple[bytes, ...]:
    """Return the hashes that show that the tree of `size` begins with the one of `older` (`merkle.is_extended`).

    Reads every leaf once. Raises NotInTheTree.
    """
    ranges = consistency_ranges(older, size)
    found = hashes_of(ranges, leaf_hashes(0, size))
    return tuple(found[one] for one in ranges)


def as_bytes(value: object) -> bytes:
    """Return what a column of bytes holds."""
    return bytes(value) if isinstance(value, bytes | bytearray | memoryview) else b""


def _checkpoint(row: Sequence[object]) -> StoredCheckpoint:
    number, size, root, sealed_at, key_id, note, edge = row
    if not isinstance(sealed_at, datetime):
        raise TypeError(f"checkpoint {number} has no time")
    hashes = as_bytes(edge)
    return StoredCheckpoint(
        number=int(str(number)),
        size=int(str(size)),
        root=as_bytes(root),
        sealed_at=sealed_at,
        key_id=str(key_id),
        note=str(note),
        edge=tuple(hashes[start:end] for start, end in pairwise(range(0, len(hashes) + 32, 32))),
    )


def _rows(query: str, *values: int | list[str]) -> Iterator[Sequence[object]]:
    with connection.chunked_cursor() as cursor:
        cursor.execute(query, values)
        while batch := cursor.fetchmany(BATCH):
            yield from batch
