"""One drift report: how far it is, what it counted, its rows by what is asked for, and the same rows as files."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlencode
from uuid import UUID

from django.http import HttpResponse, StreamingHttpResponse
from django.urls import reverse
from django.views.decorators.http import require_safe
from django_htmx.http import HttpResponseClientRefresh

from console import charts, spreadsheets
from console.drift_forms import WANTED, RowFilters
from console.http import ConsoleRequest, show
from console.permissions import Action, may
from console.views import history, paging
from console.views.access import readers_only
from console.views.drift import find
from console.views.drift_rows import Row, documents_of, rows_of, said_of
from console.views.drift_words import STATES, question_words
from console.views.highlight import plain
from drafts.decisions.structure import Piece
from drafts.queries import drifting as reports

if TYPE_CHECKING:
    from drafts.models import DriftReport, DriftRow

PER_PAGE = 20
READ_AT_ONCE = 200
LOOKS_EVERY = 2
CHARTED = 8
"""Questions in the chart; all of them stand in the list of questions."""
COUNTED = ("conversations", "asked_three_or_more", "two_answers_or_more", "three_answers_or_more")
COLUMNS = (
    "conversation_id",
    "question_key",
    "question",
    "times_asked",
    "distinct_answers",
    "corrected_changes",
    "answer",
    "messages",
    "first_said_at",
    "sentences",
    "documents",
)


@dataclass(frozen=True, slots=True)
class Broken:
    """A line that could not be read; 0 stands for the whole file."""

    line: int
    why: tuple[Piece, ...]


@dataclass(frozen=True, slots=True)
class ReportPage:
    """Everything the page shows; `looks_every` is how often an open page asks again."""

    report: "DriftReport"
    name: tuple[Piece, ...]
    state: tuple[str, str, str]
    started_by: str
    counts: Mapping[str, int]
    looks_every: int | None
    may_report: bool
    broken: tuple[Broken, ...]
    broken_lines: int
    rows: tuple[Row, ...]
    fitting: int
    anything: bool
    wanted: str
    kept: str
    narrowed: bool
    chart: charts.Chart | None


@require_safe
@readers_only
def report(request: ConsoleRequest, report_id: UUID) -> HttpResponse:
    """Show a report; while it is being read an open page asks how far it is, and loads again when it has ended."""
    found = find(request, report_id)
    if request.htmx:
        return HttpResponseClientRefresh() if found.finished_at else _progress(request, found)
    filters, questions = _filters(request, found)
    narrowing = filters.narrowing()
    fitting = reports.rows(found, narrowing)
    start = paging.start_of(request.GET, PER_PAGE)
    shown, pages = paging.cut(request.GET, list(fitting[start : start + PER_PAGE + 1]), PER_PAGE)
    page = _page(request, found, filters, _rows(request, found, shown, questions), fitting.count())
    return show(request, "drift_report.html", {"page": page, "filters": filters, "pages": pages})


@require_safe
@readers_only
def printed(request: ConsoleRequest, report_id: UUID) -> HttpResponse:
    """Show every row that fits on one page, for paper."""
    found = find(request, report_id)
    filters, questions = _filters(request, found)
    every = list(reports.rows(found, filters.narrowing()))
    page = _page(request, found, filters, _rows(request, found, every, questions), len(every))
    return show(request, "drift_print.html", {"page": page})


@require_safe
@readers_only
def chart(request: ConsoleRequest, report_id: UUID) -> HttpResponse:
    """Draw on which questions the answers differ."""
    drawn = _chart(find(request, report_id))
    series, labels, title = (drawn.series, drawn.labels, drawn.title) if drawn else ((), (), "No drift")
    return charts.svg(request, series, labels=labels, title=title)


@require_safe
@readers_only
def as_json(request: ConsoleRequest, report_id: UUID) -> StreamingHttpResponse:
    """Send the whole report in the shape of `manage.py drift`, row by row."""
    found = find(request, report_id)
    response = StreamingHttpResponse(_json(found), content_type="application/json")
    response["Content-Disposition"] = f'attachment; filename="drift-{found.created_at:%Y-%m-%d}.json"'
    response["Cache-Control"] = "no-store"
    return response


@require_safe
@readers_only
def as_csv(request: ConsoleRequest, report_id: UUID) -> StreamingHttpResponse:
    """Send every row that fits as a file for a spreadsheet: one line for each answer."""
    found = find(request, report_id)
    filters, questions = _filters(request, found)
    every = reports.rows(found, filters.narrowing()).iterator(chunk_size=READ_AT_ONCE)
    return spreadsheets.download(f"drift-{found.created_at:%Y-%m-%d}.csv", COLUMNS, _lines(every, questions))


def _filters(request: ConsoleRequest, found: "DriftReport") -> tuple[RowFilters, Mapping[str, str]]:
    questions = question_words()
    keys = [(one.question_key, questions.get(one.question_key, one.question_key)) for one in reports.key_counts(found)]
    return RowFilters(request.GET, keys), questions


def _progress(request: ConsoleRequest, found: "DriftReport") -> HttpResponse:
    page = _page(request, found, None, (), 0)
    return show(request, "drift_report.html", {"page": page}, fragment="progress")


def _page(
    request: ConsoleRequest, found: "DriftReport", filters: RowFilters | None, rows: tuple[Row, ...], fitting: int
) -> ReportPage:
    kept = filters.kept() if filters else {}
    narrowing = filters.narrowing() if filters else reports.Narrowing()
    return ReportPage(
        report=found,
        name=plain(found.name),
        state=STATES[found.state],
        started_by=history.name_of(found.started_by) or "",
        counts={name: found.counts.get(name, 0) for name in COUNTED},
        looks_every=None if found.finished_at else LOOKS_EVERY,
        may_report=may(request.user, Action.REPORT),
        broken=tuple(Broken(one["line"], plain(one["why"])) for one in found.broken),
        broken_lines=found.counts.get("broken_lines", 0),
        rows=rows,
        fitting=fitting,
        anything=bool(filters and filters.keys),
        wanted=WANTED[narrowing.answers],
        kept="?" + urlencode(kept) if kept else "",
        narrowed=bool(narrowing.question_key or narrowing.words),
        chart=_chart(found) if filters else None,
    )


def _rows(
    request: ConsoleRequest, found: "DriftReport", shown: "Sequence[DriftRow]", questions: Mapping[str, str]
) -> tuple[Row, ...]:
    names = [row.conversation_id for row in shown] if found.source == "own_past" else []
    return rows_of(shown, questions, reports.conversations_named(request.user, names) if names else {})


def _chart(found: "DriftReport") -> charts.Chart | None:
    counted = [one for one in reports.key_counts(found) if one.two][:CHARTED]
    if len(counted) < 2:
        return None
    return charts.Chart(
        url=reverse("drift-chart", args=[found.pk]),
        title="Conversations whose answers differ, by question",
        labels=[one.question_key.replace("_", "\n") for one in counted],
        series=(
            charts.Series("Two answers", [one.two - one.three for one in counted]),
            charts.Series("Three or more", [one.three for one in counted]),
        ),
        first_column="Question",
    )


def _json(found: "DriftReport") -> Iterator[str]:
    counts = {name: found.counts.get(name, 0) for name in COUNTED}
    yield json.dumps(counts)[:-1] + ', "rows": ['
    every = reports.rows(found, reports.Narrowing(reports.Answers.ALL)).iterator(chunk_size=READ_AT_ONCE)
    for number, row in enumerate(every):
        yield (",\n" if number else "\n") + json.dumps(_published(row), ensure_ascii=False)
    yield "\n]}\n"


def _published(row: "DriftRow") -> dict[str, object]:
    return {
        "conversation_id": row.conversation_id,
        "question_key": row.question_key,
        "times_asked": row.times_asked,
        "distinct_answers": row.distinct_answers,
        "evidence": [one for one in said_of(row) if one["answer"]],
        "documents": row.documents,
        "unread": [
            {"turn": one["turn"], "text": one["text"], "sent_at": one["sent_at"]}
            for one in said_of(row)
            if not one["answer"]
        ],
        "corrected": row.corrected,
    }


def _lines(every: "Iterator[DriftRow]", questions: Mapping[str, str]) -> Iterator[tuple[object, ...]]:
    """Write one line for each answer in the order of COLUMNS; messages are counted from one."""
    for row in every:
        for answer in row.distinct_answers:
            said = [one for one in said_of(row) if one["answer"] == answer]
            documents = [one for one in documents_of(row) if one["answer"] == answer]
            yield (
                row.conversation_id,
                row.question_key,
                questions.get(row.question_key, row.question_key),
                row.times_asked,
                row.distinct,
                row.corrected,
                answer,
                ", ".join(str(one["turn"] + 1) for one in said),
                next((one["sent_at"] for one in said if one["sent_at"]), ""),
                " | ".join(one["text"] for one in said),
                " | ".join(f"{one['doc_id']} {one['version']} {one['section']}".strip() for one in documents),
            )
