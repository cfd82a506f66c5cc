"""Drift reports: the list of them, and what begins one: a file of old conversations, or our own past."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from functools import wraps
from http import HTTPStatus
from typing import TYPE_CHECKING, Concatenate
from uuid import UUID

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.core.files.uploadedfile import UploadedFile
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from console.drift_forms import LIMIT_MB, FileForm, PastForm
from console.http import ConsoleRequest, show
from console.permissions import Action, may
from console.views import history, paging
from console.views.access import readers_only
from console.views.drift_words import STATES, told
from console.views.highlight import plain
from drafts.decisions.drift_files import FileRefused
from drafts.decisions.structure import Piece
from drafts.queries import drifting as reports
from drafts.services import drifting

if TYPE_CHECKING:
    from drafts.models import DriftReport

PER_PAGE = 25


@dataclass(frozen=True, slots=True)
class Row:
    """One report of the list; `style` and `shape` are the looks of its state."""

    id: UUID
    name: tuple[Piece, ...]
    source: str
    label: str
    shape: str
    style: str
    told: str
    started_by: str
    created_at: datetime
    total: int
    done: int
    is_active: bool


def reporters_only[**P, R: HttpResponse](
    view: Callable[Concatenate[ConsoleRequest, P], R],
) -> Callable[Concatenate[ConsoleRequest, P], R]:
    """Refuse whoever may not begin, cancel or delete a report."""

    @wraps(view)
    def guarded(request: ConsoleRequest, /, *args: P.args, **kwargs: P.kwargs) -> R:
        if not may(request.user, Action.REPORT):
            raise PermissionDenied("Drift reports are begun by managers, policy owners and administrators.")
        return view(request, *args, **kwargs)

    return guarded


def find(request: ConsoleRequest, report_id: UUID) -> "DriftReport":
    """Return a report that this person may see; anything else is not found."""
    report = reports.reports(request.user).filter(pk=report_id).first()
    if report is None:
        raise Http404("There is no such drift report.")
    return report


@require_safe
@readers_only
def drift(request: ConsoleRequest) -> HttpResponse:
    """List the reports, the newest first, beside what begins one."""
    return _show(request)


@require_POST
@reporters_only
def begin_with_file(request: ConsoleRequest) -> HttpResponse:
    """Take in a file of conversations and let a worker read it."""
    form = FileForm(request.POST, request.FILES)
    if not form.is_valid():
        refused = form.refused_for(int(request.META.get("CONTENT_LENGTH") or 0))
        return _show(request, file_refused=refused)
    file = form.cleaned_data["file"]
    assert isinstance(file, UploadedFile)  # noqa: S101 - the field made it one
    try:
        report = drifting.begin_with_file(name=form.name, chunks=file.chunks(), actor=request.user, now=timezone.now())
    except FileRefused as refusal:
        return _show(request, file_refused=str(refusal))
    return redirect("drift-report", report.pk)


@require_POST
@reporters_only
def begin_with_own_past(request: ConsoleRequest) -> HttpResponse:
    """Let a worker read our own conversations of some days."""
    form = PastForm(request.POST, label_suffix="")
    if not form.is_valid():
        return _show(request, past=form)
    report = drifting.begin_with_own_past(
        name=form.name,
        since=form.cleaned_data["since"],
        until=form.cleaned_data["until"],
        actor=request.user,
        now=timezone.now(),
    )
    return redirect("drift-report", report.pk)


@require_POST
@reporters_only
def cancel(request: ConsoleRequest, report_id: UUID) -> HttpResponse:
    """Stop a report; what it found stays."""
    find(request, report_id)
    stopped = drifting.cancel(report_id=report_id, now=timezone.now())
    messages.success(request, "The report is stopped." if stopped else "The report had ended already.")
    return redirect("drift-report", report_id)


@require_http_methods(["GET", "HEAD", "POST"])
@reporters_only
def delete(request: ConsoleRequest, report_id: UUID) -> HttpResponse:
    """Ask whether a report is to be deleted, and delete it when that is confirmed."""
    report = find(request, report_id)
    if request.method != "POST":
        return show(request, "drift_delete.html", {"report": report, "name": plain(report.name)})
    drifting.remove(report_id=report_id)
    messages.success(request, "The report is deleted.")
    return redirect("drift")


def _show(request: ConsoleRequest, *, file_refused: str = "", past: PastForm | None = None) -> HttpResponse:
    start = paging.start_of(request.GET, PER_PAGE)
    found = list(reports.reports(request.user)[start : start + PER_PAGE + 1])
    shown, pages = paging.cut(request.GET, found, PER_PAGE)
    context: dict[str, object] = {
        "rows": [_row(report) for report in shown],
        "pages": pages,
        "may_report": may(request.user, Action.REPORT),
        "file_refused": file_refused,
        "past": past or PastForm(label_suffix=""),
        "limit": LIMIT_MB,
    }
    status = HTTPStatus.UNPROCESSABLE_ENTITY if file_refused or past else HTTPStatus.OK
    return show(request, "drift.html", context, status=status)


def _row(report: "DriftReport") -> Row:
    label, shape, style = STATES[report.state]
    return Row(
        id=report.pk,
        name=plain(report.name),
        source=report.source,
        label=label,
        shape=shape,
        style=style,
        told=told(report),
        started_by=history.name_of(report.started_by) or "",
        created_at=report.created_at,
        total=report.total,
        done=report.done,
        is_active=report.finished_at is None,
    )
