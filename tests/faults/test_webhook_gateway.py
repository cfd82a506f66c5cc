"""Whatever a receiver of replies does, the gateway says in time what came of the request."""

import json
import socket
import ssl
import subprocess
import time
from datetime import UTC, datetime, timedelta
from uuid import uuid4
from zoneinfo import ZoneInfo

import pytest
from standardwebhooks import Webhook, WebhookVerificationError

from drafts.decisions.delivering import Claimed, Outcome
from drafts.gateways import webhook
from drafts.gateways.webhook import Limits
from tests.faults.receiving import (
    answering,
    cut_after_reading,
    cut_unread,
    deaf,
    dripping,
    receiving,
    sending,
    silent,
)

SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
BODY = json.dumps({"text": "Grüße, 你好 \N{PARTY POPPER}"}, ensure_ascii=False)
QUICK = Limits(connect=0.5, read=0.5, total=1.0)
AT_MOST = 5.0


def claimed(url, **changes):
    fields = {
        "delivery_id": uuid4(),
        "fence": 1,
        "number": 1,
        "url": url,
        "secret": SECRET,
        "body": BODY,
        "sent_at": datetime.now(UTC),
    }
    return Claimed(**{**fields, **changes})


def sent_to(receiver, *, limits=QUICK, **changes):
    started = time.monotonic()
    answered = webhook.send(claimed(receiver.url, **changes), private=[receiver.authority], limits=limits)
    assert time.monotonic() - started < AT_MOST
    return answered


def test_a_reply_arrives_signed_whole_and_under_its_id():
    with receiving(answering("200 OK", b"thanks")) as receiver:
        one = claimed(receiver.url)

        answered = webhook.send(one, private=[receiver.authority])

    [request] = receiver.requests
    assert (answered.outcome, answered.status, answered.said) == (Outcome.TAKEN, 200, "200 OK: thanks")
    assert request.line == "POST /replies?from=desk HTTP/1.1"
    assert request.headers["host"] == receiver.authority
    assert request.headers["content-type"] == "application/json"
    assert request.headers["webhook-id"] == str(one.delivery_id)
    assert request.body == BODY.encode()
    assert Webhook(SECRET).verify(request.body, request.headers) == json.loads(BODY)
    with pytest.raises(WebhookVerificationError):
        Webhook(SECRET).verify(request.body + b" ", request.headers)


def test_the_signature_holds_whatever_zone_the_time_was_given_in():
    elsewhere = datetime.now(UTC).astimezone(ZoneInfo("Asia/Tokyo"))
    with receiving(answering("204 No Content")) as receiver:
        sent_to(receiver, sent_at=elsewhere)

    Webhook(SECRET).verify(receiver.requests[0].body, receiver.requests[0].headers)


@pytest.mark.parametrize(
    ("status", "outcome"),
    [
        ("200 OK", Outcome.TAKEN),
        ("204 No Content", Outcome.TAKEN),
        ("299 Odd", Outcome.TAKEN),
        ("304 Not Modified", Outcome.REFUSED),
        ("400 Bad Request", Outcome.REFUSED),
        ("410 Gone", Outcome.REFUSED),
        ("500 Internal Server Error", Outcome.FAILED),
        ("502 Bad Gateway", Outcome.FAILED),
    ],
)
def test_the_status_says_what_came_of_it(status, outcome):
    with receiving(answering(status)) as receiver:
        answered = sent_to(receiver)

    assert (answered.outcome, answered.status) == (outcome, int(status[:3]))


def test_a_redirect_is_not_followed():
    with (
        receiving(answering("200 OK")) as elsewhere,
        receiving(answering("302 Found", Location=elsewhere.url)) as first,
    ):
        answered = webhook.send(claimed(first.url), private=[first.authority, elsewhere.authority], limits=QUICK)

    assert (answered.outcome, answered.status) == (Outcome.REFUSED, 302)
    assert elsewhere.requests == []


@pytest.mark.parametrize(("header", "wait"), [("120", timedelta(minutes=2)), ("later", None)])
def test_the_wait_that_a_busy_receiver_asks_for_is_handed_on(header, wait):
    with receiving(answering("429 Too Many Requests", Retry_After=header)) as receiver:
        answered = sent_to(receiver)

    assert (answered.outcome, answered.retry_after) == (Outcome.REFUSED, wait)


