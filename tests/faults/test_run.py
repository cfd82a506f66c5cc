"""`manage.py run` serves, survives a killed database, and leaves nothing running."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest

from console.database.places import embedded_cluster

ROOT = Path(__file__).resolve().parent.parent.parent


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return listener.getsockname()[1]


@pytest.fixture
def environment(open_path):
    own = {"DATA_DIR": str(open_path / "with space"), "PORT": str(free_port()), "LOAD_SAMPLE": "0"}
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("DATABASE_")}
    return {**inherited, **own}


@contextmanager
def run(environment) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, str(ROOT / "manage.py"), "run"]
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield process
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(timeout=60)


@pytest.fixture
def running(environment):
    with run(environment) as process:
        yield process


@pytest.fixture
def neighbour(environment, running):
    """A second one that shares the first one's database, which is up; its environment and its process."""
    wait_until_healthy(environment, running)
    own = {**environment, "PORT": str(free_port())}
    with run(own) as process:
        wait_until_healthy(own, process)
        yield own, process


def manage(environment, *arguments: str) -> None:
    subprocess.run([sys.executable, str(ROOT / "manage.py"), *arguments], env=environment, check=True, timeout=60)


def web_master(process: subprocess.Popen[str]) -> int:
    return int(Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()[-1])


def health(environment) -> dict[str, object]:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{environment['PORT']}/healthz", timeout=10) as response:
            return json.load(response)
    except urllib.error.HTTPError as refused:
        with refused:
            return json.load(refused)
    except OSError:
        return {"status": "no answer"}


def wait_until_healthy(environment, process) -> None:
    deadline = time.monotonic() + 90
    while health(environment) != {"status": "ok"}:
        assert process.poll() is None, "it ended by itself"
        assert time.monotonic() < deadline, health(environment)
        time.sleep(0.2)


def test_a_killed_database_comes_back_and_ctrl_c_stops_everything(running, environment):
    wait_until_healthy(environment, running)
    cluster = embedded_cluster(environment)
    killed = cluster.running_pid()
    os.kill(killed, signal.SIGKILL)
    while cluster.running_pid() in {killed, None}:
        assert running.poll() is None
        time.sleep(0.1)
    wait_until_healthy(environment, running)

    running.send_signal(signal.SIGINT)

    assert running.wait(timeout=60) == 0
    assert cluster.running_pid() is None
    assert health(environment) == {"status": "no answer"}
    assert "http://127.0.0.1:" in running.stdout.read()


def test_the_database_outlives_the_run_that_started_it_and_goes_with_the_last_one(running, environment, neighbour):
    others, other = neighbour
    cluster = embedded_cluster(environment)
    server = cluster.running_pid()

    running.send_signal(signal.SIGINT)

    assert running.wait(timeout=60) == 0
    assert health(others) == {"status": "ok"}
    manage(others, "create_people")  # a command of a moment is not the last one either
    assert health(others) == {"status": "ok"}
    assert cluster.running_pid() == server

    other.send_signal(signal.SIGINT)

    assert other.wait(timeout=60) == 0
    assert cluster.running_pid() is None


def test_the_last_one_stops_the_database_though_the_one_that_started_it_lost_its_web_server(
    running, environment, neighbour
):
    others, other = neighbour
    os.kill(web_master(running), signal.SIGKILL)

    assert running.wait(timeout=60) == 1
    assert health(others) == {"status": "ok"}

    other.send_signal(signal.SIGINT)

    assert other.wait(timeout=60) == 0
    assert embedded_cluster(environment).running_pid() is None


def test_the_last_one_stops_the_database_though_the_one_that_started_it_was_killed(running, environment, neighbour):
    others, other = neighbour
    orphan = web_master(running)
    running.kill()
    running.wait(timeout=60)
    os.kill(orphan, signal.SIGTERM)

    assert health(others) == {"status": "ok"}

    other.send_signal(signal.SIGINT)

    assert other.wait(timeout=60) == 0
    assert embedded_cluster(environment).running_pid() is None


def test_the_last_one_leaves_the_database_to_a_stranger_who_is_connected(running, environment):
    wait_until_healthy(environment, running)
    cluster = embedded_cluster(environment)
    with psycopg.connect(cluster.conninfo()) as stranger:
        running.send_signal(signal.SIGINT)

        assert running.wait(timeout=60) == 0
        assert stranger.execute("SELECT 1").fetchone() == (1,)
    cluster.stop()


def test_a_database_that_was_started_on_its_own_stays(environment):
    manage(environment, "database", "start")
    cluster = embedded_cluster(environment)
    try:
        with run(environment) as process:
            wait_until_healthy(environment, process)
            process.send_signal(signal.SIGINT)

            assert process.wait(timeout=60) == 0
        assert cluster.answers()
    finally:
        cluster.stop()
