"""Policies: every document, which version applied on a day, and what each version says."""

from datetime import date

from django.http import Http404, HttpResponse
from django.utils import timezone
from django.views.decorators.http import require_safe

from console.http import ConsoleRequest, show
from console.source_forms import AsOf
from console.views import paging
from console.views.access import readers_only
from console.views.source_words import KINDS, STATUSES
from ledger import queries as ledger

DOCUMENTS_PER_PAGE = 20
VERSIONS_PER_PAGE = 10


@require_safe
@readers_only
def policies(request: ConsoleRequest) -> HttpResponse:
    """List the documents with the version that applied on the day asked about."""
    asked = AsOf(request.GET, today=today())
    start = paging.start_of(request.GET, DOCUMENTS_PER_PAGE)
    found = ledger.document_rows(on=asked.on_day, channel=asked.on_channel, start=start, limit=DOCUMENTS_PER_PAGE + 1)
    rows, pages = paging.cut(request.GET, found, DOCUMENTS_PER_PAGE)
    context = {"rows": rows, "pages": pages, "kinds": KINDS, **_asked(asked)}
    return show(request, "policies.html", context)


@require_safe
@readers_only
def policy(request: ConsoleRequest, doc_id: str) -> HttpResponse:
    """Show one document with its versions, the newest first."""
    asked = AsOf(request.GET, today=today())
    start = paging.start_of(request.GET, VERSIONS_PER_PAGE)
    if "\x00" in doc_id:
        raise Http404
    page = ledger.document_page(
        doc_id, on=asked.on_day, channel=asked.on_channel, start=start, limit=VERSIONS_PER_PAGE + 1
    )
    if page is None:
        raise Http404
    versions, pages = paging.cut(request.GET, page.versions, VERSIONS_PER_PAGE)
    context = {
        "page": page,
        "versions": versions,
        "pages": pages,
        "kind": KINDS[page.kind],
        "statuses": STATUSES,
        "conflicts": ledger.open_conflicts_of(one.question_key for one in page.contested),
        **_asked(asked),
    }
    return show(request, "policy.html", context)


def today() -> date:
    """Return the day it is in the organisation's zone."""
    return timezone.localdate()


def _asked(asked: AsOf) -> dict[str, object]:
    known = ledger.channels()
    chosen = asked.on_channel
    more = (chosen,) if chosen is not None and chosen not in known else ()
    return {"asked": asked, "channels": (*known, *more)}
