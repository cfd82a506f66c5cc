"""Sixty-four writers at once: one wins, and the line stays whole."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import psycopg
import pytest
from psycopg.conninfo import make_conninfo

from ledger import queries
from tests.db.ledger_help import KEY, append, own, raw

WRITERS = 64


@pytest.fixture
def server(django_db_setup, database_place):
    return make_conninfo(**database_place.app)


def race(server, entries):
    """Let one session for each entry write it at the same moment; return what became of each."""
    start = Barrier(len(entries))

    def write(entry):
        with psycopg.connect(server) as session:
            session.execute("SELECT 1")
            start.wait()
            try:
                append(session, entry)
            except psycopg.errors.UniqueViolation as refusal:
                return refusal.diag.constraint_name
            return "written"

    with ThreadPoolExecutor(len(entries)) as pool:
        return Counter(pool.map(write, entries))


def first_answer(server, talk):
    with psycopg.connect(server) as session:
        return append(session, raw(talk))[0]


def problems_of(talk):
    return [problem for line in queries.verify() if line.conversation_id == talk for problem in line.problems]


def test_of_many_first_answers_one_is_locked(server):
    talk = own("talk")

    outcomes = race(server, [raw(talk, answer_text=f"Answer {n}.") for n in range(WRITERS)])

    assert outcomes == {"written": 1, "entry_one_first_answer": WRITERS - 1}


def test_of_many_corrections_of_one_answer_one_is_written(server):
    talk = own("talk")
    live = first_answer(server, talk)

    outcomes = race(
        server,
        [
            raw(talk, kind="CORRECTION", supersedes=live, reason="A slip.", owner="olga", answer_text=f"Answer {n}.")
            for n in range(WRITERS)
        ],
    )

    assert outcomes == {"written": 1, "entry_superseded_once": WRITERS - 1}


def test_a_correction_and_an_undo_at_once_do_not_fork_the_line(server):
    talk = own("talk")
    live = first_answer(server, talk)
    correction = raw(talk, kind="CORRECTION", supersedes=live, reason="A slip.", owner="olga")

    outcomes = race(server, [raw(talk, kind="WITHDRAWAL", supersedes=live), correction] * 16)

    assert outcomes == {"written": 1, "entry_superseded_once": 31}


@pytest.mark.django_db(transaction=True)
def test_many_replays_all_find_their_place_in_one_chain(server):
    talk = own("talk")
    live = first_answer(server, talk)

    outcomes = race(server, [raw(talk, kind="REPLAY", replays=live) for _ in range(WRITERS)])

    assert outcomes == {"written": WRITERS}
    assert queries.live_answers(talk)[KEY].replay_count == WRITERS
    assert [p for p in problems_of(talk) if p.layer != "sources"] == []
