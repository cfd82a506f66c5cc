"""Who writes policies, and which version an address is about."""

from collections.abc import Callable
from functools import wraps
from typing import Concatenate
from urllib.parse import urlencode

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpResponse, QueryDict
from django.urls import reverse

from console.http import ConsoleRequest
from console.permissions import Action, may
from ledger.queries import managing
from ledger.queries.managing import Managed


def owners_only[**P](
    view: Callable[Concatenate[ConsoleRequest, P], HttpResponse],
) -> Callable[Concatenate[ConsoleRequest, P], HttpResponse]:
    """Refuse whoever does not change sources."""

    @wraps(view)
    def guarded(request: ConsoleRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        if not may(request.user, Action.CHANGE_SOURCES):
            raise PermissionDenied("Writing, publishing and retiring policies is for policy owners.")
        return view(request, *args, **kwargs)

    return guarded


def named_version(asked: QueryDict) -> Managed:
    """Return the version that an address names by `document` and `version`; raises Http404."""
    found = managing.managed(named(asked, "document"), named(asked, "version"))
    if found is None:
        raise Http404("There is no such version.")
    return found


def named(asked: QueryDict, name: str) -> str:
    """Return a name out of an address; one that nothing can be called is not found."""
    value = asked.get(name, "")
    if not value or "\x00" in value or any("\ud800" <= sign <= "\udfff" for sign in value):
        raise Http404
    return value


def address(route: str, doc_id: str, version: str | None = None) -> str:
    """Return where something is done with a version, or with a document."""
    about = {"document": doc_id} | ({"version": version} if version is not None else {})
    return f"{reverse(route)}?{urlencode(about)}"
