"""One customer: their conversations, and what was said in all of them."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.contrib.auth.models import AnonymousUser, User

from drafts.models import Conversation
from drafts.queries.conversations import visible_conversations
from ledger.queries.customers import Said, said_in

MOST = 500
"""The newest conversations of a customer whose answers are compared; a page says so where there are more."""


@dataclass(frozen=True, slots=True)
class CustomerRecord:
    """A customer's conversations, the newest first, what was said in them, and whether there are older ones."""

    conversations: tuple[Conversation, ...]
    said: tuple[Said, ...]
    more: bool


def customer_record(user: User | AnonymousUser, customer_id: str) -> CustomerRecord:
    """Return what is known of a customer; nothing where nobody of this id has written to us."""
    found = list(visible_conversations(user).filter(customer_id=customer_id).order_by("-pk")[: MOST + 1])
    shown: Sequence[Conversation] = found[:MOST]
    said = said_in([one.external_id for one in shown]) if shown else ()
    return CustomerRecord(tuple(shown), said, len(found) > MOST)