@pytest.mark.parametrize(
    "behave",
    [
        pytest.param(silent, id="reads-and-stays-silent"),
        pytest.param(deaf, id="neither-reads-nor-answers"),
        pytest.param(cut_unread, id="hangs-up-unread"),
        pytest.param(cut_after_reading, id="hangs-up-after-reading"),
        pytest.param(sending(b"HTTP/1."), id="hangs-up-in-the-status"),
        pytest.param(sending(b"HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nhalf"), id="hangs-up-in-the-answer"),
        pytest.param(
            sending(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9\r\nhalf"), id="hangs-up-in-a-chunk"
        ),
        pytest.param(
            sending(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"), id="sends-a-chunk-of-no-size"
        ),
        pytest.param(sending(b"SSH-2.0-OpenSSH_9.2\r\n"), id="speaks-something-else"),
        pytest.param(sending(b"HTTP/1.1 OK\r\n\r\n"), id="names-no-status"),
        pytest.param(sending(b"HTTP/1.1 200 OK\r\n" + b"X: y\r\n" * 500 + b"\r\n"), id="sends-500-headers"),
        pytest.param(dripping(b"", b"H"), id="drips-its-status"),
        pytest.param(dripping(b"HTTP/1.1 200 OK\r\n", b"X: y\r\n"), id="drips-headers"),
        pytest.param(dripping(b"", b"HTTP/1.1 100 Continue\r\n\r\n"), id="says-continue-for-ever"),
        pytest.param(dripping(b"HTTP/1.1 200 OK\r\n\r\n", b"x"), id="drips-its-answer"),
    ],
)
def test_without_a_whole_answer_in_time_nobody_knows_whether_it_arrived(behave):
    with receiving(behave) as receiver:
        answered = sent_to(receiver)

    assert (answered.outcome, answered.status) == (Outcome.NO_ANSWER, None)
    assert answered.said.startswith("No whole answer came: ")


def test_an_answer_that_announces_no_end_counts_by_its_status():
    with receiving(sending(b"HTTP/1.0 200 OK\r\n\r\nthanks")) as receiver:
        answered = sent_to(receiver)

    assert (answered.outcome, answered.said) == (Outcome.TAKEN, "200 OK: thanks")


def test_a_receiver_that_refuses_before_it_has_read_everything_is_heard():
    def refuse_early(wire, receiver):
        wire.sendall(b"HTTP/1.1 413 Content Too Large\r\nContent-Length: 0\r\n\r\n")
        wire.shutdown(socket.SHUT_WR)
        while wire.recv(65536):
            pass

    with receiving(refuse_early) as receiver:
        answered = sent_to(receiver, body="x" * 2_000_000)

    assert (answered.outcome, answered.status) == (Outcome.REFUSED, 413)


def test_a_huge_answer_is_read_to_a_limit():
    with receiving(answering("500 Internal Server Error", b"<\0pre>" * 2_000_000)) as receiver:
        answered = sent_to(receiver)

    assert (answered.outcome, answered.status) == (Outcome.FAILED, 500)
    assert len(answered.said) == 2000
    assert answered.said.isprintable()


def test_nobody_listening_is_not_reached():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]

    answered = webhook.send(claimed(f"http://127.0.0.1:{port}/"), private=[f"127.0.0.1:{port}"], limits=QUICK)

    assert (answered.outcome, answered.said) == (Outcome.NOT_REACHED, "No connection: Connection refused")


def test_a_full_queue_of_connections_is_not_reached():
    with socket.create_server(("127.0.0.1", 0), backlog=0) as listener, socket.socket() as first:
        first.connect(listener.getsockname())
        authority = f"127.0.0.1:{listener.getsockname()[1]}"

        answered = webhook.send(claimed(f"http://{authority}/"), private=[authority], limits=QUICK)

    assert (answered.outcome, answered.said) == (Outcome.NOT_REACHED, "No connection: it took too long")


def test_a_name_that_nobody_knows_is_not_reached():
    answered = webhook.send(claimed("https://desk.invalid/"), private=(), limits=QUICK)

    assert answered.outcome is Outcome.NOT_REACHED
    assert answered.said.startswith("No connection: ")


def test_a_destination_within_the_own_network_is_not_connected_to():
    with receiving(answering("200 OK")) as receiver:
        answered = webhook.send(claimed(receiver.url), private=(), limits=QUICK)

    assert answered.outcome is Outcome.NOT_REACHED
    assert "PRIVATE_DESTINATIONS" in answered.said
    assert receiver.requests == []


def test_a_public_name_that_points_into_the_own_network_is_not_connected_to(monkeypatch):
    with receiving(answering("200 OK")) as receiver:
        inside = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", receiver.port))]
        monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: inside)

        answered = webhook.send(claimed(f"http://desk.example:{receiver.port}/"), private=(), limits=QUICK)

    assert (answered.outcome, receiver.requests) == (Outcome.NOT_REACHED, [])
    assert "desk.example is not on the public internet" in answered.said


