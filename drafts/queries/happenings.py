"""Whether something has happened to an item."""

from datetime import datetime
from uuid import UUID

from drafts.models import Event


def happened(item_id: UUID, *, by: str | None, at: datetime) -> bool:
    """Say whether the item's history has a line of this instant, by the person of this user name or by nobody."""
    return Event.objects.filter(item=item_id, actor__username=by, happened_at=at).exists()


def acted_since(item_id: UUID, *, since: datetime) -> bool:
    """Say whether a person has done something to the item after an instant."""
    return Event.objects.filter(item=item_id, actor__isnull=False, happened_at__gt=since).exists()
