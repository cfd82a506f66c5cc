"""Tell a worker that a delivery waits. A lost message is no loss: a sweep offers again whatever is due."""

import logging
from datetime import timedelta
from functools import partial
from uuid import UUID

from celery import current_app
from django.db import transaction
from kombu.exceptions import ChannelError, OperationalError

DELIVER = "drafts.deliver"
"""The name of the task that brings one delivery to its destination; its argument is the delivery's id."""

logger = logging.getLogger(__name__)


def wake_after_commit(delivery_id: UUID, *, wait: timedelta) -> None:
    """Tell a worker of a delivery that is due after `wait`, once the open transaction is committed."""
    transaction.on_commit(partial(wake, delivery_id, wait=wait), robust=True)


def wake(delivery_id: UUID, *, wait: timedelta) -> None:
    """Tell a worker of a delivery that is due after `wait`; a broker that cannot be reached is only noted."""
    tell(DELIVER, delivery_id, wait=wait)


def tell(task: str, row_id: UUID, *, wait: timedelta) -> None:
    """Ask for a task about one row after `wait`; a broker that cannot be reached is only noted."""
    try:
        current_app.send_task(task, args=[str(row_id)], countdown=wait.total_seconds(), retry=False, ignore_result=True)
    except (OperationalError, ChannelError, OSError) as error:
        logger.warning("The broker could not be told: %s of %s (%s); the sweep will find it.", task, row_id, error)
