"""Who may do what in the database.

`countersign_owner` owns the ordinary tables and runs migrations, `countersign_ledger` owns the ledger, and
`countersign_app` is what the web, workers and commands may do. None of the three can log in. The run-time log-in is a
member of the last one only, so that no bug in the application can rewrite what was promised.
"""

import json
import os
import secrets
from dataclasses import replace
from pathlib import Path

from psycopg import Connection, sql

from console.database.places import APP_ROLE, LEDGER_ROLE, OWNER_ROLE, WEB_LOGIN, Place

type Admin = Connection[tuple[object, ...]]

PLAIN = "NOSUPERUSER NOCREATEDB NOCREATEROLE NOBYPASSRLS"
SESSION_LIMITS = {  # a stuck request must not hold its locks for ever
    "idle_in_transaction_session_timeout": "60s",
    "lock_timeout": "10s",
    "statement_timeout": "60s",
    "timezone": "UTC",
}


def create_roles(connection: Admin, place: Place) -> Place:
    """Create what is missing of the roles and the run-time log-in; return the place with the log-in in it."""
    for role in (OWNER_ROLE, LEDGER_ROLE, APP_ROLE):
        if not _role_exists(connection, role):
            _run(connection, f"CREATE ROLE {{}} NOLOGIN {PLAIN}", role)
    administrator = connection.info.user
    for role in (OWNER_ROLE, LEDGER_ROLE):
        if not _may_become(connection, administrator, role):
            _run(connection, "GRANT {} TO {}", role, administrator)
    place = _with_login(connection, place)
    if not _may_become(connection, place.app["user"], APP_ROLE):
        _run(connection, "GRANT {} TO {}", APP_ROLE, place.app["user"])
    return place


def grant_database_rights(connection: Admin, place: Place) -> None:
    """Give each role its rights in the database that `connection` is on. Repeating it changes nothing."""
    if not connection.execute(
        "SELECT FROM pg_database WHERE datname = current_database() AND datdba = %s::regrole", [OWNER_ROLE]
    ).fetchone():
        _run(connection, "ALTER DATABASE {} OWNER TO {}", place.name, OWNER_ROLE)
    _run(connection, "CREATE SCHEMA IF NOT EXISTS ledger AUTHORIZATION {}", LEDGER_ROLE)
    _run(connection, "SET ROLE {}", OWNER_ROLE)
    _grant_as_owner(connection, place.name)
    _run(connection, "SET ROLE {}", LEDGER_ROLE)
    _run(connection, "REVOKE ALL ON SCHEMA ledger FROM PUBLIC")
    _run(connection, "GRANT USAGE ON SCHEMA ledger TO {}, {}", APP_ROLE, OWNER_ROLE)
    _run(connection, "RESET ROLE")
    for name, value in SESSION_LIMITS.items():
        limit = sql.SQL("ALTER ROLE {} IN DATABASE {} SET {} = {}")
        parts = (*map(sql.Identifier, (place.app["user"], place.name, name)), sql.Literal(value))
        connection.execute(limit.format(*parts))


def _grant_as_owner(connection: Admin, database: str) -> None:
    _run(connection, "CREATE EXTENSION IF NOT EXISTS btree_gist SCHEMA public")  # ranges that may not overlap per key
    _run(connection, "REVOKE ALL ON DATABASE {} FROM PUBLIC", database)
    _run(connection, "GRANT CONNECT ON DATABASE {} TO {}, {}", database, APP_ROLE, LEDGER_ROLE)
    _run(connection, "REVOKE CREATE ON SCHEMA public FROM PUBLIC")
    _run(connection, "GRANT USAGE ON SCHEMA public TO {}, {}", APP_ROLE, LEDGER_ROLE)
    defaults = "ALTER DEFAULT PRIVILEGES FOR ROLE {} IN SCHEMA public GRANT "
    _run(connection, defaults + "SELECT, INSERT, UPDATE, DELETE ON TABLES TO {}", OWNER_ROLE, APP_ROLE)
    _run(connection, defaults + "USAGE, SELECT ON SEQUENCES TO {}", OWNER_ROLE, APP_ROLE)


def _with_login(connection: Admin, place: Place) -> Place:
    """Create the run-time log-in: known by its account on the embedded server, by a kept password elsewhere."""
    if place.cluster is not None:
        if not _role_exists(connection, WEB_LOGIN):
            _run(connection, f"CREATE ROLE {{}} LOGIN {PLAIN}", WEB_LOGIN)
        return place
    if place.app_login_file is None or ("password" in place.app and _role_exists(connection, place.app["user"])):
        return place
    name = f"{WEB_LOGIN}_{secrets.token_hex(4)}" if _role_exists(connection, WEB_LOGIN) else WEB_LOGIN
    login = {"user": name, "password": secrets.token_urlsafe(24)}
    statement = sql.SQL(f"CREATE ROLE {{}} LOGIN {PLAIN} PASSWORD {{}}")
    connection.execute(statement.format(sql.Identifier(name), sql.Literal(login["password"])))
    _keep_login(place.app_login_file, login)
    return replace(place, app={**place.app, **login})


def _keep_login(path: Path, login: dict[str, str]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as file:
        json.dump(login, file)


def _role_exists(connection: Admin, role: str) -> bool:
    return connection.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", [role]).fetchone() is not None


def _may_become(connection: Admin, member: str, role: str) -> bool:
    right = "SET" if connection.info.server_version >= 160000 else "MEMBER"  # 16 knows members that may not SET ROLE
    row = connection.execute("SELECT pg_has_role(%s, %s, %s)", [member, role, right]).fetchone()
    return row is not None and bool(row[0])


def _run(connection: Admin, statement: str, *names: str) -> None:
    connection.execute(sql.SQL(statement).format(*map(sql.Identifier, names)))
