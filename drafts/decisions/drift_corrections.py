"""Drift in our own past: a change of the answer that a recorded correction stands behind is none."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import groupby
from operator import attrgetter

from drafts.decisions.drifting import DriftRow


@dataclass(frozen=True, slots=True)
class Judged:
    """A row with what the ledger says about it: how many changes of its answer were recorded corrections."""

    row: DriftRow
    corrected: int = 0


def judged(row: DriftRow, received: Sequence[datetime], corrections: Iterable[datetime]) -> Judged:
    """Hold the changes of a row's answer against the recorded corrections of its question.

    `received` is when each turn came to us, by its place; the times of writers may be missing or wrong. Where every
    change is a correction, the answers that were taken back are left out, so that the row is no drift.
    """
    recorded = sorted(corrections)
    if not recorded or len(row.distinct_answers) < 2:
        return Judged(row)
    holds, since, joined, changed = "", None, 0, 0
    for turn, answers in _by_turn(row):
        others = [answer for answer in answers if answer != holds]
        if others:
            is_joined = since is not None and any(since <= moment <= received[turn] for moment in recorded)
            joined += is_joined
            changed += len(others) - is_joined - (since is None)
            holds = others[-1]
        since = received[turn]
    return Judged(row if changed else _only(row, holds), joined)


def _by_turn(row: DriftRow) -> list[tuple[int, list[str]]]:
    """Return the answers that each turn gave, without repetition; a correction quotes what it takes back."""
    ordered = sorted(row.evidence, key=attrgetter("turn"))
    return [
        (turn, list(dict.fromkeys(one.value for one in given))) for turn, given in groupby(ordered, attrgetter("turn"))
    ]


def _only(row: DriftRow, answer: str) -> DriftRow:
    return replace(
        row,
        distinct_answers=(answer,),
        evidence=tuple(one for one in row.evidence if one.value == answer),
        documents=tuple(document for document in row.documents if document.answer == answer),
    )
