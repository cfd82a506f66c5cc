"""When a mail is tried again, and when it is given up."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from uuid import UUID

LEASE = timedelta(minutes=5)
"""How long a worker may take for one mail; after that another one tries, so a mail may arrive twice."""

_WAITS = tuple(timedelta(minutes=m) for m in (1, 5, 15, 60, 120, 240, 480, 720))
MOST_ATTEMPTS = len(_WAITS) + 1
_SPREAD = 0.2


class Outcome(StrEnum):
    """What came of an attempt. `refused` is for good: asking again would be refused again."""

    SENT = "sent"
    AGAIN = "again"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class Answered:
    """What came of an attempt, and why in words."""

    outcome: Outcome
    because: str = ""


@dataclass(frozen=True, slots=True)
class Letter:
    """One mail to one person. `number` counts its attempts; `path` is the page that it leads to."""

    notice_id: UUID
    number: int
    to: str
    subject: str
    text: str
    path: str
    written_at: datetime


def next_attempt(attempts: int, *, now: datetime, chance: float) -> datetime | None:
    """Return when a mail is tried again after so many attempts, or None where it is given up.

    The waits grow from a minute to half a day; `chance` from 0 to 1 spreads them, so that not all come at once.
    """
    if attempts >= MOST_ATTEMPTS:
        return None
    return now + _WAITS[max(attempts, 1) - 1] * (1 + _SPREAD * chance)
