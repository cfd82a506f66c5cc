"""What must never happen to replies on their way out is refused by the database, whoever asks. One test per rule."""

import pytest
from django.db import DatabaseError
from django.utils import timezone

from drafts.models import Attempt, Correction, Delivery
from tests import builders

pytestmark = pytest.mark.django_db


@pytest.fixture
def delivery(people):
    builders.return_policy(people["owner"])
    builders.destination()
    return builders.delivery(people["agent"])


@pytest.fixture
def attempt(delivery):
    return Attempt.objects.create(delivery=delivery, number=1, fence=1, url="https://x", started_at=timezone.now())


def refused(match: str):
    return pytest.raises(DatabaseError, match=match)


@pytest.mark.parametrize(("changes", "rule"), [
    pytest.param({"state": "lost"}, "delivery_state_known", id="unknown-state"),
    pytest.param({"state": "sent", "due_at": None}, "delivery_sent_at_some_time", id="sent-without-a-time"),
    pytest.param({"delivered_at": "now"}, "delivery_sent_at_some_time", id="a-time-without-sent"),
    pytest.param({"state": "sending", "due_at": None}, "delivery_leased_while_sending", id="sending-without-a-lease"),
    pytest.param({"leased_until": "now"}, "delivery_leased_while_sending", id="a-lease-without-sending"),
    pytest.param({"due_at": None}, "delivery_that_waits_is_due", id="scheduled-for-never"),
    pytest.param({"state": "retrying", "due_at": None}, "delivery_that_waits_is_due", id="retrying-never"),
    pytest.param({"state": "undone"}, "delivery_that_ended_is_not_due", id="undone-and-due"),
    pytest.param({"destination": None}, "delivery_leaves_for_somewhere", id="scheduled-for-nowhere"),
    pytest.param({"text": "Another text"}, "never changes", id="another-text"),
    pytest.param({"created_at": "now"}, "never changes", id="another-time"),
])  # fmt: skip
def test_a_delivery_tells_the_truth_about_itself(delivery, changes, rule):
    values = {name: timezone.now() if value == "now" else value for name, value in changes.items()}

    with refused(rule):
        Delivery.objects.filter(pk=delivery.pk).update(**values)


@pytest.mark.parametrize("state", ["sent", "undone", "returned"])
def test_what_ended_stays_ended(delivery, state):
    at = timezone.now() if state == "sent" else None
    Delivery.objects.filter(pk=delivery.pk).update(state=state, due_at=None, delivered_at=at)

    with refused("is final"):
        Delivery.objects.filter(pk=delivery.pk).update(state="scheduled", due_at=timezone.now(), delivered_at=None)


@pytest.mark.parametrize("column", ["fence", "attempts"])
def test_fence_and_attempts_only_grow(delivery, column):
    Delivery.objects.filter(pk=delivery.pk).update(**{column: 3})

    with refused("only grow"):
        Delivery.objects.filter(pk=delivery.pk).update(**{column: 2})


def test_a_delivery_is_never_deleted(delivery):
    with refused("never deleted"):
        delivery.delete()


def test_an_attempt_ends_once(attempt):
    ended = Attempt.objects.filter(pk=attempt.pk)
    ended.update(ended_at=timezone.now(), outcome="taken")

    with refused("ends once"):
        ended.update(outcome="refused")


def test_an_attempt_is_written_once(attempt):
    with refused("written once"):
        Attempt.objects.filter(pk=attempt.pk).update(url="https://other")


def test_an_attempt_is_never_deleted(attempt):
    with refused("written once"):
        attempt.delete()


def test_an_attempt_ends_somehow(attempt):
    with refused("attempt_ends_somehow"):
        Attempt.objects.filter(pk=attempt.pk).update(ended_at=timezone.now())


def test_attempts_are_numbered_once(attempt):
    with refused("attempt_numbered_once"):
        Attempt.objects.create(delivery=attempt.delivery, number=1, fence=2, url="https://x", started_at=timezone.now())


def test_a_correction_is_withdrawn_for_a_reason(delivery, people):
    made = Correction.objects.create(
        conversation=delivery.conversation, entry_id=delivery.pk, question_key="a::b", old_text="12", new_text="14",
        message="Sorry", reason="A slip", owner=people["owner"], corrected_by=people["agent"],
        corrected_at=timezone.now(),
    )  # fmt: skip

    with refused("correction_withdrawn_for_a_reason"):
        Correction.objects.filter(pk=made.pk).update(withdrawn_at=timezone.now())
