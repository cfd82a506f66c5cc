"""What happens to a request before it reaches a view."""

from collections.abc import Callable
from http import HTTPStatus

from django.contrib.auth.middleware import LoginRequiredMiddleware
from django.http import HttpRequest, HttpResponse, HttpResponseBase

from console.views.errors import logged_out


class LogInFirst(LoginRequiredMiddleware):
    """Lead to the log-in page, but not from what somebody typed: htmx is refused, and a page keeps what a form sent."""

    def handle_no_permission(  # type: ignore[override]  # Django promises a redirect only
        self, request: HttpRequest, view_func: Callable[..., HttpResponseBase]
    ) -> HttpResponse:
        """Answer a request that nobody has signed in for."""
        if request.headers.get("HX-Request") == "true":
            return HttpResponse(status=HTTPStatus.UNAUTHORIZED)
        if request.method == "POST":
            return logged_out(request)
        return super().handle_no_permission(request, view_func)
