"""Correct what a customer was told: a locked answer, from the conversation's ledger, or words said past the desk."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from http import HTTPStatus

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from console.correction_forms import CorrectionForm, Typed
from console.http import ConsoleRequest, show
from console.views.correction_page import WHOLE, Problems, by_field, lines, page_of
from console.views.insertion import same_text
from console.views.situations import Case, case_of
from drafts import queries
from drafts.decisions import commitments
from drafts.decisions.given import Blocker
from drafts.decisions.outside import SaidOutside
from drafts.decisions.transitions import DecisionKind
from drafts.services import correcting, deciding
from drafts.services.correcting import CorrectionRefused, CorrectionWanted, OutsideWords, Previewed
from drafts.services.outcomes import Overtaken, Refused, Unusable
from ledger import queries as ledger
from ledger.decisions.text import is_blank
from ledger.services.entries import EntryRefused

MISSING = {
    "new_answer": "Write the answer that holds from now on.",
    "withdrawn": "Copy the words that are withdrawn from the reply.",
    "reason": "Say why the earlier answer is replaced.",
    "owner": "Say who answers for the correction.",
}


@dataclass(frozen=True, slots=True)
class _Asked:
    """What is to be corrected, by whom and when; `outside` says that it was said past the desk."""

    request: ConsoleRequest
    case: Case
    outside: bool
    now: datetime


@require_http_methods(["GET", "HEAD", "POST"])
def correct(request: ConsoleRequest, conversation_id: int, key: str) -> HttpResponse:
    """Show the form, preview the message or issue the correction; nothing typed is lost on the way."""
    return _handle(request, conversation_id, key, outside=False)


@require_http_methods(["GET", "HEAD", "POST"])
def withdraw(request: ConsoleRequest, conversation_id: int, key: str) -> HttpResponse:
    """The same for words that were said past the desk; started from an item, it closes that item."""
    return _handle(request, conversation_id, key, outside=True)


def _handle(request: ConsoleRequest, conversation_id: int, key: str, *, outside: bool) -> HttpResponse:
    case = replace(case_of(request, conversation_id), key=key)
    if key not in ledger.registry():
        raise Http404
    asked = _Asked(request, case, outside, timezone.now())
    if request.method != "POST":
        return _answer(asked, _begun(asked))
    form = CorrectionForm(request.POST)
    usable = form.is_valid()
    typed = form.typed()
    if not usable:
        problems = {name: lines(map(str, told)) for name, told in form.errors.items()}
        return _answer(asked, typed, problems, status=HTTPStatus.UNPROCESSABLE_ENTITY)
    step = form.cleaned_data["step"]
    if missing := _missing(asked, typed, step):
        return _answer(asked, typed, missing, status=HTTPStatus.UNPROCESSABLE_ENTITY)
    return STEPS[step](asked, typed)


def _begun(asked: _Asked) -> Typed:
    """Return the form as it opens; for words said past the desk, with what they were and what holds."""
    typed = Typed(owner=asked.request.user.get_username(), seen_version=_version_of(asked))
    if not asked.outside:
        return typed
    preview = _preview(asked, typed)
    said = _chosen(preview, asked.request.GET.get("message", ""))
    return replace(_with_words(typed, said), new_answer=_holds(preview))


def _version_of(asked: _Asked) -> str:
    if asked.case.item is None:
        return ""
    found = queries.visible_items(asked.request.user).filter(pk=asked.case.item)
    return str(found.values_list("version", flat=True).first() or "")


def _chosen(preview: Previewed, wanted: str) -> SaidOutside | None:
    """Return the reply that is asked for, else the first that says something else."""
    named = next((said for said in preview.said_outside if said.message_id == wanted), None)
    return named or next((said for said in preview.said_outside if said.differs), None)


def _with_words(typed: Typed, said: SaidOutside | None) -> Typed:
    return typed if said is None else replace(typed, outside_message=said.message_id, withdrawn=said.words)


def _holds(preview: Previewed) -> str:
    """Return the answer that holds: the locked one, else the passage that applies."""
    statement = commitments.statement_of(preview.one)
    return preview.one.locked.answer_text if preview.one.locked else statement.text if statement else ""


def _take_words(asked: _Asked, typed: Typed) -> HttpResponse:
    return _answer(asked, _with_words(typed, _chosen(_preview(asked, typed), typed.outside_message)))


def _start_from_passage(asked: _Asked, typed: Typed) -> HttpResponse:
    preview = _preview(asked, typed)
    statement = commitments.statement_of(preview.one)
    taken = _holds(preview) if asked.outside else statement.text if statement else ""
    return _answer(asked, replace(typed, new_answer=taken or typed.new_answer))


def _show_message(asked: _Asked, typed: Typed) -> HttpResponse:
    shown = _composed_anew(typed, _preview(asked, typed))
    problems = {**by_field(_preview(asked, shown).blockers), **_missing(asked, shown, "issue")}
    return _answer(asked, shown, problems)


def _issue(asked: _Asked, typed: Typed) -> HttpResponse:
    """Issue what was read: the answer that was shown as told, and the message that was shown or typed."""
    preview = _preview(asked, typed)
    shown = _composed_anew(typed, preview)
    told = preview.one.locked.entry_id if preview.one.locked else ""
    if (told or asked.outside) and told != typed.seen_entry:
        return _refuse(asked, shown, WHOLE, "The answer was changed while you wrote. Nothing was issued; look again.")
    if not same_text(shown.message, typed.message):
        return _refuse(asked, shown, WHOLE, "Nothing was issued yet. Read the message below first.")
    try:
        refused = _issued(asked, shown)
    except CorrectionRefused as forbidden:
        refused = forbidden.blockers
    except Unusable as unusable:
        return _refuse(asked, shown, unusable.field, unusable.message)
    except EntryRefused as forbidden:
        return _refuse(asked, shown, WHOLE, str(forbidden))
    if refused:
        return _answer(asked, shown, by_field(refused), status=HTTPStatus.CONFLICT)
    messages.success(asked.request, "The correction was issued and stands in the ledger.")
    return redirect("conversation", asked.case.conversation.pk)


def _issued(asked: _Asked, typed: Typed) -> tuple[Blocker, ...]:
    """Issue it, by a decision where it was started from a draft that waits; return what stood in the way."""
    if asked.outside and asked.case.item is not None:
        return _decided(asked, typed)
    correcting.correct(
        conversation_id=asked.case.conversation.external_id,
        question_key=asked.case.key,
        wanted=_wanted(asked, typed),
        actor=asked.request.user,
        now=asked.now,
        calendar=queries.organisation_calendar(),
    )
    return ()


def _decided(asked: _Asked, typed: Typed) -> tuple[Blocker, ...]:
    version = typed.seen_version
    wanted = deciding.Wanted(
        DecisionKind.CORRECT,
        seen_version=int(version) if version.isascii() and version.isdecimal() and len(version) < 10 else None,
        text=typed.message,
        reason=typed.reason,
        owner=typed.owner,
        answer_text=typed.new_answer,
        outside=OutsideWords(typed.outside_message, typed.withdrawn),
    )
    outcome = deciding.decide(
        item_id=asked.case.item or "",
        wanted=wanted,
        actor=asked.request.user,
        now=asked.now,
        calendar=queries.organisation_calendar(),
    )
    if isinstance(outcome, Overtaken):
        return (Blocker("moved_on_meanwhile", outcome.message),)
    return outcome.blockers if isinstance(outcome, Refused) else ()


STEPS: dict[str, Callable[[_Asked, Typed], HttpResponse]] = {
    "passage": _start_from_passage,
    "words": _take_words,
    "preview": _show_message,
    "issue": _issue,
}


def _composed_anew(typed: Typed, preview: Previewed) -> Typed:
    """Keep a message in somebody's own words; one that was only composed follows the answer."""
    message = typed.message if typed.in_own_words else preview.composed
    return replace(typed, message=message, composed=preview.composed)


