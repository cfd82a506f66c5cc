"""Corrections of what customers were told."""

from datetime import date, datetime, time, timedelta
from http import HTTPStatus
from typing import Annotated
from uuid import UUID

from django.http import HttpResponse
from django.utils import timezone
from ninja import Query, Router

from console.api.authentication import Token
from console.api.idempotency import idempotent
from console.api.openapi import body
from console.api.outcomes import refused
from console.api.paging import LIMIT, MOST, mark, moment_and_id
from console.api.problems import field_problem
from console.api.requests import ApiRequest, read_json, reply
from console.api.schemas.answers import CorrectionAnswer, CorrectionPage
from console.api.schemas.bodies import CorrectionBody
from console.correction_forms import FIRST_DAY, LAST_DAY
from console.permissions import Action
from console.scopes import Scope
from drafts import queries, representations
from drafts.decisions.reading import Reader, name
from drafts.services.correcting import CorrectionRefused, CorrectionWanted, OutsideWords, correct

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
                outside=_outside(read),
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
    *,
    conversation: Annotated[str | None, Query(max_length=256)] = None,
    since: Annotated[date | None, Query(description="First day, in the organisation's zone.")] = None,
    until: Annotated[date | None, Query(description="Last day, included.")] = None,
    key: Annotated[str | None, Query(max_length=256, description="The root question key.")] = None,
    owner: Annotated[str | None, Query(max_length=150, description="User name of who answers for it.")] = None,
    source: Annotated[str | None, Query(max_length=256, description="The document that the answer rests on.")] = None,
    q: Annotated[str | None, Query(max_length=200, description="Words in the reason.")] = None,
    cursor: Annotated[str | None, Query(max_length=400)] = None,
    limit: Annotated[int, Query(ge=1, le=MOST)] = LIMIT,
) -> HttpResponse:
    """List corrections, the newest first, narrowed by the same filters as the log on screen."""
    narrowing = queries.Narrowing(
        since=_midnight("since", since),
        until=_midnight("until", until, days=1),
        question_key=_given("key", key),
        owner=_given("owner", owner),
        document=_given("source", source),
        reason=_given("q", q),
        conversation=_given("conversation", conversation),
    )
    place = moment_and_id(cursor)
    after = (place[0], UUID(place[1])) if place else None
    found = representations.corrections(request.auth.user, narrowing, after=after, limit=limit + 1)
    page = found[:limit]
    following = mark([str(page[-1]["corrected_at"]), str(page[-1]["id"])]) if len(found) > limit else None
    return reply({"items": page, "next": following})


def _outside(read: Reader) -> OutsideWords | None:
    """Return what is withdrawn where it was said past the desk. Raises Unacceptable."""
    said = read.part_or_none("outside")
    return None if said is None else OutsideWords(said.name("message_id"), said.visible_text("words"))


def _given(field: str, value: str | None) -> str:
    """Return a filter as given. Raises Unacceptable for what could be no name."""
    return "" if value is None else name(field, value)


def _midnight(field: str, day: date | None, *, days: int = 0) -> datetime | None:
    """Return when a day begins in the organisation's zone. Raises Problem for one beyond every calendar."""
    if day is None:
        return None
    if not FIRST_DAY <= day <= LAST_DAY:
        raise field_problem(field, f"Name a day from {FIRST_DAY} to {LAST_DAY}.")
    return datetime.combine(day + timedelta(days=days), time.min, queries.organisation_calendar().zone)
