"""Keep a few processes running together, start again the ones that may be missed for a moment, and stop all at once."""

import logging
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

from console.environment import SetupProblem

STOP_WITHIN = 20.0
LOOKS_EVERY = 0.2
SOUND_AFTER = 30.0
"""Seconds after which a process counts as sound, so that its end is no sign of a lasting fault."""
LONGEST_PAUSE = 30.0
GUARDIAN = Path(__file__).with_name("guardian.py")

logger = logging.getLogger(__name__)


class PortTaken(SetupProblem):
    """Another program listens where the web server should."""


@dataclass(frozen=True)
class Program:
    """What is to run; everything ends with it unless it is `replaceable`, that is, started again when it ended."""

    name: str
    command: Sequence[str]
    replaceable: bool = False


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


def supervise(programs: Sequence[Program], *, meanwhile: Callable[[], None], pause: float = 1.0) -> int:
    """Run the programs until a needed one ends or this process is asked to stop; return 0 when it was asked.

    A replaceable one that ends is started again after `pause` seconds, then after twice as long, up to half a minute.
    `meanwhile` is called a few times a second.
    """
    with _stop_signals() as asked, _guardian() as tell:
        running = [_Running(program, tell, pause) for program in programs]
        try:
            for one in running:
                one.start()
            while not asked.to_stop and all(one.goes_on() for one in running):
                meanwhile()
                time.sleep(LOOKS_EVERY)
        finally:
            _stop(running)
    return 0 if asked.to_stop else 1


class _Running:
    """A program, and the process that runs it now."""

    def __init__(self, program: Program, tell: Callable[[str], None], pause: float) -> None:
        self.program = program
        self.process: subprocess.Popen[bytes] | None = None
        self._tell = tell
        self._first_pause = self._pause = pause
        self._changed_at = 0.0

    def start(self) -> None:
        # A session of its own: Ctrl-C reaches the supervisor alone, which then stops the others in order.
        self.process = subprocess.Popen(self.program.command, start_new_session=True)  # noqa: S603 - our own commands
        self._tell(f"+{self.process.pid}")
        self._changed_at = time.monotonic()

    def goes_on(self) -> bool:
        """Say whether everything may go on; start the program again when it ended and its pause is over."""
        if self.process is None:
            if time.monotonic() - self._changed_at >= self._pause:
                self._pause = min(self._pause * 2, LONGEST_PAUSE)
                self.start()
            return True
        status = self.process.poll()
        if status is None:
            return True
        return self.program.replaceable and self._note_end(status)

    def _note_end(self, status: int) -> bool:
        self.forget()
        if time.monotonic() - self._changed_at > SOUND_AFTER:
            self._pause = self._first_pause
        self._changed_at = time.monotonic()
        logger.warning(
            "The %s ended by itself (status %s); it starts again in %g s.", self.program.name, status, self._pause
        )
        return True

    def forget(self) -> None:
        if self.process is not None:
            self._tell(f"-{self.process.pid}")
            self.process = None


def _stop(running: Sequence[_Running]) -> None:
    for one in running:
        if one.process is not None:
            one.process.terminate()
    deadline = time.monotonic() + STOP_WITHIN
    for one in running:
        if one.process is None:
            continue
        try:
            one.process.wait(max(0.1, deadline - time.monotonic()))
        except subprocess.TimeoutExpired:
            one.process.kill()
            one.process.wait()
        one.forget()


@contextmanager
def _guardian() -> Iterator[Callable[[str], None]]:
    """Run a process that stops the programs if this one is killed; yield how it is told of them."""
    command = [sys.executable, "-I", str(GUARDIAN)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, text=True, start_new_session=True) as guardian:  # noqa: S603 - our own
        assert guardian.stdin is not None  # noqa: S101 - a pipe was asked for
        pipe = guardian.stdin

        def tell(line: str) -> None:
            with suppress(BrokenPipeError):  # without a guardian it goes on as well
                pipe.write(f"{line}\n")
                pipe.flush()

        yield tell


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
            # What comes after, such as stopping the database, is not cut short by an impatient third one either.
            signal.signal(number, signal.SIG_IGN if asked.to_stop else handler)
