"""A program that does in an installation what people and beat do there: one JSON list per line asks, one line answers.

usage: python -m tests.faults.operating URL   (DATA_DIR names the installation; URL is where its replies go)

["approve", CONVERSATION, ...] takes a draft in for each and approves it; ["look"] tells where every reply stands, as
its page does; ["sweep"] and ["wake", ID, ...] put messages into the broker. ["report", NUMBER] begins a drift report on
so many conversations and two broken lines, ["cancel", ID] stops one.
"""

import json
import os
import sys
from collections import Counter
from datetime import timedelta
from uuid import UUID

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "console.settings")

import django

django.setup()

from celery import current_app
from django.contrib.auth.models import User
from django.db import connection, transaction
from django.utils import timezone

from console.views.delivery_words import outcome_of, standing_of
from drafts.models import Delivery, Message
from drafts.queries.deliveries import detailed
from drafts.services import drifting as drift_services
from drafts.services import waking
from drafts.tasks import SWEEP
from tests import builders, drifting

AT_ONCE = timedelta(0)


def approve(*conversations: str) -> list[str]:
    """Return the ids of the deliveries."""
    agent = User.objects.get(username="agent")
    return [str(builders.delivery(agent, conversation=name).pk) for name in conversations]


def look() -> list[dict[str, object]]:
    """Return every reply with its state, the words of its page, its attempts and how often it stands in its thread."""
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")  # one moment, however long it takes
        agent = User.objects.get(username="agent")
        threads = Counter(Message.objects.filter(role="agent").values_list("conversation_id", flat=True))
        return [_standing(agent, pk, threads) for pk in Delivery.objects.values_list("pk", flat=True)]


def _standing(agent: User, pk, threads: Counter[int]) -> dict[str, object]:
    found = detailed(agent, pk)
    reply = found.listed
    tries = sorted(found.tries, key=lambda tried: tried.number)
    return {
        "id": str(pk),
        "conversation": reply.conversation,
        "state": reply.state.value,
        "label": standing_of(reply, timezone.now()).label,
        "waits": (reply.due_at - tries[-1].ended_at).total_seconds() if reply.due_at and tries else None,
        "outcomes": [tried.outcome for tried in tries],
        "told": [outcome_of(tried) for tried in tries],
        "in_thread": threads[reply.conversation_id],
    }


def sweep() -> None:
    """Ask for a sweep, as beat does every few seconds."""
    current_app.send_task(SWEEP, ignore_result=True)


def wake(*ids: str) -> None:
    """Tell workers of these deliveries."""
    for delivery_id in ids:
        waking.wake(delivery_id, wait=AT_ONCE)


def report(number: int) -> str:
    """Return the id of a drift report on so many conversations, with a broken line before and behind them."""
    lines = ["{broken", *drifting.mixed(number), '{"conversation_id": "no messages"}']
    return str(drifting.begun(User.objects.get(username="manager"), lines).pk)


def cancel(report_id: str) -> bool:
    """Say whether a drift report was stopped."""
    return drift_services.cancel(report_id=UUID(report_id), now=timezone.now())


COMMANDS = {"report": report, "cancel": cancel, "approve": approve, "look": look, "sweep": sweep, "wake": wake}


def main() -> None:
    builders.return_policy(User.objects.get(username="owner"))
    builders.destination("helpdesk", url=sys.argv[1])
    print(json.dumps("ready"), flush=True)
    for line in sys.stdin:
        name, *arguments = json.loads(line)
        answered = COMMANDS[name](*arguments)
        connection.close()  # the server may be killed until the next one
        print(json.dumps(answered), flush=True)


if __name__ == "__main__":
    main()
