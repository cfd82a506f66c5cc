"""What a check found, kept short: every problem counted, so many listed, and the first bad entry named."""

from collections.abc import Iterable, Mapping, Sequence

from ledger.decisions.chain import Layer, Problem

CANDIDATES = 10_000
_NO_PLACE = float("inf")


class Findings:
    """Problems as they come in. Memory stays bounded however many there are."""

    def __init__(self, *, most: int) -> None:
        """Begin with none; at most `most` will be listed."""
        self.count = 0
        self.unlisted = 0
        self._most = most
        self._candidates: dict[tuple[str | None, bool], Problem] = {}

    def take(self, problems: Iterable[Problem]) -> tuple[Problem, ...]:
        """Count problems, and return those that are still to be listed."""
        listed: list[Problem] = []
        for problem in problems:
            self.count += 1
            self._consider(problem)
            if self.count <= self._most:
                listed.append(problem)
            else:
                self.unlisted += 1
        return tuple(listed)

    def entry_ids(self) -> Sequence[str]:
        """Return the entries whose place among all tells which of them is the first bad one."""
        return [found.entry_id for found in self._candidates.values() if found.entry_id and found.number is None]

    def first(self, places: Mapping[str, int]) -> Problem | None:
        """Return the problem with the earliest sealed entry, `places` being the numbers of entries by their ids.

        A missing number is as sharp as a named entry. Where no problem has either it is the earliest of the others; a
        source that says something else today comes after everything that is wrong with the ledger itself.
        """
        return min(self._candidates.values(), key=lambda found: _rank(found, places), default=None)

    def _consider(self, problem: Problem) -> None:
        """Keep the earliest problem of each conversation: within one, positions tell the order."""
        which = (problem.conversation_id, problem.layer == Layer.SOURCES)
        before = self._candidates.get(which)
        is_earlier = len(self._candidates) < CANDIDATES if before is None else _within(problem) < _within(before)
        if is_earlier:
            self._candidates[which] = problem


def _within(problem: Problem) -> tuple[bool, float, float]:
    place = problem.number if problem.number is not None else _NO_PLACE
    position = problem.position if problem.position is not None else _NO_PLACE
    return _is_vague(problem), position, place


def _rank(problem: Problem, places: Mapping[str, int]) -> tuple[bool, bool, float]:
    place: float = _NO_PLACE
    if problem.number is not None:
        place = problem.number
    elif problem.entry_id is not None:
        place = places.get(problem.entry_id, _NO_PLACE)
    return problem.layer == Layer.SOURCES, _is_vague(problem), place


def _is_vague(problem: Problem) -> bool:
    """Say whether a problem names neither an entry nor the very number of one, as a checkpoint's range does not."""
    return problem.entry_id is None and problem.layer != Layer.LEAVES
