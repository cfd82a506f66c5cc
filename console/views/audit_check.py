"""The rows behind one number of the audit as they are now, on screen and as a file, and settling one of them."""

from dataclasses import dataclass
from datetime import datetime
from http import HTTPStatus

from django import forms
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from console import spreadsheets
from console.forms import KeptText
from console.http import ConsoleRequest, show
from console.permissions import Action, may
from console.views import audit_words, paging
from console.views.access import readers_only
from console.views.audit_rows import COLUMNS, Row, rows_of
from console.views.audit_words import CheckWords
from drafts import queries
from drafts.queries import auditing
from drafts.services import outside_commitments

ROWS_AT_ONCE = 25
ANSWERED_ANEW = 3
MAY_NOT_SETTLE = "Settling is for whoever may correct: support agents, policy owners and managers."


class Settling(forms.Form):
    """A reason, kept to the letter."""

    reason = KeptText()


@dataclass(frozen=True, slots=True)
class Refused:
    """Why a row could not be settled, beside the row, with what was typed."""

    commitment: int
    message: str
    typed: str


@dataclass(frozen=True, slots=True)
class CheckPage:
    """The rows behind one number; `at` is when they were looked for."""

    number: int
    words: CheckWords
    count: int
    allowed: str
    healthy: bool
    rows: tuple[Row, ...]
    pages: paging.Paging
    at: datetime
    may_settle: bool
    refused: Refused | None


@require_safe
@readers_only
def check(request: ConsoleRequest, number: int) -> HttpResponse:
    """Show one part of the rows that break a check now."""
    return show(request, "audit_check.html", {"page": _page(request, number)})


@require_safe
@readers_only
def check_csv(_request: ConsoleRequest, number: int) -> StreamingHttpResponse:
    """Send every row that breaks a check now as one file."""
    columns = _columns(number)
    rows = (tuple(_cell(row.get(name)) for name in columns) for row in auditing.audit_rows(number))
    return spreadsheets.download(f"audit-check-{number}-{timezone.localdate()}.csv", columns, rows)


@require_POST
def settle(request: ConsoleRequest, commitment_id: int) -> HttpResponse:
    """Settle a commitment that was made outside the desk, with a reason."""
    if not may(request.user, Action.CORRECT):
        raise PermissionDenied(MAY_NOT_SETTLE)
    form = Settling(request.POST)
    typed = str(request.POST.get("reason", ""))
    if not form.is_valid():
        return _refuse(request, Refused(commitment_id, " ".join(map(str, form.errors["reason"])), typed))
    try:
        outside_commitments.settle(
            commitment_id=commitment_id,
            reason=form.cleaned_data["reason"],
            actor=request.user,
            now=timezone.now(),
            calendar=queries.organisation_calendar(),
        )
    except outside_commitments.NotSettled as refused:
        return _refuse(request, Refused(commitment_id, str(refused), typed))
    messages.success(request, "Settled. Your reason is kept with the reply.")
    return redirect("audit-check", ANSWERED_ANEW)


def _refuse(request: ConsoleRequest, refused: Refused) -> HttpResponse:
    page = _page(request, ANSWERED_ANEW, refused)
    return show(request, "audit_check.html", {"page": page}, status=HTTPStatus.UNPROCESSABLE_ENTITY)


def _page(request: ConsoleRequest, number: int, refused: Refused | None = None) -> CheckPage:
    _columns(number)
    start = paging.start_of(request.GET, ROWS_AT_ONCE)
    found = auditing.audit_check(number, start=start, limit=ROWS_AT_ONCE + 1)
    part, pages = paging.cut(request.GET, found.rows, ROWS_AT_ONCE)
    return CheckPage(
        number=number,
        words=audit_words.CHECKS[number],
        count=found.count,
        allowed=audit_words.allowed(found.threshold),
        healthy=found.healthy,
        rows=rows_of(part),
        pages=pages,
        at=timezone.now(),
        may_settle=may(request.user, Action.CORRECT),
        refused=refused,
    )


def _columns(number: int) -> tuple[str, ...]:
    if number not in COLUMNS:
        raise Http404
    return COLUMNS[number]


def _cell(value: object) -> object:
    """Write lists in one cell, and instants in the organisation's zone to the second."""
    if isinstance(value, datetime):
        return timezone.localtime(value).isoformat(timespec="seconds")
    return "; ".join(str(each) for each in value) if isinstance(value, list) else value
