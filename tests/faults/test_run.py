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
from contextlib import contextmanager, suppress
from pathlib import Path

import psycopg
import pytest

from console.database.places import embedded_cluster
from console.database.running import first_address

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
def run(environment, *, stderr: int | None = None) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, str(ROOT / "manage.py"), "run"]
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=stderr, text=True) as process:
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


def process_of(process: subprocess.Popen[str], word: str) -> int:
    """The process that `run` started with this word in its command; waits for one."""
    deadline = time.monotonic() + 60
    while True:
        for child in Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split():
            with suppress(FileNotFoundError, ProcessLookupError):  # it may end while one looks
                if word.encode() in Path(f"/proc/{child}/cmdline").read_bytes().split(b"\0"):
                    return int(child)
        assert time.monotonic() < deadline, f"no {word}"
        time.sleep(0.1)


def everything_of(process: subprocess.Popen[str]) -> list[int]:
    """All processes below it that are its own: the server of the database is not, it goes with its last user."""
    found = []
    for child in Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split():
        grandchildren = Path(f"/proc/{child}/task/{child}/children").read_text().split()
        if b"postgres" not in Path(f"/proc/{child}/cmdline").read_bytes():
            found += [int(child), *map(int, grandchildren)]
    return found


def left_running(pids: list[int]) -> list[int]:
    return [pid for pid in pids if Path(f"/proc/{pid}").exists()]


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
    process_of(running, "beat")
    started = everything_of(running)

    running.send_signal(signal.SIGINT)

    assert running.wait(timeout=60) == 0
    assert cluster.running_pid() is None
    assert health(environment) == {"status": "no answer"}
    assert left_running(started) == []
    greeting = running.stdout.read()
    assert f"Countersign: http://127.0.0.1:{environment['PORT']}/" in greeting
    assert greeting.count("countersign-demo") == 4
    assert "agent, agent2 " in greeting
    assert "Replies wait" in greeting


@pytest.mark.parametrize("name", ["worker", "beat"])
def test_a_killed_worker_or_beat_is_replaced_while_the_web_goes_on(running, environment, name):
    wait_until_healthy(environment, running)
    killed = process_of(running, name)
    os.kill(killed, signal.SIGKILL)
    while Path(f"/proc/{killed}").exists():
        time.sleep(0.05)

    assert process_of(running, name) != killed
    assert health(environment) == {"status": "ok"}
    running.send_signal(signal.SIGINT)
    assert running.wait(timeout=60) == 0


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
    assert f"Another run of this folder serves http://127.0.0.1:{environment['PORT']}/" in other.stdout.read()


def test_the_last_one_stops_the_database_though_the_one_that_started_it_lost_its_web_server(
    running, environment, neighbour
):
    others, other = neighbour
    os.kill(process_of(running, "gunicorn"), signal.SIGKILL)

    assert running.wait(timeout=60) == 1
    assert health(others) == {"status": "ok"}

    other.send_signal(signal.SIGINT)

    assert other.wait(timeout=60) == 0
    assert embedded_cluster(environment).running_pid() is None


def test_the_last_one_stops_the_database_though_the_one_that_started_it_was_killed(running, environment, neighbour):
    others, other = neighbour
    orphans = everything_of(running)
    running.kill()
    running.wait(timeout=60)
    deadline = time.monotonic() + 60
    while left_running(orphans):
        assert time.monotonic() < deadline, "left running"
        time.sleep(0.1)

    assert health(others) == {"status": "ok"}

    other.send_signal(signal.SIGINT)

    assert other.wait(timeout=60) == 0
    assert embedded_cluster(environment).running_pid() is None


def test_replies_go_to_the_first_run_as_long_as_it_is_alive(tmp_path):
    with first_address(tmp_path, "127.0.0.1:8000") as first, first_address(tmp_path, "127.0.0.1:8001") as second:
        assert (first, second) == ("127.0.0.1:8000", "127.0.0.1:8000")
    with first_address(tmp_path, "127.0.0.1:8001") as alone:
        assert alone == "127.0.0.1:8001"


@pytest.mark.parametrize("during", ["preparing", "loading"])
def test_ctrl_c_before_it_serves_ends_with_one_line(environment, during):
    word = {"preparing": "prepare_database", "loading": "load_sample"}[during]
    with run({**environment, "LOAD_SAMPLE": "1"}, stderr=subprocess.PIPE) as process:
        process_of(process, word)
        time.sleep(2)  # in the middle of it
        process.send_signal(signal.SIGINT)

        assert process.wait(timeout=60) == 130
        said = process.stderr.read()
        assert "Traceback" not in said
        assert said.endswith("Stopped. Run it again to go on.\n")
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
