"""Messages of a thread, told one by one."""

from http import HTTPStatus

from django.http import HttpResponse
from django.utils import timezone
from ninja import Router

from console.api.authentication import Token
from console.api.idempotency import idempotent
from console.api.openapi import body
from console.api.requests import ApiRequest, read_json, reply
from console.api.schemas.answers import NewMessageAnswer
from console.api.schemas.bodies import NewMessageBody
from console.permissions import Action
from console.scopes import Scope
from drafts import queries, representations
from drafts.decisions import bodies
from drafts.decisions.reading import Reader
from drafts.services.updates import tell_message

router = Router(tags=["messages"])


@router.post(
    "/messages",
    auth=Token(Action.BRING_IN, Scope.DRAFTS, Scope.TICKETS),
    response={200: NewMessageAnswer, 201: NewMessageAnswer},
    openapi_extra=body(NewMessageBody),
)
@idempotent
def create_message(request: ApiRequest) -> HttpResponse:
    """Add a message: a customer's makes open drafts stale, a public reply retires them, a note does neither.

    The same id with another text is an edit by its writer: the newest text counts, the earlier ones are kept.
    """
    read = Reader.of(read_json(request))
    conversation_id = read.name("conversation_id")
    told = tell_message(
        conversation_id=conversation_id,
        message=bodies.message_from(read.part("message")),
        now=timezone.now(),
        calendar=queries.organisation_calendar(),
    )
    return reply(
        {
            "conversation_id": conversation_id,
            "message": representations.message(told.message),
            "created": told.created,
        },
        status=HTTPStatus.CREATED if told.created else HTTPStatus.OK,
    )
