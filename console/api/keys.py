"""The registry of question keys."""

from http import HTTPStatus
from typing import Annotated

from django.http import HttpResponse
from django.utils import timezone
from ninja import Query, Router

from console.api.authentication import Token
from console.api.idempotency import idempotent
from console.api.openapi import body
from console.api.paging import LIMIT, MOST, page
from console.api.problems import not_found
from console.api.requests import ApiRequest, in_path, read_json, reply
from console.api.schemas.answers import KeyAnswer, KeyPage
from console.api.schemas.bodies import KeyBody
from console.permissions import Action
from console.scopes import Scope
from drafts import queries
from drafts.decisions.reading import Reader
from drafts.services.updates import put_key
from ledger import queries as ledger
from ledger.decisions.key_files import as_json
from ledger.decisions.sending import read_key

router = Router(tags=["keys"])


@router.get("/keys", auth=Token(Action.READ, Scope.READ, Scope.POLICIES), response=KeyPage)
def list_keys(
    request: ApiRequest,
    cursor: Annotated[str | None, Query(max_length=400)] = None,
    limit: Annotated[int, Query(ge=1, le=MOST)] = LIMIT,
) -> HttpResponse:
    """List the question keys by name."""
    known = ledger.registry().values()
    return reply(page(known, key=lambda each: (each.key,), parts=1, cursor=cursor, limit=limit, show=as_json))


@router.get("/keys/{key}", auth=Token(Action.READ, Scope.READ, Scope.POLICIES), response=KeyAnswer)
def get_key(request: ApiRequest, key: str) -> HttpResponse:
    """Show one question key."""
    return reply(_shown(key))


@router.put(
    "/keys/{key}",
    auth=Token(Action.CHANGE_SOURCES, Scope.POLICIES),
    response={200: KeyAnswer, 201: KeyAnswer},
    openapi_extra=body(KeyBody),
)
@idempotent
def replace_key(request: ApiRequest, key: str) -> HttpResponse:
    """Create a question key, or replace what is known of it; open drafts that ask it are analysed again."""
    sent = read_key(in_path("key", key), Reader.of(read_json(request)).values)
    put = put_key(key=sent, actor=request.auth.user, now=timezone.now(), calendar=queries.organisation_calendar())
    return reply(_shown(sent.key), status=HTTPStatus.CREATED if put.created else HTTPStatus.OK)


def _shown(key: str) -> dict[str, object]:
    found = ledger.registry().get(key)
    if found is None:
        raise not_found("There is no such question key.")
    return as_json(found)
