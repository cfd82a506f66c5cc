"""What a reviewer does with an item: each view parses, makes one service call, and answers with what came of it."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime
from functools import wraps
from http import HTTPStatus
from typing import TYPE_CHECKING
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.views.decorators.http import require_POST

from console import permissions
from console.forms import REASON, Sent
from console.http import ConsoleRequest, show
from console.views import history, outcomes
from console.views.insertion import insert
from console.views.review import TEMPLATE, find, kept_to_the_letter, page_for, sent_by, without_jump
from console.views.review_page import ASKS_NOTHING, Notice, build
from drafts import queries
from drafts.decisions.analysis import quote_of
from drafts.decisions.transitions import DecisionKind, approval_of
from drafts.services import correcting, deciding, editing, holding, undoing
from drafts.services.deciding import Dismiss, Wanted
from drafts.services.outcomes import Unusable
from ledger.services.entries import EntryRefused

if TYPE_CHECKING:
    from drafts.models import ReviewItem

View = Callable[[ConsoleRequest, UUID], HttpResponse]
Action = Callable[["ReviewItem", Sent, ConsoleRequest, datetime], object]


def action(done: str, **fields: str) -> Callable[[Action], View]:
    """Make a view of one action: who may not decide is refused, what was typed is kept, `done` says that it worked.

    `fields` gives the page's name of a field where the service has another, so that what is missing is marked there.
    """

    def decorate(act: Action) -> View:
        @require_POST
        @wraps(act)
        def view(request: ConsoleRequest, item_id: UUID) -> HttpResponse:
            item = find(request, item_id)
            if not permissions.may(request.user, permissions.Action.DECIDE):
                raise PermissionDenied("Deciding is for support agents and policy owners.")
            now = timezone.now()
            sent, notice = sent_by(request)
            if notice is None:
                sent = kept_to_the_letter(item, sent)
                notice = _attempt(lambda: act(item, sent, request, now), sent, request.user, fields)
            return _answer(request, item_id, sent=sent, notice=notice, now=now, done=done)

        return view

    return decorate


def _attempt(act: Callable[[], object], sent: Sent, actor: User, fields: Mapping[str, str]) -> Notice | None:
    try:
        return outcomes.notice_of(act(), sent, actor)
    except Unusable as unusable:
        return Notice(
            "unusable", "Something is missing", (unusable.message,), fields.get(unusable.field, unusable.field)
        )
    except EntryRefused as refused:
        return Notice("refused", "The ledger did not take this. Nothing was decided.", (str(refused),))
    except undoing.TooLate as late:
        return Notice("overtaken", "This can no longer be undone", (late.message,))
    except holding.Held as held:
        who = history.name_of(held.item.holder)
        heading = f"{who} has taken this item" if who else "This item is closed"
        return Notice("overtaken", heading, ("Your action changed nothing.",), kept=sent.text)


def _answer(
    request: ConsoleRequest, item_id: UUID, *, sent: Sent, notice: Notice | None, now: datetime, done: str
) -> HttpResponse:
    if notice is None:
        return _worked(request, item_id, sent=sent, now=now, done=done)
    status = HTTPStatus.UNPROCESSABLE_ENTITY if notice.kind == "unusable" else HTTPStatus.CONFLICT
    kept = replace(sent, text=None) if notice.kind == "overtaken" else sent
    page = page_for(request, item_id, now=now, sent=kept, notice=notice)
    return without_jump(show(request, TEMPLATE, {"page": page}, fragment="item", status=status), notice)


def _worked(request: ConsoleRequest, item_id: UUID, *, sent: Sent, now: datetime, done: str) -> HttpResponse:
    """Redirect after an action, unless the page holds words that are not stored yet: those are shown again."""
    item = find(request, item_id)
    text = sent.text if item.version == sent.seen_version else None
    unsaved = replace(sent, text=text, reasons=_still_to_be_used(sent), question="", dismiss="")
    page = build(item, request.user, now=now, sent=unsaved, notice=Notice("done", done))
    if request.htmx or page.editor.unsaved or unsaved.reasons:
        return show(request, TEMPLATE, {"page": page}, fragment="item")
    messages.success(request, done)
    return redirect("review", item_id)


def _still_to_be_used(sent: Sent) -> dict[str, str]:
    """Keep the reasons typed beside claims and findings, apart from the one that this action used."""
    typed = (sent.reasons or {}).items()
    return {name: reason for name, reason in typed if reason and ":" in name and name != sent.dismiss}


@action("The reply was approved.")
def approve(item: "ReviewItem", sent: Sent, request: ConsoleRequest, now: datetime) -> object:
    """Approve the text in the editor; the answer confirmed there is what will be locked."""
    saved = queries.current_version(item).text
    text = saved if sent.text is None else sent.text
    wanted = Wanted(
        approval_of(text, saved=saved, original=queries.original_text(item)),
        seen_version=sent.seen_version,
        text=text,
        answer_text=sent.answer_text,
    )
    return _decide(item, wanted, request, now)


@action("The draft was sent back.", reason=f"{REASON}send_back")
def send_back(item: "ReviewItem", sent: Sent, request: ConsoleRequest, now: datetime) -> object:
    """Send the draft back to where it came from, with the reason."""
    return _decide(item, _with_reason(DecisionKind.SEND_BACK, sent), request, now)


@action("The item was escalated to a policy owner.", reason=f"{REASON}escalate")
def escalate(item: "ReviewItem", sent: Sent, request: ConsoleRequest, now: datetime) -> object:
    """Hand the item to a policy owner, with the reason; an edited text goes along."""
    return _decide(item, _with_reason(DecisionKind.ESCALATE, sent), request, now)


@action("The correction was issued.", reason=f"{REASON}correct", answer_text="new_answer")
def correct(item: "ReviewItem", sent: Sent, request: ConsoleRequest, now: datetime) -> object:
    """Replace the locked answer; the composed message goes out unless the reviewer wrote another."""
    own_words = sent.message.strip() and sent.message != sent.composed
    wanted = Wanted(
        DecisionKind.CORRECT,
        seen_version=sent.seen_version,
        text=sent.message if own_words else None,
        reason=sent.reason("correct"),
        owner=sent.owner,
        answer_text=sent.new_answer,
    )
    return _decide(item, wanted, request, now)


@action("The text was saved.")
def save(item: "ReviewItem", sent: Sent, request: ConsoleRequest, now: datetime) -> object:
    """Save the text as the draft's next version."""
    return _save(item, sent.text or "", sent, request, now)


