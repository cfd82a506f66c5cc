"""Discard a draft, end or retire a version, permit a third party to answer: each shows first what it means."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import date
from http import HTTPStatus

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from console.http import ConsoleRequest, show
from console.policy_forms import read_day, unfit
from console.views.insertion import unix_lines
from console.views.policies import today
from console.views.policy_access import named, named_version, owners_only
from console.views.policy_publishing import (
    ContestTold,
    Counted,
    analysed,
    contest_told,
    holding,
    question_of,
    waiting,
)
from drafts import queries
from drafts.decisions.structure import Piece
from drafts.services import publishing
from ledger import queries as ledger
from ledger.decisions.policies import rivals
from ledger.decisions.previewing import Without, without
from ledger.decisions.text import day_in_words, is_blank
from ledger.decisions.vocabulary import DocumentKind, VersionStatus
from ledger.queries import managing
from ledger.queries.catalogue import Permission
from ledger.queries.managing import Managed
from ledger.services.policies import VersionRefused

NO_REASON = "Say why, in a sentence that a colleague will understand."


@dataclass(frozen=True, slots=True)
class QuestionTold:
    """A question that the version answers, and what becomes of it without the version."""

    key: str
    question: tuple[Piece, ...]
    without: Without


@dataclass(frozen=True, slots=True)
class EndPage:
    """What it means that a version holds no more: questions left without a source, and what waits for them.

    `left` are answered by nothing else on any channel, `inherited` by other versions, on some channels at least.
    """

    managed: Managed
    left: tuple[QuestionTold, ...]
    inherited: tuple[QuestionTold, ...]
    holding: tuple[Counted, ...]
    waiting: tuple[Counted, ...]
    on: str
    faults: dict[str, str]


@dataclass(frozen=True, slots=True)
class PermissionPage:
    """Whether a third party's document may answer, and which questions others answer as well if it may."""

    permission: Permission
    title: str
    contests: tuple[ContestTold, ...]
    waiting: tuple[Counted, ...]
    reason: str
    fault: str


@require_http_methods(["GET", "HEAD", "POST"])
@owners_only
def discard(request: ConsoleRequest) -> HttpResponse:
    """Delete a draft after it was shown once more."""
    found = named_version(request.GET)
    if request.method != "POST":
        return show(request, "policy_discard.html", {"managed": found})
    try:
        publishing.discard(doc_id=found.version.doc_id, version=found.version.version)
    except VersionRefused as refused:
        return show(
            request, "policy_discard.html", {"managed": found, "fault": refused.message}, status=HTTPStatus.CONFLICT
        )
    messages.success(request, f"The draft {found.version.version} is discarded.")
    known = ledger.document(found.version.doc_id) is not None
    return redirect("policy", found.version.doc_id) if known else redirect("policies")


@require_http_methods(["GET", "HEAD", "POST"])
@owners_only
def end(request: ConsoleRequest) -> HttpResponse:
    """Retire a version, or let it end on an earlier day; `step` names the button that was pressed."""
    found = named_version(request.GET)
    if request.method != "POST":
        return _show_end(request, found, {})
    step = request.POST.get("step")
    if step == "end":
        return _end_on(request, found, request.POST.get("on", ""))
    if step != "retire":
        return _show_end(request, found, {"whole": "Choose what is to happen."}, status=HTTPStatus.UNPROCESSABLE_ENTITY)
    return _ended(
        request,
        found,
        lambda: publishing.retire(
            doc_id=found.version.doc_id,
            version=found.version.version,
            actor=request.user,
            now=timezone.now(),
            calendar=queries.organisation_calendar(),
        ),
        f"{found.version.version} is retired.",
    )


def _end_on(request: ConsoleRequest, found: Managed, typed: str) -> HttpResponse:
    day = read_day(typed)
    if not isinstance(day, date):
        return _show_end(request, found, {"on": day}, typed, status=HTTPStatus.UNPROCESSABLE_ENTITY)
    return _ended(
        request,
        found,
        lambda: publishing.end_earlier(
            doc_id=found.version.doc_id,
            version=found.version.version,
            on=day,
            now=timezone.now(),
            calendar=queries.organisation_calendar(),
        ),
        f"{found.version.version} holds until before {day_in_words(day)}.",
        typed,
    )


