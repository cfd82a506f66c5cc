"""Pages for what went wrong, in the product's own look and in plain words."""

from http import HTTPStatus

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Say that this person may not do this."""
    why = f"{exception or 'Your role does not allow this.'} Nothing was changed; ask somebody who has that role."
    return _page(request, HTTPStatus.FORBIDDEN, "You may not do this", why)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:  # noqa: ARG001 - Django's signature
    """Say that there is nothing here, or nothing that this person may see."""
    why = "There is nothing at this address, or nothing that you may see. Check the link, or go back to the queue."
    return _page(request, HTTPStatus.NOT_FOUND, "Not found", why)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:  # noqa: ARG001 - Django's signature
    """Say that the request could not be read."""
    why = "What your browser sent could not be read. Go back, and try again with less text."
    return _page(request, HTTPStatus.BAD_REQUEST, "That could not be read", why)


def failed(request: HttpRequest) -> HttpResponse:
    """Say that the fault is ours; the page needs neither database nor session."""
    del request
    why = "The fault is ours and has been logged. Nothing was decided. Go back and try again in a moment."
    context = {"title": "Something failed", "why": why, "bare": True}
    return HttpResponse(render_to_string("error.html", context), status=HTTPStatus.INTERNAL_SERVER_ERROR)


@login_not_required
def csrf_failed(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Say what to do when a form is not protected by this session; the text typed is shown, so that it is not lost."""
    del reason
    why = (
        "This form was not sent from a page of this session, so nothing was done. "
        "Open the page again and repeat the action; if you signed in again meanwhile, the old page is no longer valid."
    )
    return _page(request, HTTPStatus.FORBIDDEN, "The form was not accepted", why, kept=request.POST.get("text"))


def _page(request: HttpRequest, status: int, title: str, why: str, *, kept: str | None = None) -> HttpResponse:
    response = render(request, "error.html", {"title": title, "why": why, "kept": kept}, status=status)
    response["Cache-Control"] = "no-store"
    return response
