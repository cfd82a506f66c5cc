"""Administrators say where replies go; a secret is shown once."""

import re

import pytest
from django.urls import reverse
from pytest_django.asserts import assertContains, assertNotContains, assertRedirects

from drafts.models import Destination
from tests import builders
from tests.web.conftest import signed_in
from tests.web.delivering import in_state

PAGE = reverse("destinations")
ADD = reverse("destination-add")
URL = "https://helpdesk.example/replies"
QUERIES = 8
ACTIONS = ("change", "switch", "new-secret")


@pytest.fixture
def console(people):
    """The administrator's browser."""
    return signed_in(people["admin"])


@pytest.fixture
def destination(db):
    return builders.destination("helpdesk", channels=["chat"])


def act(client, destination, action, **fields):
    return client.post(reverse(f"destination-{action}", args=[destination.pk]), fields)


def test_before_there_is_one_the_page_says_what_to_do(console):
    assertContains(console.get(PAGE), "No destination yet")


def test_a_new_destination_shows_its_secret_once(console):
    response = console.post(ADD, {"name": "helpdesk", "url": URL, "channels": "chat, email"})

    made = Destination.objects.get(name="helpdesk")
    assert (made.url, made.channels, made.is_active) == (URL, ["chat", "email"], True)
    assertContains(response, f'value="{made.secret}"')
    assertContains(response, "it is shown this once and never again")
    assertNotContains(console.get(PAGE), made.secret)


def test_sending_the_form_twice_shows_no_secret_and_adds_nothing(console):
    console.post(ADD, {"name": "helpdesk", "url": URL})

    response = console.post(ADD, {"name": "helpdesk", "url": "https://other.example/"})

    assertContains(response, "already a destination of this name", status_code=422)
    assertNotContains(response, "whsec_", status_code=422)
    assert Destination.objects.get().url == URL


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        pytest.param({"name": ""}, "problem-new-name", id="no-name"),
        pytest.param({"name": "x\x00"}, "problem-new-name", id="unreadable-name"),
        pytest.param({"url": ""}, "problem-new-url", id="no-address"),
        pytest.param({"url": "ftp://a.example/"}, "must begin with https://", id="other-scheme"),
        pytest.param({"url": "http://127.0.0.1:8000/"}, "PRIVATE_DESTINATIONS", id="own-network"),
        pytest.param({"channels": "x" * 300}, "problem-new-channels", id="long-channel"),
    ],
)
def test_what_cannot_be_used_is_named_and_what_was_typed_stays(console, changes, told):
    typed = {"name": "helpdesk", "url": URL, "channels": "chat", **changes}

    response = console.post(ADD, typed)

    assertContains(response, told, status_code=422)
    for field, value in typed.items():
        if field not in changes:
            assertContains(response, f'value="{value}"', status_code=422)
    assert not Destination.objects.exists()


def test_the_list_says_how_many_replies_wait(console, policy, agent, django_assert_max_num_queries):
    in_state("scheduled", agent)
    in_state("dead", agent)

    with django_assert_max_num_queries(QUERIES):
        response = console.get(PAGE)

    assert re.findall(r"tab=way&amp;destination=\d+\">(\d)<", response.text) == ["1"]
    assert len(re.findall(r"tab=person&amp;destination=\d+\">1<", response.text)) == 1


def test_after_the_first_one_is_added_it_is_told_what_waits_without(console, policy, agent):
    in_state("no_destination", agent)

    response = console.post(ADD, {"name": "helpdesk", "url": URL})

    assertContains(response, "1 reply was decided when no destination took them")
    assertContains(response, "Each can be sent from")


def test_address_and_channels_are_changed_and_the_secret_stays(console, destination):
    response = act(console, destination, "change", url=URL, channels="")

    assertRedirects(response, PAGE)
    changed = Destination.objects.get()
    assert (changed.name, changed.url, changed.channels, changed.secret) == ("helpdesk", URL, [], destination.secret)


def test_a_change_that_cannot_be_used_stays_open_with_what_was_typed(console, destination):
    response = act(console, destination, "change", url="gopher://x", channels="typed")

    assertContains(response, "must begin with https://", status_code=422)
    assertContains(response, 'value="typed"', status_code=422)
    assertContains(response, "<details open>", status_code=422)
    assert Destination.objects.get().url == destination.url


def test_a_destination_is_switched_off_and_on(console, destination):
    act(console, destination, "switch", active="no")
    assert not Destination.objects.get().is_active
    assertContains(console.get(PAGE), "Switched off")

    act(console, destination, "switch", active="yes")
    assert Destination.objects.get().is_active


def test_a_new_secret_replaces_the_old_one_and_is_shown_once(console, destination):
    response = act(console, destination, "new-secret")

    renewed = Destination.objects.get().secret
    assert renewed != destination.secret
    assertContains(response, f'value="{renewed}"')
    assertNotContains(console.get(PAGE), renewed)


@pytest.mark.parametrize("role", ["agent", "owner", "manager"])
def test_nobody_else_sees_or_changes_destinations(people, destination, role):
    client = signed_in(people[role])

    assert client.get(PAGE).status_code == 403
    assert client.post(ADD, {"name": "x", "url": URL}).status_code == 403
    for action in ACTIONS:
        assert act(client, destination, action, active="no", url=URL).status_code == 403
    unchanged = Destination.objects.get()
    assert (unchanged.secret, unchanged.is_active, unchanged.url) == (
        destination.secret,
        True,
        destination.url,
    )
    assertNotContains(client.get(reverse("deliveries")), PAGE)


def test_the_administrator_is_led_here(console):
    assertContains(console.get(reverse("deliveries")), f'href="{PAGE}"')


@pytest.mark.parametrize("action", ACTIONS)
def test_what_is_not_there_is_not_found_and_a_button_is_no_link(console, destination, action):
    assert console.post(reverse(f"destination-{action}", args=[destination.pk + 1])).status_code == 404
    assert console.get(reverse(f"destination-{action}", args=[destination.pk])).status_code == 405


@pytest.mark.parametrize("hostile", ["<script>alert(1)</script>", '"><svg onload=alert(1)>', "</textarea><img src=x>"])
def test_names_channels_and_addresses_are_text_and_nothing_else(console, hostile):
    builders.destination(hostile, url=f"https://x.example/{hostile}", channels=[hostile])

    pages = [console.get(PAGE), console.post(ADD, {"name": hostile, "url": hostile, "channels": hostile})]

    for page in pages:
        assert not [bad for bad in ("<script>alert", "<svg onload", "<img") if bad in page.text]
