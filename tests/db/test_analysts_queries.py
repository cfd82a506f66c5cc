"""Queries over `answer_ledger` as an analyst types them, with the run-time log-in."""

import psycopg
import pytest
from django.db import connection

from ledger.queries import several_answers
from tests.db.ledger_help import FIVE_YEARS, KEY, NOW, PASSAGE, answered, corrected, own, published, replayed, undone

pytestmark = pytest.mark.django_db
SEVERAL_ANSWERS = """
    SELECT conversation_id, question_key, count(DISTINCT answer_text) AS distinct_answers, count(*) AS times_asked,
           min(locked_at) AS first_answered, array_agg(DISTINCT answer_source->>'doc_id') AS sources_used
    FROM answer_ledger
    WHERE locked_at > now() - interval '90 days'
    GROUP BY conversation_id, question_key
    HAVING count(DISTINCT answer_text) > 1
    ORDER BY times_asked DESC
"""


def asked(query, talk):
    """Run it as typed, and keep the rows of one conversation, since ledger rows outlive their test."""
    with connection.cursor() as cursor:
        cursor.execute(query)
        names = [column.name for column in cursor.description]
        rows = [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]
    return [row for row in rows if row["conversation_id"] == talk]


def without_times(row):
    return {name: value for name, value in row.items() if name not in {"first_answered", "first_told"}}


@pytest.fixture
def terms():
    return published()


def test_the_query_of_the_method_finds_who_was_told_two_answers(terms):
    talk = own("talk")
    live = answered(talk, terms)
    replayed(talk, live)
    corrected(talk, live, terms)

    (row,) = asked(SEVERAL_ANSWERS, talk)

    assert (row["question_key"], row["distinct_answers"], row["times_asked"]) == (KEY, 2, 3)
    assert row["sources_used"] == [terms.doc_id]


def test_who_was_told_one_answer_however_often_is_not_found(terms):
    talk = own("talk")
    live = answered(talk, terms)
    replayed(talk, live)

    assert asked(SEVERAL_ANSWERS, talk) == []


def test_the_page_asks_the_same_query(terms):
    talk = own("talk")
    corrected(talk, answered(talk, terms), terms)

    found = [row for row in several_answers.every_several_answers(since=NOW) if row["conversation_id"] == talk]

    assert [without_times(row) for row in found] == [without_times(row) for row in asked(SEVERAL_ANSWERS, talk)]


def test_the_page_says_when_it_was_told_and_not_when_it_was_written_down(terms):
    talk = own("talk")
    corrected(talk, answered(talk, terms), terms)

    (row,) = (row for row in several_answers.every_several_answers(since=NOW) if row["conversation_id"] == talk)

    assert row["first_told"] == NOW


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        pytest.param(
            "SELECT conversation_id, customer_id, sum(replay_count) AS repeats FROM answer_ledger"
            " WHERE locked GROUP BY conversation_id, customer_id",
            [("customer-7", 0)],
            id="how-often-the-live-answers-were-repeated",
        ),
        pytest.param(
            "SELECT a.conversation_id, a.customer_id, b.answer_text FROM answer_ledger a"
            " JOIN answer_ledger b ON b.supersedes = a.entry_id",
            [("customer-7", FIVE_YEARS)],
            id="what-replaced-an-answer",
        ),
        pytest.param(
            "SELECT conversation_id, correction_event->>'owner' AS owner, correction_event->>'old_text' AS old"
            " FROM answer_ledger WHERE correction_event IS NOT NULL",
            [("olga", PASSAGE)],
            id="who-answers-for-corrections",
        ),
        pytest.param(
            "SELECT conversation_id, count(*) FILTER (WHERE locked) AS live, count(*) AS all_rows FROM answer_ledger"
            " GROUP BY conversation_id",
            [(1, 4)],
            id="one-live-row",
        ),
        pytest.param(
            "SELECT conversation_id, max(replay_count) AS repeats, max(matched_by) AS by FROM answer_ledger"
            " WHERE commitment_class = 'binding_policy' AND answer_source->>'effective_from' = '2026-01-01'"
            " GROUP BY conversation_id",
            [(1, "form")],
            id="by-class-and-source",
        ),
    ],
)
def test_other_questions_an_analyst_asks(terms, query, expected):
    talk = own("talk")
    live = answered(talk, terms)
    replayed(talk, live)
    undone(talk, replayed(talk, live))
    corrected(talk, live, terms)

    rows = asked(query, talk)

    assert [tuple(row.values())[1:] for row in rows] == expected


def test_a_log_in_that_may_read_the_view_and_nothing_else_is_enough(terms, admin_connection):
    """As docs/analysts.md says it; roles belong to the whole server, so this one goes again."""
    name = admin_connection.info.dbname
    admin_connection.execute("CREATE ROLE analyst")
    try:
        with admin_connection.transaction(force_rollback=True):
            admin_connection.execute(f'GRANT CONNECT ON DATABASE "{name}" TO analyst')
            admin_connection.execute("GRANT USAGE ON SCHEMA public TO analyst")
            admin_connection.execute("GRANT SELECT ON answer_ledger TO analyst")
            admin_connection.execute("SET LOCAL ROLE analyst")
            admin_connection.execute(SEVERAL_ANSWERS)
            with pytest.raises(psycopg.errors.InsufficientPrivilege), admin_connection.transaction():
                admin_connection.execute("SELECT FROM ledger.entry")
    finally:
        admin_connection.execute("DROP ROLE analyst")
