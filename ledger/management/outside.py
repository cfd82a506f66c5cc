"""The checkpoints that a check holds the ledger against: those of the database, and the copies kept elsewhere."""

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from pathlib import Path

from ledger import queries
from ledger.decisions import anchors
from ledger.decisions.anchors import IN_DATABASE, Copy, Judged, Known
from ledger.decisions.checkpoints import NotACheckpoint, SignedCheckpoint, is_genuine, read
from ledger.decisions.merkle import Tree
from ledger.gateways import signing
from ledger.gateways.checkpoint_files import copies_at
from ledger.management.places import checkpoint_folder

COPIED_WITHIN = timedelta(minutes=2)
"""A sealer that was stopped between a checkpoint and its copy brings the copy in its next run, a minute later."""


def judged(paths: Sequence[Path] | None, keys: Sequence[str] | None, *, now: datetime) -> Judged:
    """Return which checkpoints count, out of the database and these folders and files, or CHECKPOINT_DIR.

    The copies are read first, so that the database is never behind one that has only just been made. CHECKPOINT_DIR
    must hold every checkpoint of the database; what somebody kept for themselves need not. Raises FolderUnusable and
    KeyUnusable.
    """
    copies = list(_copies(paths))
    rows = list(queries.checkpoints())
    copies += [Copy(IN_DATABASE, row.note) for row in rows]
    vouched = frozenset(map(_public_key, keys or ()))
    trusted = vouched or signing.known_public_keys("checkpoints")
    found = anchors.judged(copies, trusted=trusted, verifies=signing.is_signed_by, vouched=vouched)
    stored = {known.checkpoint.note: known for known in found.accepted if known.is_stored}
    columns = [
        anchors.misstated(stored[row.note], number=row.number, size=row.size, root=row.root)
        for row in rows
        if row.note in stored
    ]
    copied = None if paths is not None else _uncopied(found.accepted, now)
    problems = (*found.problems, anchors.overtaken(found.accepted), copied, *columns)
    return Judged(found.accepted, tuple(filter(None, problems)))


class NotOurs(Exception):
    """A file holds no checkpoint that this ledger fits; the message says why."""


def kept(file: Path, *, now: datetime) -> SignedCheckpoint:
    """Return the checkpoint in a file that somebody kept, after the ledger was held against it.

    Raises NotOurs, FolderUnusable and KeyUnusable.
    """
    notes = [copy.note for copy in copies_at(file)]
    try:
        checkpoint = read("".join(notes))
    except NotACheckpoint as wrong:
        raise NotOurs(f"{file} holds no checkpoint: {wrong}.") from wrong
    if reason := _foreign(checkpoint, judged([file], None, now=now)):
        raise NotOurs(f"{file}: checkpoint {checkpoint.says.number} {reason}.")
    return checkpoint


def _foreign(checkpoint: SignedCheckpoint, found: Judged) -> str | None:
    says = checkpoint.says
    if not is_genuine(checkpoint, signing.is_signed_by):
        return "does not bear the signature of the key that it names: it was changed or forged"
    if all(known.checkpoint.note != checkpoint.note for known in found.accepted):
        return f"is signed by key {says.key_id}, which nobody here knows"
    if any(known.number == says.number and known.checkpoint.note != checkpoint.note for known in found.accepted):
        return "reads otherwise in the database"
    if says.size > (numbered := queries.leaf_count()):
        return f"covers {says.size} entries, and only {numbered} are numbered here"
    tree = Tree()
    for entry_hash in queries.leaf_hashes(0, says.size):
        tree.add(entry_hash)
    return None if tree.root() == says.root else f"has another root than the first {says.size} entries give"


def _uncopied(accepted: Sequence[Known], now: datetime) -> str | None:
    folder = checkpoint_folder()
    there = folder.numbers()
    missing = anchors.uncopied(accepted, there, due=now - COPIED_WITHIN)
    return anchors.lacking(missing, there, str(folder.path)) if missing else None


def _copies(paths: Sequence[Path] | None) -> Iterator[Copy]:
    if paths is None:
        yield from checkpoint_folder().copies()
    for path in paths or ():
        yield from copies_at(path)


def _public_key(given: str) -> bytes:
    try:
        key = bytes.fromhex(given)
    except ValueError:
        key = b""
    return key if len(key) == signing.PUBLIC_KEY_LENGTH else signing.read_public(Path(given))
