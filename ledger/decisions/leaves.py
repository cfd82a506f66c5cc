"""The check of the whole tree: every leaf says what its entry says, and every checkpoint still has its root.

This finds what a conversation's own chain cannot: entries that are gone together with their heads, histories written
anew, entries put in afterwards under an early date, and a database that is older than a checkpoint kept elsewhere.
"""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from ledger.decisions.anchors import Known
from ledger.decisions.chain import Layer, Problem
from ledger.decisions.merkle import Tree

LATEST_COMMIT = timedelta(hours=1)
"""How long after it was recorded an entry may become visible, and how far two clocks may differ."""


@dataclass(frozen=True, slots=True)
class Leaf:
    """A leaf beside its entry; `number` is None for an entry without one, `entry_hash` where the entry is gone."""

    number: int | None
    entry_id: str
    conversation_id: str
    position: int
    leaf_hash: bytes
    entry_hash: bytes | None
    recorded_at: datetime | None
    fits: bool
    """Whether the entry stands in the conversation and at the position that its leaf says."""


@dataclass(frozen=True, slots=True)
class Covered:
    """How many entries a fitting checkpoint covers: any, and one that is kept outside the database."""

    anywhere: int = 0
    outside: int = 0

    def by(self, known: Known) -> "Covered":
        """Return what is covered with one more fitting checkpoint."""
        return Covered(max(self.anywhere, known.size), max(self.outside, known.size if known.is_outside else 0))


def beside_entry(leaf: Leaf) -> Iterator[Problem]:
    """Yield what is wrong where a numbered leaf and its entry do not say the same."""
    wrong = None
    if leaf.entry_hash is None:
        wrong = "the entry that was sealed here is gone"
    elif leaf.entry_hash != leaf.leaf_hash:
        wrong = "the entry is not the one that was sealed: its hash is another"
    elif not leaf.fits:
        wrong = "the entry stands elsewhere than where it was sealed"
    if wrong:
        yield Problem(Layer.LEAVES, leaf.conversation_id, leaf.position, leaf.entry_id, wrong, leaf.number)


class TreeCheck:
    """Follow the leaves in the order of their numbers, then the entries without one."""

    def __init__(self, accepted: Sequence[Known]) -> None:
        """Begin before the first leaf; `accepted` are the checkpoints that count."""
        self.covered = Covered()
        self._expected = sorted(accepted, key=lambda known: (known.size, known.number))
        self._sizes = [known.size for known in self._expected]
        self._due = 0
        self._next = 0
        self._fitting: Known | None = None
        self._misfits = 0
        self._tree = Tree()

    def follow(self, leaf: Leaf) -> Iterator[Problem]:
        """Yield what is wrong with the next leaf, and with the checkpoints that end with it."""
        if leaf.number is None:
            yield from self._dated(leaf, self._next)
            return
        if leaf.number != self._next:
            message = f"number {self._next} is missing, and what was sealed under it"
            yield Problem(Layer.LEAVES, None, None, None, message, self._next)
        self._next = leaf.number + 1
        yield from beside_entry(leaf)
        yield from self._dated(leaf, leaf.number)
        self._tree.add(leaf.leaf_hash)
        yield from self._reached()

    def end(self) -> Iterator[Problem]:
        """Yield what is wrong with the checkpoints that cover more than there is."""
        for known in self._expected[self._due :]:
            missing = known.size - self._next
            message = (
                f"{known} covers {known.size} entries, and only {self._next} are numbered here: at least {missing} "
                f"were taken out{self._still_fitting()}"
            )
            yield Problem(Layer.CHECKPOINTS, None, None, None, message, self._still_good())
        if self._misfits > 1:
            message = f"{self._misfits - 1} later checkpoints do not fit the stored entries either"
            yield Problem(Layer.CHECKPOINTS, None, None, None, message)

    def _dated(self, leaf: Leaf, number: int) -> Iterator[Problem]:
        """Find an entry that says it is older than a checkpoint in which it had no part."""
        index = bisect_right(self._sizes, number) - 1
        if index < 0 or leaf.recorded_at is None:
            return
        without = self._expected[index]
        if leaf.recorded_at < without.checkpoint.says.sealed_at - LATEST_COMMIT:
            message = f"recorded {leaf.recorded_at:%Y-%m-%d %H:%M} UTC by its own account, but not there at {without}"
            yield Problem(Layer.LEAVES, leaf.conversation_id, leaf.position, leaf.entry_id, message, leaf.number)

    def _reached(self) -> Iterator[Problem]:
        while self._due < len(self._sizes) and self._sizes[self._due] <= self._next:
            known = self._expected[self._due]
            self._due += 1
            if self._tree.root() == known.checkpoint.says.root:
                self._fitting = known if self._misfits == 0 else self._fitting
                self.covered = self.covered.by(known)
                continue
            self._misfits += 1
            if self._misfits == 1:
                message = (
                    f"the first {known.size} entries do not give the root of {known}: one of them was changed, taken "
                    f"out or put in{self._still_fitting()}"
                )
                yield Problem(Layer.CHECKPOINTS, None, None, None, message, self._still_good())

    def _still_good(self) -> int:
        return self._fitting.size if self._fitting else 0

    def _still_fitting(self) -> str:
        return f"; the first {self._fitting.size} are as at {self._fitting}" if self._fitting else ""
