"""Drift reports while their workers and the database are killed, and while several workers want the same one.

One installation serves all these tests. Whatever happens to a report, it ends as one that nobody disturbed.
"""

import time

import pytest

from tests.faults.installed import installed, until

CONVERSATIONS, FEW = 240, 60
FOUND = {
    "conversations": 240,
    "asked_three_or_more": 160,
    "two_answers_or_more": 160,
    "three_answers_or_more": 80,
    "broken_lines": 2,
}


@pytest.fixture(scope="module")
def installation(open_module_path):
    with installed(open_module_path) as found:
        yield found


@pytest.fixture
def desk(installation):
    """The installation with a worker and a beat."""
    installation.start("worker")
    installation.start("beat")
    yield installation
    assert {name: ran.poll() for name, ran in installation.running.items()} == dict.fromkeys(installation.running)


def standing(desk, report):
    """The state of a report, and how many conversations it has read."""
    with desk.session() as session:
        query = "SELECT state, done FROM drafts_driftreport WHERE id = %s"
        return session.execute(query, [report]).fetchone()


def result(desk, report):
    """Everything that a report says, short of its times."""
    with desk.session() as session:
        columns = "state, total, done, counts, broken, because, leased_until"
        head = session.execute(f"SELECT {columns} FROM drafts_driftreport WHERE id = %s", [report]).fetchone()
        columns = "conversation_id, question_key, times_asked, distinct_answers, evidence, documents"
        query = f"SELECT {columns} FROM drafts_driftrow WHERE report_id = %s ORDER BY conversation_id, question_key"
        rows = session.execute(query, [report]).fetchall()
        left = session.execute("SELECT count(*) FROM drafts_driftpart WHERE report_id = %s", [report]).fetchone()
    return head, rows, left


def a_lease_passes(desk):
    """For the reports, as much time has passed as no worker may be silent."""
    with desk.session() as session:
        session.execute("UPDATE drafts_driftreport SET leased_until = leased_until - interval '1 minute'")


def is_read(desk, report):
    until(lambda: standing(desk, report)[0] == "done", "the report is done")
    return result(desk, report)


def in_the_middle(desk, report):
    until(lambda: standing(desk, report)[1] > 0, "the first conversations are read")
    return standing(desk, report)


@pytest.fixture
def undisturbed(desk):
    """What a report says that nobody disturbed."""
    found = is_read(desk, desk.ask("report", CONVERSATIONS))
    head, rows, left = found
    assert (head[0], head[1], head[2], head[3], len(rows), left) == ("done", 240, 240, FOUND, 240, (0,))
    assert [one["line"] for one in head[4]] == [1, 242]
    return found


def test_a_report_whose_worker_is_killed_again_and_again_ends_as_if_nothing_had_happened(desk, undisturbed):
    report = desk.ask("report", CONVERSATIONS)

    for _kill in range(3):
        before = in_the_middle(desk, report)[1]
        desk.end("worker")
        state, done = standing(desk, report)
        assert state == "done" or before <= done < CONVERSATIONS
        a_lease_passes(desk)
        desk.start("worker")
        until(lambda done=done: standing(desk, report)[1] > done or standing(desk, report)[0] == "done", "it goes on")

    assert is_read(desk, report) == undisturbed


def test_a_report_whose_worker_is_killed_while_the_file_is_sorted_out_loses_nothing(desk, undisturbed):
    desk.end("worker")
    report = desk.ask("report", CONVERSATIONS)
    desk.start("worker")
    until(lambda: is_taken(desk, report), "a worker has taken it")
    desk.end("worker")
    a_lease_passes(desk)

    desk.start("worker")

    assert is_read(desk, report) == undisturbed


def is_taken(desk, report):
    with desk.session() as session:
        return session.execute("SELECT fence FROM drafts_driftreport WHERE id = %s", [report]).fetchone()[0] > 0


def test_several_workers_and_beats_count_every_conversation_once(desk):
    alone = is_read(desk, desk.ask("report", FEW))
    desk.start("worker-2")
    desk.start("beat-2")
    try:
        reports = [desk.ask("report", FEW) for _report in range(3)]
        found = [is_read(desk, report) for report in reports]
    finally:
        desk.end("worker-2")
        desk.end("beat-2")

    assert (found, len(alone[1])) == ([alone] * 3, FEW)


def test_a_report_that_is_cancelled_while_it_is_read_stays_so(desk):
    report = desk.ask("report", CONVERSATIONS)
    in_the_middle(desk, report)

    assert desk.ask("cancel", report)

    (state, _total, done, counts, *_rest), rows, left = result(desk, report)
    assert (state, counts["conversations"], left) == ("cancelled", done, (0,))
    time.sleep(6)  # a sweep and more
    assert (standing(desk, report), len(result(desk, report)[1])) == (("cancelled", done), len(rows))


def test_a_report_whose_broker_loses_every_message_is_found_by_the_sweep(desk, undisturbed):
    desk.end("worker")
    report = desk.ask("report", CONVERSATIONS)
    desk.empty_broker()

    desk.start("worker")

    assert is_read(desk, report) == undisturbed


def test_a_report_goes_on_when_the_database_was_killed(desk, undisturbed):
    report = desk.ask("report", CONVERSATIONS)
    in_the_middle(desk, report)

    desk.kill_database()
    desk.place.cluster.start()
    a_lease_passes(desk)

    assert is_read(desk, report) == undisturbed
