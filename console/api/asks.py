"""The gate before writing."""

from django.http import HttpResponse
from django.utils import timezone
from ninja import Router

from console.api.authentication import Token
from console.api.idempotency import idempotent
from console.api.openapi import body
from console.api.requests import ApiRequest, read_json, reply
from console.api.schemas.answers import AskAnswer
from console.api.schemas.bodies import AskBody
from console.permissions import Action
from console.scopes import Scope
from drafts import queries
from drafts.decisions import bodies
from drafts.decisions.report import asked_as_json
from drafts.decisions.saying import Say
from drafts.services.asks import ask

router = Router(tags=["asks"])


@router.post("/asks", auth=Token(Action.BRING_IN, Scope.ASKS), response=AskAnswer, openapi_extra=body(AskBody))
@idempotent
def create_ask(request: ApiRequest) -> HttpResponse:
    """Say what may be said before a draft is written; a pure reading of ledger and sources."""
    asked = bodies.ask_from(read_json(request))
    answered = ask(asked, now=timezone.now(), calendar=queries.organisation_calendar())
    return reply(
        {
            **asked_as_json(answered.analysis.first),
            "also": [asked_as_json(one) for one in answered.analysis.asked[1:]],
            "say": say_as_json(answered.say),
        }
    )


def say_as_json(say: Say) -> dict[str, object]:
    """Return the instruction with the fields of its mode only."""
    match say.mode:
        case "verbatim":
            return {"mode": say.mode, "text": say.text}
        case "within":
            return {"mode": say.mode, "version": say.version, "passages": list(say.passages)}
        case "ask_for":
            return {"mode": say.mode, "field": say.field}
        case _:
            return {"mode": say.mode, "why": say.why}
