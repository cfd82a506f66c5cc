"""Find conversations: newest activity first, in a bounded number of rows however many there are."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from django.contrib.auth.models import AnonymousUser, User
from django.db.models import Count, Exists, OuterRef, Q, QuerySet
from django.db.models.functions import Left

from drafts.decisions.transitions import OPEN_STATES
from drafts.models import Conversation, Message
from drafts.queries.visibility import may_read, visible_items


@dataclass(frozen=True, slots=True)
class ItemCounts:
    """How many review items a conversation has, and how many of them still wait."""

    all: int = 0
    open: int = 0


def visible_conversations(user: User | AnonymousUser) -> QuerySet[Conversation]:
    """Return the conversations a person may see: those of the items they may see, which is all or none."""
    return Conversation.objects.all() if may_read(user) else Conversation.objects.none()


def newest_messages(user: User | AnonymousUser, *, wanted: str = "", excerpt: int) -> QuerySet[Message]:
    """Return the last message of each conversation, the newest first, with its first characters as `excerpt`.

    `wanted` is how the conversation's id or its customer's id begins. A conversation's last message tells when
    something last happened in it; messages are numbered as they arrive, so a page is read from the end of one index.
    """
    later = Message.objects.filter(conversation=OuterRef("conversation"), ordinal__gt=OuterRef("ordinal"))
    found = Message.objects.filter(~Exists(later)).select_related("conversation").defer("text").order_by("-pk")
    if not may_read(user):
        return found.none()
    if wanted:
        found = found.filter(
            Q(conversation__external_id__startswith=wanted) | Q(conversation__customer_id__startswith=wanted)
        )
    return found.annotate(excerpt=Left("text", excerpt))


def item_counts(user: User | AnonymousUser, conversations: Iterable[int]) -> Mapping[int, ItemCounts]:
    """Count the review items of some conversations, by the conversation's database key; one without any is absent."""
    of_these = visible_items(user).filter(conversation__in=list(conversations)).order_by()
    counted = of_these.values("conversation").annotate(
        every=Count("pk"), waiting=Count("pk", filter=Q(state__in=OPEN_STATES))
    )
    return {row["conversation"]: ItemCounts(row["every"], row["waiting"]) for row in counted}
