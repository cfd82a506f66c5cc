"""Drift reports are worked off in steps; whatever happens between them, every conversation counts once."""

import json
import threading
from datetime import UTC, date, datetime, timedelta

import pytest
from celery import current_app
from django.db import DatabaseError, OperationalError, connection, transaction
from django.utils import timezone

from console.celery import app
from drafts import drift_tasks
from drafts.decisions.drift_files import FileRefused
from drafts.decisions.drifting import BrokenLine
from drafts.models import Correction, DriftPart, DriftReport, DriftRow, Message
from drafts.queries import drifting as reports
from drafts.services import correcting, drifting, undoing, updates
from drafts.services.correcting import CorrectionWanted
from ledger.decisions.vocabulary import VersionStatus
from tests import builders
from tests import drifting as made
from tests.drifting import ASKED, TOPIC, TWELVE, TWENTY_FOUR

pytestmark = pytest.mark.django_db(transaction=True)

EVERYTHING = made.mixed(30)
COUNTS = {
    "conversations": 30,
    "asked_three_or_more": 20,
    "two_answers_or_more": 20,
    "three_answers_or_more": 10,
    "broken_lines": 0,
}


@pytest.fixture
def woken(monkeypatch):
    """The reports that workers are told of."""
    told = []
    monkeypatch.setattr(current_app, "send_task", lambda name, *, args, **_: told.append((name, *args)))
    return told


@pytest.fixture
def short_steps(monkeypatch):
    """Every step of a worker is one part."""
    monkeypatch.setattr(drift_tasks, "STEP", 0.0)


def claimed(report, *, at=None):
    return drifting.claim(report.pk, now=at or timezone.now())


def found_in(report):
    return (report.state, report.total, report.done, report.counts, len(made.told(report)))


# From beginning to end


def test_a_file_becomes_a_report_and_its_messages_are_not_kept(manager):
    report = made.read(manager, EVERYTHING)

    assert found_in(report) == ("done", 30, 30, COUNTS, 30)
    assert not DriftPart.objects.exists()
    row = report.rows.get(conversation_id="conversation-2")
    assert (row.question_key, row.times_asked, row.distinct, row.corrected) == (TOPIC, 3, 3, 0)
    assert row.evidence[0] == {
        "turn": 1, "text": TWELVE, "answer": row.distinct_answers[0], "sent_at": "2026-03-01T00:30:00+00:00",
    }  # fmt: skip


def test_the_result_is_the_same_however_short_the_steps_are(manager, short_steps):
    report = made.begun(manager, EVERYTHING)
    drift_tasks.work(str(report.pk))
    drift_tasks.work(str(report.pk))
    report.refresh_from_db()

    assert (report.state, report.done, report.total, report.leased_until) == ("running", 10, 30, None)
    assert found_in(made.worked_off(report)) == ("done", 30, 30, COUNTS, 30)


def test_each_step_wakes_the_next_until_the_report_has_ended(manager, woken, short_steps):
    report = made.worked_off(made.begun(manager, EVERYTHING))

    assert woken == [(drifting.WORK, str(report.pk))] * 4


def test_documents_that_say_an_answer_are_named(manager, owner):
    builders.key(f"{TOPIC}::repair_general", by=owner, deciding_facts=())
    builders.version(by=owner, doc_id="promotion", name="P-2023", passage=TWENTY_FOUR, key=f"{TOPIC}::repair_general")

    row = made.read(manager, [made.conversation("c-1", TWELVE, TWENTY_FOUR)]).rows.get()

    assert [(one["answer"], one["doc_id"], one["version"]) for one in row.documents] == [
        ("24 months", "promotion", "P-2023")
    ]


def test_broken_lines_are_listed_and_the_others_counted(manager):
    report = made.read(manager, [EVERYTHING[0], "{broken", "[]", EVERYTHING[2]])

    assert (report.state, report.total, report.counts["broken_lines"]) == ("done", 2, 2)
    assert [one["line"] for one in report.broken] == [2, 3]
    assert all(one["why"] for one in report.broken)


def test_a_file_of_which_nothing_can_be_read_fails_and_says_so(manager):
    report = made.read(manager, ["{broken", "{broken"])

    assert (report.state, report.because) == ("failed", drifting.NOTHING_READ)
    assert len(report.broken) == 2


