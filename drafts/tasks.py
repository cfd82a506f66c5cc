"""What workers do: bring one delivery to its destination, and offer again whatever is due.

A task may run never, once or several times; the outbox decides what really happens.
"""

import logging
import time
from datetime import timedelta
from random import SystemRandom
from uuid import UUID

from celery import shared_task
from django.conf import settings
from django.db import InterfaceError, OperationalError, connection
from django.utils import timezone

from drafts import queries
from drafts.decisions.delivering import Answered, Claimed
from drafts.gateways import webhook
from drafts.services import auditing, sending, waking

SWEEP = "drafts.sweep"
AT_ONCE = timedelta(0)
SETTLES_WITHIN = 60.0
"""Seconds in which the database may be away before what came of a request is lost, and the lease says so."""
SETTLES_AGAIN_AFTER = 1.0

logger = logging.getLogger(__name__)
chance = SystemRandom()


@shared_task(name=waking.DELIVER)  # type: ignore[untyped-decorator] # Celery has no types
def deliver(delivery_id: object) -> None:
    """Bring a delivery to its destination, unless there is nothing to send now."""
    named = _uuid(delivery_id)
    if named is None:
        logger.warning("%r names no delivery, so nothing was sent.", delivery_id)
        return
    try:
        claimed = sending.claim(named, now=timezone.now(), calendar=queries.organisation_calendar())
    except (OperationalError, InterfaceError) as error:
        logger.warning("Delivery %s could not be looked up (%s); the sweep will find it.", named, _in_short(error))
        return
    if claimed is not None:
        _settle(claimed, webhook.send(claimed, private=settings.PRIVATE_DESTINATIONS))


@shared_task(name=SWEEP)  # type: ignore[untyped-decorator] # Celery has no types
def sweep() -> None:
    """Give up on attempts whose worker is gone, and tell workers of everything that is due."""
    try:
        lost = sending.expire(now=timezone.now(), chance=chance.random())
        due = sending.due(now=timezone.now())
    except (OperationalError, InterfaceError) as error:
        logger.warning("The outbox could not be swept (%s); the next sweep comes soon.", _in_short(error))
        return
    if lost:
        logger.warning("%s attempts were cut short; their replies are asked for again.", lost)
    for delivery_id in due:
        waking.wake(delivery_id, wait=AT_ONCE)


@shared_task(name="drafts.audit")  # type: ignore[untyped-decorator] # Celery has no types
def audit() -> None:
    """Run tonight's audit if it is due. Asked often, so that a night with the workers away is made up for."""
    try:
        made = auditing.run_nightly(
            hour=settings.AUDIT_HOUR, calendar=queries.organisation_calendar(), clock=timezone.now
        )
    except (OperationalError, InterfaceError) as error:
        logger.warning("The audit could not run (%s); it is asked for again soon.", _in_short(error))
        return
    if made is not None:
        logger.info("The nightly audit ran: %s", "healthy" if made.is_healthy else "something is to be put right")


def _settle(claimed: Claimed, answered: Answered) -> None:
    """Write down what came of a request; a database that is away is waited for, since nobody else knows it."""
    gives_up_at = time.monotonic() + SETTLES_WITHIN
    while True:
        try:
            state = sending.settle(claimed, answered, now=timezone.now(), chance=chance.random())
        except (OperationalError, InterfaceError) as error:
            if time.monotonic() > gives_up_at:
                raise
            logger.warning(
                "What came of delivery %s waits for the database (%s).", claimed.delivery_id, _in_short(error)
            )
            connection.close()
            time.sleep(SETTLES_AGAIN_AFTER)
        else:
            logger.info("Delivery %s, attempt %s: %s", claimed.delivery_id, claimed.number, state.value)
            return


def _uuid(value: object) -> UUID | None:
    try:
        return UUID(value) if isinstance(value, str) else None
    except ValueError:
        return None


def _in_short(error: Exception) -> str:
    return next(iter(str(error).strip().splitlines()), type(error).__name__)
