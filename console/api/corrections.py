"""Corrections of what customers were told."""

from http import HTTPStatus
from typing import Annotated

from django.http import HttpResponse
from django.utils import timezone
from ninja import Query, Router

from console.api.authentication import Token
from console.api.idempotency import idempotent
from console.api.openapi import body
from console.api.outcomes import refused
from console.api.paging import LIMIT, MOST, mark, moment_and_id
from console.api.requests import ApiRequest, read_json, reply
from console.api.schemas.answers import CorrectionAnswer, CorrectionPage
from console.api.schemas.bodies import CorrectionBody
from console.permissions import Action
from console.scopes import Scope
from drafts import queries, representations
from drafts.decisions.reading import Reader, name
from drafts.services.correcting import CorrectionRefused, CorrectionWanted, correct

router = Router(tags=["corrections"])


@router.post(
    "/corrections",
    auth=Token(Action.CORRECT, Scope.DECIDE),
    response={201: CorrectionAnswer},
    openapi_extra=body(CorrectionBody),
)
@idempotent
def create_correction(request: ApiRequest) -> HttpResponse:
    """Correct what a customer was told, without a draft waiting."""
    read = Reader.of(read_json(request))
    try:
        correction = correct(
            conversation_id=read.name("conversation_id"),
            question_key=read.name("question_key"),
            wanted=CorrectionWanted(
                answer_text=read.visible_text("answer_text"),
                reason=read.visible_text("reason"),
                owner=read.visible_text("owner"),
                message=read.text_or_none("text"),
            ),
            actor=request.auth.user,
            now=timezone.now(),
            calendar=queries.organisation_calendar(),
        )
    except CorrectionRefused as forbidden:
        return refused(forbidden.blockers)
    return reply(representations.correction(correction), status=HTTPStatus.CREATED)


@router.get("/corrections", auth=Token(Action.READ, Scope.READ), response=CorrectionPage)
def list_corrections(
    request: ApiRequest,
    conversation: Annotated[str | None, Query(max_length=256)] = None,
    cursor: Annotated[str | None, Query(max_length=400)] = None,
    limit: Annotated[int, Query(ge=1, le=MOST)] = LIMIT,
) -> HttpResponse:
    """List corrections, the newest first."""
    found = representations.corrections(
        request.auth.user,
        conversation_id=None if conversation is None else name("conversation", conversation),
        after=moment_and_id(cursor),
        limit=limit + 1,
    )
    page = found[:limit]
    following = mark([str(page[-1]["corrected_at"]), str(page[-1]["id"])]) if len(found) > limit else None
    return reply({"items": page, "next": following})
