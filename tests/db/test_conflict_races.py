"""Policy owners who settle at the same moment: each is answered, and none waits for another in a circle."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Barrier

import pytest
from django.db import connection
from django.utils import timezone

from drafts.services.updates import resolve_conflict
from ledger.models import Conflict
from ledger.services.conflicts import ConflictNotSettled
from ledger.services.settling import Settlement
from tests import builders


def opened(owner, name):
    """An open conflict of two documents on a question of its own."""
    key = f"race_{name}::general"
    builders.key(key, by=owner)
    for doc_id in ("one", "two"):
        builders.version(by=owner, doc_id=f"{doc_id}-{name}", name=f"{doc_id}-{name}", key=key)
    builders.item(question=key)
    return Conflict.objects.get(question_key=key)


def race(owner, wanted):
    """Settle at the same moment, each in a session of its own; return what became of each."""
    start = Barrier(len(wanted))

    def settle(one):
        conflict, keep, retire = one
        start.wait()
        try:
            return resolve_conflict(
                conflict_id=conflict.pk, wanted=Settlement(keep, [retire], "It holds."), actor=owner,
                now=timezone.now() + timedelta(minutes=1), calendar=builders.calendar(),
            )  # fmt: skip
        except ConflictNotSettled as refused:
            return refused.field
        finally:
            connection.close()

    with ThreadPoolExecutor(len(wanted)) as pool:
        return sorted(str(outcome) for outcome in pool.map(settle, wanted))


@pytest.mark.django_db(transaction=True)
def test_of_two_settlements_of_one_conflict_the_second_is_refused(owner):
    conflict = opened(owner, "a")

    assert race(owner, [(conflict, "one-a", "two-a"), (conflict, "two-a", "one-a")]) == ["1", "state"]


@pytest.mark.django_db(transaction=True)
def test_settlements_of_different_conflicts_do_not_wait_for_each_other_in_a_circle(owner):
    wanted = [(opened(owner, name), f"one-{name}", f"two-{name}") for name in "bcdefg"]

    assert race(owner, wanted) == ["1"] * len(wanted)
    assert not Conflict.objects.filter(state="open").exists()
