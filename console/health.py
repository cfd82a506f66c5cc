"""Whether this process can serve: asked by load balancers and by whoever waits for a start."""

from http import HTTPStatus

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from console.database.boot import problems


@login_not_required
@require_safe
@never_cache
def healthz(_request: HttpRequest) -> JsonResponse:
    """Answer 200 when web, database and migrations are ready, else 503 with the reasons."""
    found = problems()
    if found:
        return JsonResponse({"status": "unavailable", "problems": found}, status=HTTPStatus.SERVICE_UNAVAILABLE)
    return JsonResponse({"status": "ok"})
