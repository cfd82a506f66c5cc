"""The audit: what each check counts, and that a healthy desk has nothing to show."""

from dataclasses import replace

import pytest
from psycopg.types.json import Jsonb

from ledger import queries
from ledger.decisions.vocabulary import DocumentKind, VersionStatus
from ledger.queries import auditing
from ledger.services.policies import put_version
from tests.db.ledger_help import KEY, NOW, answered, corrected, own, published, replayed, undone

pytestmark = pytest.mark.django_db


def rows(number):
    return next(check.rows for check in queries.audit() if check.id == number)


def test_a_healthy_desk_has_nothing_to_show():
    talk, terms = own("talk"), published()
    live = answered(talk, terms)
    replayed(talk, live)
    corrected(talk, live, terms)

    mine = [row for check in queries.audit() for row in check.rows if row.get("conversation_id") in {talk, None}]

    assert mine == []
    assert [check.id for check in queries.audit()] == [1, 2, 3, 4, 5]


def test_an_answer_withdrawn_before_it_left_is_no_second_answer():
    talk, terms = own("talk"), published()
    undone(talk, answered(talk, terms, "First."))
    answered(talk, terms, "Second.")

    assert [row for row in rows(1) if row["conversation_id"] == talk] == []


def test_a_key_that_two_documents_answer_is_one_row_whatever_the_channels():
    terms, leaflet = published(), published(version="L1", kind=DocumentKind.PROMOTION)

    assert [(row["question_key"], row["documents"], row["channels"]) for row in rows(2)] == [
        (KEY, sorted([terms.doc_id, leaflet.doc_id]), ["chat", "mail"])
    ]


@pytest.mark.parametrize(
    "change",
    [
        pytest.param({"status": VersionStatus.RETIRED}, id="retired"),
        pytest.param({"kind": DocumentKind.THIRD_PARTY}, id="third-party"),
        pytest.param({"channels": frozenset({"counter"})}, id="another-channel"),
    ],
)
def test_a_document_that_cannot_answer_is_no_rival(change):
    published()
    published(version="L1", **change)

    assert rows(2) == ()


def test_rows_from_outside_the_ledger_join_their_check():
    check = next(c for c in queries.audit({3: [{"conversation_id": "talk"}]}) if c.id == 3)

    assert (len(check.rows), check.healthy) == (1, False)


def test_what_rules_would_refuse_today_is_found_when_it_stands_in_the_ledger(admin_connection):
    """Rows from before a rule, or written past it, are what checks 1, 4 and 5 are for."""
    with admin_connection.transaction(force_rollback=True):
        admin_connection.execute("CREATE TEMPORARY TABLE entry (LIKE ledger.entry)")
        for position, change in enumerate(
            (
                {"kind": "ANSWER", "answer_text": "One."},
                {"kind": "ANSWER", "answer_text": "Two.", "answer_source": None},
                {"kind": "CORRECTION", "answer_text": "Two.", "reason": " ", "owner": None},
            )
        ):
            row = {**ROW, "position": position, "id": f"00000000-0000-4000-8000-00000000000{position}", **change}
            admin_connection.execute(
                "INSERT INTO entry SELECT * FROM jsonb_populate_record(NULL::ledger.entry, %s)", [Jsonb(row)]
            )
        counts = [
            len(admin_connection.execute(query.replace("ledger.entry", "pg_temp.entry")).fetchall())
            for query in (auditing._SEVERAL_ANSWERS, auditing._INCOMPLETE_CORRECTIONS, auditing._UNSOURCED)
        ]

    assert counts == [1, 1, 1]


HASH = "\\x" + "00" * 32
ROW = {
    "conversation_id": "talk", "question_key": KEY, "asked_key": KEY, "question_canonical": "?", "matched_by": "form",
    "answer_source": {"doc_id": "terms", "version": "T1"}, "commitment_class": "binding_policy", "deciding_facts": {},
    "decided_by": "ana", "decision_id": "d", "effective_at": "2026-01-01T00:00Z", "recorded_at": "2026-01-01T00:00Z",
    "payload": "\\x00", "format_version": 1, "prev_hash": HASH, "entry_hash": HASH,
}  # fmt: skip


def test_narrowing_a_document_ends_the_row():
    terms, leaflet = published(), published(version="L1")

    put_version(replace(leaflet, channels=frozenset({"counter"})), actor=None, now=NOW)

    assert (terms.version, rows(2)) == ("T1", ())
