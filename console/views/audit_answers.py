"""Questions with several answers in a stretch of time: the analysts' query on a page, and as a file."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.http import HttpResponse, StreamingHttpResponse
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_safe

from console import spreadsheets
from console.http import ConsoleRequest, show
from console.views import paging
from console.views.access import readers_only
from drafts.queries.auditing import conversation_pages
from ledger.queries import several_answers

ROWS_AT_ONCE = 50
WINDOWS = (30, 90, 365)
USUAL = 90
COLUMNS = (
    "conversation_id", "question_key", "distinct_answers", "times_asked", "first_told", "sources_used",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Row:
    """One question of one conversation; `correct_url` leads to its answers and their correction."""

    conversation: str
    url: str
    key: str
    distinct_answers: int
    times_asked: int
    first_told: datetime
    sources: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Window:
    """One stretch of time that can be chosen."""

    days: int
    url: str
    is_current: bool


@dataclass(frozen=True, slots=True)
class AnswersPage:
    """Everything the page shows."""

    days: int
    windows: tuple[Window, ...]
    rows: tuple[Row, ...]
    pages: paging.Paging
    is_first_part: bool
    file: str


@require_safe
@readers_only
def answers(request: ConsoleRequest) -> HttpResponse:
    """List the questions that were answered in several ways in the stretch of time asked for."""
    days = _days(request)
    start = paging.start_of(request.GET, ROWS_AT_ONCE)
    found = several_answers.several_answers(since=_since(days), start=start, limit=ROWS_AT_ONCE + 1)
    part, pages = paging.cut(request.GET, found, ROWS_AT_ONCE)
    urls = conversation_pages(str(row["conversation_id"]) for row in part)
    page = AnswersPage(
        days=days,
        windows=tuple(Window(each, f"{reverse('audit-answers')}?days={each}", each == days) for each in WINDOWS),
        rows=tuple(_row(row, urls) for row in part),
        pages=pages,
        is_first_part=start == 0,
        file=f"{reverse('audit-answers-csv')}?days={days}",
    )
    return show(request, "audit_answers.html", {"page": page})


@require_safe
@readers_only
def answers_csv(request: ConsoleRequest) -> StreamingHttpResponse:
    """Send all of them as one file."""
    days = _days(request)
    found = several_answers.every_several_answers(since=_since(days))
    return spreadsheets.download(f"several-answers-{days}-days.csv", COLUMNS, (_cells(row) for row in found))


def _days(request: ConsoleRequest) -> int:
    """Read the stretch asked for; what is not offered is the usual one."""
    asked = request.GET.get("days", "")
    return int(asked) if asked in {str(each) for each in WINDOWS} else USUAL


def _since(days: int) -> datetime:
    return timezone.now() - timedelta(days=days)


def _row(row: Mapping[str, object], urls: Mapping[str, int]) -> Row:
    name, first = str(row["conversation_id"]), row["first_told"]
    page = urls.get(name)
    assert isinstance(first, datetime)  # noqa: S101 - what the column holds
    return Row(
        conversation=name,
        url=reverse("conversation", args=[page]) if page else "",
        key=str(row["question_key"]),
        distinct_answers=int(str(row["distinct_answers"])),
        times_asked=int(str(row["times_asked"])),
        first_told=first,
        sources=_sources(row),
    )


def _sources(row: Mapping[str, object]) -> tuple[str, ...]:
    used = row["sources_used"]
    return tuple(str(each) for each in used if each is not None) if isinstance(used, list) else ()


def _cells(row: Mapping[str, object]) -> tuple[object, ...]:
    first = row["first_told"]
    at = timezone.localtime(first).isoformat(timespec="seconds") if isinstance(first, datetime) else ""
    told = (row[name] for name in ("conversation_id", "question_key", "distinct_answers", "times_asked"))
    return (*told, at, "; ".join(_sources(row)))
