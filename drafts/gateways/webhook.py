"""Bring one reply to a destination as a signed request in the form of Standard Webhooks (standardwebhooks.com).

The request goes to the very address that was judged, follows no redirect, uses no proxy and ends in time.
"""

import socket
import ssl
import threading
import time
from collections.abc import Collection, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from http.client import HTTPException

from standardwebhooks import Webhook
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.exceptions import HTTPError
from urllib3.response import BaseHTTPResponse

from drafts.decisions.addresses import BadDestination, Target, checked_url
from drafts.decisions.answering import in_short, printable, wait_asked_for
from drafts.decisions.delivering import Answered, Claimed, Outcome, outcome_of
from drafts.gateways.address import addresses_of

USER_AGENT = "Countersign"
MOST_READ = 64 * 1024
TOO_LONG = "it took too long"


@dataclass(frozen=True, slots=True)
class Limits:
    """Seconds that a request may take: to connect, between two signs of life, and altogether."""

    connect: float = 5.0
    read: float = 20.0
    total: float = 30.0


LIMITS = Limits()


def send(claimed: Claimed, *, private: Collection[str], limits: Limits = LIMITS) -> Answered:
    """Ask the destination to take a reply and return what came of it; whatever the network does is an answer too.

    `private` holds the `host:port` of destinations allowed within the own network.
    """
    started = time.monotonic()
    try:
        target = checked_url(claimed.url, private=private)
        connection = _connect(target, addresses_of(target, private=private), limits)
    except BadDestination as problem:
        return Answered(Outcome.NOT_REACHED, said=problem.message)
    except (OSError, HTTPError) as error:
        return Answered(Outcome.NOT_REACHED, said=f"No connection: {_in_words(error)}")
    left = max(limits.total - (time.monotonic() - started), limits.connect)  # looking up a name may take long, too
    with closing(connection), _cut_after(left, connection) as was_cut:
        try:
            answered = _ask(connection, target, claimed)
        except (OSError, HTTPException, HTTPError) as error:
            why = TOO_LONG if was_cut.is_set() else _in_words(error)
            return Answered(Outcome.NO_ANSWER, said=f"No whole answer came: {why}")
    if was_cut.is_set():  # what seemed to be the end of the answer was the cut
        return Answered(Outcome.NO_ANSWER, said=f"No whole answer came: {TOO_LONG}")
    return answered


def _connect(target: Target, addresses: Collection[str], limits: Limits) -> HTTPConnection:
    """Connect to the first address that lets us. Raises OSError or HTTPError for the last one."""
    *others, last = addresses
    for address in others:
        with suppress(OSError, HTTPError):
            return _connect_to(address, target, limits)
    return _connect_to(last, target, limits)


def _connect_to(address: str, target: Target, limits: Limits) -> HTTPConnection:
    connection = (
        HTTPSConnection(address, target.port, timeout=limits.connect, server_hostname=target.host)
        if target.scheme == "https"
        else HTTPConnection(address, target.port, timeout=limits.connect)
    )
    try:
        connection.connect()
    except (OSError, HTTPError):
        connection.close()
        raise
    connection.timeout = limits.read
    return connection


@contextmanager
def _cut_after(seconds: float, connection: HTTPConnection) -> Iterator[threading.Event]:
    """Cut the connection when the time is over: a server that sends a byte now and then keeps every other limit."""
    was_cut = threading.Event()
    wire = connection.sock  # kept, since the connection forgets it while the answer is read

    def cut() -> None:
        was_cut.set()
        with suppress(OSError):
            socket.socket.shutdown(wire, socket.SHUT_RDWR)  # not TLS's own, which would change the reader's state

    timer = threading.Timer(seconds, cut)
    timer.daemon = True
    timer.start()
    try:
        yield was_cut
    finally:
        timer.cancel()
        timer.join()


def _ask(connection: HTTPConnection, target: Target, claimed: Claimed) -> Answered:
    with suppress(BrokenPipeError):  # a server may refuse before it has read everything; its answer is there to read
        connection.request(
            "POST",
            target.path,
            body=claimed.body.encode(),
            headers={"Host": target.host_header, **_headers(claimed)},
            preload_content=False,
            decode_content=False,
        )
    with closing(connection.getresponse()) as response:
        return _answered(response, claimed.sent_at)


def _headers(claimed: Claimed) -> dict[str, str]:
    name = str(claimed.delivery_id)
    at = claimed.sent_at.astimezone(UTC)  # the library takes the figures of the clock for UTC
    return {
        "Content-Type": "application/json",
        "User-Agent": USER_AGENT,
        "Connection": "close",
        "Webhook-Id": name,
        "Webhook-Timestamp": str(int(at.timestamp())),
        "Webhook-Signature": Webhook(claimed.secret).sign(name, at, claimed.body),
    }


def _answered(response: BaseHTTPResponse, sent_at: datetime) -> Answered:
    body = b""
    while len(body) < MOST_READ and (part := response.read(MOST_READ - len(body))):
        body += part
    wait = wait_asked_for(response.headers.get("Retry-After"), now=sent_at)
    return Answered(outcome_of(response.status), response.status, in_short(response.status, body), wait)


def _in_words(error: Exception) -> str:
    cause = error.__cause__ or error
    match cause:
        case ssl.SSLCertVerificationError():
            return f"the certificate is not accepted ({printable(cause.verify_message)})"
        case TimeoutError():
            return TOO_LONG
        case OSError(strerror=str(words)):
            return printable(words)
        case _:
            return printable(str(cause)) or type(cause).__name__