def test_a_refused_file_leaves_nothing_behind(manager):
    with pytest.raises(FileRefused):
        drifting.begin_with_file(name="x", chunks=[b"{" + b"x" * 2_000_000, b"\xff"], actor=manager, now=timezone.now())

    assert not DriftReport.objects.exists()
    assert not DriftPart.objects.exists()


HOSTILE = ("\\u0000", "\\ud800", "<script>alert(1)</script>", "\\u202e", "' OR 1=1 --", "{{ 7 }}")


@pytest.mark.parametrize("hostile", HOSTILE)
def test_hostile_texts_are_stored_to_the_letter_or_named_as_broken(manager, hostile):
    line = json.dumps(made.conversation("c-HERE", f"{TWELVE} HERE", f"{TWENTY_FOUR} HERE")).replace("HERE", hostile)

    report = made.read(manager, [line, EVERYTHING[0]])

    assert report.state == "done"
    assert report.rows.count() + report.counts["broken_lines"] == 2


# Lease and fence


def test_a_report_is_taken_by_one_worker(manager):
    report = made.begun(manager, EVERYTHING)

    assert claimed(report)
    assert claimed(report) is None
    assert drifting.due(now=timezone.now()) == ()


def test_a_report_whose_worker_vanished_is_taken_again_when_its_lease_is_over(manager):
    report = made.begun(manager, EVERYTHING)
    claimed(report)
    later = timezone.now() + drifting.LEASE + timedelta(seconds=1)

    assert drifting.due(now=later) == (report.pk,)
    assert claimed(report, at=later)


def test_a_worker_that_stays_keeps_its_report_and_longer_for_a_long_conversation(manager):
    report = made.begun(manager, EVERYTHING)
    now = timezone.now()
    mine = claimed(report, at=now)
    half = now + drifting.LEASE / 2

    assert drifting.stay(mine, characters=100 * drifting.READ_A_SECOND, now=half)

    assert claimed(report, at=half + drifting.LEASE + timedelta(seconds=99)) is None
    assert claimed(report, at=half + drifting.LEASE + timedelta(seconds=101))


def test_what_a_worker_finds_after_it_lost_its_report_counts_nothing(manager, short_steps):
    report = made.begun(manager, EVERYTHING)
    drift_tasks.work(str(report.pk))
    late = claimed(report)
    part = reports.next_part(report.pk)
    found = drift_tasks._found(drift_tasks._Held(late), part, ())
    DriftReport.objects.update(leased_until=timezone.now() - timedelta(seconds=1))
    report = made.worked_off(report)

    assert not drifting.stay(late, characters=0, now=timezone.now())
    assert not drifting.settle(late, part, found, goes_on=True, now=timezone.now())
    report.refresh_from_db()
    assert found_in(report) == ("done", 30, 30, COUNTS, 30)


def test_a_file_that_was_sorted_out_too_late_changes_nothing(manager):
    report = made.begun(manager, EVERYTHING)
    late = claimed(report)
    DriftReport.objects.update(leased_until=None)
    drift_tasks.work(str(report.pk))

    given = drift_tasks.SortedOut(broken=[BrokenLine(1, "late")])
    assert not drifting.sort_out(late, given, now=timezone.now())
    assert found_in(made.worked_off(report)) == ("done", 30, 30, COUNTS, 30)


