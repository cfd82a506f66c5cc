"""Run the audit and keep what it found; older runs stay. Each entry point is one transaction."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from django.contrib.auth.models import User
from django.db import connection, transaction

from drafts.decisions.nightly import last_due
from drafts.models import AuditResult, AuditRun
from drafts.queries import auditing
from drafts.services import notices
from ledger.decisions.calendar import BusinessCalendar
from ledger.queries.auditing import TITLES, AuditCheck

KEPT_ROWS = 20
"""Rows of each check that are kept with a run, as they were then."""
_ONE_NIGHTLY = 7316038
"""An arbitrary number: the advisory lock at which two workers meet that both find the nightly run due."""

type Clock = Callable[[], datetime]


@dataclass(frozen=True, slots=True)
class Ran:
    """A recorded run and the checks as they were found."""

    run: AuditRun
    checks: tuple[AuditCheck, ...]


@transaction.atomic(durable=True)
def run(*, how: Literal["person", "command"], started_by: User | None, clock: Clock) -> Ran:
    """Run the five checks now and record what they found; `clock` gives the instants of beginning and end."""
    return _run(how=how, started_by=started_by, clock=clock)


@transaction.atomic(durable=True)
def run_nightly(*, hour: int, calendar: BusinessCalendar, clock: Clock) -> AuditRun | None:
    """Run the audit where tonight's is due and has not been run; tell the managers where a check is not healthy.

    `hour` is one of the organisation's clock. None where nothing was due.
    """
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [_ONE_NIGHTLY])
    if auditing.nightly_run_since(last_due(clock(), hour=hour, zone=calendar.zone)):
        return None
    made = _run(how="nightly", started_by=None, clock=clock).run
    if not made.is_healthy:
        _tell_managers(made)
    return made


def _run(*, how: str, started_by: User | None, clock: Clock) -> Ran:
    started_at = clock()
    checks = auditing.audit()
    made = AuditRun.objects.create(
        how=how,
        started_by=started_by,
        started_at=started_at,
        finished_at=clock(),
        is_healthy=all(check.healthy for check in checks),
    )
    AuditResult.objects.bulk_create(_result(made, check) for check in checks)
    return Ran(made, checks)


def _result(made: AuditRun, check: AuditCheck) -> AuditResult:
    first_rows = json.loads(json.dumps(check.rows[:KEPT_ROWS], default=str))
    return AuditResult(
        run=made, check_number=check.id, rows=check.count, threshold=check.threshold, first_rows=first_rows
    )


def _tell_managers(made: AuditRun) -> None:
    broken = [result for result in made.results.all() if result.rows > result.threshold]
    found = "\n".join(f"{TITLES[r.check_number]}: {r.rows}" for r in broken)
    for person in auditing.managers():
        notices.tell(
            person=person,
            kind="audit_unhealthy",
            about=f"audit:{made.pk}",
            subject="The nightly audit found something to put right",
            text=f"These checks found more than they allow:\n{found}",
            path=f"/audit/runs/{made.pk}/",
            now=made.finished_at,
        )
