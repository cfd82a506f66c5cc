"""Who may do what in the database.

`countersign_owner` owns the ordinary tables and runs migrations, `countersign_ledger` owns the ledger, and
`countersign_app` is what the web, workers and commands may do. None of the three can log in. The run-time log-in is a
member of the last one only, so that no bug in the application can rewrite what was promised.
"""

import json
import os
import secrets
from pathlib import Path

from psycopg import Connection, sql

from console.database.places import APP_ROLE, LEDGER_ROLE, OWNER_ROLE, WEB_LOGIN, Place

type Admin = Connection[tuple[object, ...]]


def create_roles(connection: Admin, place: Place) -> Place:
    """Create what is missing of the roles and the run-time log-in; return the place with the log-in in it."""
    for role in (OWNER_ROLE, LEDGER_ROLE, APP_ROLE):
        if not _role_exists(connection, role):
            _run(connection, "CREATE ROLE {} NOLOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOBYPASSRLS", role)
    for role in (OWNER_ROLE, LEDGER_ROLE):
        if not _may_become(connection, role):
            _run(connection, "GRANT {} TO CURRENT_USER", role)
    place = _with_login(connection, place)
    login = place.app["user"]
    if place.app_login_file is not None or place.cluster is not None:
        _run(connection, "GRANT {} TO {}", APP_ROLE, login)
    return place


def grant_database_rights(connection: Admin, place: Place) -> None:
    """Give each role its rights in the database that `connection` is on. Repeating it changes nothing."""
    _run(connection, "REVOKE ALL ON DATABASE {} FROM PUBLIC", place.name)
    _run(connection, "GRANT CONNECT ON DATABASE {} TO {}, {}", place.name, APP_ROLE, LEDGER_ROLE)
    _run(connection, "CREATE EXTENSION IF NOT EXISTS btree_gist SCHEMA public")
    _run(connection, "CREATE SCHEMA IF NOT EXISTS ledger AUTHORIZATION {}", LEDGER_ROLE)
    connection.execute("SET ROLE countersign_owner")
    _run(connection, "REVOKE CREATE ON SCHEMA public FROM PUBLIC")
    _run(connection, "GRANT USAGE ON SCHEMA public TO {}, {}", APP_ROLE, LEDGER_ROLE)
    rights = "ALTER DEFAULT PRIVILEGES FOR ROLE {} IN SCHEMA public GRANT "
    _run(connection, rights + "SELECT, INSERT, UPDATE, DELETE ON TABLES TO {}", OWNER_ROLE, APP_ROLE)
    _run(connection, rights + "USAGE, SELECT ON SEQUENCES TO {}", OWNER_ROLE, APP_ROLE)
    connection.execute("SET ROLE countersign_ledger")
    _run(connection, "REVOKE ALL ON SCHEMA ledger FROM PUBLIC")
    _run(connection, "GRANT USAGE ON SCHEMA ledger TO {}, {}", APP_ROLE, OWNER_ROLE)
    connection.execute("RESET ROLE")
    _limit_sessions(connection, place)


def _limit_sessions(connection: Admin, place: Place) -> None:
    """Keep a stuck request from holding locks for ever; the clock of every session is UTC."""
    if place.app_login_file is None and place.cluster is None:
        return  # the operator made this log-in and sets its limits
    limits = {"idle_in_transaction_session_timeout": "60s", "lock_timeout": "10s", "statement_timeout": "60s", "timezone": "UTC"}
    for name, value in limits.items():
        statement = sql.SQL("ALTER ROLE {} IN DATABASE {} SET {} = {}")
        login, database = sql.Identifier(place.app["user"]), sql.Identifier(place.name)
        connection.execute(statement.format(login, database, sql.Identifier(name), sql.Literal(value)))


def _with_login(connection: Admin, place: Place) -> Place:
    """Create the run-time log-in: known by its account on the embedded server, by a kept password elsewhere."""
    if place.cluster is not None:
        if not _role_exists(connection, WEB_LOGIN):
            _run(connection, "CREATE ROLE {} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOBYPASSRLS", WEB_LOGIN)
        return place
    if place.app_login_file is None:
        return place
    if "password" in place.app and _role_exists(connection, place.app["user"]):
        return place
    name = f"{WEB_LOGIN}_{secrets.token_hex(4)}" if _role_exists(connection, WEB_LOGIN) else WEB_LOGIN
    login = {"user": name, "password": secrets.token_urlsafe(24)}
    statement = sql.SQL("CREATE ROLE {} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOBYPASSRLS PASSWORD {}")
    connection.execute(statement.format(sql.Identifier(name), sql.Literal(login["password"])))
    _keep_login(place.app_login_file, login)
    return Place(place.admin, {**place.app, **login}, None, place.app_login_file)


def _keep_login(path: Path, login: dict[str, str]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as file:
        json.dump(login, file)


def _role_exists(connection: Admin, role: str) -> bool:
    return connection.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", [role]).fetchone() is not None


def _may_become(connection: Admin, role: str) -> bool:
    row = connection.execute("SELECT pg_has_role(current_user, %s, 'MEMBER')", [role]).fetchone()
    return row is not None and bool(row[0])


def _run(connection: Admin, statement: str, *names: str) -> None:
    connection.execute(sql.SQL(statement).format(*map(sql.Identifier, names)))  # type: ignore[arg-type]  # our own text
