"""Messages in a folder, and what other brokers are told."""

import shutil
import threading

import pytest
from kombu import Connection

from console import broker
from console.broker import transport_of, transport_options

URL = "filesystem://localhost"


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "not" / "there" / "yet"


@pytest.fixture
def connect(folder):
    """Open connections to one folder; closed afterwards."""
    opened = []

    def opening():
        options = {**transport_options(URL, folder), "polling_interval": 0.01}
        opened.append(Connection(URL, transport=transport_of(URL), transport_options=options))
        return opened[-1]

    yield opening
    for connection in opened:
        connection.release()


def test_messages_come_out_once_and_in_order(connect):
    with connect().SimpleQueue("waking") as queue:
        for number in range(5):
            queue.put({"number": number})

        found = [queue.get(timeout=5) for _ in range(5)]
        for message in found:
            message.ack()

        assert [message.payload["number"] for message in found] == [0, 1, 2, 3, 4]
        with pytest.raises(queue.Empty):
            queue.get(timeout=0.05)


def test_what_was_not_acknowledged_comes_again_after_an_orderly_end(connect):
    first = connect()
    with first.SimpleQueue("waking") as queue:
        queue.put({"number": 1})
        queue.get(timeout=5)
    first.release()

    with connect().SimpleQueue("waking") as queue:
        assert queue.get(timeout=5).payload == {"number": 1}


def test_every_message_is_read_whole_by_one_of_many_readers(connect):
    taken = []

    def read():
        with connect().SimpleQueue("waking") as queue:
            while len(taken) < 200:
                try:
                    message = queue.get(timeout=0.05)
                except queue.Empty:
                    continue
                message.ack()
                taken.append(message.payload["number"])

    readers = [threading.Thread(target=read) for _ in range(3)]
    with connect().SimpleQueue("waking") as queue:
        for reader in readers:
            reader.start()
        for number in range(200):
            queue.put({"number": number, "filler": "x" * 5000})
    for reader in readers:
        reader.join(30)

    assert sorted(taken) == list(range(200))


def test_a_folder_that_nobody_reads_does_not_grow_for_ever(connect, folder, monkeypatch):
    monkeypatch.setattr(broker, "MOST_WAITING", 10)
    with connect().SimpleQueue("waking") as queue:
        for number in range(15):
            queue.put({"number": number})

        assert len(list(folder.iterdir())) == 10
        assert queue.get(timeout=5).payload == {"number": 0}


def test_nobody_else_may_look_into_the_folder(connect, folder):
    with connect().SimpleQueue("waking") as queue:
        queue.put({})

    assert folder.stat().st_mode & 0o777 == 0o700


def test_a_folder_that_was_removed_comes_back_with_the_next_message(connect, folder):
    with connect().SimpleQueue("waking") as queue:
        queue.put({"number": 1})
        shutil.rmtree(folder)
        with pytest.raises(queue.Empty):
            queue.get(timeout=0.05)
        queue.put({"number": 2})

        assert queue.get(timeout=5).payload == {"number": 2}


@pytest.mark.parametrize(
    ("url", "names", "queue"),
    [
        ("amqp://host//", {"confirm_publish"}, ("quorum", "topic")),
        ("amqps://host//", {"confirm_publish"}, ("quorum", "topic")),
        ("redis://host/0", {"visibility_timeout", "socket_keepalive", "socket_connect_timeout"}, ("classic", "direct")),
        ("memory://", set(), ("classic", "direct")),
    ],
)
def test_other_brokers_are_told_what_keeps_messages(url, names, queue, folder):
    assert set(transport_options(url, folder)) == names
    assert broker.queue_options(url) == queue
    assert transport_of(url) is None
