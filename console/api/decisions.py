"""Decisions about drafts."""

from django.http import HttpResponse
from django.utils import timezone
from ninja import Router

from console.api.authentication import Token
from console.api.drafts import shown_item
from console.api.idempotency import idempotent
from console.api.openapi import body
from console.api.outcomes import overtaken, refused
from console.api.requests import ApiRequest, id_in_path, read_json, reply
from console.api.schemas.answers import ItemAnswer
from console.api.schemas.bodies import DecisionBody
from console.permissions import Action
from console.scopes import Scope
from drafts import queries
from drafts.decisions.reading import Reader
from drafts.decisions.transitions import DecisionKind
from drafts.services.deciding import Dismiss, Wanted, decide
from drafts.services.outcomes import Overtaken, Refused

router = Router(tags=["decisions"], by_alias=True)


@router.post(
    "/drafts/{item_id}/decision",
    auth=Token(Action.DECIDE, Scope.DECIDE),
    response=ItemAnswer,
    openapi_extra=body(DecisionBody),
)
@idempotent
def decide_draft(request: ApiRequest, item_id: str) -> HttpResponse:
    """Approve, edit, correct, escalate or send back, with the same checks as on the screen."""
    wanted = _wanted(Reader.of(read_json(request)))
    outcome = decide(
        item_id=id_in_path(item_id),
        wanted=wanted,
        actor=request.auth.user,
        now=timezone.now(),
        calendar=queries.organisation_calendar(),
    )
    match outcome:
        case Refused():
            return refused(outcome.blockers)
        case Overtaken():
            return overtaken(outcome, sent_text=wanted.text)
        case _:
            return reply(shown_item(request, id_in_path(item_id)))


def _wanted(read: Reader) -> Wanted:
    return Wanted(
        kind=DecisionKind(read.one_of("kind", tuple(kind.value for kind in DecisionKind))),
        seen_version=read.whole_number("seen_version", least=1) if read.has("seen_version") else None,
        text=read.text_or_none("text"),
        reason=read.text_or_none("reason"),
        owner=read.text_or_none("owner"),
        answer_text=read.text_or_none("answer_text"),
        dismissed=tuple(_dismiss(each) for each in read.parts("dismissed")),
    )


def _dismiss(read: Reader) -> Dismiss:
    return Dismiss(
        start=read.whole_number("start", least=0) if read.has("start") else None,
        end=read.whole_number("end", least=0) if read.has("end") else None,
        subject=read.text("class"),
        reason=read.text("reason"),
    )
