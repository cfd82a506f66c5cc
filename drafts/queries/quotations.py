"""Where a customer's words about an earlier answer can be found: in the ledger, and in the replies of every thread."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import AnonymousUser, User

from drafts.decisions.quoted import Match, match
from drafts.decisions.structure import Piece, visible_pieces
from drafts.models import Conversation, Message
from drafts.queries.customers import CustomerRecord, customer_record
from ledger.queries.customers import Said, said_in

MOST_MESSAGES = 2000
"""The newest replies of a customer's conversations that are looked through."""


@dataclass(frozen=True, slots=True)
class FoundEntry:
    """A ledger entry that may be what the customer quotes."""

    said: Said
    conversation: int
    here: bool
    match: Match

    @property
    def pieces(self) -> tuple[Piece, ...]:
        """Return the text with its hidden characters named."""
        return visible_pieces(self.said.text)


@dataclass(frozen=True, slots=True)
class FoundMessage:
    """A reply that may be what the customer quotes; `outside` says that it did not come through the desk."""

    conversation: int
    conversation_name: str
    message_id: str
    text: str
    said_at: datetime | None
    outside: bool
    here: bool
    match: Match

    @property
    def pieces(self) -> tuple[Piece, ...]:
        """Return the text with its hidden characters named."""
        return visible_pieces(self.text)


@dataclass(frozen=True, slots=True)
class Quotations:
    """What was found, and in how much was looked."""

    entries: tuple[FoundEntry, ...]
    messages: tuple[FoundMessage, ...]
    conversations: int
    looked_at: int

    @property
    def is_empty(self) -> bool:
        """Say whether nothing was found."""
        return not self.entries and not self.messages


def find_quotation(user: User | AnonymousUser, conversation: Conversation, quoted: str) -> Quotations:
    """Look for a customer's words in this conversation and in the customer's others, by value and to the letter."""
    record = _record(user, conversation)
    ids = {one.external_id: one.pk for one in record.conversations}
    replies = list(_replies(list(ids.values())))
    entries = _entries(record.said, ids, conversation.pk, quoted)
    messages = _messages(replies, conversation.pk, quoted)
    return Quotations(tuple(entries), tuple(messages), len(ids), len(replies))


def _record(user: User | AnonymousUser, conversation: Conversation) -> CustomerRecord:
    if conversation.customer_id:
        return customer_record(user, conversation.customer_id)
    return CustomerRecord((conversation,), said_in([conversation.external_id]), more=False)


def _replies(conversations: list[int]) -> Iterator[Message]:
    found = Message.objects.filter(conversation__in=conversations, role="agent").select_related("conversation")
    yield from found.order_by("-pk")[:MOST_MESSAGES]


def _entries(said: tuple[Said, ...], ids: dict[str, int], here: int, quoted: str) -> Iterator[FoundEntry]:
    for one in said:
        if (seen := match(quoted, one.text)) is not None:
            at = ids[one.conversation_id]
            yield FoundEntry(one, at, at == here, seen)


def _messages(replies: list[Message], here: int, quoted: str) -> Iterator[FoundMessage]:
    for one in replies:
        if (seen := match(quoted, one.text)) is not None:
            yield FoundMessage(
                conversation=one.conversation_id,
                conversation_name=one.conversation.external_id,
                message_id=one.external_id,
                text=one.text,
                said_at=one.sent_at,
                outside=not one.through_desk,
                here=one.conversation_id == here,
                match=seen,
            )
