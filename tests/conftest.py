"""One private database server per test session, started when the first test asks for a database.

Tests reach it as the run-time role, so that what production may not do fails here too. Ledger rows cannot be removed:
a test that writes some uses a conversation of its own.
"""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest
from django.contrib.auth.models import User
from django.db import connections
from psycopg.conninfo import make_conninfo

from console.database.places import Place, place
from console.database.preparing import migrate, preparation
from console.management.commands.create_people import create_people


@contextmanager
def open_directory() -> Iterator[Path]:
    """A directory that root's database account may enter too (pytest's own are closed), gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="countersign-test-", ignore_cleanup_errors=True) as directory:
        Path(directory).chmod(0o755)
        yield Path(directory)


@pytest.fixture
def open_path() -> Iterator[Path]:
    """Like tmp_path, and open to every account of this machine."""
    with open_directory() as directory:
        yield directory


@pytest.fixture(scope="module")
def open_module_path() -> Iterator[Path]:
    """One open directory for the tests of a module."""
    with open_directory() as directory:
        yield directory


@pytest.fixture(scope="session")
def database_place() -> Iterator[Place]:
    """The server of this session: DATABASE_URL's, or an embedded one in a directory that vanishes afterwards."""
    with open_directory() as directory:
        asked = place({**os.environ, "DATA_DIR": str(directory), "DATABASE_APP_URL": ""})
        asked = asked.renamed(f"test_{asked.name}_{os.getpid()}")
        with preparation(asked) as found:
            pass
        yield found
        connections.close_all()
        if found.cluster is not None:
            found.cluster.stop()
        else:
            _drop(found)


def _drop(found: Place) -> None:
    server = make_conninfo(**{**found.admin, "dbname": "postgres"})
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f'DROP DATABASE "{found.name}" WITH (FORCE)')
        connection.execute(f'DROP ROLE IF EXISTS "{found.app["user"]}"')


def _point_django_at(parameters: dict[str, str]) -> None:
    connections.close_all()
    target = connections.databases["default"]
    known = {"dbname": "NAME", "user": "USER", "password": "PASSWORD", "host": "HOST", "port": "PORT"}
    target.update({setting: parameters.get(name, "") for name, setting in known.items()})
    target["OPTIONS"] = {"client_encoding": "UTF8", **{k: v for k, v in parameters.items() if k not in known}}
    target["CONN_MAX_AGE"] = 0


@pytest.fixture(scope="session")
def django_db_setup(django_test_environment, django_db_blocker, database_place):
    """Migrate as the owner; then every test connects as the run-time role."""
    with django_db_blocker.unblock():
        _point_django_at(dict(database_place.owner))
        migrate()
        with psycopg.connect(make_conninfo(**database_place.owner), autocommit=True) as connection:
            # Only here: Django empties the tables after a test with real transactions.
            connection.execute("GRANT TRUNCATE ON ALL TABLES IN SCHEMA public TO countersign_app")
            connection.execute("REVOKE TRUNCATE ON django_migrations FROM countersign_app")
        _point_django_at(dict(database_place.app))
    yield
    connections.close_all()


@pytest.fixture
def owner_connection(django_db_setup, database_place):
    """A session of the tables' owner, outside the test's transaction."""
    with psycopg.connect(make_conninfo(**database_place.owner), autocommit=True) as connection:
        yield connection


@pytest.fixture
def admin_connection(django_db_setup, database_place):
    """A session of the administering role (a superuser on the embedded server)."""
    with psycopg.connect(make_conninfo(**database_place.admin), autocommit=True) as connection:
        yield connection


@pytest.fixture
def people(db) -> dict[str, User]:
    """The sample people by name."""
    create_people()
    return {user.username: user for user in User.objects.all()}


@pytest.fixture
def agent(people):
    return people["agent"]


@pytest.fixture
def agent2(people):
    return people["agent2"]


@pytest.fixture
def owner(people):
    return people["owner"]


@pytest.fixture
def manager(people):
    return people["manager"]


@pytest.fixture
def administrator(people):
    return people["admin"]
