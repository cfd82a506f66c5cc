"""The log of corrections: the newest first, narrowed by what somebody looks for, in pages, as a whole, and in numbers.

The whole log is read in parts, each a short query behind the place where the one before ended: no query runs as long as
the file is sent, so no time limit cuts it short, and nothing but one part is held in memory.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from uuid import UUID
from zoneinfo import ZoneInfo

from django.contrib.auth.models import AnonymousUser, User
from django.db.models import Count, OuterRef, Q, QuerySet
from django.db.models.functions import TruncWeek

from drafts.models import Correction
from drafts.queries.visibility import may_read
from ledger import queries as ledger

READ_AT_ONCE = 500
type Place = tuple[datetime, UUID]
"""Where a row stands in the log: (`corrected_at`, `id`)."""


@dataclass(frozen=True, slots=True)
class Narrowing:
    """What a correction must meet to be listed; `since` is included, `until` is not."""

    since: datetime | None = None
    until: datetime | None = None
    question_key: str = ""
    owner: str = ""
    document: str = ""
    reason: str = ""
    conversation: str = ""


@dataclass(frozen=True, slots=True)
class Logged:
    """A correction with what its ledger entry says: its kind, the question as it was asked then, and the source."""

    correction: Correction
    question: str
    source: Mapping[str, object]
    kind: str


@dataclass(frozen=True, slots=True)
class LogChoices:
    """The questions, owners and documents that occur in the log."""

    keys: tuple[str, ...]
    owners: tuple[User, ...]
    documents: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Counted:
    """How many corrections share a reason or an owner."""

    name: str
    count: int


@dataclass(frozen=True, slots=True)
class Week:
    """A week by its Monday, with the corrections issued in it and those of them that were undone before they left."""

    monday: date
    issued: int
    undone: int


@dataclass(frozen=True, slots=True)
class Totals:
    """The log in numbers: the commonest reasons and owners, and every week from the first to the last, oldest first."""

    count: int
    reasons: tuple[Counted, ...]
    owners: tuple[Counted, ...]
    weeks: tuple[Week, ...]


def corrections_page(
    user: User | AnonymousUser, narrowing: Narrowing, *, before: Place | None = None, limit: int
) -> tuple[Logged, ...]:
    """Return the newest corrections; `before` continues behind a row's place."""
    found = _narrowed(user, narrowing)
    if before is not None:
        at, pk = before
        found = found.filter(Q(corrected_at__lt=at) | Q(corrected_at=at, id__gt=pk))
    related = (
        "conversation", "owner", "corrected_by", "outside_message", "delivery", "decision", "decision__delivery",
    )  # fmt: skip
    ordered = _with_entry(found).select_related(*related).order_by("-corrected_at", "id")
    return tuple(_logged(row) for row in ordered[:limit])


def every_correction(user: User | AnonymousUser, narrowing: Narrowing) -> Iterator[Logged]:
    """Yield all corrections, the newest first, read a few hundred at a time by queries of their own."""
    before: Place | None = None
    while part := corrections_page(user, narrowing, before=before, limit=READ_AT_ONCE):
        yield from part
        last = part[-1].correction
        before = (last.corrected_at, last.pk)


def one_correction(user: User | AnonymousUser, correction_id: UUID) -> Logged | None:
    """Return one correction, or None."""
    related = ("conversation", "owner", "corrected_by", "decision", "outside_message", "withdrawn_by")
    row = _with_entry(_visible(user)).select_related(*related).filter(pk=correction_id).first()
    return None if row is None else _logged(row)


def corrections_of(user: User | AnonymousUser, conversation: int) -> Mapping[str, Correction]:
    """Return the corrections of a conversation by the id of the ledger entry that each of them wrote."""
    found = _visible(user).filter(conversation=conversation).select_related("outside_message").order_by()
    return {str(row.entry_id): row for row in found}


def log_choices(user: User | AnonymousUser) -> LogChoices:
    """Return by what the log can be narrowed: only what occurs in it."""
    found = _visible(user).order_by()
    keys = found.values_list("question_key", flat=True).distinct()
    owners = User.objects.filter(pk__in=found.values("owner")).order_by("username")
    documents = found.exclude(source_document="").values_list("source_document", flat=True).distinct()
    return LogChoices(tuple(sorted(keys)), tuple(owners), tuple(sorted(documents)))


def correction_totals(
    user: User | AnonymousUser, narrowing: Narrowing, *, zone: ZoneInfo, most: int, weeks: int
) -> Totals:
    """Count what the log holds; at most so many reasons, owners and weeks (the newest), weeks in the given zone."""
    found = _narrowed(user, narrowing).order_by()
    reasons = found.values_list("reason").annotate(count=Count("pk")).order_by("-count", "reason")[:most]
    owners = found.values_list("owner__username", "owner__first_name", "owner__last_name").annotate(count=Count("pk"))
    named = [(f"{first} {last}".strip() or name, count) for name, first, last, count in owners.order_by("-count")]
    undone = Count("pk", filter=Q(withdrawn_at__isnull=False))
    by_week = found.values_list(TruncWeek("corrected_at", tzinfo=zone)).annotate(count=Count("pk"), undone=undone)
    counted = {at.astimezone(zone).date(): Week(at.astimezone(zone).date(), n, u) for at, n, u in by_week}
    return Totals(
        count=sum(week.issued for week in counted.values()),
        reasons=tuple(Counted(reason, count) for reason, count in reasons),
        owners=tuple(Counted(name, count) for name, count in named[:most]),
        weeks=_every_week(counted, weeks),
    )


def _every_week(counted: Mapping[date, Week], most: int) -> tuple[Week, ...]:
    """Return the weeks without a gap, since a week in which nothing was corrected tells something too."""
    if not counted:
        return ()
    first, last = min(counted), max(counted)
    mondays = [last - timedelta(weeks=back) for back in range(min(most, (last - first).days // 7 + 1))]
    return tuple(counted.get(monday, Week(monday, 0, 0)) for monday in reversed(mondays))


def _visible(user: User | AnonymousUser) -> QuerySet[Correction]:
    return Correction.objects.all() if may_read(user) else Correction.objects.none()


def _with_entry(found: QuerySet[Correction]) -> QuerySet[Correction]:
    return found.annotate(
        source=ledger.column_of_entry("answer_source", OuterRef("entry_id")),
        question=ledger.column_of_entry("question_canonical", OuterRef("entry_id")),
        kind=ledger.column_of_entry("kind", OuterRef("entry_id")),
    )


def _narrowed(user: User | AnonymousUser, narrowing: Narrowing) -> QuerySet[Correction]:
    asked = {
        "corrected_at__gte": narrowing.since,
        "corrected_at__lt": narrowing.until,
        "question_key": narrowing.question_key,
        "owner__username": narrowing.owner,
        "source_document": narrowing.document,
        "conversation__external_id": narrowing.conversation,
    }
    found = _visible(user).filter(**{name: value for name, value in asked.items() if value})
    for word in narrowing.reason.split():
        found = found.filter(reason__icontains=word)
    return found


def _logged(row: Correction) -> Logged:
    return Logged(
        row, getattr(row, "question", None) or "", getattr(row, "source", None) or {}, getattr(row, "kind", None) or ""
    )
