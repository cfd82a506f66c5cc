"""The log of corrections: on screen in pages and in numbers, and one correction on a page of its own."""

from dataclasses import dataclass
from datetime import datetime
from http import HTTPStatus
from urllib.parse import urlencode
from uuid import UUID

from django.http import Http404, HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_safe

from console.charts import Chart, Series, svg
from console.correction_forms import LogFilters
from console.http import ConsoleRequest, show
from console.views.access import readers_only
from console.views.correction_rows import Row, row_of
from console.views.highlight import plain
from drafts import queries
from drafts.decisions.structure import Piece
from drafts.queries import Totals
from drafts.queries.corrections import Counted

PER_PAGE = 25
MOST = 10
"""Reasons and owners that are counted on the page."""
WEEKS = 52
REASON_SHOWN = 160
"""Characters of a reason that stand in the count; the rest is opened."""


@dataclass(frozen=True, slots=True)
class CountedRow:
    """How many corrections share a reason or an owner; `rest` is what a long name goes on with."""

    name: tuple[Piece, ...]
    rest: tuple[Piece, ...]
    count: int


@dataclass(frozen=True, slots=True)
class TotalsCard:
    """The log in numbers; `is_cut` says that there are weeks before those in the chart."""

    count: int
    owners: tuple[CountedRow, ...]
    reasons: tuple[CountedRow, ...]
    is_cut: bool


@dataclass(frozen=True, slots=True)
class LogPage:
    """One page of the log; `following` leads to older ones, `asked` are the filters as they stand in the address."""

    rows: tuple[Row, ...]
    narrowed: bool
    following: str | None
    is_first: bool
    asked: str
    totals: TotalsCard | None = None
    chart: Chart | None = None


@require_safe
@readers_only
def corrections(request: ConsoleRequest) -> HttpResponse:
    """List corrections, the newest first, narrowed by the filters asked for."""
    filters = filters_of(request)
    if not filters.is_valid():
        nothing = LogPage((), narrowed=True, following=None, is_first=True, asked="")
        context: dict[str, object] = {"page": nothing, "filters": filters}
        return show(request, "corrections.html", context, status=HTTPStatus.UNPROCESSABLE_ENTITY)
    return show(request, "corrections.html", {"page": _page(request, filters), "filters": filters, "most": MOST})


@require_safe
@readers_only
def correction(request: ConsoleRequest, correction_id: UUID) -> HttpResponse:
    """Show one correction."""
    found = queries.one_correction(request.user, correction_id)
    if found is None:
        raise Http404
    return show(request, "correction.html", {"row": row_of(found)})


@require_safe
@readers_only
def chart(request: ConsoleRequest) -> HttpResponse:
    """Draw the corrections of each week that the filters let through."""
    filters = filters_of(request)
    if not filters.is_valid():
        return refused_filters(filters)
    found = _totals(request, filters)
    return svg(request, _series(found), labels=_labels(found), title=_title(found) if found.weeks else "No corrections")


def filters_of(request: ConsoleRequest) -> LogFilters:
    """Read the filters of the address; call `is_valid` first."""
    return LogFilters(request.GET, queries.log_choices(request.user))


def refused_filters(filters: LogFilters) -> HttpResponse:
    """Say in plain text why there is no file."""
    told = "\n".join(f"{name}: {' '.join(map(str, errors))}" for name, errors in filters.errors.items())
    return HttpResponse(told, status=HTTPStatus.BAD_REQUEST, content_type="text/plain; charset=utf-8")


def _page(request: ConsoleRequest, filters: LogFilters) -> LogPage:
    before = _cursor(request.GET.get("before", ""))
    narrowing = filters.narrowing(queries.organisation_calendar().zone)
    read = queries.corrections_page(request.user, narrowing, before=before, limit=PER_PAGE + 1)
    shown, asked = read[:PER_PAGE], filters.asked()
    last = shown[-1].correction if len(read) > PER_PAGE else None
    found = _totals(request, filters) if shown and before is None else None
    return LogPage(
        rows=tuple(row_of(logged) for logged in shown),
        narrowed=bool(asked),
        following="?" + urlencode({**asked, "before": f"{last.corrected_at.isoformat()}_{last.pk}"}) if last else None,
        is_first=before is None,
        asked="?" + urlencode(asked),
        totals=_card(found) if found else None,
        chart=_chart(found, asked) if found and len(found.weeks) > 1 else None,
    )


def _totals(request: ConsoleRequest, filters: LogFilters) -> Totals:
    zone = queries.organisation_calendar().zone
    return queries.correction_totals(request.user, filters.narrowing(zone), zone=zone, most=MOST, weeks=WEEKS)


def _card(found: Totals) -> TotalsCard:
    owners = tuple(_counted(one) for one in found.owners)
    reasons = tuple(_counted(one) for one in found.reasons)
    return TotalsCard(found.count, owners, reasons, is_cut=len(found.weeks) == WEEKS)


def _counted(one: Counted) -> CountedRow:
    return CountedRow(plain(one.name[:REASON_SHOWN]), plain(one.name[REASON_SHOWN:]), one.count)


def _chart(found: Totals, asked: dict[str, str]) -> Chart:
    address = f"{reverse('corrections-chart')}{'?' if asked else ''}{urlencode(asked)}"
    return Chart(address, _title(found), _labels(found), _series(found), "Week from")


def _labels(found: Totals) -> list[str]:
    """Name each week by its Monday; a year at most is shown, so that the year need not be told."""
    return [f"{week.monday.day} {week.monday:%b}" for week in found.weeks]


def _title(found: Totals) -> str:
    first = found.weeks[0].monday
    return f"Corrections by week, from {first.day} {first:%B %Y}"


def _series(found: Totals) -> list[Series]:
    issued = Series("Issued", [week.issued - week.undone for week in found.weeks])
    undone = Series("Undone before it left", [week.undone for week in found.weeks])
    return [issued, undone] if any(undone.values) else [issued]


def _cursor(before: str) -> tuple[datetime, UUID] | None:
    """Read where a page begins; what is not understood begins at the beginning."""
    at, _, pk = before.partition("_")
    try:
        moment, identity = datetime.fromisoformat(at), UUID(pk)
    except ValueError:
        return None
    return (moment, identity) if moment.tzinfo else None
