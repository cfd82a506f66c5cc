"""What a reviewer is typing, kept while they type: one text per person and item, so that a closed tab loses nothing."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.contrib.auth.models import User
from django.db import transaction

from drafts import queries
from drafts.models import ReviewItem, WorkingText
from drafts.services import deciding, parking
from drafts.services.outcomes import Overtaken, Refused


@dataclass(frozen=True, slots=True)
class Typed:
    """What became of a text that is being typed: since when it is kept, and what stands in the way of using it.

    `kept_at` is None where there was nothing to keep, since the draft itself is this text.
    """

    item: ReviewItem
    kept_at: datetime | None
    hindered: Refused | Overtaken | None


@transaction.atomic(durable=True)
def keep(*, item_id: UUID | str, text: str, seen_version: int | None, actor: User, now: datetime) -> Typed:
    """Keep a text that is being typed, and take the item for whoever types; the draft gets no new version.

    The text is kept as well where the item was decided, is held by somebody else or moved on: then `hindered` says
    so. Raises ReviewItem.DoesNotExist.
    """
    item = deciding.locked_item(item_id)
    seen = seen_version or item.version
    if text == queries.current_version(item).text or (seen != item.version and parking.is_a_version(item, text)):
        parking.forget_typed(item, actor)
        return Typed(item, None, None)
    hindered = deciding.in_the_way(item, seen, actor)
    _park_what_was_typed_elsewhere(item, text, seen, actor, now)
    WorkingText.objects.update_or_create(
        item=item, author=actor, defaults={"text": text, "seen_version": seen, "typed_at": now}
    )
    return Typed(item, now, hindered)


@transaction.atomic(durable=True)
def set_aside(*, item_id: UUID | str, text: str | None, actor: User, now: datetime) -> None:
    """Start again from the saved text: what this person was typing is parked, `text` where it is newer.

    Raises ReviewItem.DoesNotExist.
    """
    item = deciding.locked_item(item_id)
    typed = WorkingText.objects.filter(item=item, author=actor).first()
    because = f"{parking.called(actor)} started again from the saved text."
    parking.park(item, text or (typed.text if typed else None), author=actor, because=because, now=now)
    parking.forget_typed(item, actor)


def _park_what_was_typed_elsewhere(item: ReviewItem, text: str, seen: int, actor: User, now: datetime) -> None:
    """Park a text of the same person that belongs to another version, as an old tab leaves it."""
    earlier = WorkingText.objects.filter(item=item, author=actor).exclude(seen_version=seen).exclude(text=text).first()
    if earlier is not None:
        because = f"It was typed on version {earlier.seen_version}; another text was typed since."
        parking.park(item, earlier.text, author=actor, because=because, now=now)
