"""Which open drafts a change of sources reaches."""

from collections import Counter
from collections.abc import Collection, Iterable

from django.db.models import Q, QuerySet

from drafts.decisions.transitions import OPEN_STATES
from drafts.models import ReviewItem
from ledger import queries as ledger
from ledger.decisions.keys import root_of


def asking(roots: Iterable[str]) -> QuerySet[ReviewItem]:
    """Return the open drafts that ask one of these root keys, or a neighbour of one, in any place of the message."""
    known = ledger.registry()
    wanted = set(roots)
    keys = [key for key in known if root_of(key, known) in wanted]
    asked = Q(question_key__in=keys)
    for key in keys:
        asked |= Q(also_asked__contains=[{"key": key}])
    return ReviewItem.objects.filter(asked, state__in=OPEN_STATES)


def asking_counts(roots: Collection[str], *, most: int) -> dict[str, int]:
    """Count the open drafts that ask each of these root keys; among the oldest `most` of all."""
    known = ledger.registry()
    rows = asking(roots).order_by("created_at", "id").values_list("question_key", "also_asked")[:most]
    found: Counter[str] = Counter()
    for key, also in rows:
        asked = {root_of(one, known) for one in (key, *(other["key"] for other in also)) if one in known}
        found.update(asked & set(roots))
    return dict(found)
