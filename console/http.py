"""Typed requests, and the one way in which an action answers: a fragment for htmx, a redirect or a page without it."""

from http import HTTPStatus

from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django_htmx.middleware import HtmxDetails


class ConsoleRequest(HttpRequest):
    """A request of a signed-in person, after the middleware has run."""

    user: User
    htmx: HtmxDetails


def show(
    request: ConsoleRequest,
    template: str,
    context: dict[str, object],
    *,
    fragment: str | None = None,
    status: int = HTTPStatus.OK,
) -> HttpResponse:
    """Render a page, or for an htmx request only its named fragment; neither may be kept by a cache."""
    part = fragment if request.htmx and not request.htmx.boosted else None
    response = render(request, f"{template}#{part}" if part else template, context, status=status)
    response["Cache-Control"] = "no-store"
    response["Vary"] = "HX-Request, Cookie"
    return response
