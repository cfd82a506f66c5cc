"""What a person does about a reply on its way out: each view makes one service call and tells what came of it."""

from collections.abc import Callable
from datetime import datetime
from functools import wraps
from http import HTTPStatus
from uuid import UUID

from django import forms
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.views.decorators.http import require_POST

from console.forms import KeptText
from console.http import ConsoleRequest, show
from console.permissions import Action, may
from console.views.access import readers_only
from console.views.delivery import TEMPLATE, build, find
from console.views.review_page import Notice
from drafts import queries
from drafts.decisions.delivering import DeliveryState
from drafts.queries.deliveries import Detailed
from drafts.services import settling, undoing
from drafts.services.outcomes import Unusable
from drafts.services.undoing import TooLate

View = Callable[[ConsoleRequest, UUID], HttpResponse]
Act = Callable[[ConsoleRequest, Detailed, str, datetime], str | Notice]


class ReasonForm(forms.Form):
    """What a person says about a reply of which only people can know more."""

    reason = KeptText()


def action(needs: Action, why_not: str) -> Callable[[Act], View]:
    """Make a view of one action, which returns what it did; what stood in the way is told, what was typed is kept."""

    def decorate(act: Act) -> View:
        @require_POST
        @readers_only
        @wraps(act)
        def view(request: ConsoleRequest, delivery_id: UUID) -> HttpResponse:
            found = find(request, delivery_id)
            if not may(request.user, needs):
                raise PermissionDenied(why_not)
            now = timezone.now()
            notice = _attempt(act, request, found, now)
            if notice is None:
                return redirect("delivery", delivery_id)
            page = build(
                request, find(request, delivery_id), now=now, notice=notice, reason=request.POST.get("reason", "")
            )
            status = HTTPStatus.UNPROCESSABLE_ENTITY if notice.kind == "unusable" else HTTPStatus.CONFLICT
            return show(request, TEMPLATE, {"page": page}, status=status)

        return view

    return decorate


def _attempt(act: Act, request: ConsoleRequest, found: Detailed, now: datetime) -> Notice | None:
    form = ReasonForm(request.POST)
    if not form.is_valid():
        return Notice("unusable", "This could not be used", tuple(str(e) for e in form.errors["reason"]), "reason")
    try:
        came_of_it = act(request, found, form.cleaned_data["reason"], now)
    except Unusable as unusable:
        return Notice("unusable", "Something is missing", (unusable.message,), unusable.field)
    except TooLate as late:
        return Notice("overtaken", "This changed nothing", (late.message,))
    if isinstance(came_of_it, Notice):
        return came_of_it
    messages.success(request, came_of_it)
    return None


may_settle = action(Action.DECIDE, "What becomes of a reply is for support agents and policy owners to say.")


@may_settle
def send_again(request: ConsoleRequest, found: Detailed, _reason: str, now: datetime) -> str:
    """Let the reply be tried at once, under the same id."""
    settling.send_again(delivery_id=found.listed.id, actor=request.user, now=now)
    return "It is sent again now, under the same id."


@may_settle
def mark_delivered(request: ConsoleRequest, found: Detailed, reason: str, now: datetime) -> str:
    """Note on this person's word that the reply has arrived, from here or passed on by hand."""
    settling.mark_delivered(delivery_id=found.listed.id, reason=reason, actor=request.user, now=now)
    return "It is noted as arrived, and stands in the conversation."


@may_settle
def take_back(request: ConsoleRequest, found: Detailed, reason: str, now: datetime) -> str | Notice:
    """Give the reply up for good; its item waits in the queue again."""
    settled = settling.take_back(
        delivery_id=found.listed.id,
        reason=reason,
        actor=request.user,
        now=now,
        calendar=queries.organisation_calendar(),
    )
    if settled.state != DeliveryState.RETURNED:
        return Notice("refused", "It cannot be taken back", (settled.because or "",))
    return "It is taken back" + (", and its item waits in the queue again." if found.listed.item_id else ".")


@action(Action.CORRECT, "Your role does not allow this.")
def undo(request: ConsoleRequest, found: Detailed, _reason: str, now: datetime) -> str:
    """Undo one's own correction that was issued without a draft; a decided item is undone on its own page."""
    if found.correction_id is None:
        raise Http404("This reply comes from an item, where it is undone.")
    undoing.undo_correction(
        correction_id=found.correction_id, actor=request.user, now=now, calendar=queries.organisation_calendar()
    )
    return "The correction is undone. It did not leave, and the earlier answer holds again."
