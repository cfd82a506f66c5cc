"""The API's addresses: its operations, its description, and a problem document for everything else."""

import json
from collections.abc import Callable
from functools import cache, wraps
from http import HTTPStatus

from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import URLPattern, path, re_path
from django.views.decorators.csrf import csrf_exempt

from console.api import (
    asks,
    audit,
    conflicts,
    conversations,
    corrections,
    decisions,
    drafts,
    keys,
    messages,
    policies,
    problems,
    tickets,
)
from console.api.openapi import DescribedApi

DESCRIPTION = """Drafts come in, people decide them, replies go out. Every body is strict JSON in UTF-8 of at most
256 kB; every refusal is an RFC 9457 problem document. Offsets are Unicode code points. Instants carry their zone,
dates are plain `YYYY-MM-DD` in the organisation's zone."""

ROUTERS = (
    drafts.router,
    decisions.router,
    asks.router,
    tickets.router,
    messages.router,
    corrections.router,
    conversations.router,
    keys.router,
    policies.router,
    conflicts.router,
    audit.router,
)


def build() -> DescribedApi:
    """Return the API with all its operations."""
    api = DescribedApi(title="Countersign", version="1", description=DESCRIPTION, docs_url=None, urls_namespace="api")
    problems.register(api)
    for router in ROUTERS:
        api.add_router("", router)
    return api


def guarded(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Let tokens, not sessions, open a view; keep its answers out of caches and its refusals in one shape."""

    @wraps(view)
    def run(request: HttpRequest, **names: str) -> HttpResponse:
        try:
            response = view(request, **names)
        except Http404:
            response = problems.answer(problems.not_found())
        if response.status_code == HTTPStatus.METHOD_NOT_ALLOWED:
            response = _method_not_allowed(response.headers.get("Allow", "GET"))
        response.headers["Cache-Control"] = "no-store"
        return response

    return csrf_exempt(login_not_required(run))


def _method_not_allowed(allowed: str) -> HttpResponse:
    detail = f"This address takes {allowed}."
    return problems.answer(problems.Problem(HTTPStatus.METHOD_NOT_ALLOWED, detail, headers={"Allow": allowed}))


def _description(request: HttpRequest) -> HttpResponse:
    if request.method != "GET":
        return _method_not_allowed("GET")
    return HttpResponse(_written(), content_type="application/json")


@cache
def _written() -> str:
    return json.dumps(api.get_openapi_schema(), ensure_ascii=False)


def _nothing(_request: HttpRequest) -> HttpResponse:
    raise Http404


def _patterns() -> list[URLPattern]:
    found = [pattern for pattern in api.urls[0] if isinstance(pattern, URLPattern) and pattern.name != "openapi-json"]
    for pattern in found:
        pattern.callback = guarded(pattern.callback)
    described = path("openapi.json", guarded(_description), name="openapi-json")
    return [described, *found, re_path(r"", guarded(_nothing))]


api = build()
urls = (_patterns(), "ninja", "api")
"""What console/urls.py mounts at api/v1/."""
