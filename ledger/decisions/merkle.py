"""One hash over many entries, and short proofs about it: the Merkle tree of RFC 6962 with SHA-256.

A leaf is hashed with 00 before it and a node with 01, so that neither can pass for the other. Everything here streams:
the root of a million leaves, or a proof out of them, takes the memory of twenty hashes.
"""

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence

HASH_LENGTH = 32
EMPTY_ROOT = hashlib.sha256(b"").digest()

type Range = tuple[int, int]
"""Leaves from the first, included, to the second, excluded."""


class NotInTheTree(ValueError):
    """A leaf or an older size lies outside the tree that a proof is asked of."""


def leaf_hash(data: bytes) -> bytes:
    """Return the hash of one leaf (RFC 6962, 2.1)."""
    return hashlib.sha256(b"\x00" + data).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """Return the hash of an inner node."""
    return hashlib.sha256(b"\x01" + left + right).digest()


class Tree:
    """A tree that leaves are added to, of which only the right edge is kept: one root per full subtree, largest first.

    The full subtrees are as large as the ones in the size's binary digits say, which is why size and edge suffice.
    """

    def __init__(self, size: int = 0, edge: Sequence[bytes] = ()) -> None:
        """Begin empty, or go on from a size and its edge. Raises ValueError where they do not fit together."""
        if size < 0 or len(edge) != size.bit_count():
            raise ValueError(f"a tree of {size} leaves has no edge of {len(edge)} hashes")
        self.size = size
        self._edge = list(edge)

    @property
    def edge(self) -> tuple[bytes, ...]:
        """The roots of the full subtrees, largest first."""
        return tuple(self._edge)

    def add(self, data: bytes) -> None:
        """Add one leaf."""
        joined, full = leaf_hash(data), self.size
        while full & 1:
            joined = node_hash(self._edge.pop(), joined)
            full >>= 1
        self._edge.append(joined)
        self.size += 1

    def root(self) -> bytes:
        """Return the hash over every leaf so far."""
        return _folded(self._edge) if self._edge else EMPTY_ROOT


def root_of(leaves: Iterable[bytes]) -> bytes:
    """Return the hash over leaves in their order."""
    tree = Tree()
    for data in leaves:
        tree.add(data)
    return tree.root()


def inclusion_ranges(index: int, size: int) -> tuple[Range, ...]:
    """Return the ranges whose hashes prove that leaf `index` is in a tree of `size` (PATH of RFC 6962, 2.1.1).

    Raises NotInTheTree.
    """
    if not 0 <= index < size:
        raise NotInTheTree(f"a tree of {size} leaves has no leaf {index}")
    start, end, path = 0, size, list[Range]()
    while end - start > 1:
        middle = start + _split(end - start)
        if index < middle:
            path.append((middle, end))
            end = middle
        else:
            path.append((start, middle))
            start = middle
    return tuple(reversed(path))


def consistency_ranges(older: int, size: int) -> tuple[Range, ...]:
    """Return the ranges whose hashes prove that a tree of `size` begins with the one of `older` (RFC 6962, 2.1.2).

    Raises NotInTheTree.
    """
    if not 0 < older <= size:
        raise NotInTheTree(f"a tree of {size} leaves extends none of {older}")
    start, end, path = 0, size, list[Range]()
    while end != older:
        middle = start + _split(end - start)
        if older <= middle:
            path.append((middle, end))
            end = middle
        else:
            path.append((start, middle))
            start = middle
    known = [(start, end)] if start else []
    return (*known, *reversed(path))


def hashes_of(ranges: Iterable[Range], leaves: Iterable[bytes]) -> Mapping[Range, bytes]:
    """Return the hash over each range, out of the leaves of the tree in their order, in one pass.

    Raises NotInTheTree where the leaves end before a range does.
    """
    wanted = {one: list(_full_subtrees(*one)) for one in ranges}
    found = _subtree_hashes({subtree for parts in wanted.values() for subtree in parts}, leaves)
    try:
        return {one: _folded([found[part] for part in parts]) for one, parts in wanted.items()}
    except KeyError as missing:
        raise NotInTheTree(f"the leaves end before {missing}") from missing


def _subtree_hashes(wanted: set[Range], leaves: Iterable[bytes]) -> dict[Range, bytes]:
    """Return the hashes of full subtrees, each named by its range."""
    found: dict[Range, bytes] = {}
    edge: list[tuple[int, bytes]] = []
    last = max((end for _, end in wanted), default=0)
    for number, data in enumerate(leaves):
        if number >= last:
            break
        start, joined = number, leaf_hash(data)
        if (start, number + 1) in wanted:
            found[start, number + 1] = joined
        while edge and number + 1 - start == start - edge[-1][0]:
            start, left = edge.pop()
            joined = node_hash(left, joined)
            if (start, number + 1) in wanted:
                found[start, number + 1] = joined
        edge.append((start, joined))
    return found


def is_included(data: bytes, index: int, size: int, proof: Sequence[bytes], root: bytes) -> bool:
    """Say whether the proof shows that the leaf stands at `index` in the tree with this size and root; never raises."""
    if not 0 <= index < size:
        return False
    ranges = inclusion_ranges(index, size)
    if len(ranges) != len(proof):
        return False
    joined = leaf_hash(data)
    for (start, _), beside in zip(ranges, proof, strict=True):
        joined = node_hash(joined, beside) if start > index else node_hash(beside, joined)
    return joined == root


def is_extended(older: int, older_root: bytes, size: int, root: bytes, proof: Sequence[bytes]) -> bool:
    """Say whether the proof shows that the tree of `size` begins with the whole tree of `older`; never raises."""
    if not 0 < older <= size:
        return False
    ranges = consistency_ranges(older, size)
    if len(ranges) != len(proof):
        return False
    known = dict(zip(ranges, proof, strict=True))
    start = max((first for first, end in ranges if end == older), default=0)
    old = new = known.get((start, older), older_root)
    for first, end in ranges[1:] if start else ranges:
        if first >= older:
            new = node_hash(new, known[first, end])
        else:
            old, new = node_hash(known[first, end], old), node_hash(known[first, end], new)
    return old == older_root and new == root


def _split(size: int) -> int:
    """Return the largest power of two below a size of two or more: where a tree divides."""
    return 1 << ((size - 1).bit_length() - 1)


def _full_subtrees(start: int, end: int) -> Iterator[Range]:
    """Yield the full subtrees of a range that begins where a subtree of its size may."""
    while start < end:
        width = 1 << ((end - start).bit_length() - 1)
        yield start, start + width
        start += width


def _folded(edge: Sequence[bytes]) -> bytes:
    """Return the root over neighbouring full subtrees, largest first."""
    *others, joined = edge
    for left in reversed(others):
        joined = node_hash(left, joined)
    return joined
