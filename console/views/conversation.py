"""One conversation: what its customer has been told, the thread, the ledger beside it, and its review items."""

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING
from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_safe

from console.http import ConsoleRequest, show
from console.permissions import Action, may
from console.views import history, words
from console.views.evidence import packs_part
from console.views.thread import Thread, part_of
from console.views.timeline import Timeline, timeline_of, wanted_by
from drafts import queries
from drafts.decisions.transitions import ItemState

if TYPE_CHECKING:
    from drafts.models import Conversation, ReviewItem

MESSAGES_AT_ONCE = 30
ITEMS_SHOWN = 50


@dataclass(frozen=True, slots=True)
class ItemRow:
    """One review item of the conversation."""

    id: UUID
    external_id: str
    state: str
    state_style: str
    branch: str
    key: str | None
    since: datetime
    decided_by: str | None
    decided_at: datetime | None


@dataclass(frozen=True, slots=True)
class ConversationPage:
    """Everything the page shows."""

    conversation: "Conversation"
    thread: Thread
    timeline: Timeline
    items: tuple[ItemRow, ...]
    more_items: bool
    may_correct: bool


@require_safe
def conversation(request: ConsoleRequest, conversation_id: int) -> HttpResponse:
    """Show a conversation; `before` asks for earlier messages, `entries_before` and `key` for a part of its ledger."""
    found = find(request, conversation_id)
    items = _items(request, found)
    page = ConversationPage(
        conversation=found,
        thread=part_of(found, _place(request, "before"), at_once=MESSAGES_AT_ONCE),
        timeline=timeline_of(request, found, wanted_by(request)),
        items=tuple(_item_row(item) for item in items[:ITEMS_SHOWN]),
        more_items=len(items) > ITEMS_SHOWN,
        may_correct=may(request.user, Action.CORRECT),
    )
    return show(request, "conversation.html", {"page": page, "evidence": packs_part(request, found.pk)})


def find(request: ConsoleRequest, conversation_id: int) -> "Conversation":
    """Return a conversation that this person may see; anything else is not found."""
    return get_object_or_404(queries.visible_conversations(request.user), pk=conversation_id)


def _place(request: ConsoleRequest, name: str) -> int | None:
    asked = request.GET.get(name, "")
    return int(asked) if asked.isascii() and asked.isdecimal() and len(asked) < 10 else None


def _items(request: ConsoleRequest, found: "Conversation") -> "list[ReviewItem]":
    of_it = queries.visible_items(request.user).filter(conversation=found).select_related("decided_by")
    return list(of_it.defer("analysis", "raw_output").order_by("-created_at", "-id")[: ITEMS_SHOWN + 1])


def _item_row(item: "ReviewItem") -> ItemRow:
    return ItemRow(
        id=item.pk,
        external_id=item.external_id,
        state=words.STATES[ItemState(item.state)],
        state_style=item.state,
        branch=words.branch_told(item.branch).short,
        key=item.question_key,
        since=item.created_at,
        decided_by=history.name_of(item.decided_by),
        decided_at=item.decided_at,
    )
