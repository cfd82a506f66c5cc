"""When an item must be decided: the earliest of what its conflict and its ticket set."""

from collections.abc import Iterable, Iterator
from datetime import MAXYEAR, MINYEAR, datetime

from drafts.decisions.claims.mapping import RecordMapping
from drafts.decisions.claims.records import Records, instant_of
from drafts.decisions.given import Given
from drafts.decisions.vocabulary import Message

FIRST_RESPONSE = "first_response_due_at"


def deadline(given: Given, conflict_due_at: datetime | None) -> datetime | None:
    """Return the earliest instant (UTC) that still counts; None where nothing is due.

    Three can count: when a policy owner must have settled the conflict, and the ticket's first response and its
    resolution. The ticket's two count while the ticket is not over. A first response is no longer due once any public
    reply of an agent stands in the thread. What cannot be read as an instant is left out; one without a zone is on
    the organisation's clock.
    """
    due = [conflict_due_at, *_ticket_deadlines(given)]
    return min((at for at in due if at is not None), default=None)


def _ticket_deadlines(given: Given) -> Iterator[datetime | None]:
    if given.ticket is None:
        return
    records = Records(given.ticket, given.mapping, given.now, given.calendar)
    if records.is_over:
        return
    for path in _due_paths(given.mapping, given.messages):
        field = records.first((path,))
        at = instant_of(field.value, given.calendar) if field else None
        yield at if at and MINYEAR < at.year < MAXYEAR else None  # beyond, no zone's clock could show it


def _due_paths(mapping: RecordMapping, messages: Iterable[Message]) -> list[str]:
    answered = any(message.role == "agent" for message in messages)
    return [path for path in mapping.due if not (answered and path.rpartition(".")[2] == FIRST_RESPONSE)]
