"""What happens to a request before it reaches a view."""

from collections.abc import Callable
from http import HTTPStatus

from django.contrib.auth.middleware import LoginRequiredMiddleware
from django.http import HttpRequest, HttpResponse, HttpResponseBase


class LogInFirst(LoginRequiredMiddleware):
    """Lead to the log-in page; htmx is refused instead, so that this page never replaces what somebody typed."""

    def handle_no_permission(  # type: ignore[override]  # Django promises a redirect only
        self, request: HttpRequest, view_func: Callable[..., HttpResponseBase]
    ) -> HttpResponse:
        """Answer a request that nobody has signed in for."""
        if request.headers.get("HX-Request") == "true":
            return HttpResponse(status=HTTPStatus.UNAUTHORIZED)
        return super().handle_no_permission(request, view_func)
