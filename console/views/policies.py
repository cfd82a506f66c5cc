"""Policies: every document, which version applied on a day, and what each version says."""

from dataclasses import dataclass
from datetime import date

from django.http import Http404, HttpResponse
from django.utils import timezone
from django.views.decorators.http import require_safe

from console.http import ConsoleRequest, show
from console.permissions import Action, may
from console.source_forms import AsOf
from console.views import paging
from console.views.access import readers_only
from console.views.highlight import plain
from console.views.policy_access import named, named_version
from console.views.source_words import KINDS, PERMITTED, STATUSES, kind_in_words
from drafts.decisions.structure import Piece
from drafts.queries import visible_conversations
from ledger import queries as ledger
from ledger.decisions.policy_writing import file_name, write_markdown
from ledger.queries import managing
from ledger.queries.applying import applied_on

DOCUMENTS_PER_PAGE = 20
VERSIONS_PER_PAGE = 10
HOLDERS_PER_PAGE = 50


@dataclass(frozen=True, slots=True)
class HolderRow:
    """A conversation that holds a locked answer; without an id where its thread is not here any more."""

    id: int | None
    name: str
    told: tuple[Piece, ...]
    source: str
    at: object


@require_safe
@readers_only
def policies(request: ConsoleRequest) -> HttpResponse:
    """List the documents with the version that applied on the day asked about."""
    asked = AsOf(request.GET, today=today())
    start = paging.start_of(request.GET, DOCUMENTS_PER_PAGE)
    found = ledger.document_rows(on=asked.on_day, channel=asked.on_channel, start=start, limit=DOCUMENTS_PER_PAGE + 1)
    rows, pages = paging.cut(request.GET, found, DOCUMENTS_PER_PAGE)
    context = {
        "rows": rows,
        "pages": pages,
        "kinds": KINDS,
        "permitted": PERMITTED,
        "may_write": may(request.user, Action.CHANGE_SOURCES),
        **_asked(asked),
    }
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
        "kind": kind_in_words(page.kind, permitted=page.permission.because is not None),
        "is_foreign": KINDS[page.kind] != kind_in_words(page.kind, permitted=True),
        "statuses": STATUSES,
        "conflicts": ledger.open_conflicts_of(one.question_key for one in page.contested),
        "may_write": may(request.user, Action.CHANGE_SOURCES),
        **_asked(asked),
    }
    return show(request, "policy.html", context)


@require_safe
@readers_only
def applied(request: ConsoleRequest) -> HttpResponse:
    """Show what applied on one day in one channel: each document's version, and the passage for each question."""
    asked = AsOf(request.GET, today=today())
    context = {"kinds": KINDS, "permitted": PERMITTED, **_asked(asked)}
    if asked.on_channel is not None:
        context["page"] = applied_on(on=asked.on_day, channel=asked.on_channel)
    return show(request, "policy_applied.html", context)


@require_safe
@readers_only
def export(request: ConsoleRequest) -> HttpResponse:
    """Send one version as the Markdown file that `load_policies` reads back to the letter."""
    version = named_version(request.GET).version
    response = HttpResponse(write_markdown(version), content_type="text/markdown; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{file_name(version)}"'
    response["Cache-Control"] = "no-store"
    return response


@require_safe
@readers_only
def told(request: ConsoleRequest) -> HttpResponse:
    """List the conversations that hold a locked answer to a question; they keep it whatever is published."""
    key = named(request.GET, "key")
    entry = ledger.registry().get(key)
    if entry is None:
        raise Http404
    start = paging.start_of(request.GET, HOLDERS_PER_PAGE)
    found, pages = paging.cut(
        request.GET, managing.holders(key, start=start, limit=HOLDERS_PER_PAGE + 1), HOLDERS_PER_PAGE
    )
    names = [row.conversation_id for row in found]
    here = visible_conversations(request.user).filter(external_id__in=names)
    ids = dict(here.values_list("external_id", "pk"))
    rows = [
        HolderRow(ids.get(row.conversation_id), row.conversation_id, plain(row.answer_text), row.source, row.told_at)
        for row in found
    ]
    context = {"key": key, "question": plain(entry.question_canonical), "rows": rows, "pages": pages}
    return show(request, "policy_told.html", context)


def today() -> date:
    """Return the day it is in the organisation's zone."""
    return timezone.localdate()


def _asked(asked: AsOf) -> dict[str, object]:
    known = ledger.channels()
    chosen = asked.on_channel
    more = (chosen,) if chosen is not None and chosen not in known else ()
    return {"asked": asked, "channels": (*known, *more)}
