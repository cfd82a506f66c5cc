"""Make a database ready: start the embedded server, create roles and database, grant rights, migrate."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.core.management import call_command
from django.db import connection
from psycopg import OperationalError, connect, sql
from psycopg.conninfo import make_conninfo

from console.database.places import OWNER_ROLE, Place
from console.database.roles import Admin, create_roles, grant_database_rights

PREPARING = 7316009  # an arbitrary number: the advisory lock that two preparations at once meet at


@contextmanager
def preparation(place: Place) -> Iterator[Place]:
    """Start the server if it is ours, create roles, the database and its rights; yield the place with its log-in.

    Only what is missing is created. A second preparation waits until the block of the first has ended, so the block
    is where to migrate. Raises psycopg.Error where DATABASE_URL's role may not create roles and databases.
    """
    if place.cluster is not None:
        place.cluster.start()
    with connect(_server(place), autocommit=True) as server:
        server.execute("SELECT pg_advisory_lock(%s)", [PREPARING])
        place = create_roles(server, place)
        if not _database_exists(server, place.name):
            name, owner = sql.Identifier(place.name), sql.Identifier(OWNER_ROLE)
            creation = sql.SQL("CREATE DATABASE {} OWNER {} TEMPLATE template0 ENCODING 'UTF8'")
            server.execute(creation.format(name, owner))
        with connect(make_conninfo(**place.admin), autocommit=True) as inside:
            grant_database_rights(inside, place)
        yield place


def migrate() -> None:
    """Bring the tables up to date over Django's connection, which must be the owner's.

    What has been applied is then for the owner alone to say.
    """
    call_command("migrate", verbosity=0, interactive=False)
    with connection.cursor() as cursor:
        cursor.execute("REVOKE INSERT, UPDATE, DELETE, TRUNCATE ON django_migrations FROM countersign_app")


def _server(place: Place) -> str:
    """Return where preparations meet: the server's own database, or ours where an operator gives no other."""
    common = make_conninfo(**{**place.admin, "dbname": "postgres"})
    try:
        with connect(common):
            return common
    except OperationalError:
        return make_conninfo(**place.admin)


def _database_exists(server: Admin, name: str) -> bool:
    return server.execute("SELECT 1 FROM pg_database WHERE datname = %s", [name]).fetchone() is not None
