"""Whatever was typed survives a session that ended and a form that is older than the log-in."""

import html
import re

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from pytest_django.asserts import assertContains, assertNotContains

from console.management.commands.create_people import SAMPLE_PASSWORD
from ledger.models import PolicyVersion
from tests import builders
from tests.web.conftest import HTMX

FROM_HERE = {"Origin": "http://testserver"}
HOSTILE = '</textarea><script>alert(1)</script> "quoted" \u202eתודה\u200b'
FIELD = re.compile(r'<(?:input type="(?:hidden|text)"|textarea)[^>]*? name="([^"]*)"(?: value="([^"]*)")?')
AREA = re.compile(r'<textarea[^>]* name="([^"]*)"[^>]*>\n(.*?)</textarea>', re.DOTALL)
NEW = "/policies/new"


@pytest.fixture
def strict():
    """A browser whose forms need the protection token."""
    return Client(enforce_csrf_checks=True)


def log_in(client, name):
    token = page_token(client.get("/login").text)
    client.post("/login", {"username": name, "password": SAMPLE_PASSWORD, "csrfmiddlewaretoken": token})


def page_token(page):
    return re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', page)[1]


def form_of(page):
    """What a browser would send from the page that kept a form."""
    main = page[page.index("<main") :]
    sent = {html.unescape(name): html.unescape(value) for name, value in FIELD.findall(main)}
    return sent | {html.unescape(name): html.unescape(value) for name, value in AREA.findall(main)}


def typed(**fields):
    return {
        "doc_id": builders.unique("kept"),
        "version": "K-1",
        "title": "Lamps in winter",
        "body": "The first line.\nThe second line.",
        "kind": "own_policy",
        "deciding_date": "received_on",
        "channels": builders.CHANNEL,
        "effective_from": "2026-01-01",
        "seen": "",
        "rows": "1",
        "step": "save",
        **fields,
    }


@pytest.mark.parametrize("path", [NEW, "/conversations/1/correct/returns::return_window", "/drift/own-past"])
def test_a_form_that_arrives_after_the_session_ended_is_shown_whole(client, db, path):
    sent = typed(body=HOSTILE)

    response = client.post(path, sent)

    assertContains(response, "You are logged out", status_code=401)
    assertContains(response, "Log in (opens in a new tab)", status_code=401)
    assertContains(response, f'action="{path}"', status_code=401)
    kept = form_of(response.text)
    assert {name: kept[name] for name in sent} == sent
    assert response["Cache-Control"] == "no-store"


def test_hostile_text_is_text(client, db):
    response = client.post(NEW, {"body": HOSTILE, "<script>alert(2)</script>": "a\u200b", "\u202ename": "x"})

    assertNotContains(response, "<script>alert", status_code=401)
    assertNotContains(response, "</textarea><", status_code=401)
    assertContains(response, 'class="chip"', status_code=401)


def test_a_text_as_long_as_any_form_takes_is_kept_to_the_letter(client, db):
    text = "Zeile für Zeile, ein Satz.\n" * 9_000

    assert form_of(client.post(NEW, {"body": text}).text)["body"] == text


def test_what_nobody_typed_is_sent_again_and_not_shown(client, db):
    page = client.post(NEW, {"seen": "abc", "step": "save", "title": "  "}).text

    assert page.count('type="hidden" name="') == 4
    assert "What you had typed" not in page


def test_every_value_of_a_name_is_kept(client, db):
    page = client.post(NEW, {"channels": ["email", "phone"]}).text

    assert [value for name, value in FIELD.findall(page) if name == "channels"] == ["email", "phone"]


def test_the_text_survives_until_it_is_saved(strict, people):
    log_in(strict, "owner")
    stale, sent = page_token(strict.get(NEW).text), typed()
    strict.post("/logout", {"csrfmiddlewaretoken": stale})

    gone = strict.post(NEW, {**sent, "csrfmiddlewaretoken": stale}, headers=FROM_HERE)
    log_in(strict, "owner")
    again = strict.post(NEW, form_of(gone.text), headers=FROM_HERE)
    assertContains(again, "The form was not accepted", status_code=403)
    assert not PolicyVersion.objects.filter(document=sent["doc_id"]).exists()
    saved = strict.post(NEW, form_of(again.text), headers=FROM_HERE)

    assert (gone.status_code, saved.status_code) == (401, 302)
    assert PolicyVersion.objects.get(document=sent["doc_id"]).body == sent["body"]