def _ended(request: ConsoleRequest, found: Managed, act: Callable[[], int], told: str, typed: str = "") -> HttpResponse:
    try:
        count = act()
    except VersionRefused as refused:
        field = "on" if refused.field == "effective_until" else "whole"
        return _show_end(request, found, {field: refused.message}, typed, status=HTTPStatus.CONFLICT)
    messages.success(request, f"{told} {analysed(count)}")
    return redirect("policy", found.version.doc_id)


def _show_end(
    request: ConsoleRequest, found: Managed, faults: dict[str, str], typed: str = "", *, status: int = HTTPStatus.OK
) -> HttpResponse:
    version = found.version
    if version.status is not VersionStatus.ACTIVE and not faults:
        faults = {"whole": f"{version.version} is {version.status}, so there is nothing to end."}
    known = ledger.registry()
    own = tuple(v for v in ledger.versions_of([version.doc_id]) if v.status is not VersionStatus.DRAFT)
    told = tuple(
        QuestionTold(one.question_key, question_of(one.question_key, known), one)
        for one in without(version, (*own, *managing.elsewhere(version)), today())
    )
    keys = [statement.question_key for statement in version.statements]
    page = EndPage(
        managed=found,
        left=tuple(one for one in told if not one.without.heirs),
        inherited=tuple(one for one in told if one.without.heirs),
        holding=holding(keys, known),
        waiting=waiting(keys, known),
        on=typed,
        faults=faults,
    )
    return show(request, "policy_end.html", {"page": page}, status=status)


@require_http_methods(["GET", "HEAD", "POST"])
@owners_only
def permission(request: ConsoleRequest) -> HttpResponse:
    """Permit a third party's document to answer for us, with a reason, or take the permission back."""
    doc_id = named(request.GET, "document")
    found, document = managing.permission(doc_id), ledger.document(doc_id)
    if found is None or document is None or document.kind is not DocumentKind.THIRD_PARTY:
        raise Http404("Only a third party's document needs permission to answer.")
    if request.method != "POST":
        return _show_permission(request, found, document.title)
    reason = unix_lines(request.POST.get("reason", ""))
    taking = request.POST.get("step") == "take-back"
    if not taking and (fault := NO_REASON if is_blank(reason) else unfit(reason)):
        return _show_permission(request, found, document.title, reason, fault, status=HTTPStatus.UNPROCESSABLE_ENTITY)
    try:
        count = _permit(request, doc_id, reason, taking=taking)
    except VersionRefused as refused:
        return _show_permission(request, found, document.title, reason, refused.message, status=HTTPStatus.CONFLICT)
    told = "This document no longer answers for us." if taking else "This document answers for us from now on."
    messages.success(request, f"{told} {analysed(count)}")
    return redirect("policy", doc_id)


def _permit(request: ConsoleRequest, doc_id: str, reason: str, *, taking: bool) -> int:
    now, calendar = timezone.now(), queries.organisation_calendar()
    if taking:
        return publishing.take_back_permission(doc_id=doc_id, now=now, calendar=calendar)
    return publishing.permit(doc_id=doc_id, because=reason, actor=request.user, now=now, calendar=calendar)


def _show_permission(
    request: ConsoleRequest,
    found: Permission,
    title: str,
    reason: str = "",
    fault: str = "",
    *,
    status: int = HTTPStatus.OK,
) -> HttpResponse:
    known = ledger.registry()
    own = [replace(version, permitted=True) for version in ledger.versions_of([found.doc_id])]
    keys = sorted({statement.question_key for version in own for statement in version.statements})
    stored = ledger.versions(keys) if keys else ()
    others = [version for version in stored if version.doc_id != found.doc_id]
    page = PermissionPage(
        permission=found,
        title=title,
        contests=tuple(contest_told(key, own, met, known) for key in keys if (met := rivals(own, others, key))),
        waiting=waiting(keys, known),
        reason=reason,
        fault=fault,
    )
    return show(request, "policy_permission.html", {"page": page}, status=status)
