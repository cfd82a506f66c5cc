"""Replies on their way out while workers, database and broker are killed, and while the receiver misbehaves.

One installation of its own serves all these tests. Where an attempt has to be given up or a wait to be over, the test
sets the outbox's instants back instead of waiting. After every test all replies have arrived, each once.
"""

import os
import random
import signal
import socket
import sys
import time
import urllib.error
import urllib.request
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest

from tests import builders
from tests.faults import helpdesk
from tests.faults.installed import Installation, installed, manage, until

MIX, ROUNDS, FAULTS, MOST_FAULTS = 40, 5, 0.3, 3


@pytest.fixture(scope="module")
def installation(open_module_path):
    with installed(open_module_path) as found:
        yield found


@pytest.fixture
def desk(installation):
    """The installation with a worker and a beat; afterwards both go on and every reply is where it belongs, once."""
    installation.start("worker")
    installation.start("beat")
    yield installation
    assert {name: ran.poll() for name, ran in installation.running.items()} == dict.fromkeys(installation.running)
    assert_told_truly(installation)
    assert_everything_arrived_once(installation)


def replies(number: int = 1) -> list[str]:
    return [builders.unique("conversation") for _ in range(number)]


def assert_told_truly(desk: Installation) -> list[dict[str, object]]:
    """Compare what the desk says of every reply with what the helpdesk has; return what the desk says."""
    taken, brought = set(desk.helpdesk.taken), dict(desk.helpdesk.brought)
    said = desk.ask("look")
    taken_since = set(desk.helpdesk.taken)
    for reply in said:
        name, state, outcomes = reply["id"], reply["state"], reply["outcomes"]
        assert state != "sent" or name in taken_since, f"said to be sent, and is not: {reply}"
        assert "taken" not in outcomes or name in taken_since, f"said to be taken, and is not: {reply}"
        assert state != "scheduled" or name not in taken, f"arrived, and is said not to have left: {reply}"
        assert state != "retrying" or name not in taken or "failed" in outcomes, f"said not to be taken: {reply}"
        assert brought.get(name, 0) <= len(outcomes), f"a request without an attempt: {reply}"
        assert reply["in_thread"] == (state == "sent"), f"stands in its thread falsely: {reply}"
    return said


def assert_everything_arrived_once(desk: Installation) -> None:
    said = desk.ask("look")
    assert {reply["state"] for reply in said} <= {"sent"}
    assert sorted(reply["id"] for reply in said) == sorted(desk.helpdesk.taken)
    assert sorted(reply["conversation"] for reply in said) == desk.helpdesk.conversations()
    assert {reply.text for reply in desk.helpdesk.taken.values()} <= {builders.CLEAN}
    assert [name for name, bodies in desk.helpdesk.bodies.items() if len(bodies) > 1] == []
    assert desk.helpdesk.forged == []


def told_of(desk: Installation, conversation: str) -> dict[str, object]:
    return next(reply for reply in assert_told_truly(desk) if reply["conversation"] == conversation)


# A worker that is killed


@contextmanager
def nothing_read(desk, conversation):
    """The connection stands, and the helpdesk has read nothing."""
    desk.helpdesk.hears.clear()
    before = desk.helpdesk.unread
    try:
        yield lambda: desk.helpdesk.unread > before
    finally:
        desk.helpdesk.hears.set()


@contextmanager
def not_answered(desk, conversation):
    """The helpdesk has read the request, and takes the reply when its sender is gone."""
    held = helpdesk.Held()
    desk.helpdesk.plan(conversation, held)
    try:
        yield held.reached.is_set
    finally:
        held.may_go_on.set()
    until(lambda: conversation in desk.helpdesk.conversations(), "the helpdesk takes the reply")


@contextmanager
def not_written_down(desk, conversation):
    """The helpdesk has answered that it took the reply, and the worker waits to write it down."""
    with desk.session() as session, session.transaction():

        def locks_and_takes(receiver, reply):
            session.execute("SELECT 1 FROM drafts_conversation WHERE external_id = %s FOR UPDATE", [conversation])
            helpdesk.takes(receiver, reply)

        desk.helpdesk.plan(conversation, locks_and_takes)
        yield lambda: somebody_waits_for_a_lock(desk)


def somebody_waits_for_a_lock(desk) -> bool:
    with desk.session() as session:
        waiting = session.execute("SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock'").fetchone()
    return waiting is not None


@pytest.mark.parametrize("moment", [nothing_read, not_answered, not_written_down])
def test_a_reply_whose_worker_is_killed_is_of_unknown_fate_and_arrives_once(desk, moment):
    [conversation] = replies()
    with moment(desk, conversation) as is_reached:
        desk.ask("approve", conversation)
        until(is_reached, f"the attempt comes to {moment.__name__}")
        desk.end("worker")
    assert told_of(desk, conversation)["state"] == "sending"

    desk.a_lease_passes()
    desk.start("worker")
    until(lambda: desk.states()[conversation] != "sending", "the attempt is given up")

    told = told_of(desk, conversation)
    assert (told["state"], told["label"], told["outcomes"]) == ("unknown", "May have arrived", ["interrupted"])
    assert told["told"] == ["The worker ended in the middle; the reply may have arrived."]
    desk.arrives()
    assert told_of(desk, conversation)["outcomes"] == ["interrupted", "taken"]


