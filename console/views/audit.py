"""The audit: what the five checks found last, and every run before."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from console import charts
from console.charts import Chart, Series
from console.http import ConsoleRequest, show
from console.permissions import Action, may
from console.views import audit_words, history, paging
from console.views.access import readers_only
from console.views.audit_rows import rows_of
from console.views.audit_words import CheckWords
from drafts.queries import auditing
from drafts.services import auditing as services

if TYPE_CHECKING:
    from drafts.models import AuditRun

RUNS_AT_ONCE = 20
CHARTED = 30
CHART_TITLE = "Rows that broke a check, by run"
NOT_ALLOWED = "Running the audit is for managers, policy owners and administrators."


@dataclass(frozen=True, slots=True)
class CheckLine:
    """One check with its number in one run."""

    number: int
    words: CheckWords
    rows: int
    threshold: int

    @property
    def allowed(self) -> str:
        """Say how many rows are allowed."""
        return audit_words.allowed(self.threshold)

    @property
    def healthy(self) -> bool:
        """Say whether no more rows were found than the threshold allows."""
        return self.rows <= self.threshold


@dataclass(frozen=True, slots=True)
class RunLine:
    """One recorded run."""

    id: int
    how: str
    who: str
    at: datetime
    took: str
    is_healthy: bool
    checks: tuple[CheckLine, ...]


@dataclass(frozen=True, slots=True)
class AuditPage:
    """Everything the overview shows; `latest` is None before the first run."""

    latest: RunLine | None
    runs: tuple[RunLine, ...]
    pages: paging.Paging
    chart: Chart | None
    may_run: bool
    is_first_part: bool


@require_safe
@readers_only
def audit(request: ConsoleRequest) -> HttpResponse:
    """Show what the last run found, and the runs before it."""
    found = auditing.audit_runs(start=paging.start_of(request.GET, RUNS_AT_ONCE), limit=RUNS_AT_ONCE + 1)
    part, pages = paging.cut(request.GET, tuple(_run_line(run) for run in found), RUNS_AT_ONCE)
    is_first = paging.number_of(request.GET) == 1
    latest = part[0] if is_first and part else next(iter(_newest(1)), None)
    page = AuditPage(
        latest=latest,
        runs=tuple(part),
        pages=pages,
        chart=_chart(_newest(CHARTED)) if latest else None,
        may_run=may(request.user, Action.AUDIT),
        is_first_part=is_first,
    )
    return show(request, "audit.html", {"page": page})


@require_safe
@readers_only
def chart(request: ConsoleRequest) -> HttpResponse:
    """Draw how many rows broke the checks in the newest runs."""
    drawn = _chart(_newest(CHARTED))
    return charts.svg(request, drawn.series, labels=drawn.labels, title=drawn.title)


@require_POST
def run(request: ConsoleRequest) -> HttpResponse:
    """Run the five checks now and record what they find."""
    if not may(request.user, Action.AUDIT):
        raise PermissionDenied(NOT_ALLOWED)
    made = services.run(how="person", started_by=request.user, clock=timezone.now)
    broken = sum(1 for check in made.checks if not check.healthy)
    messages.success(request, f"The audit ran. {audit_words.outcome(broken)}")
    return redirect("audit")


@require_safe
@readers_only
def past_run(request: ConsoleRequest, run_id: int) -> HttpResponse:
    """Show one recorded run with the first rows of each check as they were then."""
    found = auditing.audit_run(run_id)
    if found is None:
        raise Http404
    kept = {result.check_number: rows_of(result.first_rows) for result in found.results.all()}
    line = _run_line(found)
    checks = [(check, kept.get(check.number, ())) for check in line.checks]
    return show(request, "audit_run.html", {"run": line, "checks": checks})


def _newest(number: int) -> tuple[RunLine, ...]:
    return tuple(_run_line(run) for run in auditing.audit_runs(limit=number))


def _run_line(run: "AuditRun") -> RunLine:
    checks = tuple(
        CheckLine(result.check_number, audit_words.CHECKS[result.check_number], result.rows, result.threshold)
        for result in run.results.all()
    )
    return RunLine(
        id=run.pk,
        how=audit_words.HOW[run.how],
        who=history.name_of(run.started_by) or "",
        at=run.started_at,
        took=audit_words.took(run.finished_at - run.started_at),
        is_healthy=run.is_healthy,
        checks=checks,
    )


def _chart(newest_first: Sequence[RunLine]) -> Chart:
    """Draw the runs from left to right in the order of their time."""
    runs = newest_first[::-1]
    series = tuple(
        Series(
            f"{number}. {words.title}",
            tuple(sum(check.rows for check in run.checks if check.number == number) for run in runs),
        )
        for number, words in audit_words.CHECKS.items()
    )
    times = tuple(timezone.localtime(run.at) for run in runs)
    labels = tuple(f"{at.day} {at:%b}\n{at:%H:%M}" for at in times)
    return Chart(reverse("audit-chart"), CHART_TITLE, labels, series, "Run")
