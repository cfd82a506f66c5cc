import uuid

import pytest
from django.test import Client, RequestFactory
from django.urls import reverse
from pytest_django.asserts import assertContains

from console.views import errors, queue
from tests import builders

POLICY = (
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
)


def test_what_is_not_there_is_told_in_the_look_of_the_product(console, db):
    response = console.get(f"/review/{uuid.uuid4()}/")

    assertContains(response, "Go to the queue", status_code=404)
    assertContains(response, "console.css", status_code=404)


def test_an_address_that_leads_nowhere_is_not_found(console, db):
    assertContains(console.get("/review/not-a-uuid/"), "Not found", status_code=404)


def test_a_fault_of_ours_shows_no_trace_and_needs_no_database(people, monkeypatch):
    def broken(*_args, **_kwargs):
        raise RuntimeError("secret detail")

    client = Client(raise_request_exception=False)
    client.force_login(people["agent"])
    monkeypatch.setattr(queue, "page_of", broken)

    response = client.get("/")

    assertContains(response, "Something failed", status_code=500)
    assert "secret detail" not in response.text


def test_the_page_for_a_fault_is_built_from_nothing():
    assert errors.failed(RequestFactory().get("/")).status_code == 500


@pytest.mark.parametrize("path", ["/", "/login", "/nowhere"])
def test_every_page_forbids_what_it_does_not_need(console, client, agent, path):
    response = (client if path == "/login" else console).get(path)

    for rule in POLICY:
        assert rule in response["Content-Security-Policy"]
    assert response["X-Frame-Options"] == "DENY"
    assert "no-store" in response["Cache-Control"]


def test_no_page_holds_script_or_style_of_its_own(console, policy):
    item = builders.item(builders.UNBACKED)

    for url in ("/", reverse("review", args=[item.pk])):
        page = console.get(url).text
        assert "<style" not in page
        assert " style=" not in page
        assert "onclick" not in page
        assert page.count("<script") == page.count("<script src=")
