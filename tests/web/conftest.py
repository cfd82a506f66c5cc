"""What tests of pages share: people signed in, and one way to press a button of the review page."""

import pytest
from django.test import Client
from django.urls import reverse

from tests import builders

HTMX = {"HX-Request": "true"}
ACTIONS = (
    "save",
    "insert",
    "approve",
    "send-back",
    "escalate",
    "correct",
    "question",
    "settle",
    "confirm",
    "take",
    "release",
    "mend",
)


def signed_in(person):
    """A browser in which this person has logged in."""
    client = Client(raise_request_exception=True)
    client.force_login(person)
    return client


@pytest.fixture
def console(agent):
    """The agent's browser."""
    return signed_in(agent)


@pytest.fixture
def policy(owner):
    """The key and the one policy version that most items are answered from."""
    return builders.return_policy(owner)


@pytest.fixture(params=[False, True], ids=["plain", "htmx"])
def headers(request):
    """Every action is tried as a plain form and by htmx."""
    return HTMX if request.param else {}


def press(client, item, action, *, headers=None, text=None, **fields):
    """Press a button of the review page; the form carries what a browser would send."""
    data = {
        "text": builders.CLEAN if text is None else text,
        "seen_version": str(item.version),
        **{name.replace("__", "-"): value for name, value in fields.items()},
    }
    return client.post(reverse(f"review-{action}", args=[item.pk]), data, headers=headers or {})


def worked(response, headers):
    """Say whether an action succeeded: a fragment for htmx, a redirect back to the page without it."""
    if headers:
        return response.status_code == 200 and "<html" not in response.text
    return response.status_code == 302


def is_whole_page(response):
    """Say whether this is a page and no fragment."""
    return "<html" in response.text
