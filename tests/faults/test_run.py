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
from pathlib import Path

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


@pytest.fixture
def running(environment):
    command = [sys.executable, str(ROOT / "manage.py"), "run"]
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as process:
        yield process
        process.send_signal(signal.SIGTERM)
        process.wait(timeout=60)


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
