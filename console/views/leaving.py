"""A decided reply on its way out: where it stands, until when it can be undone, and why one came back."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING
from uuid import UUID

from django.contrib.auth.models import User

from console.views import history, words
from console.views.delivery_words import next_of
from console.views.highlight import plain
from drafts import queries
from drafts.decisions.delivering import DeliveryState
from drafts.decisions.structure import Piece
from drafts.decisions.transitions import is_open
from drafts.queries.deliveries import OVERDUE_AFTER, detailed

if TYPE_CHECKING:
    from drafts.models import Delivery, ReviewItem

LOOKED_AT_SOON = timedelta(seconds=3)
LOOKED_AT_LATER = timedelta(seconds=20)
LOOKED_AT_EVERY = {
    DeliveryState.SCHEDULED: LOOKED_AT_SOON,
    DeliveryState.SENDING: LOOKED_AT_SOON,
    DeliveryState.RETRYING: LOOKED_AT_LATER,
    DeliveryState.UNKNOWN: LOOKED_AT_LATER,
}
"""How often an open page asks again; a state that nothing leads out of by itself is not asked for."""


@dataclass(frozen=True, slots=True)
class Leaving:
    """Where a decided reply stands; `undo_until` is set while the one who looks may still undo the decision.

    `late` says what a reply waits for whose time, `was_due_at`, has come. `seen` names this standing, so that a page
    that asks again is only told news; `every` is in seconds.
    """

    told: str
    leaves_at: datetime | None
    next_at: datetime | None
    was_due_at: datetime | None
    late: str
    because: tuple[Piece, ...]
    delivery_id: UUID | None
    undo_until: datetime | None
    seen: str
    every: int | None


@dataclass(frozen=True, slots=True)
class CameBack:
    """Why an open item was decided once and is back; nobody named means the last look before sending."""

    who: str | None
    because: tuple[Piece, ...]
    at: datetime


def leaving_of(item: "ReviewItem", user: User, now: datetime) -> Leaving | None:
    """Tell where the reply of a decided item stands; None where nothing was decided."""
    if item.decision is None:
        return None
    delivery: Delivery | None = getattr(item.decision, "delivery", None)
    state = DeliveryState(delivery.state) if delivery else None
    due_at = delivery.due_at if delivery else None
    is_due = due_at is not None and due_at <= now
    undo_until = _undo_until(item, delivery, user, now)
    every = LOOKED_AT_EVERY.get(state) if state else None
    return Leaving(
        told=words.DELIVERIES[state] if state else words.NOTHING_LEAVES,
        leaves_at=due_at if state is DeliveryState.SCHEDULED and not is_due else None,
        next_at=due_at if state in {DeliveryState.RETRYING, DeliveryState.UNKNOWN} and not is_due else None,
        was_due_at=due_at if is_due else None,
        late=_late(delivery.pk, user, now) if delivery and is_due else "",
        because=plain(delivery.because or "") if delivery else (),
        delivery_id=delivery.pk if delivery else None,
        undo_until=undo_until,
        seen=f"{state or 'nothing'}{'-undo' if undo_until else ''}{_lateness(due_at, now)}",
        every=round(every.total_seconds()) if every else None,
    )


def _late(delivery_id: UUID, user: User, now: datetime) -> str:
    """Say in the words of the deliveries what a reply that is due still waits for."""
    found = detailed(user, delivery_id)
    return next_of(found.listed, now) if found else ""


def _lateness(due_at: datetime | None, now: datetime) -> str:
    if due_at is None or due_at > now:
        return ""
    return "-overdue" if now - due_at > OVERDUE_AFTER else "-due"


def _undo_until(item: "ReviewItem", delivery: "Delivery | None", user: User, now: datetime) -> datetime | None:
    """Return until when this person may undo; the service has the last word."""
    if item.decided_by != user or item.decided_at is None:
        return None
    until = delivery.undo_until if delivery else item.decided_at + queries.grace()
    unsent = delivery is None or delivery.state in {DeliveryState.SCHEDULED, DeliveryState.NO_DESTINATION}
    return until if unsent and now < until else None


def came_back(item: "ReviewItem") -> CameBack | None:
    """Tell why an open item is open again, where it was decided before."""
    if not is_open(item.state):
        return None
    withdrawn = item.decisions.filter(withdrawn_at__isnull=False).select_related("withdrawn_by")
    newest = withdrawn.order_by("-withdrawn_at").first()
    if newest is None or newest.withdrawn_at is None:
        return None
    return CameBack(history.name_of(newest.withdrawn_by), plain(newest.withdrawn_because or ""), newest.withdrawn_at)