def test_the_next_address_of_a_name_is_tried_and_the_name_looked_up_once(monkeypatch):
    looked_up = []
    resolve = socket.getaddrinfo

    def two_addresses(host, port, *args, **options):
        if host != "desk.example":
            return resolve(host, port, *args, **options)
        looked_up.append(host)
        found = ("127.0.0.2", "127.0.0.1")
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port)) for address in found]

    with receiving(answering("200 OK")) as receiver:
        monkeypatch.setattr(socket, "getaddrinfo", two_addresses)
        authority = f"desk.example:{receiver.port}"

        answered = webhook.send(claimed(f"http://{authority}/in"), private=[authority], limits=QUICK)

    assert (answered.outcome, looked_up) == (Outcome.TAKEN, ["desk.example"])
    assert receiver.requests[0].headers["host"] == authority


def test_no_proxy_of_the_environment_sees_a_reply(monkeypatch):
    with receiving(answering("200 OK")) as proxy, receiving(answering("200 OK")) as receiver:
        for name in ("http_proxy", "HTTP_PROXY", "ALL_PROXY"):
            monkeypatch.setenv(name, f"http://{proxy.authority}")

        assert sent_to(receiver).outcome is Outcome.TAKEN
        assert proxy.requests == []


@pytest.fixture(scope="module")
def certificates(tmp_path_factory):
    """A certificate that vouches for itself and for 127.0.0.1, and the server's side of it."""
    folder = tmp_path_factory.mktemp("certificates")
    key, certificate = folder / "key.pem", folder / "certificate.pem"
    options = [
        "-newkey",
        "rsa:2048",
        "-nodes",
        "-days",
        "2",
        "-subj",
        "/CN=desk",
        "-addext",
        "subjectAltName=IP:127.0.0.1",
    ]
    subprocess.run(
        ["openssl", "req", "-x509", *options, "-keyout", str(key), "-out", str(certificate)],
        check=True,
        capture_output=True,
    )
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    return certificate, context


def test_a_receiver_with_a_good_certificate_is_asked(certificates, monkeypatch):
    certificate, context = certificates
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    with receiving(answering("200 OK", b"thanks"), tls=context) as receiver:
        answered = sent_to(receiver)

    assert (answered.outcome, answered.said) == (Outcome.TAKEN, "200 OK: thanks")


def test_a_receiver_that_drips_over_tls_is_cut_off_too(certificates, monkeypatch):
    certificate, context = certificates
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    with receiving(dripping(b"HTTP/1.1 200 OK\r\n\r\n", b"x"), tls=context) as receiver:
        assert sent_to(receiver).outcome is Outcome.NO_ANSWER


def test_a_certificate_that_nobody_vouches_for_is_not_trusted(certificates):
    with receiving(answering("200 OK"), tls=certificates[1]) as receiver:
        answered = sent_to(receiver)

    assert (answered.outcome, receiver.requests) == (Outcome.NOT_REACHED, [])
    assert "certificate is not accepted" in answered.said


def test_a_certificate_of_another_host_is_not_trusted(certificates, monkeypatch):
    certificate, context = certificates
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    with receiving(answering("200 OK"), tls=context) as receiver:
        authority = f"localhost:{receiver.port}"

        answered = webhook.send(claimed(f"https://{authority}/"), private=[authority], limits=QUICK)

    assert (answered.outcome, receiver.requests) == (Outcome.NOT_REACHED, [])


@pytest.mark.parametrize("behave", [silent, cut_unread, answering("200 OK")], ids=["silent", "cut", "plain"])
def test_a_receiver_that_speaks_no_tls_is_not_reached(behave):
    with receiving(behave) as receiver:
        url = receiver.url.replace("http:", "https:")

        answered = webhook.send(claimed(url), private=[receiver.authority], limits=QUICK)

    assert answered.outcome is Outcome.NOT_REACHED
