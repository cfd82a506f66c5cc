"""What is started together ends together."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from console.supervisor import PortTaken, listening_address

PROGRAM = """
import sys
from console.supervisor import Program, supervise
sleeper = [sys.executable, "-c", "import os, time; os.write(1, b'%d\\\\n' % os.getpid()); time.sleep(60)"]
programs = [Program("first", sleeper), Program("second", sleeper, replaceable=True)]
sys.exit(supervise(programs, meanwhile=lambda: None, pause=0.1))
"""


@pytest.fixture
def supervisor():
    command = [sys.executable, "-c", PROGRAM]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        yield process
        process.kill()


def children(supervisor) -> list[int]:
    return [int(supervisor.stdout.readline()) for _ in range(2)]


def in_order(supervisor) -> list[int]:
    """The needed one and the replaceable one; they say their numbers in any order."""
    told = children(supervisor)
    started = Path(f"/proc/{supervisor.pid}/task/{supervisor.pid}/children").read_text().split()
    return sorted(told, key=lambda pid: started.index(str(pid)))


def is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_one_signal_stops_everything(supervisor, number):
    pids = children(supervisor)
    supervisor.send_signal(number)

    assert supervisor.wait(timeout=20) == 0
    assert [is_alive(pid) for pid in pids] == [False, False]


def test_a_needed_process_that_ends_by_itself_takes_the_others_with_it(supervisor):
    pids = in_order(supervisor)
    os.kill(pids[0], signal.SIGKILL)

    assert supervisor.wait(timeout=20) == 1
    assert [is_alive(pid) for pid in pids] == [False, False]


def test_a_replaceable_process_that_ends_by_itself_is_started_again(supervisor):
    pids = in_order(supervisor)
    for _ in range(2):
        os.kill(pids[1], signal.SIGKILL)
        pids[1] = int(supervisor.stdout.readline())

    supervisor.send_signal(signal.SIGINT)

    assert supervisor.wait(timeout=20) == 0
    assert [is_alive(pid) for pid in pids] == [False, False]
    assert supervisor.stderr.read().splitlines() == [
        "The second ended by itself (status -9); it starts again in 0.1 s.",
        "The second ended by itself (status -9); it starts again in 0.2 s.",
    ]


def test_stopping_does_not_wait_for_a_pause(supervisor):
    pids = in_order(supervisor)
    os.kill(pids[1], signal.SIGKILL)
    supervisor.send_signal(signal.SIGINT)

    assert supervisor.wait(timeout=20) == 0
    assert not is_alive(pids[0])


def test_what_a_killed_supervisor_ran_ends_with_it(supervisor):
    pids = children(supervisor)
    supervisor.kill()
    supervisor.wait(timeout=20)

    deadline = time.monotonic() + 20
    while any(is_alive(pid) for pid in pids):
        assert time.monotonic() < deadline, "left running"
        time.sleep(0.05)


def test_a_second_ctrl_c_does_not_cut_the_stopping_short(supervisor):
    pids = children(supervisor)
    supervisor.send_signal(signal.SIGINT)
    time.sleep(0.05)
    supervisor.send_signal(signal.SIGINT)

    assert supervisor.wait(timeout=20) == 0
    assert [is_alive(pid) for pid in pids] == [False, False]


@pytest.mark.parametrize("port", ["", "abc", "0", "70000", "²"])
def test_a_port_that_is_none_is_refused(port):
    with pytest.raises(PortTaken, match="no port"):
        listening_address(port)


def test_a_taken_port_is_named():
    with subprocess.Popen(
        [
            sys.executable,
            "-c",
            "import socket; s = socket.create_server(('127.0.0.1', 0));print(s.getsockname()[1], flush=True); input()",
        ],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as listener:
        port = listener.stdout.readline().strip()

        with pytest.raises(PortTaken, match=port):
            listening_address(port)
        listener.kill()
