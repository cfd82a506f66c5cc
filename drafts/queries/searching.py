"""Find items by an id or by words, in a bounded time however many there are."""

from uuid import UUID

from django.contrib.postgres.search import SearchQuery
from django.db.models import F, Q, QuerySet

from drafts.models import Conversation, DraftVersion, Message, ReviewItem
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
        arms += [items.filter(said) for said in _said(words)]
    first, *others = (arm.order_by().values_list("pk", flat=True)[: most + 1] for arm in arms)
    return tuple(set(first.union(*others, all=True).order_by()))


def _named(wanted: str) -> tuple[Q, ...]:
    conversations = Conversation.objects.filter(Q(external_id__startswith=wanted) | Q(customer_id__startswith=wanted))
    own = Q(external_id__startswith=wanted) | Q(ticket__external_id__startswith=wanted)
    return own, Q(conversation__in=conversations)


def _said(words: SearchQuery) -> tuple[Q, ...]:
    messages = Message.objects.annotate(words=words_of("text")).filter(words=words).order_by()
    texts = DraftVersion.objects.annotate(words=words_of("text")).filter(words=words, number=F("item__version"))
    return Q(reply_to__in=messages.values("pk")), Q(pk__in=texts.order_by().values("item"))


def _words(wanted: str) -> SearchQuery | None:
    words = wanted.translate(_SPACED).split()[:WORDS]
    asked = " & ".join(f"'{word}'{':*' if len(word) > 2 or not word.isascii() else ''}" for word in words)
    return SearchQuery(asked, config="simple", search_type="raw") if asked else None
