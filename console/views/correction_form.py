"""Correct what a customer was told, from the conversation's ledger and without a draft waiting."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from http import HTTPStatus
from typing import TYPE_CHECKING

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from console.correction_forms import CorrectionForm, Typed
from console.http import ConsoleRequest, show
from console.permissions import Action, may
from console.views import history
from console.views.conversation import find
from console.views.highlight import plain
from console.views.insertion import same_text
from drafts import queries
from drafts.decisions import commitments
from drafts.decisions.correcting import STRUCTURAL
from drafts.decisions.given import Blocker
from drafts.decisions.structure import Piece
from drafts.services import correcting
from drafts.services.correcting import CorrectionRefused, CorrectionWanted, Previewed
from drafts.services.outcomes import Unusable
from ledger import queries as ledger
from ledger.decisions.text import is_blank
from ledger.services.entries import EntryRefused

if TYPE_CHECKING:
    from drafts.models import Conversation

WHOLE = "whole"
ABOUT_WHOLE = frozenset(
    {
        "no_source_for_correction",
        "key_not_established",
        "nothing_to_correct",
        "moved_on_meanwhile",
        "answer_still_leaving",
    }
)
ABOUT_MESSAGE = frozenset({"withdrawn_answer_not_named", "new_answer_not_named", "value_differs_from_correction"})
MISSING = {
    "new_answer": "Write the answer that holds from now on.",
    "reason": "Say why the earlier answer is replaced.",
    "owner": "Say who answers for the correction.",
}
type Problems = Mapping[str, tuple[tuple[Piece, ...], ...]]


@dataclass(frozen=True, slots=True)
class CorrectionPage:
    """The form with what was typed; `problems` stand beside their fields, those of the whole at the top."""

    conversation: "Conversation"
    key: str
    question: tuple[Piece, ...]
    told: tuple[Piece, ...]
    told_at: datetime | None
    told_passage: bool
    entry_id: str
    source: str
    passage: tuple[Piece, ...]
    typed: Typed
    owners: tuple[tuple[str, str], ...]
    problems: Problems


@dataclass(frozen=True, slots=True)
class _Asked:
    """Whose answer to which question is to be corrected, by whom and when."""

    request: ConsoleRequest
    conversation: "Conversation"
    key: str
    now: datetime


@require_http_methods(["GET", "HEAD", "POST"])
def correct(request: ConsoleRequest, conversation_id: int, key: str) -> HttpResponse:
    """Show the form, preview the message or issue the correction; nothing typed is lost on the way."""
    asked = _Asked(request, find(request, conversation_id), key, timezone.now())
    if not may(request.user, Action.CORRECT):
        raise PermissionDenied("Correcting is for support agents, policy owners and managers.")
    if request.method != "POST":
        return _answer(asked, Typed(owner=request.user.get_username()))
    form = CorrectionForm(request.POST)
    usable = form.is_valid()
    typed = form.typed()
    if not usable:
        problems = {name: _lines(map(str, told)) for name, told in form.errors.items()}
        return _answer(asked, typed, problems, status=HTTPStatus.UNPROCESSABLE_ENTITY)
    step = form.cleaned_data["step"]
    if missing := _missing(typed, step):
        return _answer(asked, typed, missing, status=HTTPStatus.UNPROCESSABLE_ENTITY)
    return {"passage": _start_from_passage, "preview": _show_message, "issue": _issue}[step](asked, typed)


def _start_from_passage(asked: _Asked, typed: Typed) -> HttpResponse:
    statement = commitments.statement_of(_preview(asked, typed).one)
    return _answer(asked, replace(typed, new_answer=statement.text if statement else typed.new_answer))


def _show_message(asked: _Asked, typed: Typed) -> HttpResponse:
    shown = _composed_anew(typed, _preview(asked, typed))
    return _answer(asked, shown, _by_field(_preview(asked, shown).blockers))


def _issue(asked: _Asked, typed: Typed) -> HttpResponse:
    """Issue what was read: the answer that was shown as told, and the message that was shown or typed."""
    preview = _preview(asked, typed)
    shown = _composed_anew(typed, preview)
    if preview.one.locked is not None and preview.one.locked.entry_id != typed.seen_entry:
        return _refuse(asked, shown, WHOLE, "The answer was changed while you wrote. Nothing was issued; look again.")
    if not same_text(shown.message, typed.message):
        return _refuse(asked, shown, WHOLE, "Nothing was issued yet. Read the message below first.")
    try:
        correcting.correct(
            conversation_id=asked.conversation.external_id,
            question_key=asked.key,
            wanted=_wanted(shown),
            actor=asked.request.user,
            now=asked.now,
            calendar=queries.organisation_calendar(),
        )
    except CorrectionRefused as refused:
        return _answer(asked, shown, _by_field(refused.blockers), status=HTTPStatus.CONFLICT)
    except Unusable as unusable:
        return _refuse(asked, shown, unusable.field, unusable.message)
    except EntryRefused as refused:
        return _refuse(asked, shown, WHOLE, str(refused))
    messages.success(asked.request, "The correction was issued and stands in the ledger.")
    return redirect("conversation", asked.conversation.pk)


def _composed_anew(typed: Typed, preview: Previewed) -> Typed:
    """Keep a message in somebody's own words; one that was only composed follows the answer."""
    message = typed.message if typed.in_own_words else preview.composed
    return replace(typed, message=message, composed=preview.composed)


