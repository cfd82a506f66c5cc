"""What a superuser changed behind the ledger's back is found, by row and layer."""

import json
from contextlib import contextmanager
from io import StringIO

import pytest
from django.core.management import call_command
from django.db import connection, transaction

from ledger import queries
from ledger.decisions.chain import Layer, entry_hash
from ledger.models import PolicyStatement, PolicyVersion
from tests.db.ledger_help import (
    FIVE_YEARS,
    answered,
    corrected,
    kept,
    own,
    published,
    replayed,
    unprotected,
)

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def talk():
    """A conversation with an answer, a replay and a correction, stored."""
    name = own("talk")
    with transaction.atomic():
        terms = published()
        live = answered(name, terms)
        replayed(name, live)
        corrected(name, live, terms)
    return name


@pytest.fixture
def tamper(admin_connection, talk):
    """Run statements as a superuser with the triggers off; everything is put back after the test."""

    def run(*statements):
        with unprotected(admin_connection):
            for statement in statements:
                admin_connection.execute(statement, {"talk": talk})

    with kept(admin_connection, talk):
        yield run


def found(talk):
    return {
        (problem.layer, problem.position)
        for line in queries.verify()
        if line.conversation_id == talk
        for problem in line.problems
    }


def test_an_untouched_ledger_has_no_problems(talk):
    checked = [line for line in queries.verify() if line.conversation_id == talk]

    assert [(line.entries, line.problems) for line in checked] == [(3, ())]


def test_another_time_zone_and_way_of_writing_dates_changes_nothing(talk):
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL timezone = 'Asia/Kathmandu'")
        cursor.execute("SET LOCAL datestyle = 'German'")
        cursor.execute("SET LOCAL intervalstyle = 'sql_standard'")
        cursor.execute("SET LOCAL extra_float_digits = -3")

        assert found(talk) == set()


AT_TWO = "WHERE conversation_id = %(talk)s AND position = 2"
COLUMNS = [
    ("answer_text", "'Something else.'"),
    ("customer_id", "'somebody'"),
    ("channel", "NULL"),
    ("kind", "'WITHDRAWAL'"),
    ("asked_key", "'other::key'"),
    ("question_canonical", "'Another question?'"),
    ("matched_by", "'person'"),
    ("answer_source", "jsonb_set(answer_source, '{version}', '\"T0\"')"),
    ("commitment_class", "'estimate'"),
    ("deciding_facts", '\'{"bought_on": "2020-01-01"}\''),
    ("restores", "id"),
    ("decided_by", "'somebody'"),
    ("decision_id", "'another'"),
    ("effective_at", "effective_at - interval '1 microsecond'"),
    ("recorded_at", "recorded_at + interval '1 day'"),
    ("recorded_at", "'infinity'"),
]


def test_every_changed_column_is_found(talk, tamper, admin_connection):
    seen = []
    for column, value in COLUMNS:
        with kept(admin_connection, talk), without_checks(admin_connection):
            tamper(f"UPDATE ledger.entry SET {column} = {value} {AT_TWO}")
            seen.append((column, found(talk)))

    assert seen == [(column, {(Layer.COLUMNS, 2)}) for column, _ in COLUMNS]


@contextmanager
def without_checks(session):
    """Set the rules of one row aside, and bring them back for new rows."""
    rules = session.execute(
        "SELECT conname, pg_get_constraintdef(oid) FROM pg_constraint"
        " WHERE conrelid = 'ledger.entry'::regclass AND contype = 'c' AND conname LIKE 'entry_%'"
    ).fetchall()
    for name, _ in rules:
        session.execute(f"ALTER TABLE ledger.entry DROP CONSTRAINT {name}")
    try:
        yield
    finally:
        for name, rule in rules:
            session.execute(
                f"ALTER TABLE ledger.entry ADD CONSTRAINT {name} {rule.removesuffix(' NOT VALID')} NOT VALID"
            )


def rewritten(admin_connection, talk, position):
    """Return new bytes for an entry, and the hash that belongs to them."""
    payload, previous = admin_connection.execute(
        "SELECT payload, prev_hash FROM ledger.entry WHERE conversation_id = %s AND position = %s", [talk, position]
    ).fetchone()
    content = {**json.loads(payload), "answer_text": "Something else."}
    changed = json.dumps(content).encode()
    return changed, entry_hash(previous, changed)


