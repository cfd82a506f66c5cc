"""What the tests of deliveries share: a reply brought to any state by the services that would."""

from datetime import timedelta

from drafts.decisions.delivering import WAITS, Answered, DeliveryState, Outcome
from drafts.models import Delivery
from drafts.services import sending, undoing
from tests import builders

TAKEN = Answered(Outcome.TAKEN, 200, "ok")
REFUSED = Answered(Outcome.REFUSED, 404, "No such inbox here")
NO_ANSWER = Answered(Outcome.NO_ANSWER, None, "no answer within 20 s")
GONE = Answered(Outcome.REFUSED, 410, "moved away")


def attempt(delivery, answered):
    """Make one attempt at the first moment it is due."""
    delivery.refresh_from_db()
    claimed = sending.claim(delivery.pk, now=delivery.due_at, calendar=builders.calendar())
    assert claimed is not None
    sending.settle(claimed, answered, now=claimed.sent_at + timedelta(seconds=2), chance=0)
    delivery.refresh_from_db()
    return delivery


def in_state(name, agent):
    """Approve a draft and bring its reply where the name says; `unknown_for_good` waits for a person."""
    if name == "no_destination":
        return builders.delivery(agent)
    builders.destination(channels=[builders.CHANNEL])
    reply = builders.delivery(agent)
    _MOVES[name](reply)
    return Delivery.objects.get(pk=reply.pk)


def _claim(reply):
    assert sending.claim(reply.pk, now=reply.due_at, calendar=builders.calendar()) is not None


def _unknown_for_good(reply):
    for _ in range(len(WAITS) + 1):
        attempt(reply, NO_ANSWER)


def _undo(reply):
    undoing.undo(
        item_id=reply.decision.item_id,
        actor=reply.decision.decided_by,
        now=reply.created_at,
        calendar=builders.calendar(),
    )


_MOVES = {
    DeliveryState.SCHEDULED: lambda reply: reply,
    DeliveryState.SENDING: _claim,
    DeliveryState.RETRYING: lambda reply: attempt(reply, REFUSED),
    DeliveryState.UNKNOWN: lambda reply: attempt(reply, NO_ANSWER),
    "unknown_for_good": _unknown_for_good,
    DeliveryState.SENT: lambda reply: attempt(reply, TAKEN),
    DeliveryState.DEAD: lambda reply: attempt(reply, GONE),
    DeliveryState.UNDONE: _undo,
}
