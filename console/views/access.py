"""Who may read the pages that show no review item."""

from collections.abc import Callable
from functools import wraps
from typing import Concatenate

from django.core.exceptions import PermissionDenied
from django.http.response import HttpResponseBase

from console.http import ConsoleRequest
from console.permissions import Action, may


def readers_only[**P, R: HttpResponseBase](
    view: Callable[Concatenate[ConsoleRequest, P], R],
) -> Callable[Concatenate[ConsoleRequest, P], R]:
    """Refuse whoever has no role."""

    @wraps(view)
    def guarded(request: ConsoleRequest, /, *args: P.args, **kwargs: P.kwargs) -> R:
        if not may(request.user, Action.READ):
            raise PermissionDenied("Your account has no role yet. An administrator can give it one.")
        return view(request, *args, **kwargs)

    return guarded
