"""Ticket fields, as the helpdesk changes them."""

from http import HTTPStatus

from django.http import HttpResponse
from django.utils import timezone
from ninja import Router

from console.api.authentication import Token
from console.api.idempotency import idempotent
from console.api.openapi import body
from console.api.problems import Problem
from console.api.requests import ApiRequest, in_path, read_json, reply
from console.api.schemas.answers import TicketAnswer
from console.api.schemas.bodies import TicketFields
from console.permissions import Action
from console.scopes import Scope
from drafts import queries, representations
from drafts.decisions import bodies
from drafts.services.updates import UnknownTicket, update_ticket

router = Router(tags=["tickets"])


@router.patch(
    "/tickets/{path:ticket_id}",
    auth=Token(Action.BRING_IN, Scope.TICKETS),
    response=TicketAnswer,
    openapi_extra=body(TicketFields),
)
@idempotent
def change_ticket(request: ApiRequest, ticket_id: str) -> HttpResponse:
    """Lay changed fields over a ticket; its open items are analysed again."""
    known_as = in_path("ticket_id", ticket_id)
    changes, as_of = bodies.ticket_changes_from(read_json(request), ticket_id=known_as)
    try:
        ticket, analysed = update_ticket(
            ticket_id=known_as,
            changes=changes,
            as_of=as_of,
            now=timezone.now(),
            calendar=queries.organisation_calendar(),
        )
    except UnknownTicket as unknown:
        raise Problem(HTTPStatus.NOT_FOUND, unknown.message) from unknown
    shown = representations.ticket(ticket) or {}
    return reply({"id": shown["id"], "as_of": shown["as_of"], "ticket": shown, "analysed_again": analysed})
