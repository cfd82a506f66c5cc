"""Find items by an id or by words, in a bounded time however many there are."""

from uuid import UUID

from django.contrib.postgres.search import SearchQuery
from django.db.models import F, FilteredRelation, Q, QuerySet

from drafts.models import Conversation, Message, ReviewItem
from drafts.models.searching import SEARCHED, SIGNS, words_of

__all__ = ["SEARCHED", "matching"]

WORDS = 10
"""Words of one search; what is typed beyond them narrows nothing any more."""

_SPACED = str.maketrans(SIGNS, " " * len(SIGNS))


def matching(items: QuerySet[ReviewItem], wanted: str, *, most: int) -> tuple[UUID, ...]:
    """Return the ids of those items that match, in no order; more than `most` where more do.

    An item matches where `wanted` is how the id of its draft, conversation, customer or ticket begins, or where all
    its words begin words of the answered message, or of the draft's newest text.
    """
    arms = [items.filter(named) for named in _named(wanted)]
    if (words := _words(wanted)) is not None:
        arms += [_asking(items, words), _saying(items, words)]
    first, *others = (arm.order_by().values_list("pk", flat=True)[: most + 1] for arm in arms)
    return tuple(set(first.union(*others, all=True).order_by()))


def _named(wanted: str) -> tuple[Q, ...]:
    conversations = Conversation.objects.filter(Q(external_id__startswith=wanted) | Q(customer_id__startswith=wanted))
    own = Q(external_id__startswith=wanted) | Q(ticket__external_id__startswith=wanted)
    return own, Q(conversation__in=conversations)


def _asking(items: QuerySet[ReviewItem], words: SearchQuery) -> QuerySet[ReviewItem]:
    messages = Message.objects.annotate(words=words_of("text")).filter(words=words)
    return items.filter(reply_to__in=messages.order_by().values("pk"))


def _saying(items: QuerySet[ReviewItem], words: SearchQuery) -> QuerySet[ReviewItem]:
    """Join the newest texts instead of collecting them, so that a page of a common word ends early."""
    newest = FilteredRelation("draft_versions", condition=Q(draft_versions__number=F("version")))
    joined = items.annotate(newest=newest).filter(newest__number=F("version"))
    return joined.annotate(words=words_of("newest__text")).filter(words=words)


def _words(wanted: str) -> SearchQuery | None:
    words = wanted.translate(_SPACED).split()[:WORDS]
    asked = " & ".join(f"'{word}'{':*' if len(word) > 2 or not word.isascii() else ''}" for word in words)
    return SearchQuery(asked, config="simple", search_type="raw") if asked else None
