"""Question keys: the registry of what customers can ask, and which passage answers it."""

from http import HTTPStatus

from django.http import Http404, HttpResponse
from django.views.decorators.http import require_safe

from console.http import ConsoleRequest, show
from console.permissions import Action, may
from console.views import paging, waiting
from console.views.access import readers_only
from console.views.policies import today
from console.views.source_words import CLASSES, KINDS, PERMITTED
from drafts.queries.affected import asks
from ledger import queries as ledger

PER_PAGE = 50


@require_safe
@readers_only
def keys(request: ConsoleRequest) -> HttpResponse:
    """List the question keys."""
    found = ledger.key_rows(start=paging.start_of(request.GET, PER_PAGE), limit=PER_PAGE + 1)
    rows, pages = paging.cut(request.GET, found, PER_PAGE)
    known = ledger.registry()
    asked = waiting.counts(waiting.open_items(request.user), [asks((row.key,), known) for row in rows])
    context = {
        "rows": list(zip(rows, asked, strict=True)),
        "pages": pages,
        "classes": CLASSES,
        "may_change": may(request.user, Action.CHANGE_SOURCES),
    }
    return show(request, "keys.html", context)


@require_safe
@readers_only
def key(request: ConsoleRequest, key: str) -> HttpResponse:
    """Show one question key with the passages that answer it."""
    return shown(request, key)


def shown(request: ConsoleRequest, key: str, *, fault: str = "") -> HttpResponse:
    """Show one question key, and why something could not be done with it. Raises Http404."""
    page = ledger.key_page(key, on=today()) if "\x00" not in key else None
    if page is None:
        raise Http404
    (asked,) = waiting.counts(waiting.open_items(request.user), [asks((key,), ledger.registry())])
    context = {
        "page": page,
        "asked": asked,
        "commitment": CLASSES[page.row.commitment_class],
        "kinds": KINDS,
        "permitted": PERMITTED,
        "conflicts": ledger.open_conflicts_of([page.root]).get(page.root, ()),
        "may_change": may(request.user, Action.CHANGE_SOURCES),
        "fault": fault,
    }
    return show(request, "key.html", context, status=HTTPStatus.CONFLICT if fault else HTTPStatus.OK)