@action("The required text was inserted.")
def insert_text(item: "ReviewItem", sent: Sent, request: ConsoleRequest, now: datetime) -> object:
    """Put a required text into the draft and save it."""
    text = sent.text if sent.text is not None else queries.current_version(item).text
    return _save(item, insert(text, sent.insertion), sent, request, now)


@action("The question was chosen.")
def choose_question(item: "ReviewItem", sent: Sent, request: ConsoleRequest, now: datetime) -> object:
    """Say which question the customer asks, or that they ask for no commitment."""
    if not sent.question:
        raise Unusable("question", "Choose one of the questions, or that no commitment is asked for.")
    key = None if sent.question == ASKS_NOTHING else sent.question
    return editing.choose_key(
        item_id=item.pk, key=key, actor=request.user, now=now, calendar=queries.organisation_calendar()
    )


@action("It was marked as settled.")
def settle(item: "ReviewItem", sent: Sent, request: ConsoleRequest, now: datetime) -> object:
    """Mark a claim as none, or a finding as looked at, with the reason."""
    dismissed = _dismissal(item, sent)
    calendar = queries.organisation_calendar()
    try:
        return editing.settle(item_id=item.pk, dismissed=(dismissed,), actor=request.user, now=now, calendar=calendar)
    except Unusable as unusable:
        raise Unusable(f"{REASON}{sent.dismiss}", unusable.message) from unusable


