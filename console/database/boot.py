"""The check before serving: the run-time role must be unable to rewrite the ledger, and the tables must be current."""

from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor

RULES = (
    (
        "the run-time role is a superuser or bypasses row security",
        "SELECT rolname FROM pg_roles WHERE rolname IN (current_user, session_user) AND (rolsuper OR rolbypassrls)",
    ),
    (
        "the run-time role may become an owner",
        "SELECT rolname FROM pg_roles WHERE rolname IN ('countersign_owner', 'countersign_ledger')"
        " AND pg_has_role(session_user, oid, 'MEMBER')",
    ),
    (
        "the run-time role owns part of the ledger",
        "SELECT relname FROM pg_class WHERE relnamespace = 'ledger'::regnamespace"
        " AND pg_has_role(session_user, relowner, 'USAGE')",
    ),
    (
        "the run-time role may write to the ledger's tables",
        "SELECT relname FROM pg_class WHERE relnamespace = 'ledger'::regnamespace AND relkind IN ('r', 'p')"
        " AND (has_table_privilege(oid, 'INSERT, UPDATE, DELETE, TRUNCATE, TRIGGER')"
        " OR has_any_column_privilege(oid, 'INSERT, UPDATE'))",
    ),
    (
        "the run-time role may create objects",
        "SELECT nspname FROM pg_namespace WHERE nspname IN ('public', 'ledger') AND has_schema_privilege(oid, 'CREATE')",
    ),
    (
        "a trigger of the ledger can be switched off",
        "SELECT tgname FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid"
        " WHERE relnamespace = 'ledger'::regnamespace AND NOT tgisinternal AND tgenabled <> 'A'",
    ),
)


def problems() -> list[str]:
    """Return every reason not to serve, each in one sentence; empty means ready."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT to_regnamespace('ledger') IS NOT NULL")
            if not cursor.fetchone()[0]:
                return ["the database is not prepared: run `python manage.py prepare_database`"]
        return [*_broken_rules(), *_missing_migrations()]
    except DatabaseError as error:
        return [f"the database does not answer: {str(error).strip().splitlines()[0]}"]


def _broken_rules() -> list[str]:
    found = []
    with connection.cursor() as cursor:
        for meaning, query in RULES:
            cursor.execute(query)
            if names := [str(row[0]) for row in cursor.fetchall()]:
                found.append(f"{meaning}: {', '.join(names)}")
    return found


def _missing_migrations() -> list[str]:
    executor = MigrationExecutor(connection)
    plan = executor.migration_plan(executor.loader.graph.leaf_nodes())
    if not plan:
        return []
    return [f"{len(plan)} migrations are missing: run `python manage.py prepare_database`"]
