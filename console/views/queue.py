"""The queue: what waits for a decision, oldest first, one page at a time."""

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING
from urllib.parse import urlencode
from uuid import UUID

from django.core.exceptions import PermissionDenied
from django.db.models import Count, F, FilteredRelation, Q, QuerySet
from django.db.models.functions import Left
from django.http import HttpResponse
from django.utils import timezone
from django.views.decorators.http import require_safe

from console.forms import STATES_OF, Filters
from console.http import ConsoleRequest, show
from console.permissions import Action, may
from console.views import history, words
from console.views.highlight import plain
from drafts import queries
from drafts.decisions.structure import Piece
from drafts.decisions.transitions import ItemState, is_open
from ledger import queries as ledger
from ledger.decisions.vocabulary import Handler

if TYPE_CHECKING:
    from drafts.models import ReviewItem

PER_PAGE = 50
COUNTED = 1000
EXCERPT = 240
CLOSED = ("decided", "retired")


@dataclass(frozen=True, slots=True)
class Row:
    """One item of the list."""

    id: UUID
    external_id: str
    conversation: str
    question: tuple[Piece, ...]
    draft: tuple[Piece, ...]
    state: str
    state_style: str
    branch: str
    handler: str
    blockers: int
    claims: int
    since: datetime
    due_at: datetime | None
    late: bool
    holder: str | None
    mine: bool


@dataclass(frozen=True, slots=True)
class QueuePage:
    """One page of the queue, and where the pages before and after it begin."""

    rows: tuple[Row, ...]
    count: str
    filtered: bool
    narrowed: bool
    following: str | None
    preceding: str | None


@dataclass(frozen=True, slots=True)
class _Cursor:
    created_at: datetime
    pk: UUID
    backwards: bool


@require_safe
def queue(request: ConsoleRequest) -> HttpResponse:
    """List items by the filters asked for."""
    if not may(request.user, Action.READ):
        raise PermissionDenied("Your account has no role yet. An administrator can give it one.")
    filters = Filters(request.GET)
    understood = filters.understood()
    page = page_of(request, understood, _cursor(request.GET.get("after"), request.GET.get("before")))
    keys = sorted(ledger.registry().values(), key=lambda entry: entry.key)
    return show(
        request, "queue.html", {"page": page, "filters": filters, "keys": keys, "asked": understood}, fragment="list"
    )


def page_of(request: ConsoleRequest, filters: dict[str, str], cursor: _Cursor | None) -> QueuePage:
    """Read one page in a bounded number of queries, however many items there are."""
    found = _filtered(queries.visible_items(request.user), filters, request, timezone.now())
    newest_first = filters.get("state") in CLOSED
    items, more = _slice(found, cursor, newest_first=newest_first)
    backwards = cursor is not None and cursor.backwards
    has_next, has_previous = (True, more) if backwards else (more, cursor is not None)
    return QueuePage(
        rows=_rows(request, items, timezone.now()),
        count=_bounded_count(found),
        filtered=bool(filters),
        narrowed=bool(filters.keys() & {"handler", "blockers", "held", "key"}),
        following=_link(filters, "after", items[-1]) if items and has_next else None,
        preceding=_link(filters, "before", items[0]) if items and has_previous else None,
    )


def _filtered(
    items: "QuerySet[ReviewItem]", filters: dict[str, str], request: ConsoleRequest, now: datetime
) -> "QuerySet[ReviewItem]":
    items = items.filter(state__in=STATES_OF[filters.get("state", "")])
    if handler := filters.get("handler"):
        items = items.filter(handler=handler)
    if blockers := filters.get("blockers"):
        items = items.filter(blocker_count__gt=0) if blockers == "yes" else items.filter(blocker_count=0)
    if held := filters.get("held"):
        mine = Q(holder=request.user, lease_until__gt=now)
        items = items.filter(mine if held == "me" else Q(holder=None) | Q(lease_until__lte=now))
    if key := filters.get("key"):
        items = items.filter(question_key=key)
    if wanted := filters.get("q", "").strip():
        items = items.filter(Q(external_id__icontains=wanted) | Q(conversation__external_id__icontains=wanted))
    return items


