"""The life of a reply on its way out: its states, what an attempt can come to, and what follows from it.

The waits between attempts are those that the Standard Webhooks specification proposes.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from uuid import UUID


class DeliveryState(StrEnum):
    """Where a reply stands on its way out."""

    NO_DESTINATION = "no_destination"  # nobody has said where replies go
    SCHEDULED = "scheduled"  # waits for its time, and may still be undone
    SENDING = "sending"  # a worker is at it
    RETRYING = "retrying"  # it was not taken; the next attempt is due
    UNKNOWN = "unknown"  # it may have arrived: the same id is asked for again, or a person says what became of it
    SENT = "sent"
    DEAD = "dead"  # given up
    UNDONE = "undone"  # taken back before it left
    RETURNED = "returned"  # the last look before sending stopped it


class Outcome(StrEnum):
    """What one attempt came to."""

    TAKEN = "taken"  # 2xx
    REFUSED = "refused"  # an answer by which the receiver says that it did not take it
    FAILED = "failed"  # 5xx: the receiver may have taken it before it failed
    NOT_REACHED = "not_reached"  # no connection, so nothing was told
    NO_ANSWER = "no_answer"  # the request went out and no answer came back
    INTERRUPTED = "interrupted"  # the worker ended in the middle


DUE_STATES = (DeliveryState.SCHEDULED, DeliveryState.RETRYING, DeliveryState.UNKNOWN)
"""States in which `due_at` says when the next attempt begins; one of unknown fate without it waits for a person."""
FINAL_STATES = (DeliveryState.SENT, DeliveryState.UNDONE, DeliveryState.RETURNED)
"""States that nothing leads out of."""
UNSENT_STATES = (DeliveryState.NO_DESTINATION, DeliveryState.SCHEDULED)
"""States of a reply of which nothing has left yet."""
ON_THE_WAY = (DeliveryState.SCHEDULED, DeliveryState.SENDING, DeliveryState.RETRYING, DeliveryState.UNKNOWN)
"""States that a later reply of the same conversation waits behind, so that replies arrive in order."""

MAY_HAVE_ARRIVED = frozenset({Outcome.FAILED, Outcome.NO_ANSWER, Outcome.INTERRUPTED})

GRACE = timedelta(seconds=15)
"""How long a decision can be undone before its reply leaves, where the organisation sets nothing else."""
LEASE = timedelta(seconds=90)
"""How long an attempt may take before it counts as interrupted; longer than every time-out of a request."""
SETTLES_IN = timedelta(seconds=10)
"""The wait before a reply of unknown fate is asked for again under the same id."""
WAITS = (
    timedelta(seconds=5), timedelta(seconds=30), timedelta(minutes=5), timedelta(minutes=30), timedelta(hours=2),
    timedelta(hours=5), timedelta(hours=10),
)  # fmt: skip
LONGEST_WAIT = timedelta(hours=24)
GONE = 410


@dataclass(frozen=True, slots=True)
class Claimed:
    """One attempt that a worker has claimed: `body` is the exact text of the request, the same at every attempt.

    The receiver sees the delivery's id as `webhook-id`; `sent_at` is the instant that this attempt is signed with.
    """

    delivery_id: UUID
    fence: int
    number: int
    url: str
    secret: str
    body: str
    sent_at: datetime


@dataclass(frozen=True, slots=True)
class Answered:
    """What came of one request; `retry_after` is the wait that the receiver asked for."""

    outcome: Outcome
    status: int | None = None
    said: str = ""
    retry_after: timedelta | None = None


@dataclass(frozen=True, slots=True)
class Next:
    """Where a delivery goes after an attempt; `due_at` is the instant of the next one."""

    state: DeliveryState
    due_at: datetime | None
    because: str | None


def outcome_of(status: int) -> Outcome:
    """Return what an answer's status says. Only 2xx means that it was taken; a redirect is not followed."""
    if 200 <= status < 300:
        return Outcome.TAKEN
    return Outcome.FAILED if status >= 500 else Outcome.REFUSED


def may_have_arrived(outcomes: Iterable[str | None]) -> bool:
    """Say whether one of these attempts may have brought the reply to its receiver; None is one without an end."""
    return any(outcome is None or outcome in MAY_HAVE_ARRIVED for outcome in outcomes)


def after(answered: Answered, *, attempts: int, now: datetime, chance: float) -> Next:
    """Return what follows the attempt number `attempts`; `chance` from 0 to 1 spreads retries by up to a fifth.

    A receiver that is gone (410) is not asked again. A wait that the receiver names is kept, up to a day.
    """
    if answered.outcome is Outcome.TAKEN:
        return Next(DeliveryState.SENT, None, None)
    if answered.status == GONE:
        return Next(DeliveryState.DEAD, None, "The destination says that it is gone for good (410).")
    uncertain = answered.outcome in {Outcome.NO_ANSWER, Outcome.INTERRUPTED}
    if attempts > len(WAITS):
        if uncertain:
            return Next(DeliveryState.UNKNOWN, None, "No answer came after the last attempt; it may have arrived.")
        return Next(DeliveryState.DEAD, None, f"Given up after {attempts} attempts; the last one: {answered.said}")
    wait = WAITS[attempts - 1]
    if uncertain:
        wait = max(wait, SETTLES_IN)
    if answered.retry_after is not None:
        wait = min(max(wait, answered.retry_after), LONGEST_WAIT)
    spread = wait * (1 + chance / 5)
    return Next(DeliveryState.UNKNOWN if uncertain else DeliveryState.RETRYING, now + spread, answered.said)
