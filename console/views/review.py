"""The review item: reading it, and following its reply out of the house."""

from dataclasses import replace
from datetime import datetime
from http import HTTPStatus
from typing import TYPE_CHECKING
from uuid import UUID

from django.contrib.auth.models import User
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils import timezone
from django.views.decorators.http import require_safe

from console.forms import NOTHING_SENT, ReviewForm, Sent
from console.http import ConsoleRequest, show
from console.views.insertion import same_text
from console.views.leaving import leaving_of
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
    sent = _started_from(item, request.user, request.GET.get("from", ""))
    page = build(
        item,
        request.user,
        now=timezone.now(),
        sent=sent,
        before=int(before) if before.isdecimal() and len(before) < 10 else None,
    )
    return show(request, TEMPLATE, {"page": page}, fragment="thread" if before else "item")


@require_safe
def delivery(request: ConsoleRequest, item_id: UUID) -> HttpResponse:
    """Tell where a decided reply stands now; `seen` names what the asking page shows, and nothing is sent twice.

    A page whose item is open again, because its reply was stopped or taken back, is loaded anew.
    """
    item = find(request, item_id)
    leaving = leaving_of(item, request.user, timezone.now())
    if not request.htmx:
        return redirect("review", item_id)
    if leaving is None:
        return HttpResponse(headers={"HX-Refresh": "true", "Cache-Control": "no-store"})
    if request.GET.get("seen") == leaving.seen:
        return HttpResponse(status=HTTPStatus.NO_CONTENT, headers={"Cache-Control": "no-store"})
    return show(request, TEMPLATE, {"item": item, "leaving": leaving}, fragment="leaving")


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
    notice = Notice("unusable", "This could not be used", tuple(str(e) for e in errors), field, of_form=True)
    return Sent(text=request.POST.get("text")), notice


def page_for(
    request: ConsoleRequest, item_id: UUID, *, now: datetime, sent: Sent, notice: Notice | None = None
) -> ReviewPage:
    """Build the page again after an action, from what is stored now."""
    return build(find(request, item_id), request.user, now=now, sent=sent, notice=notice)


def kept_to_the_letter(item: "ReviewItem", sent: Sent) -> Sent:
    """Take a text that a browser only sent back, with line ends of its own, for the stored one."""
    stored = queries.current_version(item).text
    return replace(sent, text=stored) if sent.text is not None and same_text(sent.text, stored) else sent


def without_jump(response: HttpResponse, notice: Notice | None) -> HttpResponse:
    """Let htmx stay where it is, not go to the top, when something further down gets the focus."""
    if notice is not None and (notice.field is not None or notice.has_place):
        response["HX-Reswap"] = "outerHTML show:none"
    return response


def _started_from(item: "ReviewItem", user: User, source: str) -> Sent:
    kind, _, number = source.partition(":")
    if not number.isdecimal() or len(number) > 9:
        return NOTHING_SENT
    if kind == "typed":
        return Sent(text=item.working_texts.filter(author=user).values_list("text", flat=True).first())
    if kind == "version":
        return Sent(text=item.draft_versions.filter(number=int(number)).values_list("text", flat=True).first())
    return Sent(text=item.parked_texts.filter(pk=int(number)).values_list("text", flat=True).first())
