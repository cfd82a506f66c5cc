"""Runs of the audit: recorded on demand, by command and by night; managers are told of what is not healthy."""

import json
from datetime import UTC, datetime, timedelta
from io import StringIO

import pytest
from django.core.management import call_command
from django.db import IntegrityError, transaction
from django.utils import timezone

from drafts.models import AuditResult, AuditRun, Notice
from drafts.services import auditing, updates
from drafts.tasks import audit
from tests import builders

pytestmark = pytest.mark.django_db
NIGHT = datetime(2026, 6, 10, 3, 2, tzinfo=UTC)


@pytest.fixture
def told_outside(owner, agent):
    """A conversation with a commitment that nobody recorded."""
    builders.return_policy(owner)
    talk = builders.locked(agent)
    updates.tell_message(
        conversation_id=talk,
        message=builders.message("You can return it within 30 days.", role="agent"),
        now=timezone.now(),
        calendar=builders.calendar(),
    )
    return talk


def nightly(at):
    return auditing.run_nightly(hour=3, calendar=builders.calendar(), clock=lambda: at)


def run_command(*options):
    out = StringIO()
    with pytest.raises(SystemExit) as ended:
        call_command("audit", *options, stdout=out)
    return ended.value.code, out.getvalue()


def test_a_run_keeps_count_threshold_and_first_rows_of_every_check(manager, told_outside):
    ran = auditing.run(how="person", started_by=manager, clock=timezone.now)

    results = {result.check_number: result for result in ran.run.results.all()}
    assert sorted(results) == [1, 2, 3, 4, 5]
    assert (results[3].rows, results[3].threshold, results[3].first_rows[0]["conversation_id"]) == (1, 0, told_outside)
    assert (ran.run.is_healthy, ran.run.how, ran.run.started_by) == (False, "person", manager)


def test_one_night_has_one_run(db):
    first, again = nightly(NIGHT), nightly(NIGHT + timedelta(hours=2))
    next_night = nightly(NIGHT + timedelta(days=1))

    assert (first is not None, again, next_night is not None) == (True, None, True)
    assert list(AuditRun.objects.values_list("how", flat=True)) == ["nightly", "nightly"]


def test_a_night_that_was_missed_is_made_up_for(db):
    nightly(NIGHT - timedelta(days=3))

    late = nightly(NIGHT + timedelta(hours=9))

    assert late is not None
    assert late.started_at == NIGHT + timedelta(hours=9)


def test_a_run_on_demand_is_no_nightly_one(manager):
    auditing.run(how="person", started_by=manager, clock=lambda: NIGHT)

    assert nightly(NIGHT + timedelta(minutes=1)) is not None


def test_managers_are_told_once_a_night_what_is_not_healthy(manager, told_outside):
    made = nightly(NIGHT)

    (notice,) = Notice.objects.filter(kind="audit_unhealthy")
    assert (notice.person, notice.path) == (manager, f"/audit/runs/{made.pk}/")
    assert "Repeats answered anew: 1" in notice.text
    assert told_outside not in notice.subject


def test_nobody_is_told_of_a_run_on_demand(manager, told_outside):
    auditing.run(how="person", started_by=manager, clock=timezone.now)

    assert not Notice.objects.filter(kind="audit_unhealthy").exists()


def test_the_task_runs_what_is_due(manager):
    audit()
    audit()

    assert AuditRun.objects.filter(how="nightly").count() == 1


def test_the_command_records_its_run_and_fails_where_something_is_to_be_put_right(told_outside):
    status, printed = run_command()

    assert status == 1
    assert "BAD 3  Repeats answered from fresh retrieval: 1" in printed
    assert AuditRun.objects.get().how == "command"


def test_the_command_can_only_look(told_outside):
    status, printed = run_command("--no-record", "--rows", "--format", "table")

    assert status == 1
    assert f"conversation_id: {told_outside}" in printed
    assert not AuditRun.objects.exists()


def test_the_command_prints_one_json_object_a_check(told_outside):
    _, printed = run_command("--format", "json")

    checks = [json.loads(line) for line in printed.splitlines()]
    assert [(check["id"], check["healthy"]) for check in checks if check["id"] in {2, 3}] == [(2, True), (3, False)]
    assert checks[2]["found"][0]["conversation_id"] == told_outside


@pytest.mark.parametrize(
    "wrong",
    [
        pytest.param({"how": "person"}, id="on-demand-by-nobody"),
        pytest.param({"how": "nightly", "finished_at": NIGHT - timedelta(seconds=1)}, id="ended-before-it-began"),
    ],
)
def test_the_database_refuses_a_run_that_cannot_have_been(wrong):
    with pytest.raises(IntegrityError), transaction.atomic():
        AuditRun.objects.create(**{"started_at": NIGHT, "finished_at": NIGHT, "is_healthy": True, **wrong})


def test_the_database_refuses_a_second_result_and_an_unknown_check():
    run = AuditRun.objects.create(how="nightly", started_at=NIGHT, finished_at=NIGHT, is_healthy=True)
    AuditResult.objects.create(run=run, check_number=1, rows=0)

    for number in (1, 6):
        with pytest.raises(IntegrityError), transaction.atomic():
            AuditResult.objects.create(run=run, check_number=number, rows=0)
