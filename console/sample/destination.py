"""Where the sample's replies go: to this very server, which plays the helpdesk and shows what arrived."""

from datetime import datetime

from django.urls import reverse

from console.receiving import SAMPLE_RECEIVER
from drafts.services.destinations import put_destination

ADDED_BY = "the sample"


def put_sample_receiver(port: str, *, now: datetime) -> None:
    """Create the sample receiver's destination, or point it at the port that is served now; its secret stays.

    One that somebody switched off stays off.
    """
    url = f"http://127.0.0.1:{port}{reverse('sample-receiver')}"
    put_destination(name=SAMPLE_RECEIVER, url=url, channels=(), actor_name=ADDED_BY, now=now)
