"""The two situations of rule 3.7 in which no answer changes and the customer gets a reply.

They are an answer that we cannot find, and a policy that changed in the middle of the thread. The reply is composed
from facts and taken in like any draft, so that it is checked, decided and delivered as one.
"""

import uuid
from collections.abc import Callable
from dataclasses import dataclass, replace
from http import HTTPStatus

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from console.http import ConsoleRequest, show
from console.situation_forms import COMPOSE, SEARCH, SEND, ReplyForm
from console.views.highlight import plain
from console.views.insertion import same_text
from console.views.situations import Case, case_of
from console.views.two_documents import NOTHING_YET, previewed
from drafts import queries
from drafts.decisions import policy_change, quoted
from drafts.decisions.arriving import Unacceptable
from drafts.decisions.given import Blocker
from drafts.decisions.policy_change import PolicyChange
from drafts.decisions.structure import Piece
from drafts.queries.composing import NothingToAnswer, composed_draft
from drafts.queries.quotations import Quotations, find_quotation
from drafts.services import correcting
from drafts.services.intake import ExternalIdReused, take_in
from ledger.decisions.router import BadDate
from ledger.decisions.text import is_blank


@dataclass(frozen=True, slots=True)
class Reply:
    """The fields as they were typed; `composed` is the text last shown, `external_id` names the draft to be."""

    quoted: str = ""
    text: str = ""
    composed: str = ""
    external_id: str = ""


@dataclass(frozen=True, slots=True)
class ReplyPage:
    """One of the two forms; `blockers` are what would stand in the way of approving the text as it is."""

    case: Case
    reply: Reply
    problem: str = ""
    blockers: tuple[tuple[Piece, ...], ...] = ()
    found: Quotations | None = None
    values: tuple[str, ...] = ()
    change: PolicyChange | None = None
    explained: tuple[Piece, ...] = ()
    told: tuple[Piece, ...] = ()


@require_http_methods(["GET", "HEAD", "POST"])
def not_found(request: ConsoleRequest, conversation_id: int) -> HttpResponse:
    """Look for the answer that a customer quotes; where it is not found, compose the reply that says so."""
    case = case_of(request, conversation_id)
    return _handle(request, case, "correction_not_found.html", lambda reply: _quoting(request, case, reply))


@require_http_methods(["GET", "HEAD", "POST"])
def policy_changed(request: ConsoleRequest, conversation_id: int) -> HttpResponse:
    """Say which policy applies to the customer's date and why, and compose the reply that tells them."""
    case = case_of(request, conversation_id)
    return _handle(request, case, "correction_policy_changed.html", lambda reply: _explaining(case, reply))


def _handle(request: ConsoleRequest, case: Case, template: str, build: Callable[[Reply], ReplyPage]) -> HttpResponse:
    if request.method != "POST":
        return show(request, template, {"case": case, "page": build(Reply())})
    form = ReplyForm(request.POST)
    usable = form.is_valid()
    reply = Reply(**{name: form.cleaned_data.get(name) or request.POST.get(name, "") for name in FIELDS})
    if not usable:
        problem = " ".join(str(error) for errors in form.errors.values() for error in errors)
        page = replace(build(Reply()), reply=reply, problem=problem)
        return show(request, template, {"case": case, "page": page}, status=HTTPStatus.UNPROCESSABLE_ENTITY)
    searching = form.cleaned_data["step"] == SEARCH
    if searching and is_blank(reply.quoted):
        page = replace(build(Reply()), problem="Write down the customer’s words first; nothing was looked for.")
        return show(request, template, {"case": case, "page": page}, status=HTTPStatus.UNPROCESSABLE_ENTITY)
    page = build(reply if not searching else Reply(quoted=reply.quoted))
    if form.cleaned_data["step"] == SEND:
        return _send(request, case, template, page)
    if form.cleaned_data["step"] == COMPOSE:
        page = replace(page, blockers=_blockers(case, page.reply.text))
    return show(request, template, {"case": case, "page": page})


FIELDS = ("quoted", "text", "composed", "external_id")


def _quoting(request: ConsoleRequest, case: Case, reply: Reply) -> ReplyPage:
    locked = previewed(case, NOTHING_YET).one.locked if case.key else None
    asked = not is_blank(reply.quoted)
    return ReplyPage(
        case=case,
        reply=_composed_anew(reply, quoted.compose(locked.answer_text if locked else None)) if asked else reply,
        found=find_quotation(request.user, case.conversation, reply.quoted) if asked else None,
        values=quoted.values_of(reply.quoted),
        told=plain(locked.answer_text if locked else ""),
    )


def _explaining(case: Case, reply: Reply) -> ReplyPage:
    if not case.key:
        return ReplyPage(case, reply)
    looked = correcting.policy_change(
        conversation_id=case.conversation.external_id,
        question_key=case.key,
        now=timezone.now(),
        calendar=queries.organisation_calendar(),
    )
    if looked is None:
        return ReplyPage(case, reply)
    told_at = looked.locked.told_at
    told_on = timezone.localtime(told_at).date() if told_at else None
    return ReplyPage(
        case=case,
        reply=_composed_anew(reply, policy_change.compose(looked, told_on=told_on)),
        change=looked,
        explained=plain(policy_change.explanation(looked)),
        told=plain(looked.locked.answer_text),
    )


def _composed_anew(reply: Reply, composed: str) -> Reply:
    """Keep a text in somebody's own words; one that was only composed follows the facts."""
    own = bool(reply.text.strip()) and not same_text(reply.text, reply.composed)
    name = reply.external_id or f"desk-{uuid.uuid4()}"
    return replace(reply, text=reply.text if own else composed, composed=composed, external_id=name)


def _blockers(case: Case, text: str) -> tuple[tuple[Piece, ...], ...]:
    if not case.key:
        return ()
    found: tuple[Blocker, ...] = correcting.check_reply(
        conversation_id=case.conversation.external_id,
        question_key=case.key,
        text=text,
        now=timezone.now(),
        calendar=queries.organisation_calendar(),
    )
    return tuple(plain(blocker.message) for blocker in found)


def _send(request: ConsoleRequest, case: Case, template: str, page: ReplyPage) -> HttpResponse:
    """Take the reply in as a draft; pressing twice makes one."""
    problem = _taken_in(case, page.reply)
    if isinstance(problem, uuid.UUID):
        messages.success(request, "The reply waits here as a draft. Read it and approve it like any other.")
        return redirect("review", problem)
    refused = replace(page, problem=problem)
    return show(request, template, {"case": case, "page": refused}, status=HTTPStatus.CONFLICT)


def _taken_in(case: Case, reply: Reply) -> uuid.UUID | str:
    if is_blank(reply.text) or not reply.external_id:
        return "There is no text to put into the queue yet."
    try:
        draft = composed_draft(
            case.conversation, text=reply.text, question_key=case.key or None, external_id=reply.external_id
        )
        return take_in(draft, now=timezone.now(), calendar=queries.organisation_calendar()).item.pk
    except NothingToAnswer:
        return "This conversation has no message yet that a reply could answer."
    except ExternalIdReused:
        return "This reply waits in the queue already, with another text. Open the conversation to find it."
    except (Unacceptable, BadDate) as refused:
        return str(refused)
