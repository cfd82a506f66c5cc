"""Keep a few processes running together: when one ends or somebody presses Ctrl-C, all end."""

import signal
import socket
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType

from console.environment import SetupProblem

STOP_WITHIN = 20.0


class PortTaken(SetupProblem):
    """Another program listens where the web server should."""


@dataclass
class _Asked:
    to_stop: bool = False


def listening_address(port: str) -> str:
    """Return host and port to serve on, this machine only. Raises PortTaken."""
    if not port.isascii() or not port.isdigit() or not 0 < int(port) < 65536:
        raise PortTaken(f"PORT={port!r} is no port: choose a number such as 8000.")
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", int(port)))
        except OSError as error:
            raise PortTaken(f"Port {port} cannot be used ({error.strerror}): choose another one, PORT=8001.") from error
    return f"127.0.0.1:{port}"


def supervise(commands: Sequence[Sequence[str]], *, meanwhile: Callable[[], None]) -> int:
    """Run the commands until one ends or this process is asked to stop; return 0 when it was asked.

    `meanwhile` is called a few times a second.
    """
    processes: list[subprocess.Popen[bytes]] = []
    with _stop_signals() as asked:
        try:
            for command in commands:
                processes.append(_start(command))  # noqa: PERF401 - those before a failing start must be stopped
            while not asked.to_stop and all(process.poll() is None for process in processes):
                meanwhile()
                time.sleep(0.2)
        finally:
            _stop(processes)
    return 0 if asked.to_stop else 1


def _stop(processes: Sequence[subprocess.Popen[bytes]]) -> None:
    for process in processes:
        process.terminate()
    deadline = time.monotonic() + STOP_WITHIN
    for process in processes:
        try:
            process.wait(max(0.1, deadline - time.monotonic()))
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


@contextmanager
def _stop_signals() -> Iterator[_Asked]:
    """Note SIGINT and SIGTERM instead of being interrupted by them; a second Ctrl-C does not cut the stopping short."""
    asked = _Asked()

    def note(_number: int, _frame: FrameType | None) -> None:
        asked.to_stop = True  # not an Event: its lock may be held by the very code that the signal interrupts

    before = {number: signal.signal(number, note) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield asked
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _start(command: Sequence[str]) -> subprocess.Popen[bytes]:
    # A session of its own: Ctrl-C reaches the supervisor alone, which then stops the others in order.
    return subprocess.Popen(command, start_new_session=True)  # noqa: S603 - our own commands
