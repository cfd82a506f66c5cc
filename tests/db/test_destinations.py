"""Where replies go: checked before it is stored, with a secret that is handed out once."""

import base64
from io import StringIO

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.utils import timezone

from drafts.models import Destination
from drafts.services.destinations import put_destination, rotate_secret, switch
from drafts.services.outcomes import Unusable

pytestmark = pytest.mark.django_db

URL = "https://helpdesk.example/replies"


def put(name="helpdesk", url=URL, channels=()):
    return put_destination(name=name, url=url, channels=channels, actor_name="admin", now=timezone.now())


def run(*arguments) -> tuple[str, str]:
    out, err = StringIO(), StringIO()
    call_command("put_destination", *arguments, stdout=out, stderr=err)
    return out.getvalue().strip(), err.getvalue().strip()


def test_a_new_destination_gets_a_secret_of_its_own_and_hands_it_out_once():
    destination, secret = put()
    again, nothing = put(url=f"{URL}/2", channels=["email", "chat", "email"])

    assert secret == destination.secret
    assert len(base64.b64decode(secret.removeprefix("whsec_"), validate=True)) == 32
    assert nothing is None
    assert (again.pk, again.secret, again.url, again.channels) == (
        destination.pk,
        secret,
        f"{URL}/2",
        ["chat", "email"],
    )
    assert put("another")[1] != secret


@pytest.mark.parametrize(
    ("field", "given"),
    [
        ("name", {"name": " \u200b"}),
        ("name", {"name": "a\nb"}),
        ("name", {"name": "n" * 300}),
        ("url", {"url": "http://127.0.0.1:9000/"}),
        ("url", {"url": "https://169.254.169.254/"}),
        ("url", {"url": "ftp://helpdesk.example/"}),
        ("channels", {"channels": ["email", ""]}),
        ("channels", {"channels": [f"c{number}" for number in range(51)]}),
    ],
)
def test_what_cannot_be_sent_to_is_not_stored(field, given):
    with pytest.raises(Unusable) as refused:
        put(**given)

    assert refused.value.field == field
    assert not Destination.objects.exists()


def test_an_operator_can_allow_a_destination_within_the_own_network(settings):
    settings.PRIVATE_DESTINATIONS = ["127.0.0.1:9000"]

    assert put(url="http://127.0.0.1:9000/in")[0].url == "http://127.0.0.1:9000/in"


def test_one_that_was_switched_off_stays_off_until_it_is_switched_on():
    destination, _ = put()
    switch(destination_id=destination.pk, active=False, now=timezone.now())

    assert put()[0].is_active is False
    assert switch(destination_id=destination.pk, active=True, now=timezone.now()).is_active is True


def test_a_new_secret_replaces_the_old_one():
    destination, secret = put()

    replaced = rotate_secret(destination_id=destination.pk, now=timezone.now())

    destination.refresh_from_db()
    assert destination.secret == replaced != secret


def test_no_secret_reaches_the_log(caplog):
    with caplog.at_level("DEBUG"):
        destination, secret = put()
        replaced = rotate_secret(destination_id=destination.pk, now=timezone.now())

    assert "helpdesk" in caplog.text
    assert secret not in caplog.text
    assert replaced not in caplog.text


def test_the_command_prints_a_secret_once_and_nothing_else_there():
    out, err = run("helpdesk", URL, "--channel", "email", "--channel", "chat")

    assert out == Destination.objects.get().secret
    assert err == f"helpdesk: {URL}, chat, email, on."
    assert run("helpdesk", URL) == ("", f"helpdesk: {URL}, all channels, on.")


def test_the_command_switches_and_replaces_the_secret():
    first, _ = run("helpdesk", URL)

    assert run("helpdesk", "--off")[1].endswith("off.")
    assert run("helpdesk", "--on")[1].endswith("on.")
    second, _ = run("helpdesk", "--new-secret")
    assert second == Destination.objects.get().secret != first


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["helpdesk"], "Name an address"),
        (["helpdesk", "--channel", "email"], "Name an address"),
        (["helpdesk", "--off", "--channel", "email"], "along with its channels"),
        (["helpdesk", "--off"], "No destination 'helpdesk'"),
        (["helpdesk", "http://localhost/"], "url: localhost is not on the public internet"),
    ],
)
def test_the_command_says_what_is_wrong(arguments, why):
    with pytest.raises(CommandError, match=why):
        run(*arguments)
