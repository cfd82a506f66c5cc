"""The queue: what waits for a decision, the nearest deadline first, one page at a time."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING
from urllib.parse import urlencode
from uuid import UUID

from django.core.exceptions import PermissionDenied
from django.http import HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_safe

from console.http import ConsoleRequest, show
from console.permissions import Action, may
from console.queue_forms import Filters
from console.views import queue_lists
from console.views.queue_lists import FOR_ME, HELD, OPEN, Listing
from console.views.queue_rows import Row, rows_of, with_excerpts
from drafts import queries
from drafts.queries import searching, waiting
from drafts.queries.waiting import Order, Place
from ledger import queries as ledger

if TYPE_CHECKING:
    from django.db.models import QuerySet

    from drafts.models import ReviewItem

PER_PAGE = 50
COUNTED = 1000
FARTHEST = 10**9
"""The highest place in a list that an address is believed to tell."""


@dataclass(frozen=True, slots=True)
class Tab:
    """A list with its bounded count, and its address with the same filters."""

    name: str
    label: str
    count: str
    url: str
    is_current: bool


@dataclass(frozen=True, slots=True)
class Chip:
    """A filter that is set, and the address without it."""

    label: str
    value: str
    url: str


@dataclass(frozen=True, slots=True)
class QueuePage:
    """One page of a list, and where the pages before and after it begin."""

    listing: Listing
    tabs: tuple[Tab, ...]
    chips: tuple[Chip, ...]
    rows: tuple[Row, ...]
    range: str
    narrowed: bool
    left_out: tuple[str, ...]
    overflow: str
    start_url: str | None
    following: str | None
    preceding: str | None
    url: str
    shown_at: datetime
    all_url: str
    everywhere_url: str | None
    others_url: str | None


@dataclass(frozen=True, slots=True)
class _Cursor:
    """Where a page begins or ends; `number` is how many items stood before that place."""

    place: Place
    number: int
    backwards: bool


@dataclass(frozen=True, slots=True)
class _Part:
    """The items of one page; `start` of the list stand before them."""

    items: "Sequence[ReviewItem]"
    start: int
    has_previous: bool
    has_next: bool


@require_safe
def queue(request: ConsoleRequest) -> HttpResponse:
    """Show one list, narrowed by the filters and the search asked for."""
    if not may(request.user, Action.READ):
        raise PermissionDenied("Your account has no role yet. An administrator can give it one.")
    filters = Filters(request.GET, people=waiting.deciders(), keys=ledger.registry())
    page = page_of(request, filters)
    context = {"page": page, "filters": filters, "channels": ledger.channels(), "searched": f"{searching.SEARCHED:,}"}
    response = show(request, "queue.html", context, fragment="queue")
    response["HX-Push-Url"] = page.url
    return response


def page_of(request: ConsoleRequest, filters: Filters) -> QueuePage:
    """Read one page in a bounded number of queries and rows, however many items there are."""
    now, user = timezone.now(), request.user
    asked = filters.understood()
    listings = queue_lists.offered(user)
    listing = queue_lists.chosen(request.GET.get("state", ""), listings)
    lists = {one.name: queue_lists.items_of(one, user, now) for one in listings}
    calendar = queries.organisation_calendar()
    found, overflow = _searched(
        queue_lists.narrowed(lists[listing.name], asked, user=user, now=now, calendar=calendar),
        asked.get("q", "").strip(),
    )
    counts = waiting.bounded_counts(user, {**lists, "": found} if asked else lists, most=COUNTED)
    part = _read(found, listing.order, _cursor(request.GET.get("after"), request.GET.get("before")))
    link = _Links(listing, asked)
    return QueuePage(
        listing=listing,
        tabs=tuple(_tab(one, counts[one.name], listing, asked) for one in listings),
        chips=tuple(_chip(name, filters, asked, link) for name in asked),
        rows=rows_of(part.items, user, now),
        range=_range(part, counts["" if asked else listing.name]),
        narrowed=bool(asked.keys() - {"q"}),
        left_out=filters.left_out(),
        overflow=overflow,
        start_url=_start(part, listing),
        following=link.following(part),
        preceding=link.preceding(part),
        url=link.to(asked),
        shown_at=now,
        all_url=link.to({}),
        everywhere_url=_Links(queue_lists.LISTINGS[-1], {}).to({"q": asked["q"]}) if "q" in asked else None,
        others_url=_others(listing, counts),
    )


def _searched(found: "QuerySet[ReviewItem]", wanted: str) -> "tuple[QuerySet[ReviewItem], str]":
    """Keep what matches a search, and say where that is too much to be put in order."""
    if not wanted:
        return found, ""
    matching = searching.matching(found, wanted, most=COUNTED)
    overflow = f"More than {COUNTED:,} items match, and these are some of them." if len(matching) > COUNTED else ""
    return found.filter(pk__in=matching[:COUNTED]), overflow


def _read(found: "QuerySet[ReviewItem]", order: Order, cursor: _Cursor | None) -> _Part:
    """Read one page in its order; what stands before the first page is nothing, whatever its address tells."""
    backwards = cursor is not None and cursor.backwards
    read = waiting.part(
        with_excerpts(found),
        order,
        limit=PER_PAGE + 1,
        beyond=cursor.place if cursor else None,
        backwards=backwards,
    )
    items, more = read[:PER_PAGE], len(read) > PER_PAGE
    if cursor is None:
        return _Part(items, 0, has_previous=False, has_next=more)
    if not backwards:
        return _Part(items, cursor.number, has_previous=True, has_next=more)
    start = max(cursor.number - len(items), 0) if more else 0
    return _Part(items[::-1], start, has_previous=more, has_next=True)


def _range(part: _Part, counted: int) -> str:
    first, last = part.start + 1, part.start + len(part.items)
    if not part.items:
        return ""
    if first == 1 and not part.has_next:
        return "1 item" if last == 1 else f"{last:,} items"
    if not part.has_next:
        total = f"{last:,}"
    elif counted > COUNTED:
        total = f"more than {max(COUNTED, last):,}"
    else:
        total = f"{max(counted, last):,}"
    return f"{first:,}–{last:,} of {total} items"


def _tab(listing: Listing, count: int, current: Listing, asked: Mapping[str, str]) -> Tab:
    told = f"{COUNTED:,}+" if count > COUNTED else f"{count:,}"
    return Tab(listing.name, listing.label, told, _Links(listing, asked).to(asked), listing is current)


def _chip(name: str, filters: Filters, asked: Mapping[str, str], link: "_Links") -> Chip:
    others = {other: value for other, value in asked.items() if other != name}
    return Chip(str(filters.fields[name].label), filters.said(name, asked[name]), link.to(others))


def _start(part: _Part, listing: Listing) -> str | None:
    begins = part.items and part.start == 0 and listing.name in {FOR_ME, HELD}
    return reverse("review", args=[part.items[0].pk]) if begins else None


def _others(listing: Listing, counts: Mapping[str, int]) -> str | None:
    """Return where other open items are to be found, for whoever has none of their own."""
    return _Links(queue_lists.LISTINGS[2], {}).to({}) if listing.name in {FOR_ME, HELD} and counts[OPEN] else None


@dataclass(frozen=True, slots=True)
class _Links:
    """Addresses within one list."""

    listing: Listing
    asked: Mapping[str, str]

    def to(self, asked: Mapping[str, str]) -> str:
        """Return the address of the list under these filters."""
        return f"{reverse('queue')}?{urlencode({'state': self.listing.name, **asked})}"

    def following(self, part: _Part) -> str | None:
        """Return the address of the page after a part, where one follows."""
        last = part.items[-1] if part.items and part.has_next else None
        return self._page("after", last, part.start + len(part.items)) if last else None

    def preceding(self, part: _Part) -> str | None:
        """Return the address of the page before a part, where one precedes."""
        first = part.items[0] if part.items and part.has_previous else None
        return self._page("before", first, part.start) if first else None

    def _page(self, direction: str, item: "ReviewItem", number: int) -> str:
        first = getattr(item, self.listing.order.column)
        marks = (first.isoformat() if first else "none", item.created_at.isoformat(), str(item.pk), str(number))
        return self.to({**self.asked, direction: "_".join(marks)})


def _cursor(after: str | None, before: str | None) -> _Cursor | None:
    """Read where a page begins; what is not understood begins at the beginning."""
    marks = (after or before or "").split("_")
    if len(marks) != 4:
        return None
    try:
        first = None if marks[0] == "none" else datetime.fromisoformat(marks[0])
        created_at, pk, number = datetime.fromisoformat(marks[1]), UUID(marks[2]), int(marks[3])
    except ValueError:
        return None
    if created_at.tzinfo is None or (first and first.tzinfo is None) or not 0 <= number <= FARTHEST:
        return None
    return _Cursor(Place(first, created_at, pk), number, backwards=not after)
