"""A text that is being typed: checked by the same analysis as everywhere and kept, mended by one press, set aside."""

from dataclasses import replace
from datetime import datetime
from http import HTTPStatus
from typing import TYPE_CHECKING
from uuid import UUID

from django.core.exceptions import PermissionDenied
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.views.decorators.http import require_POST

from console import permissions
from console.forms import Sent
from console.http import ConsoleRequest, show
from console.views import outcomes
from console.views.fixes import NothingToMend, mended
from console.views.review import TEMPLATE, find, kept_to_the_letter, page_for, sent_by, without_jump
from console.views.review_page import Notice
from drafts import queries
from drafts.services import typing

if TYPE_CHECKING:
    from drafts.models import ReviewItem

STATUSES = {"unusable": HTTPStatus.UNPROCESSABLE_ENTITY, "overtaken": HTTPStatus.CONFLICT}


@require_POST
def check(request: ConsoleRequest, item_id: UUID) -> HttpResponse:
    """Check the text as typed and keep it; htmx gets the parts beside the editor, which itself is never touched."""
    item = find(request, item_id)
    now = timezone.now()
    sent, notice = sent_by(request)
    if notice is None and sent.text is not None and permissions.may(request.user, permissions.Action.DECIDE):
        sent = kept_to_the_letter(item, sent)
        notice = _kept(item, sent, request, now)
    page = page_for(request, item_id, now=now, sent=sent, notice=notice)
    status = HTTPStatus.UNPROCESSABLE_ENTITY if notice and notice.kind == "unusable" else HTTPStatus.OK
    return show(request, TEMPLATE, {"page": page, "beside": True}, fragment="live", status=status)


@require_POST
def mend(request: ConsoleRequest, item_id: UUID) -> HttpResponse:
    """Do to the text in the editor what the button beside a blocker says; the result is kept and not yet saved."""
    item = find(request, item_id)
    _may_decide(request)
    now = timezone.now()
    sent, notice = sent_by(request)
    if notice is None:
        sent = kept_to_the_letter(item, sent)
        text = queries.current_version(item).text if sent.text is None else sent.text
        try:
            text, done = mended(text, sent.mend)
        except NothingToMend:
            came_of_it = Notice("unusable", "Nothing was changed", ("This no longer fits the text. Check it again.",))
        else:
            came_of_it = Notice("mended", done)
        sent = replace(sent, text=text)
        notice = _kept(item, sent, request, now) or came_of_it
    page = page_for(request, item_id, now=now, sent=sent, notice=notice)
    status = STATUSES.get(notice.kind, HTTPStatus.OK)
    return without_jump(show(request, TEMPLATE, {"page": page}, fragment="item", status=status), notice)


@require_POST
def set_aside(request: ConsoleRequest, item_id: UUID) -> HttpResponse:
    """Start again from the saved text; what was typed is kept with the item."""
    item = find(request, item_id)
    _may_decide(request)
    now = timezone.now()
    sent, notice = sent_by(request)
    if notice is None:
        sent = kept_to_the_letter(item, sent)
        typing.set_aside(item_id=item.pk, text=sent.text, actor=request.user, now=now)
        sent, notice = replace(sent, text=None), Notice("done", "The saved text stands in the editor again.")
        if not request.htmx:
            return redirect("review", item_id)
    page = page_for(request, item_id, now=now, sent=sent, notice=notice)
    status = HTTPStatus.UNPROCESSABLE_ENTITY if notice.kind == "unusable" else HTTPStatus.OK
    return show(request, TEMPLATE, {"page": page}, fragment="item", status=status)


def _may_decide(request: ConsoleRequest) -> None:
    if not permissions.may(request.user, permissions.Action.DECIDE):
        raise PermissionDenied("Deciding is for support agents and policy owners.")


def _kept(item: "ReviewItem", sent: Sent, request: ConsoleRequest, now: datetime) -> Notice | None:
    """Keep the typed text, and say what stands in the way of using it."""
    typed = typing.keep(
        item_id=item.pk, text=sent.text or "", seen_version=sent.seen_version, actor=request.user, now=now
    )
    return outcomes.notice_of(typed.hindered, sent, request.user)
