"""The five checks in plain words: what each finds, what that means, and how its number comes back to zero."""

from dataclasses import dataclass
from datetime import timedelta

from ledger.queries.auditing import TITLES


@dataclass(frozen=True, slots=True)
class CheckWords:
    """What a page says of one check."""

    title: str
    meaning: str
    remedy: str


CHECKS = {
    1: CheckWords(
        TITLES[1],
        "A customer holds different answers to the same question, and no correction says which one counts.",
        "Correct the question in its conversation. The correction names what was said, withdraws it, and gives the one "
        "answer that holds; it joins every answer before it.",
    ),
    2: CheckWords(
        TITLES[2],
        "More than one active document of ours answers the same question on the same channel. Nothing can be answered "
        "from either until one of them wins.",
        "A policy owner settles the conflict: one version is kept, the others are retired or narrowed.",
    ),
    3: CheckWords(
        TITLES[3],
        "A reply states a value and does not repeat the locked answer to the letter: it was written outside this desk, "
        "or it was decided here and left no replay in the ledger.",
        "Where the customer now holds something wrong, withdraw what was said or correct the question. Otherwise "
        "settle the reply here, with a reason that says what the customer holds.",
    ),
    4: CheckWords(
        TITLES[4],
        "An answer was replaced, and the record does not say why, or nobody answers for it.",
        "Correct the question once more, with a reason and an owner.",
    ),
    5: CheckWords(
        TITLES[5],
        "A customer was promised something, and the record names no document and version behind it.",
        "Correct the question from the version that applies. The correction carries its source.",
    ),
}
HOW = {"nightly": "By itself", "person": "On demand", "command": "By command"}
HEALTHY = "All five checks are healthy."
_NUMBERS = ("None", "One", "Two", "Three", "Four", "All")
_A_SECOND = timedelta(seconds=1)


def outcome(broken: int) -> str:
    """Say of a run how many of the five checks found something."""
    if not broken:
        return HEALTHY
    return f"{_NUMBERS[broken]} of the five checks found something to put right."


def took(duration: timedelta) -> str:
    """Say how long a run took."""
    if duration < _A_SECOND:
        return "less than a second"
    seconds = round(duration.total_seconds())
    return f"{seconds} second{'' if seconds == 1 else 's'}"


def allowed(threshold: int) -> str:
    """Say how many rows a check may find."""
    return f"at most {threshold} allowed" if threshold else "none allowed"
