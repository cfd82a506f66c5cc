"""Settle a conflict among its own versions. Part of other services; needs an open transaction."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NoReturn
from uuid import UUID

from django.contrib.auth.models import User

from ledger.decisions.policies import RefusedBecause, competing, first_day_together
from ledger.decisions.settling import CannotNarrow, Narrowing, digest, narrowed
from ledger.decisions.text import day_in_words, is_blank
from ledger.decisions.vocabulary import Version, VersionStatus
from ledger.models import Conflict, PolicyVersion
from ledger.queries import ConflictView, conflict
from ledger.queries import versions as stored_versions
from ledger.queries.sources import as_version, with_statements
from ledger.services import policies
from ledger.services.conflicts import ConflictNotSettled, close_obsolete, locked_open_conflicts


@dataclass(frozen=True, slots=True)
class Settlement:
    """How a conflict is to be settled: one version is kept, others are retired or narrowed, for a reason.

    Versions go by the names that the conflict lists (`version`, or `document/version` where two share a name). `seen`
    is the digest of what was looked at, None where nobody looked at a page.
    """

    keep: str
    retire: Sequence[str]
    reason: str
    narrow: Sequence[Narrowing] = ()
    seen: str | None = None


@dataclass(frozen=True, slots=True)
class Settled:
    """The conflict as it stands now, and the ids of all that ended with it, its own among them."""

    view: ConflictView
    ended: tuple[str, ...]


def resolve(*, conflict_id: object, wanted: Settlement, actor: User, now: datetime) -> Settled:
    """Settle a conflict; every other version that still competes must be retired or narrowed.

    Raises Conflict.DoesNotExist, ConflictNotSettled.
    """
    standing = {row.pk: row for row in locked_open_conflicts()}
    row = standing.get(UUID(str(conflict_id))) or Conflict.objects.get(pk=str(conflict_id))
    if row.state != Conflict.OPEN:
        raise ConflictNotSettled("state", f"This conflict is already {row.state}.")
    if is_blank(wanted.reason):
        raise ConflictNotSettled("reason", "Say why, in a sentence that a colleague will understand.")
    members = _members(row)
    _refuse_unseen(row, members, wanted.seen)
    kept, retired, less = _chosen(members, wanted)
    for version in retired:
        policies.retire(doc_id=version.document_id, version=version.version, actor=actor, now=now)
    for place, (version, narrowing) in enumerate(less):
        _narrow(version, narrowing, f"narrow[{place}]", actor, now)
    _refuse_rivals(row, kept)
    row.state, row.resolved_at, row.resolved_by = Conflict.RESOLVED, max(now, row.opened_at), actor  # clocks differ
    row.reason, row.kept = wanted.reason, kept
    row.save()
    _note_outcomes(row, kept, retired, [version for version, _ in less])
    return Settled(_shown(row), (str(row.pk), *close_obsolete(now=now)))


def _chosen(
    members: Mapping[str, PolicyVersion], wanted: Settlement
) -> tuple[PolicyVersion, list[PolicyVersion], list[tuple[PolicyVersion, Narrowing]]]:
    kept = _named(members, "keep", wanted.keep)
    retired = [_named(members, f"retire[{place}]", name) for place, name in enumerate(wanted.retire)]
    less = [(_named(members, f"narrow[{place}].version", one.version), one) for place, one in enumerate(wanted.narrow)]
    if kept in retired:
        raise ConflictNotSettled("retire", f"{wanted.keep} cannot be kept and retired.")
    for place, (version, narrowing) in enumerate(less):
        if version == kept:
            raise ConflictNotSettled(f"narrow[{place}]", f"{narrowing.version} is kept, so it stays as it is.")
        if version in retired or version in [other for other, _ in less[:place]]:
            raise ConflictNotSettled(f"narrow[{place}]", f"Choose one thing for {narrowing.version}.")
    return kept, retired, less


def _narrow(row: PolicyVersion, narrowing: Narrowing, where: str, actor: User, now: datetime) -> None:
    if row.status != VersionStatus.ACTIVE:
        raise ConflictNotSettled(where, f"{narrowing.version} is not active, so there is nothing to narrow.")
    try:
        policies.put_version(narrowed(_version_of(row), narrowing), actor=actor, now=now)
    except CannotNarrow as cannot:
        raise ConflictNotSettled(f"{where}.{cannot.field}", cannot.message) from cannot
    except policies.VersionRefused as refused:
        _refuse_narrowing(narrowing.version, where, refused)


def _refuse_narrowing(name: str, where: str, refused: policies.VersionRefused) -> NoReturn:
    message = refused.message
    if refused.because is RefusedBecause.IN_USE:
        message = (
            f"Customers were already given answers that rest on {name}, so its channels and its first day stay. "
            "End it on a date or retire it; for what it should still answer, publish a new version."
        )
    raise ConflictNotSettled(f"{where}.{refused.field}", message) from refused


def _note_outcomes(
    row: Conflict, kept: PolicyVersion, retired: Iterable[PolicyVersion], less: Iterable[PolicyVersion]
) -> None:
    row.members.filter(version=kept).update(outcome="kept")
    row.members.filter(version__in=list(retired)).update(outcome="retired")
    for version in less:
        version.refresh_from_db()
        left = {
            "channels": sorted(version.channels),
            "effective_from": version.effective_from.isoformat(),
            "effective_until": version.effective_until.isoformat() if version.effective_until else None,
        }
        row.members.filter(version=version).update(outcome="narrowed", narrowed_to=left)


def _members(row: Conflict) -> dict[str, PolicyVersion]:
    """Return the versions by every name they can be called: their own where it is the only one, and the full one."""
    stored = PolicyVersion.objects.select_for_update(no_key=True).filter(pk__in=row.members.values("version"))
    members = list(stored.order_by("pk"))
    alone = Counter(member.version for member in members)
    named = {f"{member.document_id}/{member.version}": member for member in members}
    return named | {member.version: member for member in members if alone[member.version] == 1}


def _refuse_unseen(row: Conflict, members: Mapping[str, PolicyVersion], seen: str | None) -> None:
    """A choice holds for the passages it was made on. Raises ConflictNotSettled where one of them changed since."""
    if seen is None:
        return
    rows = with_statements(PolicyVersion.objects.filter(pk__in={member.pk for member in members.values()}))
    if seen != digest(row.question_key_id, row.channel, [as_version(one) for one in rows]):
        message = "A passage or version changed after this page was shown. Look at what stands now, then settle it."
        raise ConflictNotSettled("seen", message)


def _version_of(row: PolicyVersion) -> Version:
    return as_version(with_statements(PolicyVersion.objects.filter(pk=row.pk)).get())


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
        raise ConflictNotSettled("retire", " ".join(_of_rival(rival, stored, row) for rival in rivals))


def _of_rival(rival: Version, stored: Sequence[Version], row: Conflict) -> str:
    """Say beside what a version would still answer, and from which day on."""
    beside = [v for v in stored if rival in competing((rival, v), row.question_key_id, row.channel)]
    days = [day for day in (first_day_together(rival, v) for v in beside) if day is not None]
    when = f" from {day_in_words(min(days))} on" if days else ""
    names = ", ".join(sorted(v.version for v in beside))
    return f"{rival.version} would still answer this question{when}, beside {names}. Retire or narrow it as well."


def _shown(row: Conflict) -> ConflictView:
    view = conflict(row.pk)
    if view is None:
        raise Conflict.DoesNotExist
    return view
