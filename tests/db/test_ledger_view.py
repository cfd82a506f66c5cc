"""The published view, as an analyst reads it with plain SQL."""

import pytest
from django.db import connection

from ledger import queries
from tests.db.ledger_help import KEY, answered, corrected, own, published, replayed, undone

pytestmark = pytest.mark.django_db
SHAPE = [
    "entry_id", "conversation_id", "customer_id", "question_key", "question_canonical", "matched_by", "answer_text",
    "answer_source", "commitment_class", "locked", "locked_at", "supersedes", "replay_count", "correction_event",
]  # fmt: skip


def selected(columns, talk):
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT {columns} FROM answer_ledger WHERE conversation_id = %s ORDER BY locked_at",
            [talk],
        )
        return cursor.fetchall()


def test_the_view_has_the_published_columns():
    with connection.cursor() as cursor:
        cursor.execute("SELECT * FROM answer_ledger")

        assert [column.name for column in cursor.description] == SHAPE


def test_one_row_stands_for_each_answer_replay_and_correction():
    talk, terms = own("talk"), published()
    live = answered(talk, terms)
    replayed(talk, live)
    undone(talk, replayed(talk, live))
    corrected(talk, live, terms)

    rows = selected("locked, replay_count, correction_event IS NOT NULL", talk)

    assert rows == [(False, 1, False), (False, 0, False), (False, 0, False), (True, 0, True)]


def test_the_source_is_named_with_its_score_and_without_its_passage():
    talk, terms = own("talk"), published()
    answered(talk, terms)

    rows = selected(
        "answer_source ->> 'doc_id', answer_source ->> 'section', answer_source ->> 'effective_from',"
        " answer_source ? 'retrieved_score', answer_source ? 'passage'",
        talk,
    )

    assert rows == [(terms.doc_id, "§ 4", "2026-01-01", True, False)]


def test_at_most_one_row_of_a_question_is_locked_and_it_is_the_live_one():
    talk, terms = own("talk"), published()
    seen = []
    live = answered(talk, terms)
    for step in (
        lambda: undone(talk, live),
        lambda: answered(talk, terms, decision_id="second"),
        lambda: corrected(talk, queries.live_answers(talk)[KEY].entry_id, terms),
        lambda: undone(talk, queries.live_answers(talk)[KEY].entry_id),
        lambda: corrected(talk, queries.live_answers(talk)[KEY].entry_id, terms),
    ):
        step()
        locked = [str(row[0]) for row in selected("entry_id, locked", talk) if row[1]]
        seen.append((locked, [a.entry_id for a in queries.live_answers(talk).values()]))

    assert all(by_view == by_line for by_view, by_line in seen)
    assert [len(by_view) for by_view, _ in seen] == [0, 1, 1, 1, 1]


def test_corrections_are_listed_newest_first_and_page_by_page():
    talk, terms = own("talk"), published()
    live = answered(talk, terms)
    ids = [live := corrected(talk, live, terms, f"Text {n}.") for n in range(3)]

    first = queries.corrections(limit=2)
    rest = queries.corrections(before=(first[-1].corrected_at, first[-1].entry_id), limit=1)

    assert [c.entry_id for c in (*first, *rest)] == ids[::-1]
    assert [(c.old_text, c.new_text, c.owner, c.is_live) for c in first[:1]] == [("Text 1.", "Text 2.", "olga", True)]


def test_the_line_of_a_conversation_is_read_in_few_statements(django_assert_max_num_queries):
    talk, terms = own("talk"), published()
    live = answered(talk, terms)
    for _ in range(5):
        replayed(talk, live)

    with django_assert_max_num_queries(1):
        queries.live_answers(talk)
    with django_assert_max_num_queries(3):
        queries.entries(talk)
