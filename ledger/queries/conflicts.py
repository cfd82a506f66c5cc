"""Conflicts between sources, as queue, screen and API show them."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime

from django.contrib.auth.models import User
from django.db.models import QuerySet

from ledger.decisions.settling import digest
from ledger.models import Conflict
from ledger.queries.sources import as_version


@dataclass(frozen=True, slots=True)
class ConflictMember:
    """One version that takes part; `name` is the version's, with its document where two share a name.

    `answers` are the other question keys that it has a passage for; `is_kept` marks what the conflict was settled on.
    `outcome` says what became of it then (kept, retired, narrowed), `left` what a narrowed one was narrowed to.
    """

    name: str
    doc_id: str
    version: str
    title: str
    kind: str
    status: str
    channels: tuple[str, ...]
    effective_from: date
    effective_until: date | None
    section: str
    text: str
    answers: tuple[str, ...]
    is_kept: bool
    outcome: str | None
    left: Mapping[str, object] | None


@dataclass(frozen=True, slots=True)
class ConflictView:
    """A conflict with its versions; `due_at` is an instant. A missing owner means any policy owner.

    Owner and resolver stand under the name they sign in with, and under the one that screens show. `seen` is the
    digest of the passages and versions as they stand; a settlement that names it is refused when they changed.
    """

    id: str
    question_key: str
    question_canonical: str
    channel: str
    state: str
    owner: str | None
    owner_name: str | None
    opened_at: datetime
    due_at: datetime
    resolved_at: datetime | None
    resolved_by: str | None
    resolved_by_name: str | None
    reason: str | None
    kept: str | None
    found_by: str
    seen: str
    members: tuple[ConflictMember, ...]

    @property
    def versions(self) -> tuple[str, ...]:
        """Return the names under which the versions can be kept or retired."""
        return tuple(member.name for member in self.members)


def conflicts(*, state: str | None = None, limit: int | None = None) -> tuple[ConflictView, ...]:
    """Return conflicts, open ones first and the most urgent first; `state` is open, resolved or obsolete."""
    rows = _loaded(Conflict.objects.all())
    if state is not None:
        rows = rows.filter(state=state)
    found = sorted(rows, key=lambda row: (row.state != Conflict.OPEN, row.due_at, row.pk))
    return tuple(_view(row) for row in found[:limit])


def conflict(conflict_id: object) -> ConflictView | None:
    """Return one conflict, or None."""
    row = _loaded(Conflict.objects.filter(pk=str(conflict_id))).first()
    return None if row is None else _view(row)


@dataclass(frozen=True, slots=True)
class ConflictRow:
    """A conflict as a list shows it; `versions` are (document, version)."""

    id: str
    question_key: str
    question_canonical: str
    channel: str
    state: str
    owner_name: str | None
    opened_at: datetime
    due_at: datetime
    resolved_at: datetime | None
    resolved_by_name: str | None
    versions: tuple[tuple[str, str], ...]


def conflict_rows(*, settled: bool, start: int, limit: int) -> tuple[ConflictRow, ...]:
    """Return a part of the open conflicts, the most urgent first, or of the settled ones, the newest first."""
    rows = Conflict.objects.select_related("question_key", "owner", "resolved_by").prefetch_related("members__version")
    if settled:
        found = rows.exclude(state=Conflict.OPEN).order_by("-resolved_at", "pk")
    else:
        found = rows.filter(state=Conflict.OPEN).order_by("due_at", "pk")
    return tuple(_row(row) for row in found[start : start + limit])


def newest_settlement(key: str, channel: str | None) -> ConflictView | None:
    """Return the conflict of a root key on a channel that ended last, or None."""
    ended = _loaded(Conflict.objects.filter(question_key=key, channel=channel or "").exclude(state=Conflict.OPEN))
    row = ended.order_by("-resolved_at", "pk").first()
    return None if row is None else _view(row)


def settled_since(instant: datetime, *, limit: int) -> tuple[ConflictView, ...]:
    """Return the conflicts that ended after an instant, the newest first."""
    ended = _loaded(Conflict.objects.filter(resolved_at__gt=instant)).order_by("-resolved_at", "pk")
    return tuple(_view(row) for row in ended[:limit])


def overdue_rows(*, now: datetime) -> QuerySet[Conflict]:
    """Return the open conflicts that are overdue at this instant, in no order, to be counted."""
    return Conflict.objects.filter(state=Conflict.OPEN, due_at__lt=now).order_by()


def open_conflicts_of(keys: Iterable[str]) -> dict[str, tuple[tuple[str, str], ...]]:
    """Return the open conflicts of each of these keys as (id, channel)."""
    found: dict[str, list[tuple[str, str]]] = {}
    rows = Conflict.objects.filter(state=Conflict.OPEN, question_key__in=list(keys)).order_by("channel")
    for conflict_id, key, channel in rows.values_list("pk", "question_key_id", "channel"):
        found.setdefault(key, []).append((str(conflict_id), channel))
    return {key: tuple(known) for key, known in found.items()}


@dataclass(frozen=True, slots=True)
class EndedConflict:
    """A conflict that is over: settled by somebody, or ended by itself when its sources stopped competing."""

    id: str
    question_key: str
    channel: str
    at: datetime
    by_name: str | None


def ended_conflicts(ids: Iterable[str]) -> dict[str, EndedConflict]:
    """Return those of these conflicts that are over, by their id."""
    rows = Conflict.objects.filter(pk__in=list(ids), resolved_at__isnull=False).select_related("resolved_by")
    return {
        str(row.pk): EndedConflict(
            str(row.pk), row.question_key_id, row.channel, row.resolved_at, shown_name(row.resolved_by)
        )
        for row in rows
        if row.resolved_at is not None
    }


def _row(row: Conflict) -> ConflictRow:
    versions = sorted((member.version.document_id, member.version.version) for member in row.members.all())
    return ConflictRow(
        id=str(row.pk),
        question_key=row.question_key_id,
        question_canonical=row.question_key.question_canonical,
        channel=row.channel,
        state=row.state,
        owner_name=shown_name(row.owner),
        opened_at=row.opened_at,
        due_at=row.due_at,
        resolved_at=row.resolved_at,
        resolved_by_name=shown_name(row.resolved_by),
        versions=tuple(versions),
    )


def shown_name(person: User | None) -> str | None:
    """Return how a person is called on screen: their full name, else the name they sign in with."""
    return None if person is None else person.get_full_name() or person.get_username()


def _loaded(rows: QuerySet[Conflict]) -> QuerySet[Conflict]:
    return rows.select_related("question_key", "owner", "resolved_by", "kept").prefetch_related(
        "members__version__statements", "members__version__document"
    )


def _view(row: Conflict) -> ConflictView:
    members = _members(row)
    return ConflictView(
        id=str(row.pk),
        question_key=row.question_key_id,
        question_canonical=row.question_key.question_canonical,
        channel=row.channel,
        state=row.state,
        owner=row.owner.get_username() if row.owner else None,
        owner_name=shown_name(row.owner),
        opened_at=row.opened_at,
        due_at=row.due_at,
        resolved_at=row.resolved_at,
        resolved_by=row.resolved_by.get_username() if row.resolved_by else None,
        resolved_by_name=shown_name(row.resolved_by),
        reason=row.reason,
        kept=row.kept.version if row.kept else None,
        found_by=row.found_by,
        seen=digest(row.question_key_id, row.channel, [as_version(member.version) for member in row.members.all()]),
        members=members,
    )


def _members(row: Conflict) -> tuple[ConflictMember, ...]:
    became = {member.version_id: member for member in row.members.all()}
    stored = [member.version for member in became.values()]
    names = Counter(version.version for version in stored)
    found = []
    for version in sorted(stored, key=lambda v: (v.document_id, v.effective_from, v.version)):
        passage = next((s for s in version.statements.all() if s.question_key_id == row.question_key_id), None)
        found.append(
            ConflictMember(
                name=version.version if names[version.version] == 1 else f"{version.document_id}/{version.version}",
                doc_id=version.document_id,
                version=version.version,
                title=version.title,
                kind=version.document.kind,
                status=version.status,
                channels=tuple(sorted(version.channels)),
                effective_from=version.effective_from,
                effective_until=version.effective_until,
                section=passage.section if passage else "",
                text=passage.text if passage else "",
                is_kept=version.pk == row.kept_id,
                outcome=became[version.pk].outcome,
                left=became[version.pk].narrowed_to,
                answers=tuple(
                    s.question_key_id for s in version.statements.all() if s.question_key_id != row.question_key_id
                ),
            )
        )
    return tuple(found)
