"""What a customer was told: the ledger of one conversation."""

from http import HTTPStatus

from django.http import HttpResponse
from django.utils import timezone
from ninja import Router

from console.api.authentication import Token
from console.api.problems import Problem
from console.api.requests import ApiRequest, in_path, reply
from console.api.schemas.answers import LedgerAnswer
from console.permissions import Action
from console.scopes import Scope
from drafts import queries
from drafts.decisions.evidence import TooLarge
from drafts.services import evidence
from ledger import queries as ledger
from ledger.gateways.signing import KeyUnusable

router = Router(tags=["conversations"])
PACK: dict[str, object] = {
    "responses": {
        HTTPStatus.OK: {
            "description": "The pack: one line of canonical JSON. Change no byte of it, or it cannot be verified.",
            "content": {"application/json": {"schema": {"type": "object"}}},
        }
    }
}


@router.get("/conversations/{path:conversation_id}/ledger", auth=Token(Action.READ, Scope.READ), response=LedgerAnswer)
def get_ledger(request: ApiRequest, conversation_id: str) -> HttpResponse:
    """Show every entry of a conversation in order; a conversation that was told nothing has none."""
    known_as = in_path("conversation_id", conversation_id)
    return reply({"conversation_id": known_as, "entries": list(ledger.entries(known_as))})


@router.get("/conversations/{path:conversation_id}/evidence", auth=Token(Action.READ, Scope.READ), openapi_extra=PACK)
def get_evidence(request: ApiRequest, conversation_id: str) -> HttpResponse:
    """Make the signed evidence pack of a conversation; that it was made, and for whom, is recorded.

    The program under `/evidence/verify_evidence.py` checks it without this system.
    """
    known_as = in_path("conversation_id", conversation_id)
    person = request.auth.user
    found = queries.visible_conversations(person).filter(external_id=known_as).first()
    if found is None:
        raise Problem(HTTPStatus.NOT_FOUND, f"There is no conversation {known_as!r}.")
    try:
        made = evidence.make(conversation_id=found.pk, form="json", actor=person, now=timezone.now())
    except TooLarge as refused:
        raise Problem(HTTPStatus.UNPROCESSABLE_ENTITY, str(refused)) from refused
    except KeyUnusable as refused:
        raise Problem(HTTPStatus.SERVICE_UNAVAILABLE, f"Nothing can be signed. {refused}") from refused
    return HttpResponse(made.data, content_type="application/json")