def test_a_form_older_than_the_log_in_is_kept_and_can_be_sent_again(strict, people):
    log_in(strict, "owner")
    stale, sent = page_token(strict.get(NEW).text), typed()
    log_in_anew(strict, stale)

    refused = strict.post(NEW, {**sent, "csrfmiddlewaretoken": stale}, headers=FROM_HERE)

    assertContains(refused, "the form is older than your log-in", status_code=403)
    assert not PolicyVersion.objects.filter(document=sent["doc_id"]).exists()
    assert strict.post(NEW, form_of(refused.text), headers=FROM_HERE).status_code == 302


def log_in_anew(client, token):
    client.post("/logout", {"csrfmiddlewaretoken": token})
    log_in(client, "owner")


@pytest.mark.parametrize(
    "headers",
    [{}, {"Origin": "https://evil.example"}, {"Origin": "null"}, {"Sec-Fetch-Site": "cross-site"}],
    ids=["unknown", "elsewhere", "opaque", "cross-site"],
)
def test_what_may_come_from_elsewhere_is_shown_without_a_button(strict, people, headers):
    log_in(strict, "owner")

    refused = strict.post(NEW, typed(), headers=headers)

    assertContains(refused, "The first line.", status_code=403)
    assertNotContains(refused, "Send it again", status_code=403)
    assertNotContains(refused, f'action="{NEW}"', status_code=403)


def test_the_log_in_never_shows_what_was_typed_into_it(strict, people):
    refused = strict.post("/login", {"username": "owner", "password": SAMPLE_PASSWORD}, headers=FROM_HERE)

    assertContains(refused, "The form was not accepted", status_code=403)
    assertNotContains(refused, SAMPLE_PASSWORD, status_code=403)
    assertNotContains(refused, "Send it again", status_code=403)


def test_a_password_is_never_shown(client, db):
    assertNotContains(client.post(NEW, {"password": "hidden-words"}), "hidden-words", status_code=401)


def test_a_file_is_named_and_must_be_chosen_again(client, db):
    file = SimpleUploadedFile("past<b>.csv", b"a,b")

    response = client.post(
        "/drift/file", {"file": file, "note": "spring"}, headers={"Referer": "http://testserver/drift/?x=1"}
    )

    assertContains(response, "past&lt;b&gt;.csv", status_code=401)
    assertContains(response, 'value="spring"', status_code=401)
    assertContains(response, 'href="/drift/?x=1"', status_code=401)
    assertNotContains(response, "Send it again", status_code=401)


@pytest.mark.parametrize(
    "referer",
    ["https://evil.example/", "http://testserver//evil.example/", "javascript:alert(1)", "", "//evil.example"],
)
def test_no_link_leads_elsewhere(client, db, referer):
    response = client.post(NEW, typed(), headers={"Referer": referer})

    assertNotContains(response, "Open the page of the form", status_code=401)
    assertNotContains(response, "evil", status_code=401)


def test_an_address_that_looks_like_another_site_stays_on_this_one(client, db):
    page = client.post(f"{NEW}?next=//evil.example", typed()).text

    assert 'action="/policies/new?next=//evil.example"' in page


def test_htmx_is_refused_as_before(strict, people):
    assert strict.post(NEW, typed(), headers={**HTMX, **FROM_HERE}).status_code == 403
    out = Client().post(NEW, typed(), headers=HTMX)

    assert (out.status_code, out.content) == (401, b"")


def test_whoever_may_not_do_it_keeps_the_text_too(console):
    response = console.post(NEW, typed())

    assertContains(response, "You may not do this", status_code=403)
    assertContains(response, "The first line.", status_code=403)
    assertNotContains(response, "Send it again", status_code=403)


def test_an_address_that_leads_nowhere_reads_no_form(console):
    response = console.post("/nowhere", {"text": "x" * 400_000})

    assertContains(response, "Not found", status_code=404)
