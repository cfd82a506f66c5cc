"""Sealers that are killed and that run side by side; and a ledger that was moved to another database."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import psycopg
import pytest
from psycopg import sql
from psycopg.conninfo import make_conninfo

from console.database.places import place

ROOT = Path(__file__).resolve().parent.parent.parent
KILLS = 3
LONGEST = 0.6


@pytest.fixture(scope="module")
def installation(open_module_path):
    """A prepared database of its own."""
    environment = {
        **{k: v for k, v in os.environ.items() if k not in {"DATABASE_URL", "DATABASE_APP_URL"}},
        "DATA_DIR": str(open_module_path),
    }
    for command in (["database", "start"], ["prepare_database", "--no-people"]):
        subprocess.run([sys.executable, "manage.py", *command], cwd=ROOT, env=environment, check=True, timeout=180)
    found = place(environment)
    yield environment, found
    found.cluster.stop()


def run(environment, *command):
    return subprocess.run(
        [sys.executable, *command], cwd=ROOT, env=environment, capture_output=True, text=True, timeout=180, check=False
    )


def verified(environment):
    """Run the check; return its exit status and totals."""
    ended = run(environment, "manage.py", "verify_ledger", "--format", "json")
    assert ended.stdout, ended.stderr
    return ended.returncode, json.loads(ended.stdout.splitlines()[-1])


def killed_sealer(environment, after):
    command = [sys.executable, "-m", "tests.faults.sealing"]
    with subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True) as sealer:
        assert sealer.stdout.readline() == "ready\n"
        time.sleep(after)
        sealer.send_signal(signal.SIGKILL)


def test_sealers_killed_at_any_moment_leave_a_ledger_that_verifies(installation):
    environment, _ = installation
    chance = random.Random(7)

    for _ in range(KILLS):
        command = [sys.executable, "-m", "tests.faults.sealing"]
        with subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True) as beside:
            beside.stdout.readline()
            killed_sealer(environment, chance.uniform(0, LONGEST))
            beside.send_signal(signal.SIGKILL)
        status, totals = verified(environment)
        assert (status, totals["problems"]) == (0, 0)
    sealed = run(environment, "manage.py", "seal_ledger")
    status, totals = verified(environment)

    assert sealed.returncode == 0, sealed.stderr
    assert (status, totals["problems"], totals["only_chained"]["count"]) == (0, 0, 0)
    assert totals["covered"] == totals["entries"] > 0


def test_a_ledger_moved_by_dump_and_restore_to_another_locale_and_zone_verifies(installation, tmp_path):
    environment, found = installation
    run(environment, "-m", "tests.faults.sealing", "write", "20")
    assert run(environment, "manage.py", "seal_ledger").returncode == 0
    before = verified(environment)

    move(found, tmp_path / "ledger.dump")
    assert run(environment, "manage.py", "prepare_database", "--no-people").returncode == 0
    after = verified(environment)
    run(environment, "-m", "tests.faults.sealing", "write", "5")
    sealed = run(environment, "manage.py", "seal_ledger")

    assert before == after
    assert (after[0], after[1]["problems"]) == (0, 0)
    assert sealed.returncode == 0, sealed.stderr
    assert verified(environment)[0] == 0


def move(found, file):
    """Dump the database, take it away, and bring it back into one with other settings."""
    programs = found.cluster.binaries
    subprocess.run(
        [programs / "pg_dump", "--format=custom", f"--file={file}", f"--dbname={make_conninfo(**found.admin)}"],
        check=True,
    )
    with psycopg.connect(make_conninfo(**{**found.admin, "dbname": "postgres"}), autocommit=True) as server:
        name = sql.Identifier(found.name)
        server.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(name))
        server.execute(
            sql.SQL("CREATE DATABASE {} TEMPLATE template0 ENCODING 'UTF8' LC_COLLATE 'C' LC_CTYPE 'C'").format(name)
        )
        for setting, value in (
            ("timezone", "Asia/Kathmandu"),
            ("intervalstyle", "sql_standard"),
            ("bytea_output", "escape"),
        ):
            server.execute(sql.SQL("ALTER DATABASE {} SET {} = {}").format(name, sql.Identifier(setting), value))
    restore = [programs / "pg_restore", "--exit-on-error", f"--dbname={make_conninfo(**found.admin)}", file]
    subprocess.run(restore, check=True)
