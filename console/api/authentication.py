"""Bearer tokens: who calls, and whether scope and role both allow it. Every refusal is logged."""

import logging
import re
from http import HTTPStatus

from django.http import HttpRequest
from django.utils import timezone
from ninja.security.base import AuthBase

from console import tokens
from console.api.problems import Problem
from console.models import ApiToken
from console.permissions import Action, may
from console.scopes import Scope

logger = logging.getLogger("countersign.access")

QUERY_NAMES = frozenset({"token", "access_token", "api_key", "apikey", "auth", "authorization", "bearer"})
BEARER = re.compile(r"bearer +(\S+) *", re.IGNORECASE | re.ASCII)


class Token(AuthBase):
    """One operation's lock: a token with any of these scopes, whose user's role allows the action."""

    openapi_type = "http"
    openapi_scheme = "bearer"
    openapi_description = "A token from `manage.py create_token`. It acts as its user, within its scopes."

    def __init__(self, action: Action, *scopes: Scope) -> None:
        """Name what the operation is, and the scopes of which one is enough."""
        super().__init__()
        self.action = action
        self.scopes = frozenset(scopes)

    def __call__(self, request: HttpRequest) -> ApiToken:
        """Return the caller's token. Raises Problem: 401 without a valid token, 403 without the right."""
        _refuse_token_in_address(request)
        header = BEARER.fullmatch(request.headers.get("Authorization", ""))
        token = tokens.recognise(header[1], now=timezone.now()) if header else None
        if token is None:
            raise _unknown(request, "no valid token" if header else "no bearer token")
        if not self.scopes & set(token.scopes):
            needed = " or ".join(sorted(self.scopes))
            raise _forbidden(request, token, f"This needs a token with the scope {needed}.")
        if not may(token.user, self.action):
            raise _forbidden(request, token, f"The role of {token.user.get_username()} does not allow this.")
        return token


def _refuse_token_in_address(request: HttpRequest) -> None:
    named = any(name.lower() in QUERY_NAMES for name in request.GET)
    if named or any(tokens.SHAPE.search(text) for values in request.GET.lists() for text in values[1]):
        raise _unknown(request, "token in the address", "Addresses end up in logs: revoke that token, and send one in")


def _unknown(request: HttpRequest, why: str, lead: str = "Send a valid token in") -> Problem:
    logger.warning("Refused %s %a: %s", request.method, request.path, why)
    detail = f"{lead} the header `Authorization: Bearer …`."
    return Problem(HTTPStatus.UNAUTHORIZED, detail, headers={"WWW-Authenticate": 'Bearer realm="countersign"'})


def _forbidden(request: HttpRequest, token: ApiToken, why: str) -> Problem:
    who = token.user.get_username()
    logger.warning("Refused %s %a to %a with token %d: %s", request.method, request.path, who, token.pk, why)
    return Problem(HTTPStatus.FORBIDDEN, why)
