"""What a customer was told: the ledger of one conversation."""

from django.http import HttpResponse
from ninja import Router

from console.api.authentication import Token
from console.api.requests import ApiRequest, in_path, reply
from console.api.schemas.answers import LedgerAnswer
from console.permissions import Action
from console.scopes import Scope
from ledger import queries as ledger

router = Router(tags=["conversations"])


@router.get("/conversations/{path:conversation_id}/ledger", auth=Token(Action.READ, Scope.READ), response=LedgerAnswer)
def get_ledger(request: ApiRequest, conversation_id: str) -> HttpResponse:
    """Show every entry of a conversation in order; a conversation that was told nothing has none."""
    known_as = in_path("conversation_id", conversation_id)
    return reply({"conversation_id": known_as, "entries": list(ledger.entries(known_as))})
