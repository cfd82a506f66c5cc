"""Decisions and messages of one conversation at the same moment: each is answered, none waits in a circle."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier, Event

import pytest
from django.db import connection, transaction
from django.utils import timezone

from drafts.decisions.arriving import MessageIn
from drafts.services import deciding, sending, updates
from tests import builders

pytestmark = pytest.mark.django_db(transaction=True)
ROUNDS = 4


@pytest.fixture
def sources(people):
    builders.return_policy(people["owner"], doc_id=builders.unique("returns"))


def at_once(*acts):
    """Run these at the same moment, each in a session of its own, and return what came of them."""
    start = Barrier(len(acts))

    def run(act):
        start.wait()
        try:
            return act()
        finally:
            connection.close()

    with ThreadPoolExecutor(len(acts)) as pool:
        return list(pool.map(run, acts))


def two_drafts():
    thread = [builders.message()]
    name = builders.unique("conversation")
    return [builders.item(conversation=name, messages=thread) for _ in range(2)]


def test_two_drafts_of_a_conversation_are_decided_at_the_same_moment(sources, people):
    for _ in range(ROUNDS):
        first, second = two_drafts()

        outcomes = at_once(
            lambda one=first: builders.approve(one, people["agent"]),
            lambda one=second: builders.approve(one, people["agent2"]),
        )

        assert any(isinstance(outcome, deciding.Decided) for outcome in outcomes)


def test_a_message_arrives_while_a_draft_is_decided(sources, people):
    for _ in range(ROUNDS):
        first, _second = two_drafts()
        arriving = MessageIn(builders.unique("m"), "customer", "One more thing.", None)

        outcomes = at_once(
            lambda one=first: builders.approve(one, people["agent"]),
            lambda one=first, message=arriving: updates.tell_message(
                conversation_id=one.conversation.external_id, message=message, now=timezone.now(),
                calendar=builders.calendar(),
            ),
        )  # fmt: skip

        assert outcomes[1].created


def test_whoever_holds_a_conversation_lets_others_write_rows_that_name_it(sources, people):
    delivery = builders.delivery(people["agent"])
    held, over = Event(), Event()

    def hold():
        with transaction.atomic():
            sending.locked(delivery.pk)
            held.set()
            over.wait(20)
        connection.close()

    with ThreadPoolExecutor(1) as pool:
        holding = pool.submit(hold)
        assert held.wait(20)
        try:
            with transaction.atomic(), connection.cursor() as cursor:
                cursor.execute("SET LOCAL lock_timeout = '2s'")
                told = delivery.conversation.messages.create(
                    external_id="hd-1", ordinal=9, role="note", text="Called.", received_at=timezone.now()
                )
        finally:
            over.set()
        holding.result()

    assert told.pk
