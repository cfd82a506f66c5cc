"""Find a conversation: by its own id or its customer's, the one in which something happened last first."""

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from django import forms
from django.http import HttpResponse
from django.views.decorators.http import require_safe

from console.http import ConsoleRequest, show
from console.views import words
from console.views.access import readers_only
from console.views.highlight import plain
from drafts import queries
from drafts.decisions.structure import Piece
from drafts.queries import ItemCounts

if TYPE_CHECKING:
    from drafts.models import Message

PER_PAGE = 50
EXCERPT = 200


class Search(forms.Form):
    """How the id of a conversation or of a customer begins."""

    q = forms.CharField(required=False, max_length=256, label="Conversation or customer id, or its beginning")


@dataclass(frozen=True, slots=True)
class Row:
    """One conversation of the list, with its last message."""

    id: int
    name: str
    customer: str | None
    channel: str | None
    who: str
    last: tuple[Piece, ...]
    at: datetime
    items: ItemCounts


@dataclass(frozen=True, slots=True)
class ConversationsPage:
    """One page of the list; `following` leads to the next one."""

    rows: tuple[Row, ...]
    wanted: str
    following: str | None
    is_first: bool


@require_safe
@readers_only
def conversations(request: ConsoleRequest) -> HttpResponse:
    """List conversations, those whose last message is the newest first."""
    search = Search(request.GET, label_suffix="")
    wanted = search.cleaned_data["q"] if search.is_valid() else ""
    page = _page(request, wanted, request.GET.get("before", ""))
    return show(request, "conversations.html", {"page": page, "search": search})


def _page(request: ConsoleRequest, wanted: str, before: str) -> ConversationsPage:
    found = queries.newest_messages(request.user, wanted=wanted, excerpt=EXCERPT)
    behind = int(before) if before.isascii() and before.isdecimal() and len(before) < 19 else None
    if behind is not None:
        found = found.filter(pk__lt=behind)
    read = list(found[: PER_PAGE + 1])
    shown = read[:PER_PAGE]
    counts = queries.item_counts(request.user, (message.conversation_id for message in shown))
    kept = {"q": wanted} if wanted else {}
    return ConversationsPage(
        rows=tuple(_row(message, counts.get(message.conversation_id, ItemCounts())) for message in shown),
        wanted=wanted,
        following="?" + urlencode({**kept, "before": str(shown[-1].pk)}) if len(read) > PER_PAGE else None,
        is_first=behind is None,
    )


def _row(message: "Message", counts: ItemCounts) -> Row:
    return Row(
        id=message.conversation_id,
        name=message.conversation.external_id,
        customer=message.conversation.customer_id,
        channel=message.conversation.channel,
        who=words.ROLES[message.role],
        last=plain(" ".join(getattr(message, "excerpt", "").split())),
        at=message.received_at,
        items=counts,
    )
