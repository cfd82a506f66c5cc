"""The log of corrections, on screen in pages and as one file without an end."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime
from http import HTTPStatus
from typing import cast
from urllib.parse import urlencode
from uuid import UUID

from django.http import HttpResponse, StreamingHttpResponse
from django.utils import timezone
from django.views.decorators.http import require_safe

from console import spreadsheets
from console.correction_forms import LogFilters
from console.http import ConsoleRequest, show
from console.views import history
from console.views.access import readers_only
from console.views.highlight import plain
from console.views.shapes import SourceShape
from console.views.timeline import SourceRow, source_row
from drafts import queries
from drafts.decisions.structure import Piece
from drafts.queries import Logged

PER_PAGE = 25
COLUMNS = (
    "correction_id",
    "corrected_at",
    "conversation_id",
    "customer_id",
    "question_key",
    "question",
    "old_text",
    "new_text",
    "reason",
    "owner",
    "owner_name",
    "corrected_by",
    "corrected_by_name",
    "message_to_customer",
    "source_document",
    "source_title",
    "source_version",
    "source_section",
    "source_effective_from",
    "source_effective_until",
    "ledger_entry_id",
    "review_item_id",
    "withdrawn_at",
    "withdrawn_because",
)


@dataclass(frozen=True, slots=True)
class Row:
    """One correction of the log."""

    at: datetime
    conversation: int
    conversation_name: str
    question: tuple[Piece, ...]
    key: str
    changes: tuple[history.Change, ...]
    reason: tuple[Piece, ...]
    owner: str
    issued_by: str
    message: tuple[Piece, ...]
    source: SourceRow | None
    withdrawn_at: datetime | None
    withdrawn_because: tuple[Piece, ...]


@dataclass(frozen=True, slots=True)
class LogPage:
    """One page of the log; `following` leads to older ones, `file` to the same rows without an end."""

    rows: tuple[Row, ...]
    narrowed: bool
    following: str | None
    is_first: bool
    file: str


@require_safe
@readers_only
def corrections(request: ConsoleRequest) -> HttpResponse:
    """List corrections, the newest first, narrowed by the filters asked for."""
    filters = _filters(request)
    if not filters.is_valid():
        nothing = LogPage((), narrowed=True, following=None, is_first=True, file="")
        context: dict[str, object] = {"page": nothing, "filters": filters}
        return show(request, "corrections.html", context, status=HTTPStatus.UNPROCESSABLE_ENTITY)
    return show(request, "corrections.html", {"page": _page(request, filters), "filters": filters})


@require_safe
@readers_only
def corrections_csv(request: ConsoleRequest) -> HttpResponse | StreamingHttpResponse:
    """Send every correction that the filters let through as one file."""
    filters = _filters(request)
    if not filters.is_valid():
        told = "\n".join(f"{name}: {' '.join(map(str, errors))}" for name, errors in filters.errors.items())
        return HttpResponse(told, status=HTTPStatus.BAD_REQUEST, content_type="text/plain; charset=utf-8")
    zone = queries.organisation_calendar().zone
    found = queries.every_correction(request.user, filters.narrowing(zone))
    name = _file_name(filters, timezone.localdate())
    return spreadsheets.download(name, COLUMNS, _cells(found))


def _filters(request: ConsoleRequest) -> LogFilters:
    return LogFilters(request.GET, queries.log_choices(request.user))


def _page(request: ConsoleRequest, filters: LogFilters) -> LogPage:
    before = _cursor(request.GET.get("before", ""))
    narrowing = filters.narrowing(queries.organisation_calendar().zone)
    read = queries.corrections_page(request.user, narrowing, before=before, limit=PER_PAGE + 1)
    shown, asked = read[:PER_PAGE], filters.asked()
    last = shown[-1].correction if len(read) > PER_PAGE else None
    return LogPage(
        rows=tuple(_row(logged) for logged in shown),
        narrowed=bool(asked),
        following="?" + urlencode({**asked, "before": f"{last.corrected_at.isoformat()}_{last.pk}"}) if last else None,
        is_first=before is None,
        file="?" + urlencode(asked),
    )


def _row(logged: Logged) -> Row:
    made = logged.correction
    return Row(
        at=made.corrected_at,
        conversation=made.conversation_id,
        conversation_name=made.conversation.external_id,
        question=plain(logged.question),
        key=made.question_key,
        changes=history.changes(made.old_text, made.new_text),
        reason=plain(made.reason),
        owner=history.name_of(made.owner) or "",
        issued_by=history.name_of(made.corrected_by) or "",
        message=plain(made.message),
        source=source_row(_source(logged)),
        withdrawn_at=made.withdrawn_at,
        withdrawn_because=plain(made.withdrawn_because or ""),
    )


def _source(logged: Logged) -> SourceShape | None:
    return cast("SourceShape", logged.source) if logged.source else None


def _cells(found: Iterator[Logged]) -> Iterator[tuple[object, ...]]:
    """Write one row in the order of COLUMNS; instants in the organisation's zone, to the second."""
    for logged in found:
        made, source = logged.correction, logged.source
        yield (
            made.pk,
            _local(made.corrected_at),
            made.conversation.external_id,
            made.conversation.customer_id,
            made.question_key,
            logged.question,
            made.old_text,
            made.new_text,
            made.reason,
            made.owner.get_username(),
            history.name_of(made.owner),
            made.corrected_by.get_username(),
            history.name_of(made.corrected_by),
            made.message,
            source.get("doc_id"),
            source.get("title"),
            source.get("version"),
            source.get("section"),
            source.get("effective_from"),
            source.get("effective_until"),
            made.entry_id,
            made.decision.item_id if made.decision else None,
            _local(made.withdrawn_at),
            made.withdrawn_because,
        )


def _local(instant: datetime | None) -> str:
    return timezone.localtime(instant).isoformat(timespec="seconds") if instant else ""


def _file_name(filters: LogFilters, today: date) -> str:
    since, until = filters.cleaned_data["since"], filters.cleaned_data["until"]
    begins = f"-from-{since}" if since else ""
    return f"corrections{begins}-to-{until or today}.csv"


def _cursor(before: str) -> tuple[datetime, UUID] | None:
    """Read where a page begins; what is not understood begins at the beginning."""
    at, _, pk = before.partition("_")
    try:
        moment, identity = datetime.fromisoformat(at), UUID(pk)
    except ValueError:
        return None
    return (moment, identity) if moment.tzinfo else None
