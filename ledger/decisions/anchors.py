"""Which checkpoints count: signed by a key we know, each extending the one before, none in two forms.

They come from the database and from wherever copies were kept; a forger may have written any of them.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from ledger.decisions.checkpoints import NotACheckpoint, SignedCheckpoint, Verifies, is_genuine, key_id_of, read

IN_DATABASE = "the database"
NAMED = 5
"""So many missing numbers are named; of more, the count is told."""


@dataclass(frozen=True, slots=True)
class Copy:
    """A text that is kept as a checkpoint, and where."""

    where: str
    note: str


@dataclass(frozen=True, slots=True)
class Known:
    """A checkpoint that was read and whose own signature is right, and every place that holds it."""

    checkpoint: SignedCheckpoint
    where: tuple[str, ...]

    @property
    def number(self) -> int:
        """Its place in the row of checkpoints, counted from one."""
        return self.checkpoint.says.number

    @property
    def size(self) -> int:
        """How many entries it covers."""
        return self.checkpoint.says.size

    @property
    def is_stored(self) -> bool:
        """Whether the database holds it."""
        return IN_DATABASE in self.where

    @property
    def is_outside(self) -> bool:
        """Whether a place other than the database holds it."""
        return any(place != IN_DATABASE for place in self.where)

    def __str__(self) -> str:
        says = self.checkpoint.says
        return f"checkpoint {says.number} of {says.sealed_at:%Y-%m-%d %H:%M:%S} UTC ({', '.join(self.where)})"


@dataclass(frozen=True, slots=True)
class Judged:
    """The checkpoints that count, by number, and what is wrong with the rest."""

    accepted: tuple[Known, ...]
    problems: tuple[str, ...]


def judged(
    copies: Iterable[Copy], *, trusted: Collection[bytes], verifies: Verifies, vouched: Collection[bytes] = ()
) -> Judged:
    """Judge every copy. `trusted` are raw public keys known beforehand; a key counts too where a trusted one names it.

    A checkpoint from before the first trusted one counts where a trusted one names it by its hash. The keys in
    `vouched` may go on where the one before was lost and could not announce them.
    """
    genuine, problems = _genuine(copies, verifies)
    problems += _forks(genuine)
    links = {known.checkpoint.note_hash: known for known in genuine}
    for known in genuine:
        problems += _link_problems(known, links, genuine, vouched)
    counting = _counting(genuine, links, trusted)
    for known in genuine:
        if known.checkpoint.note_hash not in counting:
            problems.append(f"{known} is signed by key {known.checkpoint.says.key_id}, which nobody here knows")
    accepted = [known for known in genuine if known.checkpoint.note_hash in counting]
    problems += _strangers(accepted)
    return Judged(tuple(accepted), tuple(problems))


def overtaken(accepted: Sequence[Known]) -> str | None:
    """Return a sentence where a copy outside is newer than everything in the database, else None."""
    newest = max(accepted, key=lambda known: known.number, default=None)
    if newest is None or newest.is_stored:
        return None
    stored = max((known for known in accepted if known.is_stored), key=lambda known: known.number, default=None)
    ends = f"ends with {stored}" if stored else "holds none"
    return (
        f"{newest} covers {newest.size} entries, but the database {ends}: "
        "it is an older copy, or its newest entries and checkpoints were taken out"
    )


def uncopied(accepted: Iterable[Known], there: Collection[int], *, due: datetime) -> tuple[int, ...]:
    """Return the numbers of the database's checkpoints that a folder with the numbers `there` lacks.

    What is newer than every copy and was sealed after `due` may still be on its way: the sealer's next run brings it.
    Not so where a second was sealed and not even the first is there.
    """
    newest = max(there, default=0)
    stored = {known.number: known.checkpoint.says.sealed_at for known in accepted if known.is_stored}
    missing = sorted(stored.keys() - set(there))
    if not there and len(stored) > 1:
        return tuple(missing)
    return tuple(number for number in missing if number < newest or stored[number] <= due)


def lacking(missing: Sequence[int], there: Collection[int], folder: str) -> str:
    """Return the sentence about a folder that lacks so many checkpoints; `there` are the numbers that it holds."""
    if not there:
        what = "holds none of the database's checkpoints: it is gone, was emptied, or is another than before"
    else:
        named, more = ", ".join(map(str, missing[:NAMED])), len(missing) - NAMED
        numbers = f"{named} and {more} more" if more > 0 else named
        what = f"lacks checkpoint{'s' if len(missing) > 1 else ''} {numbers}, which the database holds"
    return f"{folder} {what}. Find out why; `manage.py export_checkpoint --all` writes what is missing"


def _genuine(copies: Iterable[Copy], verifies: Verifies) -> tuple[list[Known], list[str]]:
    places: dict[str, list[str]] = defaultdict(list)
    for copy in copies:
        places[copy.note].append(copy.where)
    genuine, problems = list[Known](), list[str]()
    for note, where in places.items():
        try:
            checkpoint = read(note)
        except NotACheckpoint as wrong:
            problems.append(f"{', '.join(where)}: {wrong}")
            continue
        known = Known(checkpoint, tuple(where))
        if is_genuine(checkpoint, verifies):
            genuine.append(known)
        else:
            problems.append(f"{known} does not bear the signature of the key that it names: it was changed or forged")
    return sorted(genuine, key=lambda known: (known.number, known.checkpoint.note)), problems


def _forks(genuine: Sequence[Known]) -> list[str]:
    same: dict[int, list[Known]] = defaultdict(list)
    for known in genuine:
        same[known.number].append(known)
    return [
        f"checkpoint {number} exists in {len(forms)} forms: {'; '.join(', '.join(form.where) for form in forms)}"
        for number, forms in same.items()
        if len(forms) > 1
    ]


def _link_problems(
    known: Known, links: Mapping[bytes, Known], genuine: Sequence[Known], vouched: Collection[bytes]
) -> list[str]:
    says = known.checkpoint.says
    if says.previous is None or says.previous_hash is None:
        return [] if says.number == 1 else [f"{known} extends nothing, as only the first may"]
    before = links.get(says.previous_hash)
    if before is None:
        is_there = any(other.number == says.previous for other in genuine)
        wrong = "is not the one that it extends" if is_there else "is missing"
        return [f"checkpoint {says.previous}, which {known} extends, {wrong}"]
    found = list[str]()
    earlier = before.checkpoint.says
    if says.number <= earlier.number or says.size < earlier.size or says.sealed_at < earlier.sealed_at:
        found.append(f"{known} is older or covers less than {before}, which it extends")
    replaces_lost_key = earlier.next_key is None and says.public_key in vouched
    if not _succeeds(known, before) and not replaces_lost_key:
        found.append(f"{known} is signed by key {says.key_id}, which {before} does not announce")
    return found


def _counting(genuine: Sequence[Known], links: Mapping[bytes, Known], trusted: Collection[bytes]) -> set[bytes]:
    """Return the hashes of the notes that a known key vouches for, forward by announcement and backward by hash."""
    counting: set[bytes] = set()
    for known in genuine:
        says = known.checkpoint.says
        before = links.get(says.previous_hash) if says.previous_hash is not None else None
        announced = before is not None and before.checkpoint.note_hash in counting and _succeeds(known, before)
        if says.public_key in trusted or announced:
            counting.add(known.checkpoint.note_hash)
    for known in reversed(genuine):
        named = known.checkpoint.says.previous_hash
        if named is not None and named in links and known.checkpoint.note_hash in counting:
            counting.add(named)
    return counting


def _succeeds(known: Known, before: Known) -> bool:
    earlier = before.checkpoint.says
    return known.checkpoint.says.public_key == (earlier.next_key or earlier.public_key)


def _strangers(accepted: Sequence[Known]) -> list[str]:
    origins = {known.checkpoint.says.origin: known for known in reversed(accepted)}
    first = next(iter(accepted), None)
    return [
        f"{known} belongs to another ledger ({origin})"
        for origin, known in origins.items()
        if first is not None and origin != first.checkpoint.says.origin
    ]


def misstated(known: Known, *, number: int, size: int, root: bytes) -> str | None:
    """Return a sentence where the columns beside a stored checkpoint say something else than its text, else None."""
    says = known.checkpoint.says
    if (says.number, says.size, says.root) == (number, size, root):
        return None
    return f"{known}: the columns beside it say number {number}, {size} entries or another root"


def unannounced(key: bytes, newest: SignedCheckpoint | None) -> str | None:
    """Return why a key may not sign the checkpoint after the newest, or None where it may."""
    if newest is None:
        return None
    due = newest.says.next_key or newest.says.public_key
    if due == key:
        return None
    return f"the next checkpoint is for key {key_id_of(due)} to sign, and this is key {key_id_of(key)}"
