"""What an open page hears when a conflict is settled meanwhile: the item that waited for it, and the queue."""

from dataclasses import dataclass
from datetime import datetime
from http import HTTPStatus
from uuid import UUID

from django.db.models import Q
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.views.decorators.http import require_safe

from console.http import ConsoleRequest, show
from console.views import waiting
from console.views.access import readers_only
from console.views.highlight import plain
from console.views.review import find
from drafts.decisions.structure import Piece
from drafts.decisions.transitions import OPEN_STATES
from ledger import queries as ledger
from ledger.decisions.keys import root_of
from ledger.decisions.vocabulary import Branch

TOLD_AT_ONCE = 3


@dataclass(frozen=True, slots=True)
class Freed:
    """A conflict that ended, and how many open drafts ask its question."""

    question: tuple[Piece, ...]
    key: str
    kept: str | None
    drafts: str


@require_safe
def item_news(request: ConsoleRequest, item_id: UUID) -> HttpResponse:
    """Tell a page that was opened while its item waited for a conflict that it waits no longer.

    The page then checks its text anew by itself; what stands in the editor is never touched.
    """
    item = find(request, item_id)
    if not request.htmx:
        return redirect("review", item_id)
    if item.branch == Branch.SOURCES_CONFLICT or item.state not in OPEN_STATES:
        return _nothing()
    ended = ledger.newest_settlement(root_of(item.question_key or "", ledger.registry()), item.conversation.channel)
    response = show(request, "_released.html", {"item": item, "conflict": ended})
    response["HX-Trigger-After-Swap"] = "released"
    return response


@require_safe
@readers_only
def queue_news(request: ConsoleRequest) -> HttpResponse:
    """Tell an open queue which conflicts ended since it was shown."""
    if not request.htmx:
        return redirect("queue")
    since = _instant(request.GET.get("since", ""))
    ended = ledger.settled_since(since, limit=TOLD_AT_ONCE) if since else ()
    if not ended:
        return _nothing()
    known = ledger.registry()
    family = {one.question_key: [key for key in known if root_of(key, known) == one.question_key] for one in ended}
    asked = [Q(question_key__in=family[one.question_key], conversation__channel=one.channel) for one in ended]
    counted = waiting.counts(waiting.open_items(request.user), asked)
    freed = tuple(
        Freed(plain(one.question_canonical), one.question_key, one.kept, drafts)
        for one, drafts in zip(ended, counted, strict=True)
    )
    return show(request, "_freed.html", {"freed": freed, "now": timezone.now()})


def _nothing() -> HttpResponse:
    return HttpResponse(status=HTTPStatus.NO_CONTENT, headers={"Cache-Control": "no-store"})


def _instant(typed: str) -> datetime | None:
    try:
        found = datetime.fromisoformat(typed)
    except ValueError:
        return None
    return found if found.tzinfo is not None else None