def test_a_worker_that_was_thought_dead_is_believed_when_its_reply_was_taken(desk):
    [conversation] = replies()
    held = helpdesk.Held()
    desk.helpdesk.plan(conversation, held, helpdesk.fails_first)
    desk.ask("approve", conversation)
    until(held.reached.is_set, "the helpdesk has read the request")
    desk.a_lease_passes()
    desk.ask("sweep")
    until(lambda: desk.states()[conversation] == "unknown", "the attempt is given up")
    assert_told_truly(desk)

    held.may_go_on.set()

    until(lambda: desk.states()[conversation] == "sent", "the late answer is believed")
    assert told_of(desk, conversation)["outcomes"] == ["interrupted"]


def test_a_worker_that_is_asked_to_end_writes_down_what_came_of_its_request(desk):
    [conversation] = replies()
    held = helpdesk.Held()
    desk.helpdesk.plan(conversation, held)
    desk.ask("approve", conversation)
    until(held.reached.is_set, "the helpdesk has read the request")

    desk.running["worker"].terminate()
    time.sleep(1)  # it may be ending already
    held.may_go_on.set()

    assert desk.running["worker"].wait(timeout=60) == 0
    desk.end("worker")  # forgets it
    told = told_of(desk, conversation)
    assert (told["state"], told["outcomes"]) == ("sent", ["taken"])


# A receiver that misbehaves


def test_whatever_a_receiver_does_is_told_as_it_is_until_it_takes_the_reply(desk):
    table = {
        helpdesk.fails_first: ("retrying", "Not confirmed yet", "failed"),
        helpdesk.fails_after_taking: ("retrying", "Not confirmed yet", "failed"),
        helpdesk.hangs_up: ("unknown", "May have arrived", "no_answer"),
        helpdesk.hangs_up_after_taking: ("unknown", "May have arrived", "no_answer"),
        helpdesk.asks_to_wait("2"): ("retrying", "Not confirmed yet", "refused"),
        helpdesk.asks_to_wait("3600"): ("retrying", "Not confirmed yet", "refused"),
        helpdesk.asks_to_wait("some time"): ("retrying", "Not confirmed yet", "refused"),
    }
    conversations = dict(zip(replies(len(table)), table.items(), strict=True))
    for conversation, (step, _expected) in conversations.items():
        desk.helpdesk.plan(conversation, step, step)

    desk.ask("approve", *conversations)
    until(lambda: not {"scheduled", "sending"} & set(desk.states().values()), "each was tried")

    told = {reply["conversation"]: reply for reply in assert_told_truly(desk)}
    for conversation, (_step, expected) in conversations.items():
        reply = told[conversation]
        assert (reply["state"], reply["label"], reply["outcomes"][0]) == expected
    asked = [told[conversation]["waits"] for conversation in conversations][-3:]
    assert [2 <= asked[0] < 60, 3600 <= asked[1] < 5400, asked[2] < 60] == [True, True, True]
    desk.arrives()
    assert {len(told_of(desk, conversation)["outcomes"]) for conversation in conversations} == {3}


# A database that is killed


def test_what_came_of_a_request_waits_for_a_database_that_was_killed_meanwhile(desk):
    conversation, behind = replies(2)
    held = helpdesk.Held()
    desk.helpdesk.plan(conversation, held)
    desk.ask("approve", conversation)
    until(held.reached.is_set, "the helpdesk has read the request")

    desk.kill_database()
    held.may_go_on.set()
    until(lambda: conversation in desk.helpdesk.conversations(), "the helpdesk has taken the reply")
    with pytest.raises(psycopg.OperationalError):
        desk.session()
    desk.place.cluster.start()

    assert told_of(desk, conversation)["state"] in {"sending", "sent"}
    until(lambda: desk.states()[conversation] == "sent", "it is written down")
    assert told_of(desk, conversation)["outcomes"] == ["taken"]
    desk.ask("approve", behind)
    until(lambda: desk.states()[behind] == "sent", "the same worker goes on")


# A broker that loses its messages


def away(desk):
    """No worker runs while the messages are lost."""
    desk.end("worker")
    return lambda: desk.start("worker")


def asleep(desk):
    """The worker runs on, and does not look into the folder for a moment."""
    worker = desk.running["worker"]
    worker.send_signal(signal.SIGSTOP)
    return lambda: worker.send_signal(signal.SIGCONT)


@pytest.mark.parametrize(("worker", "lose"), [(asleep, Installation.empty_broker), (away, Installation.remove_broker)])
def test_replies_whose_messages_are_lost_are_found_by_the_sweep(desk, worker, lose):
    conversations = replies(3)
    comes_back = worker(desk)
    try:
        desk.ask("approve", *conversations)
        assert len(list(desk.messages.glob("*.msg"))) >= len(conversations)
        lose(desk)
        assert {told_of(desk, conversation)["state"] for conversation in conversations} == {"scheduled"}
    finally:
        comes_back()

    until(lambda: set(desk.states().values()) == {"sent"}, "the sweep finds them")
    assert {tuple(told_of(desk, conversation)["outcomes"]) for conversation in conversations} == {("taken",)}


