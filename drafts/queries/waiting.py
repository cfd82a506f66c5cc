"""What waits for whom, how much of it there is, and one page of it at a time."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.contrib.auth.models import User
from django.db.models import IntegerField, Q, QuerySet, Subquery

from drafts.decisions.transitions import POLICY_OWNER, states_open_to
from drafts.models import ReviewItem
from drafts.queries.visibility import roles_of, visible_items
from ledger.decisions.vocabulary import Handler

DECIDERS = frozenset({"agent", POLICY_OWNER})
AGENTS_HANDLERS = (Handler.REVIEWER, Handler.CORRECTION)


def waiting_for(user: User, now: datetime) -> QuerySet[ReviewItem]:
    """Return the items that this person can decide now: those of their role which nobody else holds.

    A policy owner can decide every open item; an agent the pending ones that need no policy owner.
    """
    roles = roles_of(user)
    if not roles & DECIDERS:
        return visible_items(user).none()
    free = held_by_nobody(now) | Q(holder=user)
    found = visible_items(user).filter(free, state__in=states_open_to(roles))
    return found if POLICY_OWNER in roles else found.filter(handler__in=AGENTS_HANDLERS)


def held(person: User | str, now: datetime) -> Q:
    """Return the condition that a person, or somebody by this name, holds an item."""
    by = Q(holder=person) if isinstance(person, User) else Q(holder__username=person)
    return by & Q(lease_until__gt=now)


def held_by_nobody(now: datetime) -> Q:
    """Return the condition that nobody holds an item."""
    return Q(holder=None) | Q(lease_until__lte=now)


def deciders() -> QuerySet[User]:
    """Return the active people who may decide items, by the name they sign in with."""
    return User.objects.filter(is_active=True, groups__name__in=DECIDERS).distinct().order_by("username")


class _Counted(Subquery):
    template = "(SELECT count(*) FROM (%(subquery)s) counted)"
    output_field = IntegerField()


def bounded_counts(user: User, lists: Mapping[str, QuerySet[ReviewItem]], *, most: int) -> dict[str, int]:
    """Count several lists in one query, each up to `most` + 1; that number says that there are more than `most`."""
    counted = {
        f"list_{place}": _Counted(items.order_by().values("pk")[: most + 1])
        for place, items in enumerate(lists.values())
    }
    found = User.objects.filter(pk=user.pk).values_list(*counted.values())
    return dict(zip(lists, found.get(), strict=True))


@dataclass(frozen=True, slots=True)
class Order:
    """In which order a list is read: by one column of instants, then by `created_at` and `id`.

    Ascending, items without that instant come last; descending, there are none.
    """

    column: str
    descending: bool = False


@dataclass(frozen=True, slots=True)
class Place:
    """Where one item stands in an order."""

    first: datetime | None
    created_at: datetime
    pk: UUID


BY_DEADLINE = Order("deadline_at")


def part(
    items: QuerySet[ReviewItem], order: Order, *, limit: int, beyond: Place | None = None, backwards: bool = False
) -> list[ReviewItem]:
    """Return up to `limit` items that come right after a place, or before it, in the direction of reading.

    Those with and those without the instant are read one after the other, so that each read follows an index.
    """
    reverse = order.descending != backwards
    halves = [False] if order.descending else [reverse, not reverse]
    if beyond is not None and (beyond.first is None) in halves:
        halves = halves[halves.index(beyond.first is None) :]
    names = [f"{'-' if reverse else ''}{name}" for name in (order.column, "created_at", "id")]
    found: list[ReviewItem] = []
    for unset in halves:
        half = items.filter(**{f"{order.column}__isnull": unset})
        if beyond is not None and unset == (beyond.first is None):
            half = half.filter(_beyond(order.column, beyond, reverse=reverse))
        found += half.order_by(*names)[: limit - len(found)]
        if len(found) == limit:
            break
    return found


def _beyond(column: str, place: Place, *, reverse: bool) -> Q:
    way = "lt" if reverse else "gt"
    later = Q(**{f"created_at__{way}": place.created_at})
    tied = later | Q(created_at=place.created_at, **{f"id__{way}": place.pk})
    if place.first is None:
        return Q(**{f"created_at__{way}e": place.created_at}) & tied
    first = place.first
    return Q(**{f"{column}__{way}e": first}) & (Q(**{f"{column}__{way}": first}) | tied)
