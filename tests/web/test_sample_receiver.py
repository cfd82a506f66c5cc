"""The sample's helpdesk takes signed replies, each id once, and shows what arrived."""

import json
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django.asserts import assertContains, assertNotContains
from standardwebhooks import Webhook

from console.models import ReceivedReply
from console.sample.destination import deliver_at_once, put_sample_receiver
from drafts.models import Destination, Message
from drafts.services import sending
from tests import builders
from tests.web.conftest import HTMX, is_whole_page, signed_in

URL = reverse("sample-receiver")
NAME = "sample-receiver"


@pytest.fixture
def receiver(db):
    return builders.destination(NAME)


def body(text="Hello <b>Ana</b>", conversation="conversation-1", **changes):
    data = {"conversation_id": conversation, "text": text, **changes}
    return json.dumps({"type": "reply.approved", "timestamp": "2026-11-30T08:00:00Z", "data": data})


def signed(secret, sent, *, name="reply-1", at=None):
    """The headers of a request that is signed as the gateway signs it."""
    at = at or timezone.now()
    return {
        "webhook-id": name,
        "webhook-timestamp": str(int(at.timestamp())),
        "webhook-signature": Webhook(secret).sign(name, at, sent),
    }


def post(sent, headers, client=None):
    strict = client or Client(enforce_csrf_checks=True)
    return strict.post(URL, sent, content_type="application/json", headers=headers)


def test_a_signed_reply_is_taken_without_a_log_in_and_shown(console, receiver):
    response = post(body(), signed(receiver.secret, body()))

    assert (response.status_code, response.json()) == (200, {"received": "reply-1", "times": 1})
    shown = console.get(URL)
    for told in ("conversation-1", "Hello &lt;b&gt;Ana&lt;/b&gt;", "once", "reply-1"):
        assertContains(shown, told)


def test_an_id_that_comes_again_is_kept_once_and_counted(console, receiver):
    for _ in range(3):
        assert post(body(), signed(receiver.secret, body())).status_code == 200

    assert ReceivedReply.objects.get().times == 3
    assertContains(console.get(URL), "3 times")


def test_the_newest_stands_first(console, receiver):
    for name in ("first", "second"):
        sent = body(conversation=f"conversation-{name}")
        post(sent, signed(receiver.secret, sent, name=name))

    page = console.get(URL).text
    assert page.index("conversation-second") < page.index("conversation-first")


@pytest.mark.parametrize(
    "changes",
    [
        pytest.param({"webhook-signature": ""}, id="no-signature"),
        pytest.param({"webhook-signature": "garbage"}, id="garbage"),
        pytest.param({"webhook-signature": "v1,%%%"}, id="no-base64"),
        pytest.param({"webhook-signature": "v1,ä"}, id="no-ascii"),
        pytest.param({"webhook-signature": "v1a,AAAA"}, id="other-scheme"),
        pytest.param({"webhook-timestamp": "yesterday"}, id="no-time"),
        pytest.param({"webhook-timestamp": "1e400"}, id="endless-time"),
        pytest.param({"webhook-timestamp": "nan"}, id="no-number"),
        pytest.param({"webhook-id": ""}, id="no-id"),
        pytest.param({"webhook-id": "another"}, id="another-id"),
    ],
)
def test_what_is_not_rightly_signed_is_refused(receiver, changes):
    response = post(body(), {**signed(receiver.secret, body()), **changes})

    assert response.status_code == 401
    assert not ReceivedReply.objects.exists()


@pytest.mark.parametrize("minutes", [-6, 6])
def test_an_old_or_early_signature_is_refused(receiver, minutes):
    at = timezone.now() + timedelta(minutes=minutes)

    assert post(body(), signed(receiver.secret, body(), at=at)).status_code == 401


def test_another_text_under_the_signature_is_refused(receiver):
    assert post(body("other"), signed(receiver.secret, body())).status_code == 401
    assert post(body(), {}).status_code == 401
    assert post(b"\xff\xfe", signed(receiver.secret, body())).status_code == 401


@pytest.mark.parametrize(
    "sent",
    ["", "no json", "[]", "{}", '{"data": 3}', body(text=""), body(text=None), body(text="a\x00b"), body("x" * 70_000)],
)
def test_a_signed_request_without_a_reply_is_refused_and_never_fails(receiver, sent):
    assert post(sent, signed(receiver.secret, sent)).status_code == 400
    assert not ReceivedReply.objects.exists()


def test_a_huge_body_is_refused(receiver):
    sent = "x" * 400_000

    assert post(sent, signed(receiver.secret, sent)).status_code == 413


@pytest.mark.parametrize("name", ["a b", "x" * 201, "a\u00a0b"])
def test_an_id_that_is_none_is_refused(receiver, name):
    assert post(body(), signed(receiver.secret, body(), name=name)).status_code == 401


