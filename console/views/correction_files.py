"""The log of corrections to take away: as a table, as JSON, and on paper. Sent while it is read, without an end."""

import json
from collections.abc import Iterator
from datetime import date, datetime

from django.http import HttpResponse, StreamingHttpResponse
from django.template.loader import render_to_string
from django.utils import timezone
from django.views.decorators.http import require_safe

from console import spreadsheets
from console.correction_forms import LogFilters
from console.http import ConsoleRequest
from console.views import history
from console.views.access import readers_only
from console.views.correction_rows import row_of
from console.views.corrections import filters_of, refused_filters
from drafts import queries, representations
from drafts.queries import Logged

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
    "outside_message_id",
    "withdrawn_at",
    "withdrawn_because",
)
ROWS_GO_HERE = "\ufdd0rows\ufdd1"
"""Where the rows stand in the printed page; nothing that people wrote stands behind it."""

type File = HttpResponse | StreamingHttpResponse


@require_safe
@readers_only
def corrections_csv(request: ConsoleRequest) -> File:
    """Send every correction that the filters let through as one table."""
    filters = filters_of(request)
    if not filters.is_valid():
        return refused_filters(filters)
    return spreadsheets.download(f"{_file_name(filters)}.csv", COLUMNS, _cells(_every(request, filters)))


@require_safe
@readers_only
def corrections_json(request: ConsoleRequest) -> File:
    """Send every correction that the filters let through as one JSON document, each as the API gives it."""
    filters = filters_of(request)
    if not filters.is_valid():
        return refused_filters(filters)
    response = StreamingHttpResponse(_json(_every(request, filters)), content_type="application/json")
    response["Content-Disposition"] = f'attachment; filename="{_file_name(filters)}.json"'
    response["Cache-Control"] = "no-store"
    return response


@require_safe
@readers_only
def corrections_print(request: ConsoleRequest) -> File:
    """Show every correction that the filters let through on one page, for paper."""
    filters = filters_of(request)
    if not filters.is_valid():
        return refused_filters(filters)
    context = {"filters": _told(filters), "asked": request.GET.urlencode(), "rows_go_here": ROWS_GO_HERE}
    head, _, tail = render_to_string("corrections_print.html", context, request).rpartition(ROWS_GO_HERE)
    response = StreamingHttpResponse(_printed(head, _every(request, filters), tail))
    response["Cache-Control"] = "no-store"
    return response


def _every(request: ConsoleRequest, filters: LogFilters) -> Iterator[Logged]:
    return queries.every_correction(request.user, filters.narrowing(queries.organisation_calendar().zone))


def _printed(head: str, found: Iterator[Logged], tail: str) -> Iterator[str]:
    yield head
    for logged in found:
        yield render_to_string("corrections_print.html#row", {"row": row_of(logged)})
    yield tail


def _told(filters: LogFilters) -> tuple[tuple[str, str], ...]:
    """Name the filters that are set, so that the paper says what it is a list of."""
    return tuple((str(filters.fields[name].label), value) for name, value in filters.asked().items())


def _json(found: Iterator[Logged]) -> Iterator[str]:
    yield '{"items":['
    for number, logged in enumerate(found):
        one = json.dumps(representations.correction(logged.correction), ensure_ascii=False)
        yield f"{',' if number else ''}\n{one}"
    yield "\n]}\n"


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
            made.outside_message.external_id if made.outside_message else None,
            _local(made.withdrawn_at),
            made.withdrawn_because,
        )


def _local(instant: datetime | None) -> str:
    return timezone.localtime(instant).isoformat(timespec="seconds") if instant else ""


def _file_name(filters: LogFilters) -> str:
    since, until = filters.cleaned_data["since"], filters.cleaned_data["until"]
    begins = f"-from-{since}" if since else ""
    return f"corrections{begins}-to-{until or _today()}"


def _today() -> date:
    return timezone.localdate()
