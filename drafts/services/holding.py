"""Take and release items: one lease at a time, by the database's clock, in one statement."""

from datetime import timedelta
from uuid import UUID

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import F, Q
from django.db.models.functions import Now

from drafts.decisions.transitions import OPEN_STATES
from drafts.models import ReviewItem

LEASE = timedelta(minutes=10)


class Held(Exception):
    """Somebody else holds the item, or it is closed."""

    def __init__(self, item: ReviewItem) -> None:
        self.item = item
        by = item.holder.get_username() if item.holder else None
        super().__init__(f"{by} has taken this item." if by else "This item is closed.")


def try_take(item_id: UUID | str, actor: User) -> bool:
    """Reserve an open item that nobody else holds, or renew one's own lease; say whether it worked."""
    free = Q(holder__isnull=True) | Q(holder=actor) | Q(lease_until__lt=Now())
    taken = ReviewItem.objects.filter(free, pk=item_id, state__in=OPEN_STATES).update(
        holder=actor, lease_until=Now() + LEASE, fence=F("fence") + 1
    )
    return taken == 1


@transaction.atomic(durable=True)
def take(*, item_id: UUID | str, actor: User) -> ReviewItem:
    """Reserve an item for oneself. Raises Held, naming who has it."""
    if not try_take(item_id, actor):
        raise Held(ReviewItem.objects.select_related("holder").get(pk=item_id))
    return ReviewItem.objects.get(pk=item_id)


@transaction.atomic(durable=True)
def release(*, item_id: UUID | str, actor: User) -> bool:
    """Give an item back; say whether one held it."""
    freed = ReviewItem.objects.filter(pk=item_id, holder=actor).update(holder=None, lease_until=None)
    return freed == 1
