"""Conflicts between sources, and their resolution."""

from datetime import date
from typing import Annotated, Literal

from django.http import HttpResponse
from django.utils import timezone
from ninja import Query, Router

from console.api.authentication import Token
from console.api.idempotency import idempotent
from console.api.openapi import body
from console.api.paging import LIMIT, MOST, page
from console.api.problems import not_found
from console.api.requests import ApiRequest, id_in_path, read_json, reply
from console.api.schemas.answers import ResolvedAnswer, SourceConflictAnswer, SourceConflictPage
from console.api.schemas.bodies import ResolutionBody
from console.permissions import Action
from console.scopes import Scope
from drafts import queries
from drafts.decisions.arriving import Unacceptable
from drafts.decisions.reading import Reader
from drafts.decisions.report import instant
from drafts.services.updates import resolve_conflict
from ledger import queries as ledger
from ledger.decisions.router import BadDate, plain_date
from ledger.decisions.settling import Narrowing
from ledger.queries import ConflictView
from ledger.services.settling import Settlement

router = Router(tags=["conflicts"])


@router.get("/conflicts", auth=Token(Action.READ, Scope.READ, Scope.POLICIES), response=SourceConflictPage)
def list_conflicts(
    request: ApiRequest,
    state: Annotated[Literal["open", "resolved", "obsolete"] | None, Query()] = None,
    cursor: Annotated[str | None, Query(max_length=400)] = None,
    limit: Annotated[int, Query(ge=1, le=MOST)] = LIMIT,
) -> HttpResponse:
    """List conflicts, the open ones first and the most urgent of them first."""
    found = ledger.conflicts(state=state)
    return reply(page(found, key=_order, parts=3, cursor=cursor, limit=limit, show=conflict_as_json))


@router.get(
    "/conflicts/{conflict_id}", auth=Token(Action.READ, Scope.READ, Scope.POLICIES), response=SourceConflictAnswer
)
def get_conflict(request: ApiRequest, conflict_id: str) -> HttpResponse:
    """Show one conflict with the passages that compete."""
    return reply(_shown(conflict_id))


@router.post(
    "/conflicts/{conflict_id}/resolution",
    auth=Token(Action.CHANGE_SOURCES, Scope.POLICIES),
    response=ResolvedAnswer,
    openapi_extra=body(ResolutionBody),
)
@idempotent
def resolve(request: ApiRequest, conflict_id: str) -> HttpResponse:
    """Keep one version and retire or narrow the others, with a reason; every item that was held is analysed again.

    `narrow` takes channels away, or moves a first day later or an end earlier. Where `seen` is sent, the settlement
    holds only for the passages and versions that the conflict showed under this digest.
    """
    read = Reader.of(read_json(request))
    known = id_in_path(conflict_id)
    wanted = Settlement(
        keep=read.name("keep"),
        retire=read.names("retire"),
        narrow=[_narrowing(one) for one in read.parts("narrow")],
        reason=read.visible_text("reason"),
        seen=read.name_or_none("seen"),
    )
    analysed = resolve_conflict(
        conflict_id=known,
        wanted=wanted,
        actor=request.auth.user,
        now=timezone.now(),
        calendar=queries.organisation_calendar(),
    )
    return reply({**_shown(conflict_id), "analysed_again": analysed})


def _narrowing(read: Reader) -> Narrowing:
    return Narrowing(
        version=read.name("version"),
        channels=frozenset(read.names("channels")) if read.has("channels") else None,
        effective_from=_day(read, "effective_from"),
        effective_until=_day(read, "effective_until"),
    )


def _day(read: Reader, field: str) -> date | None:
    if not read.has(field):
        return None
    try:
        return plain_date(field, read.text(field))
    except BadDate as bad:
        raise Unacceptable(read.at(field), str(bad)) from bad


def _shown(conflict_id: str) -> dict[str, object]:
    found = ledger.conflict(id_in_path(conflict_id))
    if found is None:
        raise not_found("There is no such conflict.")
    return conflict_as_json(found)


def _order(conflict: ConflictView) -> tuple[str, str, str]:
    return "0" if conflict.state == "open" else "1", conflict.due_at.isoformat(), conflict.id


def conflict_as_json(conflict: ConflictView) -> dict[str, object]:
    """Return a conflict with its versions under the names by which they are kept or retired."""
    return {
        "id": conflict.id,
        "question_key": conflict.question_key,
        "question_canonical": conflict.question_canonical,
        "channel": conflict.channel,
        "versions": list(conflict.versions),
        "owner": conflict.owner,
        "due_at": instant(conflict.due_at),
        "state": conflict.state,
        "opened_at": instant(conflict.opened_at),
        "resolved_at": instant(conflict.resolved_at),
        "resolved_by": conflict.resolved_by,
        "reason": conflict.reason,
        "kept": conflict.kept,
        "found_by": conflict.found_by,
        "seen": conflict.seen,
        "members": [
            {
                "name": each.name,
                "doc_id": each.doc_id,
                "version": each.version,
                "title": each.title,
                "kind": each.kind,
                "status": each.status,
                "channels": list(each.channels),
                "effective_from": each.effective_from.isoformat(),
                "effective_until": each.effective_until.isoformat() if each.effective_until else None,
                "outcome": each.outcome,
                "narrowed_to": each.left,
                "section": each.section,
                "text": each.text,
            }
            for each in conflict.members
        ],
    }
