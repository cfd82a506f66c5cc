"""What workers do for drift reports: one step at a time, and take up again what a vanished worker left.

A task may run never, once or several times; the lease and the fence of the report decide what counts.
"""

import json
import logging
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from celery import shared_task
from django.db import InterfaceError, OperationalError
from django.utils import timezone

from drafts import queries
from drafts.decisions.drift_corrections import Judged, judged
from drafts.decisions.drift_files import BATCH_CONVERSATIONS, SortedOut, conversations_in, lines_of, sorted_out
from drafts.decisions.drifting import Counts, Passage, Transcript, Turn, rows_of
from drafts.decisions.drifting import DriftRow as Drifting
from drafts.models import DriftPart, DriftRow
from drafts.queries import drifting as reports
from drafts.services import drifting
from drafts.services.drifting import Claimed, Found

SWEEP = "drafts.drift_sweep"
STEP = 2.0
"""Seconds after which a worker lets others have their turn."""
STAYS_EVERY = 5.0
"""Seconds after which a worker says that it is still there."""
LONG = 50_000
"""Characters of a conversation whose reading takes a while."""

logger = logging.getLogger(__name__)


class _Lost(Exception):
    """The report was taken from this worker, cancelled or removed."""


@dataclass(frozen=True, slots=True)
class _Read:
    """One conversation, and for our own when each of its messages came to us."""

    transcript: Transcript
    received: Sequence[datetime] = ()


class _Held:
    """A claimed report whose lease is prolonged while long work goes on."""

    def __init__(self, claimed: Claimed) -> None:
        self.claimed = claimed
        self._said = time.monotonic()

    def stays(self, characters: int = 0) -> None:
        """Say now and then, and before reading much, that the worker is still there. Raises _Lost when in vain."""
        if time.monotonic() - self._said < STAYS_EVERY and characters < LONG:
            return
        if not drifting.stay(self.claimed, characters=characters, now=timezone.now()):
            raise _Lost
        self._said = time.monotonic()


@shared_task(name=drifting.WORK)  # type: ignore[untyped-decorator] # Celery has no types
def work(report_id: object) -> None:
    """Do the next step of a report, unless it has ended or another worker has it."""
    try:
        named = UUID(str(report_id))
    except ValueError:
        logger.warning("%r names no drift report, so nothing was done.", report_id)
        return
    try:
        claimed = drifting.claim(named, now=timezone.now())
        if claimed is not None:
            _step(_Held(claimed))
    except _Lost:
        logger.info("Drift report %s was cancelled, removed or taken by another worker.", named)
    except (OperationalError, InterfaceError) as error:
        logger.warning("Drift report %s waits for the database (%s); the sweep will find it.", named, error)


@shared_task(name=SWEEP)  # type: ignore[untyped-decorator] # Celery has no types
def sweep() -> None:
    """Tell workers of every report that waits for one."""
    try:
        waiting = drifting.due(now=timezone.now())
    except (OperationalError, InterfaceError) as error:
        logger.warning("Drift reports could not be looked for (%s); the next sweep comes soon.", error)
        return
    for report_id in waiting:
        drifting.wake(report_id)


def _step(held: _Held) -> None:
    if held.claimed.is_new:
        given = _own_past(held.claimed) if held.claimed.is_own_past else sorted_out(lines_of(_pieces(held)))
        drifting.sort_out(held.claimed, given, now=timezone.now())
        return
    passages = reports.passages()
    begun, more = time.monotonic(), True
    while more and (part := reports.next_part(held.claimed.report_id)) is not None:
        found = _found(held, part, passages)
        goes_on = time.monotonic() - begun < STEP
        more = drifting.settle(held.claimed, part, found, goes_on=goes_on, now=timezone.now()) and goes_on


def _pieces(held: _Held) -> Iterator[bytes]:
    for piece in reports.pieces(held.claimed.report_id):
        held.stays()
        yield piece


def _own_past(claimed: Claimed) -> SortedOut:
    """Return our own conversations of the claimed days in batches."""
    zone = queries.organisation_calendar().zone
    wanted = reports.conversations_between(claimed.since, claimed.until, zone)
    starts = range(0, len(wanted), BATCH_CONVERSATIONS)
    batches = [json.dumps(wanted[start : start + BATCH_CONVERSATIONS]).encode() for start in starts]
    return SortedOut(batches=batches, conversations=len(wanted))


def _found(held: _Held, part: DriftPart, passages: Sequence[Passage]) -> Found:
    """Find the rows of a part; every conversation is counted once, by what is left when corrections are heard."""
    counts, rows, conversations = Counts(), list[DriftRow](), 0
    for read in _our_own(part) if held.claimed.is_own_past else map(_Read, conversations_in(bytes(part.content))):
        held.stays(sum(len(turn.text) for turn in read.transcript.turns))
        found = [_judged(row, read.received) for row in rows_of(read.transcript, passages)]
        counts.add(one.row for one in found)
        conversations += 1
        rows += [_stored(held.claimed.report_id, read.transcript, one) for one in found]
    return Found(rows, conversations, counts.as_dict())


def _our_own(part: DriftPart) -> Iterator[_Read]:
    for name, thread in reports.threads(json.loads(bytes(part.content))):
        turns = tuple(Turn(message.role, message.text, message.sent_at) for message in thread)
        yield _Read(Transcript(name, turns), tuple(message.received_at for message in thread))


def _judged(row: Drifting, received: Sequence[datetime]) -> Judged:
    """Hear the ledger's corrections on a row of our own past; a file brings no times of arrival, and no ledger."""
    heard = bool(received) and len(row.distinct_answers) > 1
    return judged(row, received, reports.correction_times(row.conversation_id, row.question_key) if heard else ())


def _stored(report_id: UUID, transcript: Transcript, one: Judged) -> DriftRow:
    """Return the row with the time of each answer, where it is known: the messages themselves are not kept.

    Replies that were not understood stand among the sentences with an empty answer.
    """
    times = [turn.sent_at.isoformat() if turn.sent_at else None for turn in transcript.turns]
    told = [(said.turn, said.text, said.value) for said in one.row.evidence]
    told += [(said.turn, said.text, "") for said in one.row.unread]
    evidence = [{"turn": turn, "text": text, "answer": answer, "sent_at": times[turn]} for turn, text, answer in told]
    return drifting.stored_row(report_id, one, evidence)
