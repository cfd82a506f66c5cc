"""Where the sample's replies go: to this very server, which plays the helpdesk and shows what arrived."""

from datetime import datetime
from uuid import UUID

from django.conf import settings
from django.urls import reverse

from console.receiving import ID_HEADER, SAMPLE_RECEIVER, receive
from drafts import queries
from drafts.decisions.delivering import Answered, Outcome
from drafts.queries.deliveries import scheduled_beside
from drafts.services import sending
from drafts.services.destinations import put_destination
from ledger.decisions.calendar import BusinessCalendar

ADDED_BY = "the sample"
THIS_MACHINE = "127.0.0.1:"
TAKEN = Answered(Outcome.TAKEN, 200, "Taken by the sample receiver.")


def put_sample_receiver(*, now: datetime) -> None:
    """Create the sample receiver's destination, or point it at the port that is served now; its secret stays.

    One that somebody switched off stays off. Where no server of this machine may be sent to, there is none: `make run`
    names its own address in the setting PRIVATE_DESTINATIONS, as the last one.
    """
    own = [address for address in settings.PRIVATE_DESTINATIONS if address.startswith(THIS_MACHINE)]
    if own:
        url = f"http://{own[-1]}{reverse('sample-receiver')}"
        put_destination(name=SAMPLE_RECEIVER, url=url, channels=(), actor_name=ADDED_BY, now=now)


def deliver_at_once(item_id: UUID, *, now: datetime, calendar: BusinessCalendar) -> None:
    """Bring the replies that wait in an item's conversation to the sample receiver, as a worker did in those days."""
    then = now + queries.grace()
    for delivery_id in scheduled_beside(item_id):
        claimed = sending.claim(delivery_id, now=then, calendar=calendar)
        if claimed is not None:
            receive({ID_HEADER: str(delivery_id)}, claimed.body.encode(), now=then)
            sending.settle(claimed, TAKEN, now=then, chance=0)
