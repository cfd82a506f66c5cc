"""Take and release items: one lease at a time, by the database's clock, in one statement."""

from datetime import timedelta
from uuid import UUID

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import F, Q
from django.db.models.functions import Now

from drafts import queries
from drafts.decisions.given import Blocker
from drafts.decisions.transitions import is_open, states_open_to
from drafts.models import ReviewItem
from drafts.services.outcomes import Refused

LEASE = timedelta(minutes=10)
WAITS_FOR_OWNER = Blocker(
    "waits_for_policy_owner", "This item was escalated. A policy owner decides it; a text you sent is kept with it."
)


class Held(Exception):
    """Somebody else holds the item, or it is closed."""

    def __init__(self, item: ReviewItem) -> None:
        self.item = item
        by = item.holder.get_username() if item.holder else None
        super().__init__(f"{by} has taken this item." if by else "This item is closed.")


def try_take(item_id: UUID | str, actor: User) -> bool:
    """Reserve an open item that nobody else holds, or renew one's own lease; say whether it worked.

    The states are part of the statement, so that an item escalated meanwhile is not taken by an agent.
    """
    states = states_open_to(queries.roles_of(actor))
    free = Q(holder__isnull=True) | Q(holder=actor) | Q(lease_until__lt=Now())
    taken = ReviewItem.objects.filter(free, pk=item_id, state__in=states).update(
        holder=actor, lease_until=Now() + LEASE, fence=F("fence") + 1
    )
    return taken == 1


def left_to_owner(item: ReviewItem, actor: User) -> Refused | None:
    """Refuse an escalated item to whoever is no policy owner."""
    waits = is_open(item.state) and item.state not in states_open_to(queries.roles_of(actor))
    return Refused(item, (WAITS_FOR_OWNER,)) if waits else None


@transaction.atomic(durable=True)
def take(*, item_id: UUID | str, actor: User) -> ReviewItem | Refused:
    """Reserve an item for oneself; an escalated one only a policy owner. Raises Held, naming who has it."""
    taken = try_take(item_id, actor)
    item = ReviewItem.objects.select_related("holder").get(pk=item_id)
    if not taken:
        if refused := left_to_owner(item, actor):
            return refused
        raise Held(item)
    return item


@transaction.atomic(durable=True)
def release(*, item_id: UUID | str, actor: User) -> bool:
    """Give an item back; say whether one held it."""
    freed = ReviewItem.objects.filter(pk=item_id, holder=actor).update(holder=None, lease_until=None)
    return freed == 1
