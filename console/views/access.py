"""Who may read pages about sources."""

from collections.abc import Callable
from functools import wraps
from typing import Concatenate

from django.core.exceptions import PermissionDenied
from django.http import HttpResponse

from console.http import ConsoleRequest
from console.permissions import Action, may


def readers_only[**P](
    view: Callable[Concatenate[ConsoleRequest, P], HttpResponse],
) -> Callable[Concatenate[ConsoleRequest, P], HttpResponse]:
    """Refuse whoever has no role."""

    @wraps(view)
    def guarded(request: ConsoleRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        if not may(request.user, Action.READ):
            raise PermissionDenied("Your account has no role yet. An administrator can give it one.")
        return view(request, *args, **kwargs)

    return guarded
