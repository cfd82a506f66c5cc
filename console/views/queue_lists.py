"""The lists of the queue, in the order of their tabs, and what narrows one of them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from django.contrib.auth.models import User
from django.db.models import Q

from console.permissions import Action, may
from console.queue_forms import NAMED
from drafts import queries
from drafts.decisions.transitions import DECIDED_STATES, OPEN_STATES, ItemState
from drafts.queries import waiting
from drafts.queries.affected import asks
from drafts.queries.waiting import BY_DEADLINE, Order
from ledger import queries as ledger
from ledger.decisions.calendar import BusinessCalendar

if TYPE_CHECKING:
    from django.db.models import QuerySet

    from drafts.models import ReviewItem

NEAREST = "nearest deadline first"
FOR_ME, HELD, OPEN, ALL = "for-me", "held", "open", "all"
AGES = {"hour": timedelta(hours=1), "day": timedelta(days=1), "week": timedelta(days=7)}


@dataclass(frozen=True, slots=True)
class Listing:
    """One list: its names in addresses and on its tab, its order, also in words, and what to say where it is empty."""

    name: str
    label: str
    order: Order
    told: str
    empty: tuple[str, str]
    for_deciders: bool = False


LISTINGS = (
    Listing(
        FOR_ME,
        "Waiting for me",
        BY_DEADLINE,
        NEAREST,
        ("Nothing waits for you", "What needs your decision appears here."),
        for_deciders=True,
    ),
    Listing(
        HELD,
        "Held by me",
        BY_DEADLINE,
        NEAREST,
        ("You hold nothing", "You take an item with the first change you make."),
        for_deciders=True,
    ),
    Listing(
        OPEN,
        "Everything open",
        BY_DEADLINE,
        NEAREST,
        ("Nothing waits", "Every draft is decided. New ones appear here as the bot or the helpdesk sends them."),
    ),
    Listing(
        "escalated",
        "Escalated",
        BY_DEADLINE,
        NEAREST,
        ("Nothing is escalated", "No item waits for a policy owner's decision."),
    ),
    Listing(
        "decided",
        "Decided",
        Order("decided_at", descending=True),
        "newest decision first",
        ("Nothing is decided yet", "What people decide is listed here, the newest first."),
    ),
    Listing(
        "retired",
        "Retired",
        Order("retired_at", descending=True),
        "newest first",
        ("Nothing was retired", "A draft is retired when a reply was sent without it."),
    ),
    Listing(
        ALL,
        "All",
        Order("created_at", descending=True),
        "newest first",
        ("No draft has arrived", "Drafts appear here as the bot or the helpdesk sends them."),
    ),
)


def offered(user: User) -> tuple[Listing, ...]:
    """Return the lists for this person; who decides nothing needs none of what waits for them."""
    decides = may(user, Action.DECIDE)
    return tuple(one for one in LISTINGS if decides or not one.for_deciders)


def chosen(asked: str, listings: tuple[Listing, ...]) -> Listing:
    """Return the list asked for, else the first; `waiting` is an earlier name for what is open."""
    wanted = OPEN if asked == "waiting" else asked
    return next((one for one in listings if one.name == wanted), listings[0])


def items_of(listing: Listing, user: User, now: datetime) -> "QuerySet[ReviewItem]":
    """Return the items of a list, in no order."""
    items = queries.visible_items(user).order_by()
    if listing.name == FOR_ME:
        return waiting.waiting_for(user, now).order_by()
    if listing.name == HELD:
        return items.filter(waiting.held(user, now), state__in=OPEN_STATES)
    states = {
        OPEN: OPEN_STATES,
        "escalated": (ItemState.ESCALATED,),
        "decided": DECIDED_STATES,
        "retired": (ItemState.RETIRED,),
    }
    return items if listing.name == ALL else items.filter(state__in=states[listing.name])


def narrowed(
    items: "QuerySet[ReviewItem]", filters: Mapping[str, str], *, user: User, now: datetime, calendar: BusinessCalendar
) -> "QuerySet[ReviewItem]":
    """Keep the items that meet every filter; the search is no part of this."""
    conditions: dict[str, Callable[[str], Q]] = {
        "key": lambda value: asks((value,), ledger.registry()),
        "handler": lambda value: Q(handler=value),
        "blockers": lambda value: Q(blocker_count__gt=0) if value == "yes" else Q(blocker_count=0),
        "held": lambda value: _held(value, user, now),
        "channel": lambda value: Q(conversation__channel=value),
        "due": lambda value: _due(value, now, calendar),
        "age": lambda value: Q(created_at__lt=now - AGES[value]),
    }
    return items.filter(*(conditions[name](value) for name, value in filters.items() if name in conditions))


def _held(value: str, user: User, now: datetime) -> Q:
    if value == "nobody":
        return waiting.held_by_nobody(now)
    return waiting.held(user if value == "me" else value.removeprefix(NAMED), now)


def _due(value: str, now: datetime, calendar: BusinessCalendar) -> Q:
    _, tomorrow = calendar.day_bounds(calendar.local(now).date())
    return {
        "overdue": Q(deadline_at__lt=now),
        "today": Q(deadline_at__gte=now, deadline_at__lt=tomorrow),
        "later": Q(deadline_at__gte=tomorrow),
        "none": Q(deadline_at=None),
    }[value]
