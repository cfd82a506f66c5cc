"""Serving is refused while the run-time role could rewrite the ledger, or tables are missing."""

from dataclasses import dataclass

import pytest
from django.db import connection
from django.urls import reverse

from console.database.boot import CONSTRAINTS, NotReadyToServe, problems, require_ready

LOOSE = "CREATE TABLE ledger.loose (id int);"
DROP_LOOSE = "DROP TABLE ledger.loose"
TRIGGER = (
    "CREATE TRIGGER loose BEFORE DELETE ON ledger.loose"
    " FOR EACH ROW EXECUTE FUNCTION suppress_redundant_updates_trigger()"
)


@dataclass(frozen=True)
class Excess:
    """What must not be so, how to undo it, and what the check says of it."""

    done: str
    undone: str
    said: str


EXCESSES = [
    Excess("GRANT countersign_ledger TO {login}", "REVOKE countersign_ledger FROM {login}", "become an owner"),
    Excess("GRANT countersign_owner TO {login}", "REVOKE countersign_owner FROM {login}", "become an owner"),
    Excess("ALTER ROLE {login} SUPERUSER", "ALTER ROLE {login} NOSUPERUSER", "superuser"),
    Excess("ALTER ROLE {login} BYPASSRLS", "ALTER ROLE {login} NOBYPASSRLS", "bypasses row security"),
    Excess(
        "GRANT CREATE ON SCHEMA ledger TO countersign_app",
        "REVOKE CREATE ON SCHEMA ledger FROM countersign_app",
        "create objects: ledger",
    ),
    Excess(f"{LOOSE} ALTER TABLE ledger.loose OWNER TO {{login}}", DROP_LOOSE, "owns part of the ledger: loose"),
    Excess(f"{LOOSE} GRANT UPDATE ON ledger.loose TO countersign_app", DROP_LOOSE, "ledger's tables: loose"),
    Excess(f"{LOOSE} GRANT INSERT (id) ON ledger.loose TO countersign_app", DROP_LOOSE, "ledger's tables: loose"),
    Excess(LOOSE, DROP_LOOSE, "no trigger that refuses DELETE and TRUNCATE: loose"),
    Excess(f"{LOOSE} {TRIGGER}", DROP_LOOSE, "can be switched off: loose"),
    Excess(
        "GRANT INSERT ON ledger.checkpoint TO countersign_app",
        "REVOKE INSERT ON ledger.checkpoint FROM countersign_app",
        "ledger's tables: checkpoint",
    ),
    Excess(
        "ALTER TABLE ledger.leaf DISABLE TRIGGER leaf_stays",
        "ALTER TABLE ledger.leaf ENABLE ALWAYS TRIGGER leaf_stays",
        "can be switched off: leaf_stays",
    ),
    Excess(
        "GRANT EXECUTE ON FUNCTION ledger.leaf_count() TO countersign_app",
        "REVOKE EXECUTE ON FUNCTION ledger.leaf_count() FROM countersign_app",
        "more of the ledger than its doors: leaf_count",
    ),
    Excess(
        "ALTER FUNCTION ledger.number_leaves(integer) RESET search_path",
        "ALTER FUNCTION ledger.number_leaves(integer) SET search_path = pg_catalog, pg_temp",
        "where others may create them: number_leaves",
    ),
    Excess(
        "ALTER TABLE ledger.checkpoint RENAME TO gone",
        "ALTER TABLE ledger.gone RENAME TO checkpoint",
        "missing: checkpoint",
    ),
    Excess(
        "ALTER TABLE ledger.entry RENAME CONSTRAINT entry_hash_follows TO gone",
        "ALTER TABLE ledger.entry RENAME CONSTRAINT gone TO entry_hash_follows",
        "a constraint of the ledger is missing: entry_hash_follows",
    ),
    Excess(
        "ALTER TABLE ledger.leaf DROP CONSTRAINT leaf_entry_id_fkey",
        "ALTER TABLE ledger.leaf ADD CONSTRAINT leaf_entry_id_fkey"
        " FOREIGN KEY (entry_id) REFERENCES ledger.entry (id) NOT VALID",
        "a constraint of the ledger is missing: leaf_entry_id_fkey",
    ),
    Excess(
        "ALTER INDEX ledger.entry_one_first_answer RENAME TO gone",
        "ALTER INDEX ledger.gone RENAME TO entry_one_first_answer",
        "a constraint of the ledger is missing: entry_one_first_answer",
    ),
]


@pytest.mark.parametrize("excess", EXCESSES, ids=lambda excess: excess.done[:60])
def test_a_too_powerful_role_is_not_served(db, database_place, admin_connection, excess):
    login = database_place.app["user"]
    admin_connection.execute(excess.done.format(login=login))
    try:
        found = problems()
    finally:
        admin_connection.execute(excess.undone.format(login=login))

    assert any(excess.said in problem for problem in found), found
    assert problems() == []


def test_every_constraint_of_the_ledger_is_looked_for(db, admin_connection):
    found = admin_connection.execute(
        "SELECT conname FROM pg_constraint"
        " WHERE connamespace = 'ledger'::regnamespace AND conrelid <> 0 AND contype NOT IN ('n', 't')"
        " UNION SELECT indexrelid::regclass::text FROM pg_index JOIN pg_class ON pg_class.oid = indrelid"
        " WHERE relnamespace = 'ledger'::regnamespace AND indisunique"
    ).fetchall()

    assert {name.removeprefix("ledger.") for (name,) in found} == set(CONSTRAINTS.split())


@pytest.fixture
def forgotten_migration(owner_connection):
    owner_connection.execute("UPDATE django_migrations SET name = '0001_lost' WHERE app = 'sessions'")
    yield
    owner_connection.execute("UPDATE django_migrations SET name = '0001_initial' WHERE app = 'sessions'")


def test_missing_migrations_are_not_served(db, forgotten_migration):
    assert any("1 migrations are missing" in problem for problem in problems())


def test_healthz_is_open_to_everybody_and_says_yes(client, db):
    response = client.get(reverse("healthz"))

    assert (response.status_code, response.json()) == (200, {"status": "ok"})


def test_healthz_says_what_is_wrong(client, db, forgotten_migration):
    response = client.get(reverse("healthz"))

    assert response.status_code == 503
    assert "prepare_database" in response.json()["problems"][0]


def test_healthz_says_when_the_database_does_not_answer(client, transactional_db, monkeypatch):
    connection.close()
    with monkeypatch.context() as elsewhere:
        elsewhere.setitem(connection.settings_dict, "HOST", "/nowhere")
        response = client.get(reverse("healthz"))

    assert response.status_code == 503
    assert "does not answer" in response.json()["problems"][0]


@pytest.mark.django_db(transaction=True)
def test_a_server_process_refuses_to_start(forgotten_migration):
    with pytest.raises(NotReadyToServe, match="migrations are missing"):
        require_ready()
