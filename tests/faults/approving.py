"""A program that approves items until it is killed or done: one line on standard output per acknowledged decision.

usage: python -m tests.faults.approving COUNT   (DATA_DIR names the installation; its database must be prepared)
"""

import os
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "console.settings")

import django

django.setup()

from django.contrib.auth.models import User
from django.db import DatabaseError, close_old_connections, connection

from drafts import queries
from drafts.decisions.transitions import DecisionKind
from drafts.models import ReviewItem
from drafts.services.deciding import Wanted, decide
from drafts.services.outcomes import Decided

WORKERS = 8
PATIENCE = 60.0
"""Seconds a worker goes on trying while the database is away."""


def approve_until_acknowledged(item_id: str, actor: User) -> None:
    """Approve one item; when the database goes away in between, ask again until it is known to be decided."""
    calendar = queries.organisation_calendar()
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        try:
            wanted = Wanted(DecisionKind.APPROVE, seen_version=1)
            outcome = decide(item_id=item_id, wanted=wanted, actor=actor, now=datetime.now(UTC), calendar=calendar)
        except DatabaseError:
            connection.close()
            time.sleep(0.05)
            continue
        if isinstance(outcome, Decided):
            sys.stdout.write(f"{item_id}\n")  # one write, so that two threads do not share a line
            sys.stdout.flush()
        break
    close_old_connections()


def main() -> None:
    count = int(sys.argv[1])
    actor = User.objects.get(username="agent")
    items = [str(pk) for pk in ReviewItem.objects.order_by("created_at", "id").values_list("pk", flat=True)[:count]]
    print("ready", flush=True)
    with ThreadPoolExecutor(WORKERS) as pool:
        list(pool.map(lambda pk: approve_until_acknowledged(pk, actor), items))


if __name__ == "__main__":
    main()
