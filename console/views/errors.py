"""Pages for what went wrong, in the product's own look and in plain words."""

from http import HTTPStatus

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string

from console.views.kept import Kept, came_from_here, kept_of

NOT_OF_THIS_SESSION = "This form was not sent from a page of this session, so nothing was done."


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Say that this person may not do this."""
    why = f"{exception or 'Your role does not allow this.'} Nothing was changed; ask somebody who has that role."
    return _page(request, HTTPStatus.FORBIDDEN, "You may not do this", why, kept=kept_of(request, again=False))


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:  # noqa: ARG001 - Django's signature
    """Say that there is nothing here, or nothing that this person may see."""
    why = "There is nothing at this address, or nothing that you may see. Check the link, or go back to the queue."
    return _page(request, HTTPStatus.NOT_FOUND, "Not found", why, kept=kept_of(request, again=False))


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
    """Say what to do when a form is not protected by this session; what was typed is shown, and can be sent again."""
    del reason
    kept = kept_of(request, again=came_from_here(request))
    if not request.user.is_authenticated:
        why = f"{NOT_OF_THIS_SESSION} Log in and open the page again."
    elif kept and kept.action:
        why = (
            "Nothing was done yet: the form is older than your log-in. "
            "Check that you are logged in as the right person, look through what you typed, and send it again."
        )
    else:
        why = f"{NOT_OF_THIS_SESSION} Open the page again and repeat the action."
    return _page(request, HTTPStatus.FORBIDDEN, "The form was not accepted", why, kept=kept)


def logged_out(request: HttpRequest) -> HttpResponse:
    """Say that the session has ended; what was typed is shown, and can be sent again after logging in."""
    why = "Your session has ended, so nothing was done with what you sent."
    return _page(request, HTTPStatus.UNAUTHORIZED, "You are logged out", why, kept=kept_of(request, again=True))


def _page(request: HttpRequest, status: int, title: str, why: str, *, kept: Kept | None = None) -> HttpResponse:
    response = render(request, "error.html", {"title": title, "why": why, "kept": kept}, status=status)
    response["Cache-Control"] = "no-store"
    return response
