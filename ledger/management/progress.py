"""How far a long command has come, drawn on a terminal and nowhere else."""

from typing import TextIO

BAR = 30
STEPS = 200


class Progress:
    """A bar that is drawn anew whenever a step is done."""

    def __init__(self, out: TextIO, total: int) -> None:
        """Begin at none of `total`; nothing is drawn where `out` is no terminal."""
        self._out = out
        self._total = max(total, 1)
        self._done = 0
        self._drawn = -1
        self._shown = out.isatty()

    def add(self, done: int) -> None:
        """Count so many more."""
        self._done = min(self._done + done, self._total)
        step = STEPS * self._done // self._total
        if self._shown and step != self._drawn:
            self._drawn = step
            filled = BAR * self._done // self._total
            self._out.write(f"\r[{'#' * filled}{'.' * (BAR - filled)}] {100 * self._done // self._total} %")
            self._out.flush()

    def clear(self) -> None:
        """Take the bar off the line, so that something else can be written there."""
        if self._shown and self._drawn >= 0:
            self._out.write("\r\033[K")
            self._drawn = -1
