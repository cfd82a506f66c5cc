"""Conflicts between sources, opened by an ask and settled by a policy owner. Part of other services."""

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime
from uuid import UUID

from django.contrib.auth.models import User

from ledger.decisions.calendar import BusinessCalendar
from ledger.decisions.policies import competing
from ledger.decisions.text import is_blank
from ledger.decisions.vocabulary import Version, VersionStatus
from ledger.models import Conflict, ConflictVersion, PolicyVersion, QuestionKey
from ledger.queries import ConflictView, conflict
from ledger.queries import versions as stored_versions
from ledger.services import policies


class ConflictNotSettled(Exception):
    """The conflict cannot be settled like this; `field` names the place, the message says what to do."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(f"{field}: {message}")
        self.field = field
        self.message = message


def open_conflict(
    *, key: str, channel: str, versions: Sequence[Version], now: datetime, calendar: BusinessCalendar
) -> str:
    """Return the open conflict of a key on a channel; the first ask opens it, later ones add the versions they met.

    It is due at closing time of the same business day, or of the next one when asked outside hours.
    """
    found = Conflict(
        question_key_id=key, channel=channel, opened_at=now, due_at=calendar.closing_time(now),
        owner_id=_owner_of(key),
    )  # fmt: skip
    Conflict.objects.bulk_create([found], ignore_conflicts=True)
    standing = Conflict.objects.get(question_key=key, channel=channel, state=Conflict.OPEN)
    members = [_stored(version) for version in versions]
    ConflictVersion.objects.bulk_create(
        [ConflictVersion(conflict=standing, version=member) for member in members], ignore_conflicts=True
    )
    return str(standing.pk)


def resolve(
    *, conflict_id: object, keep: str, retire: Sequence[str], reason: str, actor: User, now: datetime
) -> ConflictView:
    """Settle a conflict among its own versions: keep one, retire every other that still competes. Says what stands.

    `keep` and `retire` are names as the conflict lists them (`version`, or `document/version` where two share a name).
    Raises Conflict.DoesNotExist, ConflictNotSettled.
    """
    standing = {row.pk: row for row in _locked_open_conflicts()}
    row = standing.get(UUID(str(conflict_id))) or Conflict.objects.get(pk=str(conflict_id))
    if row.state != Conflict.OPEN:
        raise ConflictNotSettled("state", f"This conflict is already {row.state}.")
    if is_blank(reason):
        raise ConflictNotSettled("reason", "Say why, in a sentence that a colleague will understand.")
    members = _members(row)
    kept = _named(members, "keep", keep)
    retired = [_named(members, f"retire[{place}]", name) for place, name in enumerate(retire)]
    if kept in retired:
        raise ConflictNotSettled("retire", f"{keep} cannot be kept and retired.")
    for version in retired:
        policies.retire(doc_id=version.document_id, version=version.version, actor=actor, now=now)
    _refuse_rivals(row, kept)
    row.state, row.resolved_at, row.resolved_by = Conflict.RESOLVED, now, actor
    row.reason, row.kept = reason, kept
    row.save()
    close_obsolete(now=now)
    return _shown(row)


def close_obsolete(*, now: datetime) -> tuple[str, ...]:
    """Close every open conflict whose sources no longer compete; return their ids."""
    standing = _locked_open_conflicts()
    closed = []
    stored = stored_versions({row.question_key_id for row in standing}) if standing else ()
    for row in standing:
        if not competing(stored, row.question_key_id, row.channel):
            row.state, row.resolved_at = Conflict.OBSOLETE, now
            row.save(update_fields=["state", "resolved_at"])
            closed.append(str(row.pk))
    return tuple(closed)


def _locked_open_conflicts() -> list[Conflict]:
    """Lock every open conflict in one order: what settles one may close others, and two of them must not cross."""
    return list(Conflict.objects.select_for_update(no_key=True).filter(state=Conflict.OPEN).order_by("pk"))


def _shown(row: Conflict) -> ConflictView:
    view = conflict(row.pk)
    if view is None:
        raise Conflict.DoesNotExist
    return view


def _owner_of(key: str) -> int | None:
    return QuestionKey.objects.values_list("owner_id", flat=True).get(pk=key)


def _stored(version: Version) -> PolicyVersion:
    return PolicyVersion.objects.get(document=version.doc_id, version=version.version)


def _members(row: Conflict) -> dict[str, PolicyVersion]:
    """Return the versions by every name they can be called: their own where it is the only one, and the full one."""
    stored = PolicyVersion.objects.select_for_update(no_key=True).filter(
        pk__in=ConflictVersion.objects.filter(conflict=row).values("version")
    )
    members = list(stored.order_by("pk"))
    alone = Counter(member.version for member in members)
    named = {f"{member.document_id}/{member.version}": member for member in members}
    return named | {member.version: member for member in members if alone[member.version] == 1}


def _named(members: Mapping[str, PolicyVersion], field: str, name: str) -> PolicyVersion:
    if name not in members:
        known = ", ".join(_view_names(members))
        raise ConflictNotSettled(field, f"{name!r} is no version of this conflict; it has {known}.")
    return members[name]


def _view_names(members: Mapping[str, PolicyVersion]) -> list[str]:
    shortest: dict[int, str] = {}
    for name, member in members.items():
        shortest[member.pk] = min(shortest.get(member.pk, name), name, key=len)
    return sorted(shortest.values())


def _refuse_rivals(row: Conflict, kept: PolicyVersion) -> None:
    """Whatever is kept must be alone: no other member may still compete on the channel."""
    kept.refresh_from_db()
    if kept.status != VersionStatus.ACTIVE:
        raise ConflictNotSettled("keep", f"{kept.version} is not active, so it cannot be the one that answers.")
    members = set(row.members.values_list("version__document_id", "version__version"))
    stored = [v for v in stored_versions({row.question_key_id}) if (v.doc_id, v.version) in members]
    rivals = [v for v in competing(stored, row.question_key_id, row.channel) if v.doc_id != kept.document_id]
    if rivals:
        names = ", ".join(v.version for v in rivals)
        raise ConflictNotSettled("retire", f"{names} would still answer this question. Retire or narrow it as well.")
