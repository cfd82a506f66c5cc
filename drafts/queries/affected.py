"""Which open drafts a change of sources reaches."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping

from django.db.models import Q, QuerySet

from drafts.decisions.transitions import OPEN_STATES
from drafts.models import ReviewItem
from ledger import queries as ledger
from ledger.decisions.keys import root_of
from ledger.decisions.vocabulary import Branch, KeyEntry


def asks(keys: Collection[str], known: Mapping[str, KeyEntry]) -> Q:
    """Match the items that ask one of these keys, or a neighbour of one, in any place of the message.

    Every count of drafts and the queue's filter go by this, so that a number and its list agree.
    """
    family = _family(keys, known)
    return Q(question_key__in=family) | _also_ask(family)


def held_by_conflict(key: str, channel: str, known: Mapping[str, KeyEntry]) -> Q:
    """Match the items that a conflict of this root key on this channel holds up, by whichever of their questions."""
    family = _family((key,), known)
    gate = {"branch": Branch.SOURCES_CONFLICT.value, "root_key": key}
    first = Q(question_key__in=family, branch=Branch.SOURCES_CONFLICT)
    further = _also_ask(family) & Q(analysis__contains={"also": [{"gate": gate}]})
    return Q(conversation__channel=channel) & (first | further)


def asking(roots: Collection[str]) -> QuerySet[ReviewItem]:
    """Return the open drafts that ask one of these root keys, or a neighbour of one, in any place of the message."""
    return ReviewItem.objects.filter(asks(roots, ledger.registry()), state__in=OPEN_STATES)


def _family(keys: Iterable[str], known: Mapping[str, KeyEntry]) -> list[str]:
    wanted = set(keys)
    return sorted(wanted | {key for key in known if root_of(key, known) in wanted})


def _also_ask(keys: Iterable[str]) -> Q:
    asked = Q(pk__in=[])
    for key in keys:
        asked |= Q(also_asked__contains=[{"key": key}])
    return asked


def asking_counts(roots: Collection[str], *, most: int) -> dict[str, int]:
    """Count the open drafts that ask each of these keys, or a neighbour of it; among the oldest `most` of all."""
    known = ledger.registry()
    rows = asking(roots).order_by("created_at", "id").values_list("question_key", "also_asked")[:most]
    found: Counter[str] = Counter()
    for key, also in rows:
        named = {one for one in (key, *(other["key"] for other in also)) if one in known}
        asked = named | {root_of(one, known) for one in named}
        found.update(asked & set(roots))
    return dict(found)
