"""What a person was told: read, opened, marked; and for administrators, the mails that reached nobody."""

from collections.abc import Sequence
from typing import TYPE_CHECKING
from uuid import UUID

from django.conf import settings
from django.contrib import messages
from django.core.exceptions import ObjectDoesNotExist, PermissionDenied
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from console.http import ConsoleRequest, show
from console.permissions import Action, may
from console.views import paging
from console.views.access import readers_only
from drafts.queries import notices as told
from drafts.services import mailing
from drafts.services.notices import read
from ledger import queries as ledger
from ledger.queries import EndedConflict

if TYPE_CHECKING:
    from drafts.models import Notice

PER_PAGE = 25


@require_safe
@readers_only
def notices(request: ConsoleRequest) -> HttpResponse:
    """List what this person was told, the newest first."""
    found = told.notices_of(request.user, start=paging.start_of(request.GET, PER_PAGE), limit=PER_PAGE + 1)
    rows, pages = paging.cut(request.GET, found, PER_PAGE)
    configures = may(request.user, Action.CONFIGURE)
    context = {
        "rows": _with_what_is_over(rows),
        "pages": pages,
        "configures": configures,
        "given_up": told.mails_given_up() if configures else (),
        "has_mail_server": settings.MAIL.server is not None,
        "mail_folder": settings.MAIL.folder,
    }
    return show(request, "notices.html", context)


@require_POST
@readers_only
def read_all(request: ConsoleRequest) -> HttpResponse:
    """Mark everything as read."""
    read(person=request.user, now=timezone.now())
    messages.success(request, "Everything is marked as read.")
    return redirect("notices")


@require_POST
@readers_only
def read_one(request: ConsoleRequest, notice_id: UUID) -> HttpResponse:
    """Mark one notice as read, and stay here."""
    _read(request, notice_id)
    return redirect("notices")


@require_POST
@readers_only
def open_one(request: ConsoleRequest, notice_id: UUID) -> HttpResponse:
    """Mark one notice as read and go to the page that it leads to."""
    return redirect(_read(request, notice_id) or "notices")


@require_POST
@readers_only
def mail_again(request: ConsoleRequest, notice_id: UUID) -> HttpResponse:
    """Let a mail that was given up be tried again."""
    if not may(request.user, Action.CONFIGURE):
        raise PermissionDenied("Looking after mails is for administrators.")
    if mailing.try_again(notice_id=notice_id, now=timezone.now()):
        messages.success(request, "The mail is tried again within a minute.")
    return redirect("notices")


def _with_what_is_over(rows: Sequence["Notice"]) -> list[tuple["Notice", list[EndedConflict]]]:
    """Put beside each notice which of the conflicts that it asks to settle are over."""
    asked = {one for notice in rows for one in notice.conflicts}
    over = ledger.ended_conflicts(asked) if asked else {}
    return [(notice, [over[one] for one in notice.conflicts if one in over]) for notice in rows]


def _read(request: ConsoleRequest, notice_id: UUID) -> str:
    try:
        return read(person=request.user, now=timezone.now(), notice_id=notice_id)
    except ObjectDoesNotExist as gone:
        raise Http404 from gone
