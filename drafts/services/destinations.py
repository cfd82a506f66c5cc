"""Say where replies go. A destination's secret is made here, handed out once and never shown again."""

import logging
from collections.abc import Iterable
from datetime import datetime

from django.conf import settings
from django.db import transaction

from drafts.decisions.addresses import BadDestination, checked_url
from drafts.decisions.arriving import Unacceptable
from drafts.decisions.reading import name as readable_name
from drafts.models import Destination
from drafts.models.signing import new_secret
from drafts.services.outcomes import Unusable

MOST_CHANNELS = 50

logger = logging.getLogger(__name__)


@transaction.atomic(durable=True)
def put_destination(
    *, name: str, url: str, channels: Iterable[str], actor_name: str, now: datetime
) -> tuple[Destination, str | None]:
    """Create a destination, or give the one of this name another address and other channels; none means all.

    Returns it with its secret when it is new, and with None afterwards. One that is switched off stays off. Requests
    that are under way end where they began. Raises Unusable.
    """
    label, address, served, secret = _named("name", name), _checked_url(url), _checked_channels(channels), new_secret()
    destination, is_new = Destination.objects.select_for_update().get_or_create(
        name=label, defaults={"url": address, "channels": served, "secret": secret, "created_at": now}
    )
    if not is_new:
        destination.url, destination.channels = address, served
        destination.save(update_fields=["url", "channels"])
    logger.info("%s put destination %r: %s", actor_name, destination.name, destination.url)
    return destination, secret if is_new else None


@transaction.atomic(durable=True)
def switch(*, destination_id: int, active: bool, now: datetime) -> Destination:
    """Switch a destination on or off; replies to one that is off wait. Raises Destination.DoesNotExist."""
    destination = Destination.objects.select_for_update().get(pk=destination_id)
    destination.is_active = active
    destination.save(update_fields=["is_active"])
    logger.info("Destination %r was switched %s at %s", destination.name, "on" if active else "off", now)
    return destination


@transaction.atomic(durable=True)
def rotate_secret(*, destination_id: int, now: datetime) -> str:
    """Give a destination a new secret and return it, this once; the next request is signed with it.

    Raises Destination.DoesNotExist.
    """
    destination = Destination.objects.select_for_update().get(pk=destination_id)
    destination.secret = new_secret()
    destination.save(update_fields=["secret"])
    logger.info("Destination %r was given a new secret at %s", destination.name, now)
    return destination.secret


def _checked_url(url: str) -> str:
    try:
        checked_url(url, private=settings.PRIVATE_DESTINATIONS)
    except BadDestination as problem:
        raise Unusable("url", problem.message) from problem
    return url


def _checked_channels(channels: Iterable[str]) -> list[str]:
    named = sorted({_named("channels", channel) for channel in channels})
    if len(named) > MOST_CHANNELS:
        raise Unusable("channels", f"Name at most {MOST_CHANNELS} channels, or none for all.")
    return named


def _named(field: str, value: str) -> str:
    try:
        return readable_name(field, value)
    except Unacceptable as problem:
        raise Unusable(field, problem.message) from problem