@action("The newer message is noted as read.")
def confirm(item: "ReviewItem", _sent: Sent, request: ConsoleRequest, now: datetime) -> object:
    """Say that the newer message was read and the draft still answers."""
    return editing.confirm_still_fits(
        item_id=item.pk, actor=request.user, now=now, calendar=queries.organisation_calendar()
    )


@action("You have taken this item.")
def take(item: "ReviewItem", _sent: Sent, request: ConsoleRequest, _now: datetime) -> object:
    """Reserve the item for oneself."""
    return holding.take(item_id=item.pk, actor=request.user)


@action("You have given this item back.")
def release(item: "ReviewItem", _sent: Sent, request: ConsoleRequest, _now: datetime) -> object:
    """Give the item back."""
    if not holding.release(item_id=item.pk, actor=request.user):
        raise Unusable("holder", "You had not taken this item, so there was nothing to give back.")
    return None


@action("Your decision was undone before its reply left. The item is yours again.")
def undo(item: "ReviewItem", _sent: Sent, request: ConsoleRequest, now: datetime) -> object:
    """Take one's own decision back while its reply has not left."""
    return undoing.undo(item_id=item.pk, actor=request.user, now=now, calendar=queries.organisation_calendar())


@require_POST
def preview(request: ConsoleRequest, item_id: UUID) -> HttpResponse:
    """Show the message that a correction with this answer would send; nothing is stored."""
    item = find(request, item_id)
    sent, notice = sent_by(request)
    now = timezone.now()
    if notice is None and not sent.new_answer.strip():
        notice = Notice("unusable", "Something is missing", ("Write the answer that holds from now on.",), "new_answer")
    if notice is None:
        composed = correcting.preview(item, sent.new_answer, now=now, calendar=queries.organisation_calendar()) or ""
        own_words = sent.message.strip() and sent.message != sent.composed
        sent = replace(sent, composed=composed, message=sent.message if own_words else composed)
        notice = Notice("composed", "This is what the customer would read. Nothing was sent yet.") if composed else None
    page = page_for(request, item_id, now=now, sent=sent, notice=notice)
    status = HTTPStatus.UNPROCESSABLE_ENTITY if notice and notice.kind == "unusable" else HTTPStatus.OK
    return without_jump(show(request, TEMPLATE, {"page": page}, fragment="item", status=status), notice)


def _with_reason(kind: DecisionKind, sent: Sent) -> Wanted:
    return Wanted(kind, seen_version=sent.seen_version, text=sent.text, reason=sent.reason(kind))


def _decide(item: "ReviewItem", wanted: Wanted, request: ConsoleRequest, now: datetime) -> object:
    return deciding.decide(
        item_id=item.pk, wanted=wanted, actor=request.user, now=now, calendar=queries.organisation_calendar()
    )


def _save(item: "ReviewItem", text: str, sent: Sent, request: ConsoleRequest, now: datetime) -> object:
    return editing.save_text(
        item_id=item.pk,
        text=text,
        seen_version=sent.seen_version or item.version,
        actor=request.user,
        now=now,
        calendar=queries.organisation_calendar(),
    )


def _dismissal(item: "ReviewItem", sent: Sent) -> Dismiss:
    """Find the marked words in the stored text, since the page may show one that is not saved yet."""
    stored = queries.current_version(item).text
    shown = stored if sent.text is None else sent.text
    subject, _, place = sent.dismiss.partition(":")
    reason = sent.reason(sent.dismiss)
    first, _, last = place.partition(":")
    if not first.isdecimal() or not last.isdecimal():
        return Dismiss(None, None, subject, reason)
    quote = quote_of(shown, int(first), int(last)) if int(last) <= len(shown) else ""
    at = int(first) if stored.startswith(quote, int(first)) else stored.find(quote)
    if not quote or at < 0:
        raise Unusable("dismiss", "These words are not in the saved text yet. Save the text, then mark them.")
    return Dismiss(at, at + len(quote), subject, reason)
