"""Correct something: choosing, in plain words, which of the situations of rule 3.7 it is."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlencode
from uuid import UUID

from django.core.exceptions import PermissionDenied
from django.http import HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_safe

from console.http import ConsoleRequest, show
from console.permissions import Action, may
from console.views.conversation import find
from console.views.highlight import plain
from drafts import queries
from drafts.decisions.structure import Piece
from drafts.queries.composing import keys_of
from ledger import queries as ledger
from ledger.decisions.keys import root_of
from ledger.decisions.vocabulary import KeyEntry, LockedAnswer

if TYPE_CHECKING:
    from drafts.models import Conversation


@dataclass(frozen=True, slots=True)
class KeyChoice:
    """A question that can be chosen; `here` says that it was asked or answered in this conversation."""

    key: str
    question: str
    here: bool


@dataclass(frozen=True, slots=True)
class Case:
    """What a guided form is about: the conversation, the root key chosen, and the item it was started from."""

    conversation: "Conversation"
    key: str
    question: tuple[Piece, ...]
    item: UUID | None
    choices: tuple[KeyChoice, ...]

    @property
    def kept(self) -> str:
        """Return what the links between the forms keep, as they stand in an address."""
        kept = {"key": self.key, "item": str(self.item or "")}
        given = {name: value for name, value in kept.items() if value}
        return f"?{urlencode(given)}" if given else ""


@dataclass(frozen=True, slots=True)
class LockedRow:
    """An answer that counts and can be corrected."""

    key: str
    text: tuple[Piece, ...]
    url: str


@require_safe
def situations(request: ConsoleRequest, conversation_id: int) -> HttpResponse:
    """Offer the situations; each leads to a form of its own."""
    case = case_of(request, conversation_id)
    live = ledger.live_answers(case.conversation.external_id)
    context = {"case": case, "locked": tuple(_locked_row(case, answer) for answer in live.values())}
    return show(request, "correction_situations.html", context)


def case_of(request: ConsoleRequest, conversation_id: int) -> Case:
    """Read what a guided form is about. Raises PermissionDenied for whoever may not correct, Http404."""
    conversation = find(request, conversation_id)
    if not may(request.user, Action.CORRECT):
        raise PermissionDenied("Correcting is for support agents, policy owners and managers.")
    registry = ledger.registry()
    here = {root_of(key, registry) for key in keys_of(request.user, conversation) if key in registry}
    item = _item(request, conversation)
    asked = request.POST.get("key") or request.GET.get("key", "")
    key = root_of(asked, registry) if asked in registry else next(iter(here)) if len(here) == 1 else ""
    return Case(
        conversation=conversation,
        key=key,
        question=plain(registry[key].question_canonical) if key in registry else (),
        item=item,
        choices=tuple(_choices(registry, here)),
    )


def _choices(registry: Mapping[str, KeyEntry], here: set[str]) -> list[KeyChoice]:
    roots = [entry for entry in registry.values() if entry.parent is None]
    ordered = sorted(roots, key=lambda entry: (entry.key not in here, entry.key))
    return [KeyChoice(entry.key, entry.question_canonical, entry.key in here) for entry in ordered]


def _item(request: ConsoleRequest, conversation: "Conversation") -> UUID | None:
    """Return the item from which this was started; what is none of this conversation's is left out."""
    asked = request.POST.get("item") or request.GET.get("item", "")
    try:
        wanted = UUID(asked)
    except ValueError:
        return None
    found = queries.visible_items(request.user).filter(pk=wanted, conversation=conversation)
    return found.values_list("pk", flat=True).first()


def _locked_row(case: Case, answer: LockedAnswer) -> LockedRow:
    address = reverse("conversation-correct", args=[case.conversation.pk, answer.question_key])
    return LockedRow(answer.question_key, plain(answer.answer_text), address)
