"""A helpdesk that takes replies as a good receiver does, each once by its id, and misbehaves where it is told to."""

import json
import socket
import threading
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from standardwebhooks import Webhook, WebhookVerificationError

from tests.faults.receiving import Receiver, Request, read_request, receiving

PATIENCE = 60.0


@dataclass(frozen=True)
class Reply:
    """One request whose signature is right: the reply's id, what it says, and the wire it came on."""

    name: str
    conversation: str
    text: str
    wire: socket.socket


@dataclass
class Helpdesk:
    """What it has taken, how often each reply was brought, and what it does with the next ones."""

    secret: str
    taken: dict[str, Reply] = field(default_factory=dict)
    brought: Counter[str] = field(default_factory=Counter)
    bodies: defaultdict[str, set[bytes]] = field(default_factory=lambda: defaultdict(set))
    forged: list[Request] = field(default_factory=list)
    unread: int = 0
    plans: defaultdict[str, list["Step"]] = field(default_factory=lambda: defaultdict(list))
    hears: threading.Event = field(default_factory=threading.Event)
    pause: Callable[[], float] = float
    address: str = ""
    url: str = ""
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def plan(self, conversation: str, *steps: "Step") -> None:
        """Say what becomes of the first requests about a conversation; the ones after them are taken."""
        self.plans[conversation] += steps

    def conversations(self) -> list[str]:
        """The conversations of the replies that it keeps, one per reply."""
        return sorted(reply.conversation for reply in dict(self.taken).values())

    def take(self, reply: Reply) -> None:
        """Keep a reply; one that it has already taken is no second one."""
        with self._lock:
            self.taken.setdefault(reply.name, reply)

    def serve(self, wire: socket.socket, receiver: Receiver) -> None:
        """Do with one request what was planned."""
        if not self.hears.is_set():
            self.unread += 1
            self.hears.wait(PATIENCE)
            return
        request = read_request(wire, receiver)
        reply = self._verified(request, wire)
        if reply is None:
            answer(wire, "401 Unauthorized")
            return
        with self._lock:
            self.brought[reply.name] += 1
            self.bodies[reply.name].add(request.body)
            planned = self.plans[reply.conversation]
            step = planned.pop(0) if planned else takes
        receiver.over.wait(self.pause())
        step(self, reply)

    def _verified(self, request: Request, wire: socket.socket) -> Reply | None:
        try:
            Webhook(self.secret).verify(request.body, request.headers)
        except WebhookVerificationError:
            self.forged.append(request)
            return None
        told = json.loads(request.body)["data"]
        return Reply(request.headers["webhook-id"], told["conversation_id"], told["text"], wire)


type Step = Callable[[Helpdesk, Reply], None]


def takes(desk: Helpdesk, reply: Reply) -> None:
    """Take the reply and say so."""
    desk.take(reply)
    answer(reply.wire, "200 OK")


def fails_first(_desk: Helpdesk, reply: Reply) -> None:
    """Fail, and take nothing."""
    answer(reply.wire, "500 Internal Server Error")


def fails_after_taking(desk: Helpdesk, reply: Reply) -> None:
    """Take the reply, and fail before saying so."""
    desk.take(reply)
    answer(reply.wire, "500 Internal Server Error")


def hangs_up(_desk: Helpdesk, _reply: Reply) -> None:
    """Read the request and end the connection, and take nothing."""


def hangs_up_after_taking(desk: Helpdesk, reply: Reply) -> None:
    """Take the reply, and end the connection without a word."""
    desk.take(reply)


def asks_to_wait(retry_after: str) -> Step:
    """Refuse, and say when to come again."""

    def step(_desk: Helpdesk, reply: Reply) -> None:
        answer(reply.wire, "429 Too Many Requests", f"Retry-After: {retry_after}\r\n")

    return step


@dataclass
class Held:
    """A step at which the request is read and the answer waits until the test lets it go on."""

    reached: threading.Event = field(default_factory=threading.Event)
    may_go_on: threading.Event = field(default_factory=threading.Event)

    def __call__(self, desk: Helpdesk, reply: Reply) -> None:
        """Wait, then take the reply, although its sender may be gone."""
        self.reached.set()
        self.may_go_on.wait(PATIENCE)
        takes(desk, reply)


def answer(wire: socket.socket, status: str, headers: str = "") -> None:
    """Write a whole answer without a body."""
    wire.sendall(f"HTTP/1.1 {status}\r\n{headers}Content-Length: 0\r\n\r\n".encode())


@contextmanager
def helpdesk(secret: str) -> Iterator[Helpdesk]:
    """Serve until the block ends."""
    desk = Helpdesk(secret)
    desk.hears.set()
    with receiving(desk.serve) as receiver:
        desk.address, desk.url = receiver.authority, receiver.url
        try:
            yield desk
        finally:
            desk.hears.set()


def spread(steps: Iterable[Step], chance: Callable[[], float], *, faults: float, most: int) -> list[Step]:
    """Draw how often a reply meets a fault, and which, by chance; at most so often that nobody gives it up."""
    drawn: list[Step] = []
    choices = list(steps)
    while len(drawn) < most and chance() < faults:
        drawn.append(choices[int(chance() * len(choices))])
    return drawn