def test_without_such_a_destination_there_is_no_receiver(console, db):
    builders.destination()

    assert console.get(URL).status_code == 404
    assert post(body(), {}).status_code == 404
    assertNotContains(console.get("/"), reverse("sample-receiver"))


def test_one_that_is_switched_off_takes_nothing(console, receiver):
    Destination.objects.update(is_active=False)

    assert console.get(URL).status_code == 404
    assert post(body(), signed(receiver.secret, body())).status_code == 404


def test_the_header_leads_here_while_it_exists(console, receiver):
    assertContains(console.get("/"), f'href="{URL}"')


def test_strangers_send_but_do_not_read(client, receiver):
    response = client.get(URL)

    assert (response.status_code, response.url.split("?")[0]) == (302, reverse("login"))


def test_whoever_has_no_role_does_not_read(django_user_model, receiver):
    client = signed_in(django_user_model.objects.create_user("nobody-yet", password="x"))

    assert client.get(URL).status_code == 403


@pytest.mark.parametrize("method", ["put", "patch", "delete"])
def test_no_other_method_is_taken(console, receiver, method):
    assert getattr(console, method)(URL).status_code == 405


def test_before_anything_arrived_the_page_says_how_to_make_it(console, receiver):
    assertContains(console.get(URL), "Approve a draft")


def test_the_list_is_shown_in_parts(console, receiver):
    now = timezone.now()
    ReceivedReply.objects.bulk_create(
        ReceivedReply(webhook_id=f"id-{n}", conversation=f"c-{n}", text="x", received_at=now, last_at=now)
        for n in range(60)
    )

    first, second = console.get(URL), console.get(URL, {"page": "2"})

    assert (first.text.count("<h2>"), second.text.count("<h2>")) == (50, 10)


def test_a_page_that_looks_again_gets_only_the_list(console, receiver):
    response = console.get(URL, headers=HTMX)

    assert not is_whole_page(response)
    assertContains(response, 'id="list"')


@pytest.mark.parametrize("hostile", ["<script>alert(1)</script>", '"><svg onload=alert(1)>', "a\u202eb\u200bc"])
def test_what_arrives_is_text_and_nothing_else(console, receiver, hostile):
    sent = body(f"x {hostile}", conversation=f"c {hostile}".replace("\u202e", "").replace("\u200b", ""))
    assert post(sent, signed(receiver.secret, sent)).status_code == 200

    page = console.get(URL)

    assert not [bad for bad in ("<script>alert", "<svg onload") if bad in page.text]
    if "\u202e" in hostile:
        assertContains(page, "U+202E RIGHT-TO-LEFT OVERRIDE")


def test_the_body_that_the_outbox_makes_is_one_the_receiver_takes(policy, agent, receiver):
    reply = builders.delivery(agent)
    claimed = sending.claim(reply.pk, now=reply.undo_until, calendar=builders.calendar())

    response = post(claimed.body, signed(claimed.secret, claimed.body, name=str(claimed.delivery_id)))

    assert response.json() == {"received": str(reply.pk), "times": 1}
    assert ReceivedReply.objects.get().text == builders.CLEAN


def test_the_sample_sends_to_the_server_that_runs(settings, db):
    settings.PRIVATE_DESTINATIONS = ["10.0.0.1:80", "127.0.0.1:8001"]
    put_sample_receiver(now=timezone.now())
    first = Destination.objects.get()

    settings.PRIVATE_DESTINATIONS = ["127.0.0.1:8002"]
    put_sample_receiver(now=timezone.now())

    again = Destination.objects.get()
    assert first.url == "http://127.0.0.1:8001/sample/receiver"
    assert again.url == "http://127.0.0.1:8002/sample/receiver"
    assert (again.name, again.secret) == (NAME, first.secret)


def test_without_a_server_of_this_machine_the_sample_has_no_destination(settings, db):
    settings.PRIVATE_DESTINATIONS = ["10.0.0.1:80"]

    put_sample_receiver(now=timezone.now())

    assert not Destination.objects.exists()


def test_what_the_sample_decided_weeks_ago_arrived_then(settings, policy, agent):
    settings.PRIVATE_DESTINATIONS = ["127.0.0.1:8001"]
    put_sample_receiver(now=timezone.now())
    reply = builders.delivery(agent)

    deliver_at_once(reply.decision.item_id, now=reply.created_at, calendar=builders.calendar())

    reply.refresh_from_db()
    assert (reply.state, reply.delivered_at) == ("sent", reply.undo_until)
    assert ReceivedReply.objects.get().webhook_id == str(reply.pk)
    assert Message.objects.filter(conversation=reply.conversation, through_desk=True).count() == 1