def _preview(asked: _Asked, typed: Typed) -> Previewed:
    try:
        return correcting.preview_from_ledger(
            conversation_id=asked.conversation.external_id,
            question_key=asked.key,
            wanted=_wanted(typed),
            now=asked.now,
            calendar=queries.organisation_calendar(),
        )
    except Unusable as unknown:
        raise Http404(unknown.message) from unknown


def _wanted(typed: Typed) -> CorrectionWanted:
    return CorrectionWanted(typed.new_answer, typed.reason, typed.owner, typed.message or None)


def _missing(typed: Typed, step: str) -> Problems:
    wanted = {"preview": ("new_answer",), "issue": ("new_answer", "reason", "owner")}.get(step, ())
    return {name: _lines([MISSING[name]]) for name in wanted if is_blank(getattr(typed, name))}


def _by_field(blockers: Iterable[Blocker]) -> Problems:
    """Put each refusal beside the field that can meet it."""
    found: dict[str, tuple[tuple[Piece, ...], ...]] = {}
    for blocker in blockers:
        field = _field_of(blocker)
        found[field] = (*found.get(field, ()), plain(blocker.message))
    return found


def _field_of(blocker: Blocker) -> str:
    if blocker.code in ABOUT_WHOLE or (blocker.code in STRUCTURAL and blocker.start is None):
        return WHOLE
    return "message" if blocker.code in ABOUT_MESSAGE or blocker.start is not None else "new_answer"


def _lines(told: Iterable[str]) -> tuple[tuple[Piece, ...], ...]:
    return tuple(plain(line) for line in told)


def _refuse(asked: _Asked, typed: Typed, field: str, message: str) -> HttpResponse:
    return _answer(asked, typed, {field: _lines([message])}, status=HTTPStatus.CONFLICT)


def _answer(
    asked: _Asked,
    typed: Typed,
    problems: Problems | None = None,
    *,
    status: int = HTTPStatus.OK,
) -> HttpResponse:
    """Show the form as it stands now; where no answer counts any more there is nothing to correct."""
    page = _page(asked, typed, problems or {})
    return show(
        asked.request, "correction_form.html", {"page": page}, status=status if page.told else HTTPStatus.NOT_FOUND
    )


def _page(asked: _Asked, typed: Typed, problems: Problems) -> CorrectionPage:
    one = _preview(asked, typed).one
    statement, version, locked = commitments.statement_of(one), one.route.version, one.locked
    entry = ledger.registry().get(asked.key)
    return CorrectionPage(
        conversation=asked.conversation,
        key=one.root or asked.key,
        question=plain(entry.question_canonical if entry else ""),
        told=plain(locked.answer_text if locked else ""),
        told_at=locked.told_at if locked else None,
        told_passage=locked is not None and statement is not None and locked.answer_text == statement.text,
        entry_id=locked.entry_id if locked else "",
        source=f"{version.title}, version {version.version}, section {statement.section}"
        if version and statement
        else "",
        passage=plain(statement.text if statement else ""),
        typed=typed,
        owners=tuple((p.get_username(), history.name_of(p) or "") for p in queries.correctors()),
        problems=problems,
    )