def _slice(
    items: "QuerySet[ReviewItem]", cursor: _Cursor | None, *, newest_first: bool
) -> "tuple[list[ReviewItem], bool]":
    """Return one page in its order, and whether more follow in the direction of reading."""
    backwards = cursor is not None and cursor.backwards
    descending = newest_first != backwards
    order = ("-created_at", "-id") if descending else ("created_at", "id")
    if cursor is not None:
        items = items.filter(_beyond(cursor, descending=descending))
    read = list(_with_excerpts(items).order_by(*order)[: PER_PAGE + 1])
    page = read[:PER_PAGE]
    return (page[::-1] if backwards else page), len(read) > PER_PAGE


def _beyond(cursor: _Cursor, *, descending: bool) -> Q:
    at, pk = cursor.created_at, cursor.pk
    if descending:
        return Q(created_at__lte=at) & (Q(created_at__lt=at) | Q(id__lt=pk))
    return Q(created_at__gte=at) & (Q(created_at__gt=at) | Q(id__gt=pk))


def _with_excerpts(items: "QuerySet[ReviewItem]") -> "QuerySet[ReviewItem]":
    """Read the beginnings of long texts only, in the same query."""
    newest = FilteredRelation("draft_versions", condition=Q(draft_versions__number=F("version")))
    return (
        items.select_related("holder")
        .annotate(newest=newest)
        .annotate(
            draft_excerpt=Left("newest__text", EXCERPT),
            question_excerpt=Left("reply_to__text", EXCERPT),
            conversation_name=F("conversation__external_id"),
        )
        .only(
            "id",
            "external_id",
            "state",
            "branch",
            "handler",
            "blocker_count",
            "created_at",
            "due_at",
            "lease_until",
            "holder__username",
            "holder__first_name",
            "holder__last_name",
        )
    )


def _rows(request: ConsoleRequest, items: "list[ReviewItem]", now: datetime) -> tuple[Row, ...]:
    ids = [item.pk for item in items]
    of_page = queries.visible_items(request.user).filter(pk__in=ids).order_by()
    claims = dict(of_page.annotate(found=Count("claims", filter=Q(claims__tier="claim"))).values_list("pk", "found"))
    return tuple(_row(request, item, claims.get(item.pk, 0), now) for item in items)


def _row(request: ConsoleRequest, item: "ReviewItem", claims: int, now: datetime) -> Row:
    held = item.holder is not None and item.lease_until is not None and item.lease_until > now
    waiting = is_open(item.state)
    return Row(
        id=item.pk,
        external_id=item.external_id,
        conversation=getattr(item, "conversation_name", ""),
        question=plain(getattr(item, "question_excerpt", None) or ""),
        draft=plain(" ".join((getattr(item, "draft_excerpt", None) or "").split())),
        state=words.STATES[ItemState(item.state)],
        state_style=item.state,
        branch=words.branch_told(item.branch).short,
        handler=words.HANDLERS[Handler(item.handler)],
        blockers=item.blocker_count if waiting else 0,
        claims=claims,
        since=item.created_at,
        due_at=item.due_at if waiting else None,
        late=waiting and item.due_at is not None and item.due_at < now,
        holder=history.name_of(item.holder) if held else None,
        mine=held and item.holder == request.user,
    )


def _bounded_count(items: "QuerySet[ReviewItem]") -> str:
    count = items.order_by()[: COUNTED + 1].count()
    if count > COUNTED:
        return f"More than {COUNTED:,} items"
    return "1 item" if count == 1 else f"{count:,} items"


def _link(filters: dict[str, str], direction: str, item: "ReviewItem") -> str:
    return "?" + urlencode({**filters, direction: f"{item.created_at.isoformat()}_{item.pk}"})


def _cursor(after: str | None, before: str | None) -> _Cursor | None:
    """Read where a page begins; what is not understood begins at the beginning."""
    at, _, pk = (after or before or "").partition("_")
    try:
        moment, identity = datetime.fromisoformat(at), UUID(pk)
    except ValueError:
        return None
    return _Cursor(moment, identity, backwards=not after) if moment.tzinfo else None