def test_workers_at_once_count_every_conversation_once(manager, short_steps):
    report = made.begun(manager, EVERYTHING)

    def work():
        try:
            for _step in range(8):
                drift_tasks.work(str(report.pk))
        finally:
            connection.close()

    workers = [threading.Thread(target=work) for _ in range(3)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()

    assert found_in(made.worked_off(report)) == ("done", 30, 30, COUNTS, 30)


def test_a_place_that_ends_every_worker_ends_the_report_with_a_reason(manager, monkeypatch, short_steps):
    report = made.begun(manager, EVERYTHING)
    drift_tasks.work(str(report.pk))
    drift_tasks.work(str(report.pk))

    def dies(*_given):
        raise MemoryError

    monkeypatch.setattr(drift_tasks, "rows_of", dies)
    for _try in range(drifting.MOST_TRIES):
        DriftReport.objects.update(leased_until=None)
        with pytest.raises(MemoryError):
            drift_tasks.work(str(report.pk))
    DriftReport.objects.update(leased_until=None)
    drift_tasks.work(str(report.pk))

    report.refresh_from_db()
    assert report.state == "failed"
    assert report.because.startswith("The work ended 5 times at the same place, after 10 of 30 conversations.")
    assert report.rows.count() == 10


# Cancelling and removing


def test_a_report_can_be_cancelled_and_keeps_what_it_found(manager, short_steps):
    report = made.begun(manager, EVERYTHING)
    drift_tasks.work(str(report.pk))
    drift_tasks.work(str(report.pk))

    assert drifting.cancel(report_id=report.pk, now=timezone.now())

    drift_tasks.work(str(report.pk))
    report.refresh_from_db()
    assert (report.state, report.done, report.rows.count(), report.parts.count()) == ("cancelled", 10, 10, 0)
    assert not drifting.cancel(report_id=report.pk, now=timezone.now())
    assert drifting.due(now=timezone.now() + timedelta(days=1)) == ()


@pytest.mark.parametrize("end", ["cancel", "remove"])
def test_a_worker_in_the_middle_of_a_report_that_is_ended_writes_nothing_more(manager, monkeypatch, end):
    report = made.begun(manager, EVERYTHING)
    drift_tasks.work(str(report.pk))
    really = drift_tasks.rows_of

    def ends(transcript, passages):
        if transcript.conversation_id == "conversation-12":
            given = {"now": timezone.now()} if end == "cancel" else {}
            assert getattr(drifting, end)(report_id=report.pk, **given)
        return really(transcript, passages)

    monkeypatch.setattr(drift_tasks, "rows_of", ends)
    drift_tasks.work(str(report.pk))

    found = DriftReport.objects.filter(pk=report.pk).first()
    assert (found.state, found.done) == ("cancelled", 10) if end == "cancel" else found is None
    assert DriftRow.objects.count() == (10 if end == "cancel" else 0)
    assert not DriftPart.objects.exists()


def test_what_is_gone_cannot_be_removed_again(manager):
    report = made.begun(manager, EVERYTHING)

    assert drifting.remove(report_id=report.pk)
    assert not drifting.remove(report_id=report.pk)
    assert not drifting.cancel(report_id=report.pk, now=timezone.now())


# Workers and the broker


@pytest.mark.parametrize("name", ["", "no-uuid", 5, None, ["x"]])
def test_a_name_that_is_none_ends_as_a_line_in_the_log(db, caplog, name):
    drift_tasks.work(name)

    assert "names no drift report" in caplog.text


def test_the_sweep_wakes_workers_for_every_report_that_waits(manager, woken):
    waiting, taken = made.begun(manager, EVERYTHING), made.begun(manager, EVERYTHING)
    claimed(taken)
    woken.clear()

    drift_tasks.sweep()

    assert woken == [(drifting.WORK, str(waiting.pk))]


def test_a_database_that_is_away_ends_as_a_line_in_the_log(manager, monkeypatch, caplog):
    def away(*_args, **_named):
        raise OperationalError("away")

    report = made.begun(manager, EVERYTHING)
    for name in ("claim", "due"):
        monkeypatch.setattr(drifting, name, away)

    drift_tasks.work(str(report.pk))
    drift_tasks.sweep()

    assert "waits for the database (away)" in caplog.text
    assert "could not be looked for (away)" in caplog.text


def test_beat_and_services_name_tasks_that_exist():
    app.loader.import_default_modules()

    assert {drift_tasks.SWEEP, drifting.WORK} <= set(app.tasks)


# Our own past


def own(*texts, name=None):
    """A conversation of ours with these messages by turns."""
    return builders.item(conversation=name, messages=made.thread(*texts)).conversation


@pytest.fixture
def policy(owner):
    return builders.return_policy(owner, doc_id=builders.unique("returns"))


def test_our_own_past_is_read_like_a_file(manager, policy):
    drifts = own(ASKED, TWELVE, ASKED, TWENTY_FOUR, ASKED)
    own(ASKED, TWELVE, ASKED)

    report = made.worked_off(made.begun_past(manager))

    assert (report.state, report.total, report.done) == ("done", 2, 2)
    assert report.counts["two_answers_or_more"] == 1
    assert report.rows.get(distinct=2).conversation_id == drifts.external_id


def test_only_conversations_in_which_something_was_said_on_these_days_are_read(manager, policy):
    early, late = own(ASKED, TWELVE, ASKED), own(ASKED, TWELVE, ASKED)
    Message.objects.filter(conversation=early).update(sent_at=datetime(2026, 3, 1, 23, 59, tzinfo=UTC))
    Message.objects.filter(conversation=late).update(sent_at=datetime(2026, 3, 2, 0, 0, tzinfo=UTC))
    zone = builders.calendar().zone

    def named(since, until):
        return set(reports.conversations_between(since, until, zone))

    first, second = date(2026, 3, 1), date(2026, 3, 2)
    assert named(first, first) == {early.pk}
    assert named(second, None) == {late.pk}
    assert named(None, first) == {early.pk}
    assert named(None, None) == {early.pk, late.pk}


def test_days_on_which_nothing_was_said_end_with_a_reason(manager, policy):
    report = made.worked_off(made.begun_past(manager, since=date(2020, 1, 1), until=date(2020, 1, 2)))

    assert (report.state, report.because) == ("failed", drifting.NOTHING_SAID)


OTHER = "An unused lamp can be returned within 30 days of receipt."


@pytest.fixture
def told_fourteen(agent, policy):
    """A customer who was told 14 days, and whose thread says so."""
    conversation = builders.locked(agent)
    tell(conversation, builders.PASSAGE)
    return conversation


@pytest.fixture
def thirty_days_hold(told_fourteen, owner, policy):
    """The first document is retired; another one answers from now on."""
    names = {"doc_id": policy.doc_id, "name": policy.version}
    builders.version(by=owner, **names, status=VersionStatus.RETIRED)
    builders.version(by=owner, doc_id=builders.unique("returns"), passage=OTHER)


def tell(conversation, text, role="agent"):
    updates.tell_message(
        conversation_id=conversation,
        message=builders.message(text, role),
        now=timezone.now(),
        calendar=builders.calendar(),
    )


def corrected(conversation, manager):
    """Correct what the customer was told, and return the message that tells it."""
    made_here = correcting.correct(
        conversation_id=conversation,
        question_key=builders.RETURN_KEY,
        wanted=CorrectionWanted(OTHER, "Wrong before.", "owner"),
        actor=manager,
        now=timezone.now(),
        calendar=builders.calendar(),
    )
    return made_here.message


def changes(manager):
    report = made.worked_off(made.begun_past(manager))
    found = report.rows.values_list("distinct", "corrected")
    return report.counts["two_answers_or_more"], list(found)


def test_an_answer_that_a_recorded_correction_replaced_is_no_drift(manager, told_fourteen, thirty_days_hold):
    tell(told_fourteen, corrected(told_fourteen, manager))
    tell(told_fourteen, builders.QUESTION, "customer")
    tell(told_fourteen, OTHER)

    assert changes(manager) == (0, [(1, 1)])


def test_the_same_change_without_a_correction_is_drift(manager, told_fourteen):
    tell(told_fourteen, OTHER)

    assert changes(manager) == (1, [(2, 0)])


def test_an_answer_that_comes_back_after_its_correction_is_drift(manager, told_fourteen, thirty_days_hold):
    tell(told_fourteen, corrected(told_fourteen, manager))
    tell(told_fourteen, builders.PASSAGE)

    assert changes(manager) == (1, [(2, 1)])


def test_a_correction_that_was_undone_joins_nothing(manager, told_fourteen, thirty_days_hold):
    corrected(told_fourteen, manager)
    undone = Correction.objects.get()
    undoing.undo_correction(correction_id=undone.pk, actor=manager, now=timezone.now(), calendar=builders.calendar())
    tell(told_fourteen, OTHER)

    assert changes(manager) == (1, [(2, 0)])


# What the database refuses


@pytest.mark.parametrize("fault", ["done", "state", "row-twice", "part-twice"])
def test_what_must_never_happen_is_refused(manager, fault):
    report = made.read(manager, EVERYTHING[:1])
    row = report.rows.get()
    row.pk = None
    faults = {
        "done": lambda: DriftReport.objects.update(done=2),
        "state": lambda: DriftReport.objects.update(state="running"),
        "row-twice": lambda: row.save(force_insert=True),
        "part-twice": lambda: [DriftPart.objects.create(report=report, number=1, content=b"") for _ in range(2)],
    }

    with pytest.raises(DatabaseError), transaction.atomic():
        faults[fault]()