def _preview(asked: _Asked, typed: Typed) -> Previewed:
    try:
        return correcting.preview_from_ledger(
            conversation_id=asked.case.conversation.external_id,
            question_key=asked.case.key,
            wanted=_wanted(asked, typed),
            now=asked.now,
            calendar=queries.organisation_calendar(),
        )
    except Unusable as unknown:
        raise Http404(unknown.message) from unknown


def _wanted(asked: _Asked, typed: Typed) -> CorrectionWanted:
    said = OutsideWords(typed.outside_message, typed.withdrawn) if asked.outside else None
    return CorrectionWanted(typed.new_answer, typed.reason, typed.owner, typed.message or None, said)


def _missing(asked: _Asked, typed: Typed, step: str) -> Problems:
    wanted = {"preview": ("new_answer",), "issue": ("new_answer", "reason", "owner")}.get(step, ())
    if asked.outside and wanted:
        wanted = ("withdrawn", *wanted)
    return {name: lines([MISSING[name]]) for name in wanted if is_blank(getattr(typed, name))}


def _refuse(asked: _Asked, typed: Typed, field: str, message: str) -> HttpResponse:
    return _answer(asked, typed, {field: lines([message])}, status=HTTPStatus.CONFLICT)


def _answer(
    asked: _Asked,
    typed: Typed,
    problems: Problems | None = None,
    *,
    status: int = HTTPStatus.OK,
) -> HttpResponse:
    """Show the form as it stands now; where there is nothing to withdraw any more, say so."""
    page = page_of(asked.case, _preview(asked, typed), typed, problems or {}, outside=asked.outside)
    status = status if page.has_something else HTTPStatus.NOT_FOUND
    return show(asked.request, "correction_form.html", {"page": page}, status=status)
