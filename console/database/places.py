"""Which database this installation talks to, and as whom: worked out from the environment, without connecting.

`DATABASE_URL` names the administering role of a server; `DATABASE_APP_URL` the run-time log-in, where an operator made
it, and all that a web process needs. Without either the embedded PostgreSQL below `DATA_DIR` is meant.
"""

import json
import os
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import psycopg
from psycopg.conninfo import conninfo_to_dict

from console.database.accounts import ROOTS_HOME, owner_of, server_account
from console.database.binaries import find_binaries
from console.database.embedded import ADMIN, PORT, Cluster
from console.environment import SetupProblem
from console.keeping import keep_once

OWNER_ROLE = "countersign_owner"
LEDGER_ROLE = "countersign_ledger"
APP_ROLE = "countersign_app"
WEB_LOGIN = "countersign_web"
PROJECT = Path(__file__).resolve().parent.parent.parent


class BadDatabaseUrl(SetupProblem):
    """DATABASE_URL or DATABASE_APP_URL cannot be read."""


@dataclass(frozen=True)
class Place:
    """One database of one installation and the log-ins that reach it (libpq parameters, by name)."""

    admin: Mapping[str, str]
    app: Mapping[str, str]
    cluster: Cluster | None
    app_login_file: Path | None

    @property
    def name(self) -> str:
        """Return the database's name."""
        return self.admin["dbname"]

    @property
    def owner(self) -> Mapping[str, str]:
        """Return the administering log-in that acts as the owner of the tables from its first statement."""
        options = f"{self.admin.get('options', '')} -c role={OWNER_ROLE}".strip()
        return {**self.admin, "options": options}

    def renamed(self, name: str) -> "Place":
        """Return the same server and log-ins with another database."""
        return replace(self, admin={**self.admin, "dbname": name}, app={**self.app, "dbname": name})


def data_directory(environment: Mapping[str, str]) -> Path:
    """Return DATA_DIR, absolute; `.data` beside manage.py unless given."""
    return Path(environment.get("DATA_DIR") or PROJECT / ".data").expanduser().absolute()


def place(environment: Mapping[str, str]) -> Place:
    """Return the database that the environment asks for. Raises BadDatabaseUrl."""
    directory = data_directory(environment)
    if url := environment.get("DATABASE_URL") or environment.get("DATABASE_APP_URL"):
        return _given_place(url, environment.get("DATABASE_APP_URL"), directory / "database" / "app.json")
    cluster = embedded_cluster(environment)
    base = {"host": str(cluster.socket_directory), "port": str(PORT), "dbname": "countersign"}
    return Place({**base, "user": ADMIN}, {**base, "user": WEB_LOGIN}, cluster, None)


def embedded_cluster(environment: Mapping[str, str]) -> Cluster:
    """Return the embedded server that belongs to DATA_DIR; its place is chosen once and kept there."""
    directory = data_directory(environment)
    inside = directory / "database"
    home = inside / keep_once(inside / "home", lambda: _new_home(inside, given=bool(environment.get("DATA_DIR"))))
    account = owner_of(home / "data") if (home / "data").exists() else server_account()
    return Cluster(home, find_binaries(environment.get("POSTGRES_BIN")), account)


def _new_home(inside: Path, *, given: bool) -> str:
    """Choose a directory for a new server, relative to `inside` where it moves with it.

    It lies in DATA_DIR where the server's account can enter. Root's server runs as an account that usually cannot
    (/root is closed), so it then gets a directory of its own below /var/lib/countersign, new for every new DATA_DIR.
    """
    inside.mkdir(parents=True, exist_ok=True)
    account = server_account()
    if account.is_current or (given and account.can_enter(inside)):
        return "."
    outside = ROOTS_HOME / secrets.token_hex(4)
    outside.mkdir(parents=True)
    return str(outside)


def _given_place(url: str, app_url: str | None, login_file: Path) -> Place:
    admin = _parameters("DATABASE_URL", url)
    if app_url:
        return Place(admin, _parameters("DATABASE_APP_URL", app_url), None, None)
    login = {"user": WEB_LOGIN}
    if login_file.exists():
        login = json.loads(login_file.read_text(encoding="utf-8"))
    app = {name: value for name, value in admin.items() if name not in {"user", "password", "options"}}
    return Place(admin, {**app, **login}, None, login_file)


def _parameters(variable: str, url: str) -> dict[str, str]:
    try:
        parameters = {name: str(value) for name, value in conninfo_to_dict(url).items()}
    except psycopg.ProgrammingError as error:
        raise BadDatabaseUrl(f"{variable} is not readable: {str(error).strip()}") from error
    if not parameters.get("dbname"):
        raise BadDatabaseUrl(f"{variable} names no database: postgresql://user:password@host:5432/countersign")
    return parameters


def current_place() -> Place:
    """Return the database that this process's environment asks for."""
    return place(os.environ)
