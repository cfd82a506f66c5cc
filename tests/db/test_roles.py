"""The run-time role can serve and nothing more."""

import psycopg
import pytest
from django.db import connection

from console.database.boot import problems


def test_tests_run_as_the_run_time_role(db):
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_user")

        assert cursor.fetchone()[0].startswith("countersign_web")


def test_a_prepared_database_may_be_served(db):
    assert problems() == []


@pytest.mark.parametrize(
    "statement",
    [
        "CREATE TABLE public.own (id int)",
        "CREATE TABLE ledger.own (id int)",
        "CREATE TEMPORARY TABLE own (id int)",
        "SET ROLE countersign_owner",
        "SET ROLE countersign_ledger",
        "CREATE ROLE other",
        "INSERT INTO django_migrations (app, name, applied) VALUES ('ledger', 'x', now())",
    ],
)
def test_the_run_time_role_may_not(db, statement):
    with pytest.raises(psycopg.errors.InsufficientPrivilege), connection.connection.cursor() as cursor:
        cursor.execute(statement)


def test_the_owner_of_the_tables_is_no_superuser(owner_connection):
    row = owner_connection.execute(
        "SELECT current_user, rolsuper FROM pg_roles WHERE rolname = current_user"
    ).fetchone()

    assert row == ("countersign_owner", False)
