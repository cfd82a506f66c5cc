"""Drift reports: begin one, work it off in parts, cancel and remove it.

The rows are the truth, as with deliveries: a worker takes a report under a lease and a fence, reads a part, and writes
its rows, the counts and the part's removal in one transaction. A worker that vanishes loses its lease, and another goes
on with the part that is still there; what the first one finds out later counts no more.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from functools import partial
from uuid import UUID

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Q, QuerySet

from drafts.decisions.drift_corrections import Judged
from drafts.decisions.drift_files import SortedOut, pieces_of
from drafts.models import DriftPart, DriftReport, DriftRow
from drafts.services import waking

WORK = "drafts.drift"
"""The name of the task that does the next step of a report; its argument is the report's id."""
LEASE = timedelta(seconds=20)
"""How long a worker may be silent over a report; it says that it is still there every few seconds."""
READ_A_SECOND = 10_000
"""Characters of a conversation that the slowest worker reads in a second; a very long one prolongs the lease."""
MOST_TRIES = 5
"""How often a report is taken up at the same place before it counts as failed: something there ends its workers."""
STORED_AT_ONCE = 100
ACTIVE = (DriftReport.State.WAITING, DriftReport.State.RUNNING)
AT_ONCE = timedelta(0)
GIVEN_UP = (
    "The work ended {tries} times at the same place, after {done:,} of {total:,} conversations. The log of the worker "
    "says why."
)
NOTHING_READ = "No line of this file could be read as a conversation."
NOTHING_SAID = "Nothing was said in any conversation on these days."


@dataclass(frozen=True, slots=True)
class Claimed:
    """A report that this worker works on, and by which fence it is known to be the one."""

    report_id: UUID
    fence: int
    is_new: bool
    is_own_past: bool
    since: date | None
    until: date | None


@dataclass(frozen=True, slots=True)
class Found:
    """What one part came to: its rows as they are to be stored, and what it adds to the counts."""

    rows: Sequence[DriftRow]
    conversations: int
    counts: Mapping[str, int]


@transaction.atomic(durable=True)
def begin_with_file(*, name: str, chunks: Iterable[bytes], actor: User, now: datetime) -> DriftReport:
    """Take a file in and let a worker make a report of it; the file is looked at while it is stored.

    Raises FileRefused, in which case nothing is written.
    """
    report = DriftReport.objects.create(name=name, source="file", started_by=actor, created_at=now)
    for number, piece in enumerate(pieces_of(chunks)):
        DriftPart.objects.create(report=report, number=number, content=piece)
    _wake_after_commit(report.pk)
    return report


@transaction.atomic(durable=True)
def begin_with_own_past(
    *, name: str, since: date | None, until: date | None, actor: User, now: datetime
) -> DriftReport:
    """Let a worker make a report of our own conversations of these days, both included; None is open."""
    report = DriftReport.objects.create(
        name=name, source="own_past", since=since, until=until, started_by=actor, created_at=now
    )
    _wake_after_commit(report.pk)
    return report


@transaction.atomic(durable=True)
def cancel(*, report_id: UUID, now: datetime) -> bool:
    """Stop a report; what it found so far stays. False where it has ended already."""
    report = _locked(report_id)
    if report is None or report.state not in ACTIVE:
        return False
    _end(report, DriftReport.State.CANCELLED, now)
    return True


@transaction.atomic(durable=True)
def remove(*, report_id: UUID) -> bool:
    """Remove a report with all its rows. False where it is gone already."""
    report = _locked(report_id)
    if report is None:
        return False
    report.delete()
    return True


@transaction.atomic(durable=True)
def claim(report_id: UUID, *, now: datetime) -> Claimed | None:
    """Take a report for one step; None where it has ended or another worker has it.

    A report that was taken up again and again without getting further fails here and says so.
    """
    waiting = _free(now).select_for_update(skip_locked=True)
    report = waiting.filter(pk=report_id).first()
    if report is None:
        return None
    if report.tries >= MOST_TRIES:
        because = GIVEN_UP.format(tries=report.tries, done=report.done, total=report.total)
        _end(report, DriftReport.State.FAILED, now, because=because)
        return None
    report.fence, report.tries, report.leased_until = report.fence + 1, report.tries + 1, now + LEASE
    report.save(update_fields=["fence", "tries", "leased_until"])
    return Claimed(
        report_id=report.pk,
        fence=report.fence,
        is_new=report.state == DriftReport.State.WAITING,
        is_own_past=report.source == "own_past",
        since=report.since,
        until=report.until,
    )


