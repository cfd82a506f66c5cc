"""One reply on its way out: its exact text, every attempt, and what a person may still do about it."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.http import Http404, HttpResponse
from django.utils import timezone
from django.views.decorators.http import require_safe

from console.http import ConsoleRequest, show
from console.permissions import Action, may
from console.views.access import readers_only
from console.views.delivery_words import Standing, in_words, outcome_of, standing_of
from console.views.highlight import plain
from console.views.history import name_of
from console.views.review_page import Notice
from drafts.decisions.delivering import FINAL_STATES, UNSENT_STATES, DeliveryState
from drafts.decisions.structure import Piece
from drafts.queries.deliveries import Detailed, Tried, detailed

TEMPLATE = "delivery.html"
LOOKS_SOON, LOOKS_LATER = 3, 15
SETTLED_BY_PEOPLE = (
    DeliveryState.DEAD, DeliveryState.UNKNOWN, DeliveryState.NO_DESTINATION, DeliveryState.RETRYING,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Attempted:
    """One attempt, told in words; `said` is what the receiver wrote."""

    tried: Tried
    outcome: str
    took: str
    said: tuple[Piece, ...]


@dataclass(frozen=True, slots=True)
class Offers:
    """What this person may do now: `undo` says for how long, `send` names its button; empty where they may not."""

    undo: str
    send: str
    arrived: bool
    returns_item: bool


@dataclass(frozen=True, slots=True)
class DeliveryPage:
    """Everything the page shows. `news` tells a new state to a page that looks again; `looks_every` counts seconds."""

    found: Detailed
    standing: Standing
    decider: str
    text: tuple[Piece, ...]
    because: tuple[Piece, ...]
    attempts: tuple[Attempted, ...]
    offers: Offers
    looks_every: int | None
    news: bool
    brings_offers: bool
    notice: Notice | None
    reason: str


@require_safe
@readers_only
def delivery(request: ConsoleRequest, delivery_id: UUID) -> HttpResponse:
    """Show one delivery; a page that looks again says in `shown` which state it shows."""
    page = build(request, find(request, delivery_id), now=timezone.now(), shown=request.GET.get("shown", ""))
    return show(request, TEMPLATE, {"page": page}, fragment="delivery")


def find(request: ConsoleRequest, delivery_id: UUID) -> Detailed:
    """Return a delivery that this person may see; anything else is not found."""
    found = detailed(request.user, delivery_id)
    if found is None:
        raise Http404("There is no such delivery.")
    return found


def build(
    request: ConsoleRequest,
    found: Detailed,
    *,
    now: datetime,
    shown: str = "",
    notice: Notice | None = None,
    reason: str = "",
) -> DeliveryPage:
    """Put together what the page shows, with what was typed."""
    reply = found.listed
    offers = _offers(request, found, now)
    news = bool(request.htmx and shown) and shown != reply.state
    return DeliveryPage(
        found=found,
        standing=standing_of(reply, now),
        decider=name_of(reply.decided_by) or "",
        text=plain(reply.text),
        because=plain(reply.because or ""),
        attempts=tuple(Attempted(one, outcome_of(one), _took(one), plain(one.said)) for one in found.tries),
        offers=offers,
        looks_every=_looks_every(reply.state),
        news=news,
        brings_offers=news and bool(offers.send) and shown not in SETTLED_BY_PEOPLE,
        notice=notice,
        reason=reason,
    )


def _looks_every(state: DeliveryState) -> int | None:
    """Return how often an open page asks again; what has ended is not asked for."""
    if state in FINAL_STATES:
        return None
    return LOOKS_SOON if state in {DeliveryState.SCHEDULED, DeliveryState.SENDING} else LOOKS_LATER


def _offers(request: ConsoleRequest, found: Detailed, now: datetime) -> Offers:
    reply = found.listed
    own = reply.decided_by == request.user and may(request.user, Action.CORRECT)
    undo = own and reply.state in UNSENT_STATES and now < reply.undo_until
    settles = may(request.user, Action.DECIDE) and reply.state in SETTLED_BY_PEOPLE
    leaves = reply.state is DeliveryState.NO_DESTINATION
    return Offers(
        undo=in_words(reply.undo_until - now) if undo else "",
        send=("Send it" if leaves else "Send again") if settles else "",
        arrived=settles and bool(found.tries),
        returns_item=reply.item_id is not None,
    )


def _took(tried: Tried) -> str:
    if tried.ended_at is None:
        return ""
    span = tried.ended_at - tried.started_at
    return in_words(span) if span.total_seconds() >= 1 else "less than a second"
