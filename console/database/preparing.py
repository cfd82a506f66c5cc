"""Make a database ready: start the embedded server, create roles and database, grant rights, migrate."""

from django.core.management import call_command
from django.db import connection
from psycopg import connect, sql
from psycopg.conninfo import make_conninfo

from console.database.places import OWNER_ROLE, Place
from console.database.roles import Admin, create_roles, grant_database_rights

PREPARING = 7316009  # an arbitrary number: the advisory lock that two preparations at once meet at


def create_database(place: Place) -> Place:
    """Start the server if it is ours, create roles, the database and its rights; return the place with its log-in.

    Everything is created only where missing, and two calls at once wait for each other.
    """
    if place.cluster is not None:
        place.cluster.start()
    with connect(_server(place), autocommit=True) as server:
        server.execute("SELECT pg_advisory_lock(%s)", [PREPARING])
        place = create_roles(server, place)
        if not _database_exists(server, place.name):
            name, owner = sql.Identifier(place.name), sql.Identifier(OWNER_ROLE)
            server.execute(sql.SQL("CREATE DATABASE {} OWNER {} TEMPLATE template0 ENCODING 'UTF8'").format(name, owner))
        with connect(make_conninfo(**place.admin), autocommit=True) as inside:
            grant_database_rights(inside, place)
    return place


def _server(place: Place) -> str:
    """Return where to connect before the database exists: the database itself where an operator made it."""
    try:
        with connect(make_conninfo(**place.admin)):
            return make_conninfo(**place.admin)
    except Exception:  # noqa: BLE001
        return make_conninfo(**{**place.admin, "dbname": "postgres"})


def _database_exists(server: Admin, name: str) -> bool:
    return server.execute("SELECT 1 FROM pg_database WHERE datname = %s", [name]).fetchone() is not None


def migrate() -> None:
    """Bring the tables up to date, over Django's connection as the owner; what is applied is for the owner alone to say."""
    call_command("migrate", verbosity=0, interactive=False)
    with connection.cursor() as cursor:
        cursor.execute("REVOKE INSERT, UPDATE, DELETE, TRUNCATE ON django_migrations FROM countersign_app")
