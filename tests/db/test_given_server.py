"""With DATABASE_URL, roles and rights are made by whoever it names, who need not be a superuser."""

import json
import os
import signal
from uuid import uuid4

import psycopg
import pytest
from psycopg.conninfo import make_conninfo

from console.database.accounts import server_account
from console.database.binaries import find_binaries
from console.database.embedded import Cluster
from console.database.places import BadDatabaseUrl, place
from console.database.preparing import preparation


@pytest.fixture(scope="module")
def server(open_module_path):
    """A server that knows people by password, as an operator's does, with an administrator who is no superuser."""
    cluster = Cluster(open_module_path, find_binaries(os.environ.get("POSTGRES_BIN")), server_account())
    cluster.start()
    with psycopg.connect(cluster.conninfo(), autocommit=True) as connection:
        connection.execute("CREATE ROLE operator LOGIN CREATEROLE CREATEDB PASSWORD 'known'")
    access = f"local all {cluster.account.name} peer\nlocal all countersign_admin peer map=countersign\n"
    (cluster.data / "pg_hba.conf").write_text(access + "local all all scram-sha-256\n")
    os.kill(cluster.running_pid(), signal.SIGHUP)
    yield cluster
    cluster.stop()


@pytest.fixture
def environment(server, tmp_path):
    name = f"desk_{uuid4().hex[:8]}"
    url = make_conninfo(host=str(server.socket_directory), port=5432, user="operator", password="known", dbname=name)
    return {"DATABASE_URL": url, "DATA_DIR": str(tmp_path / "data")}


def run_time_session(prepared):
    return psycopg.connect(make_conninfo(**prepared.app), autocommit=True)


def test_an_operator_without_superuser_rights_prepares_a_database(environment):
    with preparation(place(environment)) as prepared:
        pass

    with psycopg.connect(make_conninfo(**prepared.owner)) as connection:
        connection.execute("CREATE TABLE note (id bigint GENERATED ALWAYS AS IDENTITY, text text)")
    with run_time_session(prepared) as connection:
        connection.execute("INSERT INTO note (text) VALUES ('kept')")
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            connection.execute("DROP TABLE note")


def test_preparing_again_changes_nothing(environment):
    with preparation(place(environment)) as first:
        pass
    with preparation(place(environment)) as second:
        pass

    assert dict(first.app) == dict(second.app)


def test_the_run_time_password_is_kept_for_its_owner_alone(environment, tmp_path):
    with preparation(place(environment)) as prepared:
        pass
    kept = tmp_path / "data" / "database" / "app.json"

    assert json.loads(kept.read_text()) == {"user": prepared.app["user"], "password": prepared.app["password"]}
    assert kept.stat().st_mode & 0o077 == 0


def test_a_second_installation_on_one_server_gets_a_log_in_of_its_own(environment, tmp_path):
    with preparation(place(environment)) as first:
        pass
    other = {**environment, "DATA_DIR": str(tmp_path / "other")}
    with preparation(place(other)) as second:
        pass

    assert first.app["user"] != second.app["user"]
    run_time_session(first).close()
    run_time_session(second).close()


def test_a_database_that_the_operator_made_is_taken_over(environment, server):
    name = place(environment).name
    with psycopg.connect(server.conninfo(), autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name} OWNER operator")
    with preparation(place(environment)) as prepared:
        pass

    with psycopg.connect(make_conninfo(**prepared.owner)) as connection:
        connection.execute("CREATE TABLE public.note (id int)")


def test_a_run_time_log_in_that_the_operator_made_is_used(environment, server):
    with psycopg.connect(server.conninfo(), autocommit=True) as connection:
        connection.execute("DROP ROLE IF EXISTS desk")
        connection.execute("CREATE ROLE desk LOGIN PASSWORD 'theirs'")
        connection.execute("GRANT desk TO operator WITH ADMIN OPTION")
    app = make_conninfo(environment["DATABASE_URL"], user="desk", password="theirs")
    with preparation(place({**environment, "DATABASE_APP_URL": app})) as prepared:
        pass

    with run_time_session(prepared) as connection:
        assert connection.execute("SELECT has_schema_privilege('ledger', 'USAGE')").fetchone() == (True,)


@pytest.mark.parametrize("url", ["nonsense", "postgresql://host:5432", "postgresql://host/db?colour=red"])
def test_an_unreadable_url_is_refused(url, tmp_path):
    with pytest.raises(BadDatabaseUrl, match="DATABASE_URL"):
        place({"DATABASE_URL": url, "DATA_DIR": str(tmp_path)})


def test_a_web_process_needs_the_run_time_log_in_alone(environment):
    with preparation(place(environment)) as prepared:
        pass
    web = {"DATABASE_APP_URL": make_conninfo(**prepared.app), "DATA_DIR": environment["DATA_DIR"]}

    found = place(web)

    assert found.cluster is None
    assert dict(found.app) == dict(prepared.app)
