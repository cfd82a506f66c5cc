"""Seal the ledger: give new entries their place in the tree, sign its root, and bring the checkpoint outside.

What signs and where copies go are arguments, since a service knows neither files nor keys.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from django.db import connection, transaction

from ledger import queries
from ledger.decisions.anchors import unannounced
from ledger.decisions.checkpoints import (
    Checkpoint,
    NotACheckpoint,
    SignedCheckpoint,
    Verifies,
    is_genuine,
    key_id_of,
    origin_of,
    read,
    signed,
)
from ledger.decisions.merkle import Tree
from ledger.queries import StoredCheckpoint

AT_ONCE = 100_000
_PATIENT = "SET LOCAL statement_timeout = 0"  # the first sealing of a large ledger takes longer than a page may


class Signs(Protocol):
    """A key that signs checkpoints."""

    @property
    def public_key(self) -> bytes:
        """The raw 32 bytes that everybody may know."""

    @property
    def sign(self) -> Callable[[bytes], bytes]:
        """Signs a message."""


class Outside(Protocol):
    """A place for checkpoints that a change of the database cannot reach."""

    def newest(self) -> SignedCheckpoint | None:
        """Return the newest checkpoint there."""

    def numbers(self) -> set[int]:
        """Return the numbers of those that are there."""

    def put(self, checkpoint: SignedCheckpoint) -> bool:
        """Keep one; return False where it was there already."""


class SealRefused(Exception):
    """No checkpoint was made, because it would hide that something is wrong; the message says what."""


@dataclass(frozen=True, slots=True)
class Key:
    """What a checkpoint is signed with, and how signatures are checked.

    `begins_anew` lets this key go on where the one before is lost and could not announce it.
    """

    signer: Signs
    verifies: Verifies
    begins_anew: bool = False


@dataclass(frozen=True, slots=True)
class _Base:
    """The checkpoint to go on from, and the edge of the tree as it is stored beside it."""

    checkpoint: SignedCheckpoint
    edge: tuple[bytes, ...]


def seal(key: Key, outside: Outside, *, now: datetime, next_key: bytes | None = None) -> SignedCheckpoint | None:
    """Seal what is new and bring it outside; return the checkpoint, or None where there was nothing new.

    May be killed at any point and called again, and several may run at once. `next_key` announces another key, even
    where nothing is new. Raises SealRefused, and what `outside` raises.
    """
    known = outside.newest()
    while number_entries() == AT_ONCE:
        pass
    made = add_checkpoint(key, known, now=now, next_key=next_key)
    export(key, outside)
    return made


def export(key: Key, outside: Outside, *, every: bool = False) -> int:
    """Bring checkpoints outside that came after the newest there (`every`: all that are missing); return how many."""
    there = outside.numbers()
    newest = max(there, default=0)
    brought = 0
    for row in queries.checkpoints(after=0 if every else newest):
        checkpoint = _genuine(row, key)
        if row.number not in there and checkpoint is not None:
            brought += outside.put(checkpoint)
    return brought


@transaction.atomic(durable=True)
def number_entries() -> int:
    """Give entries that have none their place in the tree, at most AT_ONCE of them; return how many."""
    with connection.cursor() as cursor:
        cursor.execute(_PATIENT)
        cursor.execute("SELECT ledger.number_leaves(%s)", [AT_ONCE])
        [numbered] = cursor.fetchone()
    return int(numbered)


@transaction.atomic(durable=True)
def add_checkpoint(
    key: Key, known: SignedCheckpoint | None, *, now: datetime, next_key: bytes | None = None
) -> SignedCheckpoint | None:
    """Sign the root over every numbered entry, unless a checkpoint covers them all; `known` is the newest outside.

    Raises SealRefused where the database is older than what is known, the key was not announced, or the stored tree
    is not the one that was signed.
    """
    with connection.cursor() as cursor:
        cursor.execute(_PATIENT)
        cursor.execute("SELECT ledger.one_sealer_at_a_time()")
    base = _base(key)
    last = base.checkpoint if base else None
    _refuse_older_database(last, known)
    if not key.begins_anew and (wrong := unannounced(key.signer.public_key, last)):
        raise SealRefused(f"{wrong}. Put that key back, or finish what `manage.py rotate_checkpoint_key` began.")
    size = queries.leaf_count()
    if size == 0 or (last is not None and size == last.says.size and next_key is None):
        return None
    tree = _tree(base)
    for entry_hash in queries.leaf_hashes(tree.size, size):
        tree.add(entry_hash)
    made = signed(_checkpoint(key, tree, last, now, next_key), key.signer.sign)
    _store(made, tree)
    return made


def _base(key: Key) -> _Base | None:
    """Return the newest checkpoint that this key signed or was announced by, None where there is none at all.

    Rows whose signature is wrong are passed over: whoever may call the database's function can write one.
    """
    passed = False
    for row in queries.newest_checkpoints():
        passed = True
        checkpoint = _genuine(row, key)
        if checkpoint is None:
            continue
        if key.begins_anew or key.signer.public_key in (checkpoint.says.public_key, checkpoint.says.next_key):
            return _Base(checkpoint, row.edge)
    if passed:
        raise SealRefused(
            f"the checkpoints so far were signed by another key than {key_id_of(key.signer.public_key)}. Put that key "
            "back; if it is lost, begin anew with `manage.py seal_ledger --new-key`"
        )
    return None


def _genuine(row: StoredCheckpoint, key: Key) -> SignedCheckpoint | None:
    try:
        checkpoint = read(row.note)
    except NotACheckpoint:
        return None
    says = checkpoint.says
    fits = (says.number, says.size, says.root) == (row.number, row.size, row.root)
    return checkpoint if fits and is_genuine(checkpoint, key.verifies) else None


def _refuse_older_database(last: SignedCheckpoint | None, known: SignedCheckpoint | None) -> None:
    if known is None or (last is not None and known.says.number < last.says.number):
        return
    if last is None or known.note != last.note:
        stands = f"checkpoint {last.says.number} with {last.says.size} entries" if last else "none"
        raise SealRefused(
            f"outside stands checkpoint {known.says.number} with {known.says.size} entries, in the database {stands}: "
            "it is an older copy, or was changed. Run `manage.py verify_ledger`"
        )


def _tree(base: _Base | None) -> Tree:
    """Return the tree at the last checkpoint: from its stored edge, or from all leaves where that does not fit."""
    if base is None:
        return Tree()
    says = base.checkpoint.says
    if len(base.edge) == says.size.bit_count():
        tree = Tree(says.size, base.edge)
        if tree.root() == says.root:
            return tree
    tree = Tree()
    for entry_hash in queries.leaf_hashes(0, says.size):
        tree.add(entry_hash)
    if (tree.size, tree.root()) != (says.size, says.root):
        raise SealRefused(
            f"the first {says.size} entries no longer give the root that checkpoint {says.number} was signed over. "
            "Run `manage.py verify_ledger`"
        )
    return tree


def _checkpoint(
    key: Key, tree: Tree, last: SignedCheckpoint | None, now: datetime, next_key: bytes | None
) -> Checkpoint:
    newest = queries.newest_checkpoint()
    return Checkpoint(
        origin=last.says.origin if last else origin_of(next(queries.leaf_hashes(0, 1))),
        size=tree.size,
        root=tree.root(),
        number=newest.number + 1 if newest else 1,
        previous=last.says.number if last else None,
        previous_hash=last.note_hash if last else None,
        sealed_at=max(now, last.says.sealed_at) if last else now,
        public_key=key.signer.public_key,
        next_key=next_key,
    )


def _store(made: SignedCheckpoint, tree: Tree) -> None:
    says = made.says
    next_key_id = key_id_of(says.next_key) if says.next_key else None
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT ledger.add_checkpoint(%s, %s, %s, %s, %s, %s, %s, %s, %s)",
            [
                says.number, says.size, says.root, says.previous, says.sealed_at, says.key_id, next_key_id, made.note,
                b"".join(tree.edge),
            ],
        )  # fmt: skip
