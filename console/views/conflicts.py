"""Conflicts between sources: the list, one with its passages side by side, and its settlement by a policy owner."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from http import HTTPStatus
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.db import OperationalError
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html, format_html_join
from django.utils.http import urlencode
from django.utils.safestring import SafeString
from django.views.decorators.http import require_POST, require_safe

from console.conflict_forms import Typed, fault_of, read_settlement, wanted
from console.http import ConsoleRequest, show
from console.permissions import Action, may
from console.views import paging, waiting
from console.views.access import readers_only
from console.views.conflict_page import OPEN, ConflictPage, Notice, page_of
from console.views.highlight import plain
from console.views.source_words import CONFLICT_STATES, due_in_words
from drafts import queries
from drafts.decisions.structure import Piece
from drafts.queries.affected import held_by_conflict
from drafts.services.conflicts import reassign_conflict
from drafts.services.updates import resolve_conflict
from ledger import queries as ledger
from ledger.queries import ConflictRow, ConflictView
from ledger.services.conflicts import ConflictNotSettled
from ledger.services.settling import Settlement

PER_PAGE = 25
NAMED = 4
"""Versions that a row of the list names; the others are counted."""


@dataclass(frozen=True, slots=True)
class Row:
    """One conflict of the list."""

    conflict: ConflictRow
    question: tuple[Piece, ...]
    state: str
    due: str
    late: bool
    waiting: str
    versions: tuple[tuple[str, str], ...]
    more: int


@require_safe
@readers_only
def conflicts(request: ConsoleRequest) -> HttpResponse:
    """List the open conflicts, the most urgent first, or those that are settled."""
    settled = request.GET.get("state") == "settled"
    start = paging.start_of(request.GET, PER_PAGE)
    found = ledger.conflict_rows(settled=settled, start=start, limit=PER_PAGE + 1)
    rows, pages = paging.cut(request.GET, found, PER_PAGE)
    context = {"rows": _rows(request.user, rows, timezone.now()), "settled": settled, "pages": pages}
    return show(request, "conflicts.html", context)


@require_safe
@readers_only
def conflict(request: ConsoleRequest, conflict_id: UUID) -> HttpResponse:
    """Show one conflict."""
    return show(request, "conflict.html", {"page": _page(request, conflict_id, Typed())})


@require_POST
@readers_only
def resolve(request: ConsoleRequest, conflict_id: UUID) -> HttpResponse:
    """Keep one version and retire or narrow the others, with a reason; what was typed is kept when it is refused."""
    found = _settleable(request, conflict_id)
    sent = read_settlement(request.POST, found)
    outcome = _settle(found, sent, request.user)
    if isinstance(outcome, int):
        messages.success(request, _done(conflict_id, outcome))
        return redirect("conflict", conflict_id)
    sent, notice = outcome
    status = HTTPStatus.UNPROCESSABLE_ENTITY if sent.faults else HTTPStatus.CONFLICT
    return show(request, "conflict.html", {"page": _page(request, conflict_id, sent, notice)}, status=status)


@require_POST
@readers_only
def reassign(request: ConsoleRequest, conflict_id: UUID) -> HttpResponse:
    """Give an open conflict to another policy owner, who is told."""
    _settleable(request, conflict_id)
    try:
        given = reassign_conflict(
            conflict_id=conflict_id,
            to=request.POST.get("to", ""),
            actor=request.user,
            now=timezone.now(),
            calendar=queries.organisation_calendar(),
        )
    except ConflictNotSettled as refused:
        overtaken = refused.field == "state"
        notice = Notice("overtaken" if overtaken else "unusable", "Nothing was changed", (refused.message,))
        status = HTTPStatus.CONFLICT if overtaken else HTTPStatus.UNPROCESSABLE_ENTITY
        return show(request, "conflict.html", {"page": _page(request, conflict_id, Typed(), notice)}, status=status)
    messages.success(request, f"This conflict now belongs to {given.owner_name}.")
    return redirect("conflict", conflict_id)


def _settleable(request: ConsoleRequest, conflict_id: UUID) -> ConflictView:
    if not may(request.user, Action.CHANGE_SOURCES):
        raise PermissionDenied("Settling a conflict is for policy owners.")
    found = ledger.conflict(conflict_id)
    if found is None:
        raise Http404
    return found


def _settle(found: ConflictView, sent: Typed, actor: User) -> int | tuple[Typed, Notice]:
    """Return how many drafts were analysed again, or what stood in the way."""
    unusable = Notice("unusable", "Something is missing. Nothing was settled.", tuple(sent.faults.values()))
    if sent.faults and found.state == OPEN:
        return sent, unusable
    asked = wanted(replace(sent, ways={}) if sent.faults else sent, found)
    try:
        return resolve_conflict(
            conflict_id=found.id, wanted=asked, actor=actor, now=timezone.now(),
            calendar=queries.organisation_calendar(),
        )  # fmt: skip
    except ConflictNotSettled as refused:
        return _refused(refused, sent, asked)
    except OperationalError:  # the database broke a tie between two changes that waited for each other
        told = ("Somebody changed the same sources at the same moment. Press the button again.",)
        return replace(sent, faults={}), Notice("overtaken", "Nothing was settled yet", told)


def _refused(refused: ConflictNotSettled, sent: Typed, asked: Settlement) -> tuple[Typed, Notice]:
    if refused.field == "state":
        told = ("Your settlement changed nothing. What stands now is told below; your reason is kept here.",)
        return replace(sent, faults={}), Notice("overtaken", refused.message, told)
    if refused.field == "seen":
        changed = (refused.message, "What you chose and typed is still here.")
        return replace(sent, faults={}), Notice("overtaken", "Nothing was settled yet", changed)
    field, message = fault_of(refused.field, refused.message, asked)
    return replace(sent, faults={field: message}), Notice("unusable", "Nothing was settled.", (message,))


def _page(request: ConsoleRequest, conflict_id: UUID, sent: Typed, notice: Notice | None = None) -> ConflictPage:
    found = ledger.conflict(conflict_id)
    if found is None:
        raise Http404
    return page_of(found, request.user, sent=sent, notice=notice, now=timezone.now())


def _done(conflict_id: UUID, analysed: int) -> SafeString:
    found = ledger.conflict(conflict_id)
    link = f"{reverse('queue')}?{urlencode({'state': 'open', 'key': found.question_key if found else ''})}"
    number = "1 draft was" if analysed == 1 else f"{analysed:,} drafts were"
    return format_html(
        'The conflict is settled. {} analysed again. <a href="{}">Show the open drafts of this question</a>.{}',
        number,
        link,
        _still_open(found.question_key if found else ""),
    )


def _still_open(key: str) -> SafeString | str:
    """Name the conflicts that the same question still has, on other channels or between other versions."""
    rest = ledger.open_conflicts_of([key]).get(key, ())
    if not rest:
        return ""
    links = format_html_join(
        ", ", '<a href="{}"><bdi>{}</bdi></a>', ((reverse("conflict", args=[one]), channel) for one, channel in rest)
    )
    return format_html(" The same question still has a conflict open on {}.", links)


def _rows(user: User, rows: Sequence[ConflictRow], now: datetime) -> tuple[Row, ...]:
    registry = ledger.registry() if rows else {}
    held = [held_by_conflict(row.question_key, row.channel, registry) for row in rows if row.state == OPEN]
    told = iter(waiting.counts(waiting.open_items(user), held))
    return tuple(
        Row(
            conflict=row,
            question=plain(row.question_canonical),
            state=CONFLICT_STATES[row.state],
            due=due_in_words(row.due_at, now),
            late=row.due_at < now,
            waiting=next(told) if row.state == OPEN else "",
            versions=row.versions[:NAMED],
            more=max(0, len(row.versions) - NAMED),
        )
        for row in rows
    )
