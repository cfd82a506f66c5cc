"""What workers do with the outbox, short of the network's faults: tasks called as functions, a real receiver."""

import threading
from datetime import timedelta
from uuid import uuid4

import pytest
from celery import current_app
from django.db import OperationalError, connection
from django.utils import timezone

from console.celery import app
from drafts import tasks
from drafts.decisions.delivering import LEASE, DeliveryState
from drafts.models import Delivery, Message
from drafts.services import sending, waking
from tests import builders
from tests.faults.receiving import answering, receiving

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def receiver(settings):
    with receiving(answering("200 OK")) as one:
        settings.PRIVATE_DESTINATIONS = [one.authority]
        yield one


@pytest.fixture
def waiting(people, agent, receiver, settings):
    """A reply that is due at once."""
    settings.UNDO_SECONDS = 0
    builders.return_policy(people["owner"], doc_id=builders.unique("returns"))
    builders.destination(channels=[builders.CHANNEL], url=receiver.url)
    return builders.delivery(agent)


@pytest.fixture
def woken(monkeypatch):
    """The ids that workers are told of."""
    told = []
    monkeypatch.setattr(current_app, "send_task", lambda name, *, args, **_: told.append((name, *args)))
    return told


def state_of(delivery) -> str:
    return Delivery.objects.get(pk=delivery.pk).state


def test_a_reply_is_brought_to_its_destination_once(waiting, receiver):
    tasks.deliver(str(waiting.pk))
    tasks.deliver(str(waiting.pk))

    [request] = receiver.requests
    assert request.headers["webhook-id"] == str(waiting.pk)
    assert state_of(waiting) == DeliveryState.SENT
    assert Message.objects.filter(conversation=waiting.conversation, text=waiting.text, through_desk=True).exists()


def test_two_workers_at_once_send_one_reply_once(waiting, receiver):
    def work():
        try:
            tasks.deliver(str(waiting.pk))
        finally:
            connection.close()

    workers = [threading.Thread(target=work) for _ in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()

    assert len(receiver.requests) == 1
    assert state_of(waiting) == DeliveryState.SENT


@pytest.mark.parametrize("name", ["", "no-uuid", 5, None, ["x"], "\ud800"])
def test_a_name_that_is_none_ends_as_a_line_in_the_log(db, caplog, name):
    tasks.deliver(name)

    assert "names no delivery" in caplog.text


def test_a_delivery_that_does_not_exist_is_nothing_to_do(db):
    tasks.deliver(str(uuid4()))


def test_the_sweep_tells_of_what_is_due_and_not_again_at_once(waiting, woken):
    tasks.sweep()
    tasks.sweep()

    assert woken == [(waking.DELIVER, str(waiting.pk))]


def test_the_sweep_gives_up_on_an_attempt_whose_worker_is_gone(waiting, woken, caplog):
    long_ago = timezone.now() - LEASE - timedelta(seconds=1)
    Delivery.objects.filter(pk=waiting.pk).update(due_at=long_ago)
    sending.claim(waiting.pk, now=long_ago, calendar=builders.calendar())

    tasks.sweep()

    assert state_of(waiting) == DeliveryState.UNKNOWN
    assert "cut short" in caplog.text


def test_what_a_receiver_answered_is_written_down_when_the_database_is_back(waiting, receiver, monkeypatch, caplog):
    settle, failures = sending.settle, [OperationalError("away\nDETAIL: gone"), OperationalError("still away")]

    def settling(*args, **named):
        if failures:
            raise failures.pop(0)
        return settle(*args, **named)

    monkeypatch.setattr(sending, "settle", settling)
    monkeypatch.setattr(tasks, "SETTLES_AGAIN_AFTER", 0.01)

    tasks.deliver(str(waiting.pk))

    assert len(receiver.requests) == 1
    assert state_of(waiting) == DeliveryState.SENT
    assert caplog.text.count("waits for the database") == 2


def test_a_database_that_stays_away_is_given_up_on(waiting, monkeypatch):
    def away(*_args, **_named):
        raise OperationalError("away")

    monkeypatch.setattr(sending, "settle", away)
    monkeypatch.setattr(tasks, "SETTLES_WITHIN", 0.05)
    monkeypatch.setattr(tasks, "SETTLES_AGAIN_AFTER", 0.01)

    with pytest.raises(OperationalError):
        tasks.deliver(str(waiting.pk))
    assert state_of(waiting) == DeliveryState.SENDING


def test_a_database_that_is_away_before_anything_was_sent_ends_as_a_line_in_the_log(
    waiting, receiver, monkeypatch, caplog
):
    def away(*_args, **_named):
        raise OperationalError("away")

    for name in ("claim", "expire"):
        monkeypatch.setattr(sending, name, away)

    tasks.deliver(str(waiting.pk))
    tasks.sweep()

    assert receiver.requests == []
    assert "could not be looked up (away)" in caplog.text
    assert "could not be swept (away)" in caplog.text


def test_every_thread_sends_tasks_to_our_broker():
    found = []
    thread = threading.Thread(target=lambda: found.append(current_app.main))
    thread.start()
    thread.join()

    assert found == ["console"]


def test_beat_and_the_outbox_name_tasks_that_exist():
    app.loader.import_default_modules()
    scheduled = {entry["task"] for entry in app.conf.beat_schedule.values()}

    assert scheduled | {waking.DELIVER} <= set(app.tasks)


def test_a_broker_that_fails_in_any_way_does_not_undo_a_decision(people, agent, receiver, settings, monkeypatch):
    def failing(*_args, **_named):
        raise RuntimeError("no such transport")

    monkeypatch.setattr(current_app, "send_task", failing)
    builders.return_policy(people["owner"], doc_id=builders.unique("returns"))
    builders.destination(channels=[builders.CHANNEL], url=receiver.url)

    assert state_of(builders.delivery(agent)) == DeliveryState.SCHEDULED
