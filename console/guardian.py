"""Stops the processes of a supervisor that was killed and could not stop them itself.

A program of its own: it reads from its standard input which processes run, and when that ends, stops those that are
left. It imports nothing of the project, so that it is small and quick to start.
"""

import os
import signal
import sys
from contextlib import suppress


def main() -> None:
    """Read lines `+PID` and `-PID` until the writer is gone; ask every process that is left to end."""
    for number in (signal.SIGINT, signal.SIGTERM):  # it ends with the supervisor, never before
        signal.signal(number, signal.SIG_IGN)
    running: set[int] = set()
    for line in sys.stdin:
        change = running.add if line.startswith("+") else running.discard
        change(int(line[1:]))
    for pid in running:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGTERM)


if __name__ == "__main__":
    main()
