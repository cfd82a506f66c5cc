"""Where replies go."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count

from drafts.decisions.delivering import DeliveryState
from drafts.models import Delivery, Destination
from drafts.queries.deliveries import CONDITIONS, COUNTED, Group


@dataclass(frozen=True, slots=True)
class DestinationRow:
    """One destination without its secret; no channel named means all. `waiting` replies are still on their way."""

    id: int
    name: str
    url: str
    channels: tuple[str, ...]
    is_active: bool
    created_at: datetime
    waiting: int
    needing: int


def destinations() -> tuple[DestinationRow, ...]:
    """Return every destination, the oldest first, with how many replies wait to go there or need a person."""
    counted = _counted()
    return tuple(_row(one, counted.get(one.pk, (0, 0))) for one in Destination.objects.order_by("created_at", "pk"))


def destination_names() -> Mapping[int, str]:
    """Return the names of all destinations by their database keys, the oldest first."""
    return dict(Destination.objects.order_by("created_at", "pk").values_list("pk", "name"))


def any_active_destination() -> bool:
    """Say whether replies can leave at all."""
    return Destination.objects.filter(is_active=True).exists()


def without_destination() -> int:
    """Count the replies that wait because nobody said where they go; at most one more than COUNTED."""
    return Delivery.objects.filter(state=DeliveryState.NO_DESTINATION).order_by()[: COUNTED + 1].count()


def secret_of(name: str) -> str | None:
    """Return what signs the requests to an active destination; None where there is none of this name."""
    return Destination.objects.filter(name=name, is_active=True).values_list("secret", flat=True).first()


def _counted() -> Mapping[int, tuple[int, int]]:
    way, person = CONDITIONS[Group.ON_THE_WAY], CONDITIONS[Group.NEEDS_A_PERSON]
    unsettled = Delivery.objects.filter(way | person, destination__isnull=False).order_by()
    found = unsettled.values_list("destination").annotate(
        waiting=Count("pk", filter=way), needing=Count("pk", filter=person)
    )
    return {pk: (waiting, needing) for pk, waiting, needing in found if pk is not None}


def _row(one: Destination, counted: tuple[int, int]) -> DestinationRow:
    waiting, needing = counted
    channels = tuple(one.channels)
    return DestinationRow(one.pk, one.name, one.url, channels, one.is_active, one.created_at, waiting, needing)
