"""How many open items wait for something, counted up to a bound and all in one query."""

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from django.contrib.auth.models import User
from django.db.models import Q, QuerySet, Value

from console.views.source_words import in_a_list
from drafts import queries
from drafts.decisions.transitions import OPEN_STATES
from ledger.decisions.keys import root_of
from ledger.decisions.vocabulary import Branch, KeyEntry

if TYPE_CHECKING:
    from drafts.models import ReviewItem

COUNTED = 100


def open_items(user: User) -> "QuerySet[ReviewItem]":
    """Return the open items that this person may see."""
    return queries.visible_items(user).filter(state__in=OPEN_STATES)


def held_by_conflict(key: str, channel: str, registry: dict[str, KeyEntry]) -> Q:
    """Match the items that a conflict of this root key on this channel holds up."""
    family = [name for name in registry if root_of(name, registry) == key]
    return Q(question_key__in=family, conversation__channel=channel, branch=Branch.SOURCES_CONFLICT)


def counts(items: "QuerySet[ReviewItem]", matching: Sequence[Q]) -> tuple[str, ...]:
    """Say for each condition how many items match it."""
    parts = [
        items.filter(condition).order_by().annotate(place=Value(place)).values_list("place", flat=True)[: COUNTED + 1]
        for place, condition in enumerate(matching)
    ]
    if not parts:
        return ()
    found = Counter(parts[0].union(*parts[1:], all=True).order_by() if len(parts) > 1 else parts[0])
    return tuple(in_a_list(found[place], COUNTED, "open draft", "open drafts") for place in range(len(parts)))