# Too many of everything


def test_two_beats_and_two_workers_bring_every_reply_once(desk):
    desk.start("worker-2")
    desk.start("beat-2")
    slow, quick = replies(4), replies(12)
    held = helpdesk.Held()
    for conversation in slow:
        desk.helpdesk.plan(conversation, held)
    try:
        named = desk.ask("approve", *slow)
        until(lambda: all(desk.helpdesk.brought[name] for name in named), "workers are at the slow ones")
        desk.ask("wake", *named, *named)
        named += desk.ask("approve", *quick)
        desk.ask("sweep")
        until(lambda: sorted(desk.states()[name] for name in quick) == ["sent"] * len(quick), "the quick ones are sent")
        held.may_go_on.set()
        until(lambda: set(desk.states().values()) == {"sent"}, "the slow ones are sent")
        desk.ask("wake", *named)
        until(lambda: not list(desk.messages.glob("*.msg")), "every message is read")
    finally:
        held.may_go_on.set()
        desk.end("worker-2")
        desk.end("beat-2")

    assert {name: desk.helpdesk.brought[name] for name in named} == dict.fromkeys(named, 1)


# Everything at once


def test_a_mix_of_faults_drawn_by_chance_loses_and_doubles_nothing(desk):
    seed = os.environ.get("FAULT_SEED") or str(random.SystemRandom().randrange(10**6))
    print(f"FAULT_SEED={seed}")
    chance = random.Random(seed)
    faults = [
        helpdesk.fails_first, helpdesk.fails_after_taking, helpdesk.hangs_up, helpdesk.hangs_up_after_taking,
        helpdesk.asks_to_wait("2"),
    ]  # fmt: skip
    conversations = replies(MIX)
    for conversation in conversations:
        desk.helpdesk.plan(conversation, *helpdesk.spread(faults, chance.random, faults=FAULTS, most=MOST_FAULTS))
    pauses = random.Random(seed)
    desk.helpdesk.pause = lambda: pauses.uniform(0, 0.3)
    try:
        for number in range(ROUNDS):
            kill_in_the_middle(desk, conversations[number::ROUNDS], chance, database=number == ROUNDS // 2)
    finally:
        desk.helpdesk.pause = float

    desk.arrives()

    print(f"interrupted: {sum('interrupted' in reply['outcomes'] for reply in assert_told_truly(desk))} of {MIX}")
    assert set(conversations) <= set(desk.helpdesk.conversations())
    manage(desk.environment, "verify_ledger")


def kill_in_the_middle(desk, conversations, chance, *, database) -> None:
    """Approve some replies, kill the worker, and the database before it, while they are brought, and start it again."""
    before = desk.helpdesk.brought.total()
    desk.ask("approve", *conversations)
    desk.time_passes(24 * 60 * 60, "due_at", "offered_at")
    desk.ask("sweep")
    until(lambda: desk.helpdesk.brought.total() > before, "a reply is brought")
    time.sleep(chance.uniform(0, 0.6))
    if database:
        desk.kill_database()
        desk.place.cluster.start()
        time.sleep(chance.uniform(0, 2))
    desk.end("worker")
    assert_told_truly(desk)
    if chance.random() < FAULTS:
        desk.empty_broker()
    desk.a_lease_passes()
    desk.start("worker")


# As people run it


def test_a_reply_approved_after_worker_and_beat_of_a_run_were_killed_arrives(installation):
    for name in {"worker", "beat"} & set(installation.running):
        installation.end(name)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    run = [sys.executable, "manage.py", "run"]
    started = installation.start("run", ["env", f"PORT={port}", *run])
    until(lambda: is_healthy(port), "the web serves")
    for name in ("worker", "beat"):
        until(lambda name=name: process_of(started.pid, name), f"there is a {name}")
        os.kill(process_of(started.pid, name), signal.SIGKILL)

    [conversation] = replies()
    installation.ask("approve", conversation)

    until(lambda: installation.states()[conversation] == "sent", "the reply is sent")
    assert told_of(installation, conversation)["outcomes"] == ["taken"]
    installation.end("run", signal.SIGTERM)
    assert_everything_arrived_once(installation)


def is_healthy(port: int) -> bool:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz", timeout=10) as response:
            return response.status == 200
    except urllib.error.HTTPError as refused:
        refused.close()
    except OSError:
        pass
    return False


def process_of(parent: int, word: str) -> int | None:
    """The child with this word in its command."""
    for child in Path(f"/proc/{parent}/task/{parent}/children").read_text().split():
        try:
            command = Path(f"/proc/{child}/cmdline").read_bytes().split(b"\0")
        except OSError:  # it may end while one looks
            continue
        if word.encode() in command:
            return int(child)
    return None
