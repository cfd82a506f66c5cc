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
BRIEF = 200
SETTLED_BY_PEOPLE = (
    DeliveryState.DEAD, DeliveryState.UNKNOWN, DeliveryState.NO_DESTINATION, DeliveryState.RETRYING,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Attempted:
    """One attempt, told in words; `said` is how the receiver's answer begins, `whole` all of a long one."""

    tried: Tried
    outcome: str
    took: str
    said: tuple[Piece, ...]
    whole: tuple[Piece, ...]


@dataclass(frozen=True, slots=True)
class Offers:
    """What this person may do now: `undo` says for how long, `send` names its button; empty where they may not."""

    undo: str
    send: str
    arrived: bool
    returns_item: bool


@dataclass(frozen=True, slots=True)
class DeliveryPage:
    """Everything the page shows. To a page that looks again, `news` tells a new state, `tried_since` new attempts.

    `looks_every` counts seconds. `because` is left out where the newest attempt says the same.
    """

    found: Detailed
    standing: Standing
    decider: str
    text: tuple[Piece, ...]
    because: tuple[Piece, ...]
    attempts: tuple[Attempted, ...]
    offers: Offers
    looks_every: int | None
    news: bool
    tried_since: bool
    brings_offers: bool
    notice: Notice | None
    reason: str


@require_safe
@readers_only
def delivery(request: ConsoleRequest, delivery_id: UUID) -> HttpResponse:
    """Show one delivery; a page that looks again says in `shown` and `tries` what it shows."""
    page = build(request, find(request, delivery_id), now=timezone.now())
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
    notice: Notice | None = None,
    reason: str = "",
) -> DeliveryPage:
    """Put together what the page shows, with what was typed."""
    reply = found.listed
    offers = _offers(request, found, now)
    shown = request.GET.get("shown", "") if request.htmx else ""
    news = bool(shown) and shown != reply.state
    return DeliveryPage(
        found=found,
        standing=standing_of(reply, now),
        decider=name_of(reply.decided_by) or "",
        text=plain(reply.text),
        because=plain(_because(found)),
        attempts=tuple(_attempted(one) for one in found.tries),
        offers=offers,
        looks_every=_looks_every(reply.state),
        news=news,
        tried_since=news or (bool(shown) and request.GET.get("tries") != str(len(found.tries))),
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
        arrived=settles,
        returns_item=reply.item_id is not None,
    )


def _because(found: Detailed) -> str:
    because = found.listed.because or ""
    said = found.tries[0].said if found.tries else ""
    if because == said:
        return ""
    return because.removesuffix(said) + _brief(said) if said and because.endswith(said) else because


def _attempted(tried: Tried) -> Attempted:
    said = _brief(tried.said)
    whole = tried.said if said != tried.said else ""
    return Attempted(tried, outcome_of(tried), _took(tried), plain(said), plain(whole))


def _brief(text: str) -> str:
    return text if len(text) <= BRIEF else f"{text[:BRIEF]} …"


def _took(tried: Tried) -> str:
    if tried.ended_at is None:
        return ""
    span = tried.ended_at - tried.started_at
    return in_words(span) if span.total_seconds() >= 1 else "less than a second"
