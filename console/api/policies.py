"""Policy versions."""

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
from console.api.schemas.answers import VersionAnswer, VersionPage
from console.api.schemas.bodies import VersionBody
from console.permissions import Action
from console.scopes import Scope
from drafts import queries
from drafts.decisions.reading import Reader
from drafts.services.updates import put_version
from ledger import queries as ledger
from ledger.decisions.sending import read_version
from ledger.decisions.vocabulary import Version

router = Router(tags=["policies"])


@router.get("/policies", auth=Token(Action.READ, Scope.READ, Scope.POLICIES), response=VersionPage)
def list_versions(
    request: ApiRequest,
    cursor: Annotated[str | None, Query(max_length=1200)] = None,
    limit: Annotated[int, Query(ge=1, le=MOST)] = LIMIT,
) -> HttpResponse:
    """List every version of every document, drafts too, by document and first day."""
    known = [view.version for document in ledger.documents() for view in document.versions]
    return reply(page(known, key=_order, parts=3, cursor=cursor, limit=limit, show=version_as_json))


@router.get(
    "/policies/{doc_id}/versions/{version}",
    auth=Token(Action.READ, Scope.READ, Scope.POLICIES),
    response=VersionAnswer,
)
def get_version(request: ApiRequest, doc_id: str, version: str) -> HttpResponse:
    """Show one version with its statements."""
    return reply(_shown(in_path("doc_id", doc_id), in_path("version", version)))


@router.put(
    "/policies/{doc_id}/versions/{version}",
    auth=Token(Action.CHANGE_SOURCES, Scope.POLICIES),
    response={200: VersionAnswer, 201: VersionAnswer},
    openapi_extra=body(VersionBody),
)
@idempotent
def replace_version(request: ApiRequest, doc_id: str, version: str) -> HttpResponse:
    """Publish, change or retire a version; a later one closes its open-ended predecessor on its own first day."""
    names = in_path("doc_id", doc_id), in_path("version", version)
    sent = read_version(*names, Reader.of(read_json(request)).values)
    put = put_version(
        version=sent, actor=request.auth.user, now=timezone.now(), calendar=queries.organisation_calendar()
    )
    return reply(_shown(*names), status=HTTPStatus.CREATED if put.created else HTTPStatus.OK)


def _order(version: Version) -> tuple[str, str, str]:
    return version.doc_id, version.effective_from.isoformat(), version.version


def _shown(doc_id: str, version: str) -> dict[str, object]:
    found = next((each for each in ledger.versions_of([doc_id]) if each.version == version), None)
    if found is None:
        raise not_found("There is no such version.")
    return {**version_as_json(found), "body": found.body}


def version_as_json(version: Version) -> dict[str, object]:
    """Return a version in the shape in which it is sent, with its names and without its whole text."""
    return {
        "doc_id": version.doc_id,
        "version": version.version,
        "title": version.title,
        "kind": version.kind.value,
        "channels": sorted(version.channels),
        "deciding_date": version.deciding_date,
        "effective_from": version.effective_from.isoformat(),
        "effective_until": version.effective_until.isoformat() if version.effective_until else None,
        "status": version.status.value,
        "statements": [
            {"question_key": each.question_key, "section": each.section, "text": each.text}
            for each in version.statements
        ],
    }
