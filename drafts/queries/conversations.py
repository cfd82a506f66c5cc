"""Find conversations: newest activity first, in a bounded number of rows however many there are."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.contrib.auth.models import AnonymousUser, User
from django.db.models import Count, Exists, OuterRef, Q, QuerySet
from django.db.models.functions import Left

from drafts.decisions.transitions import OPEN_STATES
from drafts.models import Conversation, Decision, Message, ReviewItem
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


def asked_items(
    user: User | AnonymousUser,
    conversation: int,
    *,
    after: datetime | None = None,
    until: datetime | None = None,
    limit: int | None = None,
) -> list[ReviewItem]:
    """Return the items of a conversation that answer a message and whose question is established, oldest first.

    `after` is excluded and `until` included, by the time at which the items came in; a limit keeps the newest.
    """
    asking = Q(question_key__isnull=False) | ~Q(also_asked=[])
    found = visible_items(user).filter(asking, conversation=conversation, reply_to__isnull=False)
    if after is not None:
        found = found.filter(created_at__gt=after)
    if until is not None:
        found = found.filter(created_at__lte=until)
    newest_first = (
        found.select_related("reply_to", "question_set_by").defer("raw_output").order_by("-created_at", "-id")
    )
    return list(newest_first[:limit])[::-1]


def items_of_decisions(user: User | AnonymousUser, decisions: Collection[UUID]) -> Mapping[str, UUID]:
    """Return the item of each of these decisions by the decision's id; what is no decision of an item is absent."""
    if not decisions or not may_read(user):
        return {}
    found = Decision.objects.filter(pk__in=decisions).values_list("pk", "item_id")
    return {str(decision): item for decision, item in found}
