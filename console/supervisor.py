"""Keep a few processes running together: when one ends or somebody presses Ctrl-C, all end."""

import signal
import socket
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import FrameType

STOP_WITHIN = 20.0


class PortTaken(Exception):
    """Another program listens where the web server should."""


class _Asked(BaseException):
    """Somebody asked this process to stop; a BaseException, so that nothing on the way takes it for an error."""


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


def supervise(commands: Mapping[str, Sequence[str]]) -> int:
    """Run the commands until one ends or this process is asked to stop; return 0 when it was asked."""
    processes: list[subprocess.Popen[bytes]] = []
    with _signals_raise():
        try:
            for command in commands.values():
                processes.append(_start(command))  # noqa: PERF401 - those before a failing start must be stopped
            while all(process.poll() is None for process in processes):
                time.sleep(0.2)
        except _Asked:
            return 0
        finally:
            _stop(processes)
    return 1


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
def _signals_raise() -> Iterator[None]:
    def stop(_number: int, _frame: FrameType | None) -> None:
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, signal.SIG_IGN)  # stopping has begun; a second Ctrl-C must not cut it short
        raise _Asked

    before = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _start(command: Sequence[str]) -> subprocess.Popen[bytes]:
    # A session of its own: Ctrl-C reaches the supervisor alone, which then stops the others in order.
    return subprocess.Popen(command, start_new_session=True)  # noqa: S603 - our own commands
