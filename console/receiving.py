"""The sample's own helpdesk: it takes replies as a customer's helpdesk would, so that one can see them arrive."""

import re
from collections.abc import Mapping
from datetime import datetime

from django.db import IntegrityError, transaction
from django.db.models import F, QuerySet
from standardwebhooks import Webhook

from console.models import ReceivedReply
from drafts.decisions.reading import Reader
from drafts.decisions.textgate import parse_json
from drafts.queries.destinations import secret_of

SAMPLE_RECEIVER = "sample-receiver"
"""The name of the destination whose replies the sample receiver takes."""

ID_HEADER = "webhook-id"
_ID = re.compile(r"[!-~]{1,200}", re.ASCII)


def sample_secret() -> str | None:
    """Return what replies to the sample receiver are signed with; None while it does not exist."""
    return secret_of(SAMPLE_RECEIVER)


def is_signed(headers: Mapping[str, str], body: bytes, *, secret: str) -> bool:
    """Say whether a request carries a valid signature of these days; any other request does not."""
    try:
        Webhook(secret).verify(body, dict(headers), json_parse=False)
    except Exception:  # noqa: BLE001 - on garbage the library raises what it likes, and all of it means no
        return False
    return bool(_ID.fullmatch(headers.get(ID_HEADER, "")))


def receive(headers: Mapping[str, str], body: bytes, *, now: datetime) -> ReceivedReply:
    """Keep a signed reply once per id, and count how often it came.

    Raises TextRefused or Unacceptable for a body that holds no reply.
    """
    data = Reader.of(parse_json(body)).part("data")
    conversation, text = data.name("conversation_id"), data.visible_text("text")
    webhook_id = headers[ID_HEADER]
    if not _came_again(webhook_id, now):
        try:
            with transaction.atomic():
                return ReceivedReply.objects.create(
                    webhook_id=webhook_id, conversation=conversation, text=text, received_at=now, last_at=now
                )
        except IntegrityError:  # it came twice at once
            _came_again(webhook_id, now)
    return ReceivedReply.objects.get(webhook_id=webhook_id)


def received() -> QuerySet[ReceivedReply]:
    """Return what arrived, the newest first."""
    return ReceivedReply.objects.order_by("-received_at", "-pk")


def _came_again(webhook_id: str, now: datetime) -> bool:
    return ReceivedReply.objects.filter(webhook_id=webhook_id).update(times=F("times") + 1, last_at=now) == 1
