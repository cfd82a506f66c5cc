"""The review item: reading it, and checking a text that is still being typed."""

from datetime import datetime
from http import HTTPStatus
from typing import TYPE_CHECKING
from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from console.forms import NOTHING_SENT, ReviewForm, Sent
from console.http import ConsoleRequest, show
from console.views.review_page import Notice, ReviewPage, build
from drafts import queries

if TYPE_CHECKING:
    from drafts.models import ReviewItem

TEMPLATE = "review.html"


@require_safe
def review(request: ConsoleRequest, item_id: UUID) -> HttpResponse:
    """Show one item; `from` puts an earlier version or a kept text into the editor, `before` shows earlier messages."""
    item = find(request, item_id)
    before = request.GET.get("before", "")
    sent = _started_from(item, request.GET.get("from", ""))
    page = build(
        item,
        request.user,
        now=timezone.now(),
        sent=sent,
        before=int(before) if before.isdecimal() and len(before) < 10 else None,
    )
    return show(request, TEMPLATE, {"page": page}, fragment="thread" if before else "item")


@require_POST
def check(request: ConsoleRequest, item_id: UUID) -> HttpResponse:
    """Check the text as typed by the same analysis as everywhere; nothing is stored."""
    item = find(request, item_id)
    sent, notice = sent_by(request)
    page = build(item, request.user, now=timezone.now(), sent=sent, notice=notice)
    status = HTTPStatus.UNPROCESSABLE_ENTITY if notice else HTTPStatus.OK
    return show(request, TEMPLATE, {"page": page, "beside": True}, fragment="live", status=status)


def find(request: ConsoleRequest, item_id: UUID) -> "ReviewItem":
    """Return an item that this person may see, with what the page needs beside it; anything else is not found."""
    beside = ("conversation", "reply_to", "ticket", "holder", "decided_by", "decision__delivery")
    return get_object_or_404(queries.visible_items(request.user).select_related(*beside), pk=item_id)


def sent_by(request: ConsoleRequest) -> tuple[Sent, Notice | None]:
    """Parse what the page's form carried; a notice names what could not be read."""
    form = ReviewForm(request.POST)
    if form.is_valid():
        return form.sent(), None
    field, errors = next(iter(form.errors.items()))
    notice = Notice("unusable", "This could not be used", tuple(str(e) for e in errors), field)
    return Sent(text=request.POST.get("text")), notice


def page_for(
    request: ConsoleRequest, item_id: UUID, *, now: datetime, sent: Sent, notice: Notice | None = None
) -> ReviewPage:
    """Build the page again after an action, from what is stored now."""
    return build(find(request, item_id), request.user, now=now, sent=sent, notice=notice)


def _started_from(item: "ReviewItem", source: str) -> Sent:
    kind, _, number = source.partition(":")
    if not number.isdecimal() or len(number) > 9:
        return NOTHING_SENT
    if kind == "version":
        return Sent(text=item.draft_versions.filter(number=int(number)).values_list("text", flat=True).first())
    return Sent(text=item.parked_texts.filter(pk=int(number)).values_list("text", flat=True).first())
