"""How many open items wait for something, counted up to a bound and all in one query."""

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from django.contrib.auth.models import User
from django.db.models import Q, QuerySet, Value

from console.views.source_words import in_a_list
from drafts import queries
from drafts.decisions.transitions import OPEN_STATES

if TYPE_CHECKING:
    from drafts.models import ReviewItem

COUNTED = 100


def open_items(user: User) -> "QuerySet[ReviewItem]":
    """Return the open items that this person may see."""
    return queries.visible_items(user).filter(state__in=OPEN_STATES)


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