@transaction.atomic(durable=True)
def stay(claimed: Claimed, *, characters: int, now: datetime) -> bool:
    """Say that the worker is still there, with so much to read before it says so again.

    False where the report was taken from it, cancelled or removed.
    """
    held = DriftReport.objects.filter(pk=claimed.report_id, fence=claimed.fence, state__in=ACTIVE)
    return bool(held.update(leased_until=now + LEASE + timedelta(seconds=characters / READ_A_SECOND)))


@transaction.atomic(durable=True)
def sort_out(claimed: Claimed, given: SortedOut, *, now: datetime) -> bool:
    """Put batches in the place of the file, or of the days of our own past, and wake the next step.

    False, and nothing is written, where the report was taken from this worker, cancelled or removed.
    """
    report = _held(claimed)
    if report is None or report.state != DriftReport.State.WAITING:
        return False
    report.parts.all().delete()
    report.broken = [{"line": one.line, "why": one.why} for one in given.broken]
    report.total = given.conversations
    report.counts = {"broken_lines": given.broken_lines}
    if not given.conversations:
        because = NOTHING_SAID if claimed.is_own_past else NOTHING_READ
        _end(report, DriftReport.State.FAILED, now, because=because)
        return True
    parts = (DriftPart(report=report, number=at, content=content) for at, content in enumerate(given.batches))
    DriftPart.objects.bulk_create(parts, batch_size=STORED_AT_ONCE)
    report.state, report.tries, report.leased_until = DriftReport.State.RUNNING, 0, None
    report.save()
    _wake_after_commit(report.pk)
    return True


@transaction.atomic(durable=True)
def settle(claimed: Claimed, part: DriftPart, found: Found, *, goes_on: bool, now: datetime) -> bool:
    """Write down what a part came to and remove it; the last one ends the report. Return whether there is more to do.

    Where the worker does not go on, the next step is woken. Nothing is written, and False returned, where the report
    was taken from this worker, cancelled or removed.
    """
    report = _held(claimed)
    if report is None or report.state != DriftReport.State.RUNNING:
        return False
    part.delete()
    DriftRow.objects.bulk_create(found.rows)
    report.done += found.conversations
    report.counts = {**report.counts, **{name: report.counts.get(name, 0) + n for name, n in found.counts.items()}}
    if not report.parts.exists():
        _end(report, DriftReport.State.DONE, now)
        return False
    report.tries, report.leased_until = 0, now + LEASE if goes_on else None
    report.save(update_fields=["done", "counts", "tries", "leased_until"])
    if not goes_on:
        _wake_after_commit(report.pk)
    return True


def due(*, now: datetime) -> tuple[UUID, ...]:
    """Return the reports that wait for a worker, the oldest first."""
    return tuple(_free(now).order_by("created_at", "pk").values_list("pk", flat=True))


def wake(report_id: UUID) -> None:
    """Tell a worker of a report."""
    waking.tell(WORK, report_id, wait=AT_ONCE)


def stored_row(report_id: UUID, judged: Judged, evidence: Sequence[Mapping[str, object]]) -> DriftRow:
    """Return a row as it is to be stored; nothing is written. `evidence` may hold more than the published one."""
    told = judged.row
    return DriftRow(
        report_id=report_id,
        conversation_id=told.conversation_id,
        question_key=told.question_key,
        times_asked=told.times_asked,
        distinct=len(told.distinct_answers),
        distinct_answers=list(told.distinct_answers),
        evidence=list(evidence),
        documents=[document.as_dict() for document in told.documents],
        corrected=judged.corrected,
    )


def _free(now: datetime) -> QuerySet[DriftReport]:
    return DriftReport.objects.filter(Q(leased_until=None) | Q(leased_until__lt=now), state__in=ACTIVE)


def _locked(report_id: UUID) -> DriftReport | None:
    return DriftReport.objects.select_for_update().filter(pk=report_id).first()


def _held(claimed: Claimed) -> DriftReport | None:
    return DriftReport.objects.select_for_update().filter(pk=claimed.report_id, fence=claimed.fence).first()


def _end(report: DriftReport, state: DriftReport.State, now: datetime, *, because: str = "") -> None:
    """End a report; what it did not read is not kept."""
    report.parts.all().delete()
    report.state, report.finished_at, report.because, report.leased_until = state, now, because, None
    report.save()


def _wake_after_commit(report_id: UUID) -> None:
    transaction.on_commit(partial(wake, report_id), robust=True)