def test_a_column_changed_together_with_its_bytes_breaks_the_chain(talk, tamper, admin_connection):
    payload, _ = rewritten(admin_connection, talk, 2)

    with without_checks(admin_connection):
        tamper(
            f"UPDATE ledger.entry SET answer_text = 'Something else.', payload = '\\x{payload.hex()}' {AT_TWO}",
        )

        assert found(talk) == {(Layer.CHAIN, 2)}


def test_bytes_and_hash_changed_together_break_the_chain_at_the_next_entry(talk, tamper, admin_connection):
    payload, hashed = rewritten(admin_connection, talk, 2)

    tamper(
        f"UPDATE ledger.entry SET answer_text = 'Something else.', payload = '\\x{payload.hex()}',"
        f" entry_hash = '\\x{hashed.hex()}' {AT_TWO}",
    )

    assert found(talk) == {(Layer.CHAIN, 3)}


def test_a_deleted_middle_entry_is_found(talk, tamper):
    tamper(f"DELETE FROM ledger.entry {AT_TWO}")

    assert found(talk) == {(Layer.CHAIN, 3)}


def test_a_deleted_newest_entry_is_found(talk, tamper):
    tamper("DELETE FROM ledger.entry WHERE conversation_id = %(talk)s AND position = 3")

    assert found(talk) == {(Layer.HEADS, None)}


def test_a_deleted_conversation_whose_head_stayed_is_found(talk, tamper):
    tamper("DELETE FROM ledger.entry WHERE conversation_id = %(talk)s")

    assert found(talk) == {(Layer.HEADS, None)}


def test_a_deleted_head_is_found(talk, tamper):
    tamper("DELETE FROM ledger.head WHERE conversation_id = %(talk)s")

    assert found(talk) == {(Layer.HEADS, None)}


def test_an_entry_moved_to_another_place_is_found(talk, tamper):
    tamper("UPDATE ledger.entry SET position = 9 WHERE conversation_id = %(talk)s AND position = 3")

    assert {layer for layer, _ in found(talk)} == {Layer.COLUMNS, Layer.CHAIN, Layer.HEADS}


def test_a_changed_or_added_fact_is_found(talk, tamper):
    tamper(
        "INSERT INTO ledger.fact"
        " SELECT id, 0, 'duration', 'months', 60, 60, 'exactly', NULL, NULL, NULL, true, 0, 5, '[]'"
        f" FROM ledger.entry {AT_TWO}"
    )

    assert found(talk) == {(Layer.COLUMNS, 2)}


def test_a_policy_text_swapped_after_use_is_found(talk, admin_connection):
    version = PolicyVersion.objects.get()
    swap = "UPDATE ledger_policystatement SET text = %s WHERE version_id = %s"
    admin_connection.execute("ALTER TABLE ledger_policystatement DISABLE TRIGGER USER")
    try:
        admin_connection.execute(swap, [FIVE_YEARS, version.pk])
    finally:
        admin_connection.execute("ALTER TABLE ledger_policystatement ENABLE TRIGGER USER")

    assert PolicyStatement.objects.get().text == FIVE_YEARS
    assert found(talk) == {(Layer.SOURCES, 1), (Layer.SOURCES, 3)}


def test_the_command_names_row_and_layer_and_fails(talk, tamper):
    tamper(f"UPDATE ledger.entry SET answer_text = 'Something else.' {AT_TWO}")
    out = StringIO()

    with pytest.raises(SystemExit) as ended:
        call_command("verify_ledger", stdout=out)

    assert ended.value.code == 1
    assert f"columns: conversation {talk}, entry 2" in out.getvalue()


def test_the_command_answers_in_json_lines(talk, tamper):
    tamper(f"UPDATE ledger.entry SET answer_text = 'Something else.' {AT_TWO}")
    out = StringIO()

    with pytest.raises(SystemExit):
        call_command("verify_ledger", format="json", most=100_000, stdout=out)

    *problems, totals = [json.loads(line) for line in out.getvalue().splitlines()]
    mine = [(p["layer"], p["position"]) for p in problems if p["conversation_id"] == talk]
    assert mine == [("columns", 2)]
    assert totals["problems"] == len(problems)
