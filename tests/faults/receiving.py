"""A receiver of webhooks that does one wrong thing: a real server on a real port, for as long as a block lasts."""

import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field

type Behaviour = Callable[[socket.socket, "Receiver"], None]

ENOUGH = 10.0  # seconds after which a server that waits gives up


@dataclass
class Request:
    """What one client sent."""

    line: str
    headers: dict[str, str]
    body: bytes


@dataclass
class Receiver:
    """Where it listens, what it was sent, and a flag by which its threads end."""

    port: int
    requests: list[Request] = field(default_factory=list)
    over: threading.Event = field(default_factory=threading.Event)
    scheme: str = "http"

    @property
    def authority(self) -> str:
        return f"127.0.0.1:{self.port}"

    @property
    def url(self) -> str:
        return f"{self.scheme}://{self.authority}/replies?from=desk"


def read_request(wire: socket.socket, receiver: Receiver) -> Request:
    """Read one whole request, note it and return it."""
    with wire.makefile("rb") as reader:
        line = reader.readline().decode().strip()
        headers = {}
        while (raw := reader.readline().strip()) != b"":
            name, _, value = raw.decode().partition(": ")
            headers[name.lower()] = value
        body = reader.read(int(headers.get("content-length", "0")))
    request = Request(line, headers, body)
    receiver.requests.append(request)
    return request


def answering(status: str, body: bytes = b"", **headers: str) -> Behaviour:
    """Read the request and answer it properly."""

    def behave(wire: socket.socket, receiver: Receiver) -> None:
        read_request(wire, receiver)
        named = {"Content-Length": str(len(body)), **{name.replace("_", "-"): value for name, value in headers.items()}}
        head = "".join(f"{name}: {value}\r\n" for name, value in named.items())
        wire.sendall(f"HTTP/1.1 {status}\r\n{head}\r\n".encode() + body)

    return behave


def sending(raw: bytes) -> Behaviour:
    """Read the request and send these bytes as they are."""

    def behave(wire: socket.socket, receiver: Receiver) -> None:
        read_request(wire, receiver)
        wire.sendall(raw)

    return behave


def dripping(start: bytes, drop: bytes, every: float = 0.05) -> Behaviour:
    """Read the request, send the start, then a little for ever."""

    def behave(wire: socket.socket, receiver: Receiver) -> None:
        read_request(wire, receiver)
        wire.sendall(start)
        while not receiver.over.wait(every):
            wire.sendall(drop)

    return behave


def silent(wire: socket.socket, receiver: Receiver) -> None:
    """Read the request and never answer."""
    read_request(wire, receiver)
    receiver.over.wait(ENOUGH)


def deaf(wire: socket.socket, receiver: Receiver) -> None:
    """Accept, and neither read nor answer."""
    receiver.over.wait(ENOUGH)


def cut_unread(wire: socket.socket, receiver: Receiver) -> None:
    """Accept, and hang up at once."""


def cut_after_reading(wire: socket.socket, receiver: Receiver) -> None:
    """Read the request, and hang up."""
    read_request(wire, receiver)


@contextmanager
def receiving(behave: Behaviour, *, tls: ssl.SSLContext | None = None) -> Iterator[Receiver]:
    """Serve in threads until the block ends."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        receiver = Receiver(listener.getsockname()[1], scheme="https" if tls else "http")
        threads = [threading.Thread(target=_accept, args=(listener, behave, receiver, tls))]
        threads[0].start()
        try:
            yield receiver
        finally:
            receiver.over.set()
            with suppress(OSError):
                listener.shutdown(socket.SHUT_RDWR)
            threads[0].join()


def _accept(listener: socket.socket, behave: Behaviour, receiver: Receiver, tls: ssl.SSLContext | None) -> None:
    serving = []
    while not receiver.over.is_set():
        try:
            wire, _address = listener.accept()
        except OSError:
            break
        serving.append(threading.Thread(target=_serve, args=(wire, behave, receiver, tls)))
        serving[-1].start()
    for thread in serving:
        thread.join()


def _serve(wire: socket.socket, behave: Behaviour, receiver: Receiver, tls: ssl.SSLContext | None) -> None:
    with wire, suppress(OSError, ValueError):  # the client may hang up whenever it likes, or speak TLS
        if tls is None:
            behave(wire, receiver)
            return
        with tls.wrap_socket(wire, server_side=True) as wrapped:
            behave(wrapped, receiver)
