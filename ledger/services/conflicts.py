"""Conflicts between sources: found at publishing, nightly and by an ask, and given to a policy owner.

Part of other services; needs an open transaction. How one is settled stands in `ledger.services.settling`.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.contrib.auth.models import User

from ledger.decisions.calendar import BusinessCalendar
from ledger.decisions.keys import root_of
from ledger.decisions.policies import competing
from ledger.decisions.vocabulary import Version
from ledger.models import Conflict, ConflictVersion, PolicyVersion, QuestionKey
from ledger.queries import registry
from ledger.queries import versions as stored_versions


class ConflictNotSettled(Exception):
    """The conflict cannot be settled like this; `field` names the place, the message says what to do."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(f"{field}: {message}")
        self.field = field
        self.message = message


@dataclass(frozen=True, slots=True)
class Met:
    """The open conflict that competing sources belong to, and whether this call opened it."""

    conflict: Conflict
    is_new: bool


def find_conflicts(
    question_keys: Iterable[str], *, found_by: str, now: datetime, calendar: BusinessCalendar
) -> tuple[Conflict, ...]:
    """Open a conflict for every root key of these that several documents answer on a channel; return the new ones.

    The same versions that compete on several channels are one matter for their owner: it is opened on the first of
    them, and an ask on another channel opens that one's own. A conflict that is open already is joined by the
    versions it did not have. `found_by` is publishing, nightly or ask.
    """
    known = registry()
    roots = sorted({root_of(key, known) for key in question_keys} & known.keys())
    stored = stored_versions(roots) if roots else ()
    opened: list[Conflict] = []
    for root in roots:
        standing = _standing(root)
        for channel, among in _competing_by_channel(stored, root):
            names = {(version.doc_id, version.version) for version in among}
            if channel not in standing and any(names <= held for held in standing.values()):
                continue
            met = _joined(key=root, channel=channel, versions=among, found_by=found_by, now=now, calendar=calendar)
            standing[channel] = standing.get(channel, set()) | names
            opened += [met.conflict] if met.is_new else []
    return tuple(opened)


def meet(
    *,
    key: str,
    channel: str,
    versions: Sequence[Version],
    found_by: str,
    now: datetime,
    calendar: BusinessCalendar,
) -> Met:
    """Open the conflict of a key on a channel, or join the one that is open.

    Whatever else competes there for other customers' dates is part of it: settled without those, the question would
    be in conflict again at once. It is due at closing time of the same business day, or of the next one when found
    outside hours.
    """
    among = {(version.doc_id, version.version): version for version in versions}
    among |= {(v.doc_id, v.version): v for v in competing(stored_versions({key}), key, channel)}
    return _joined(
        key=key, channel=channel, versions=tuple(among.values()), found_by=found_by, now=now, calendar=calendar
    )


def _joined(
    *,
    key: str,
    channel: str,
    versions: Sequence[Version],
    found_by: str,
    now: datetime,
    calendar: BusinessCalendar,
) -> Met:
    found = Conflict(
        question_key_id=key, channel=channel, found_by=found_by, opened_at=now, due_at=calendar.closing_time(now),
        owner_id=_owner_of(key),
    )  # fmt: skip
    Conflict.objects.bulk_create([found], ignore_conflicts=True)
    standing = Conflict.objects.get(question_key=key, channel=channel, state=Conflict.OPEN)
    if standing.owner_id is None and found.owner_id is not None:
        standing.owner_id = found.owner_id  # the key was given an owner meanwhile
        standing.save(update_fields=["owner"])
    members = [_stored(version) for version in versions]
    ConflictVersion.objects.bulk_create(
        [ConflictVersion(conflict=standing, version=member) for member in members], ignore_conflicts=True
    )
    return Met(standing, is_new=standing.pk == found.pk)


def open_conflict(
    *, key: str, channel: str, versions: Sequence[Version], now: datetime, calendar: BusinessCalendar
) -> str:
    """Return the id of the open conflict that an ask met; see `meet`."""
    met = meet(key=key, channel=channel, versions=versions, found_by="ask", now=now, calendar=calendar)
    return str(met.conflict.pk)


def reassign(*, conflict_id: UUID | str, owner: User) -> bool:
    """Give an open conflict to another policy owner; False where it is theirs already.

    Raises Conflict.DoesNotExist, ConflictNotSettled where it is no longer open.
    """
    row = Conflict.objects.select_for_update(no_key=True).get(pk=str(conflict_id))
    if row.state != Conflict.OPEN:
        raise ConflictNotSettled("state", f"This conflict is already {row.state}.")
    if row.owner_id == owner.pk:
        return False
    row.owner = owner
    row.save(update_fields=["owner"])
    return True


def close_obsolete(*, now: datetime) -> tuple[str, ...]:
    """Close every open conflict whose sources no longer compete; return their ids."""
    standing = locked_open_conflicts()
    closed = []
    stored = stored_versions({row.question_key_id for row in standing}) if standing else ()
    for row in standing:
        if not competing(stored, row.question_key_id, row.channel):
            row.state, row.resolved_at = Conflict.OBSOLETE, max(now, row.opened_at)  # clocks of two machines may differ
            row.save(update_fields=["state", "resolved_at"])
            closed.append(str(row.pk))
    return tuple(closed)


def locked_open_conflicts() -> list[Conflict]:
    """Lock every open conflict in one order: what settles one may close others, and two of them must not cross."""
    return list(Conflict.objects.select_for_update(no_key=True).filter(state=Conflict.OPEN).order_by("pk"))


def _standing(key: str) -> dict[str, set[tuple[str, str]]]:
    """Return the versions, as (document, version), that each open conflict of a key holds, by channel."""
    found: dict[str, set[tuple[str, str]]] = {}
    rows = ConflictVersion.objects.filter(conflict__question_key=key, conflict__state=Conflict.OPEN)
    for channel, doc_id, version in rows.values_list("conflict__channel", "version__document", "version__version"):
        found.setdefault(channel, set()).add((doc_id, version))
    return found


def _competing_by_channel(stored: Iterable[Version], key: str) -> list[tuple[str, tuple[Version, ...]]]:
    answering = [version for version in stored if version.statement_for(key) is not None]
    channels = sorted(set().union(*(version.channels for version in answering)))
    among = [(channel, competing(answering, key, channel)) for channel in channels]
    return [(channel, versions) for channel, versions in among if versions]


def _owner_of(key: str) -> int | None:
    """Return the key's owner while they are active; nobody else's means any policy owner's."""
    row = QuestionKey.objects.select_related("owner").get(pk=key)
    return row.owner_id if row.owner is not None and row.owner.is_active else None


def _stored(version: Version) -> PolicyVersion:
    return PolicyVersion.objects.get(document=version.doc_id, version=version.version)
