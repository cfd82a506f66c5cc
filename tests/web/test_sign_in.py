import pytest
from django.test import Client
from django.urls import reverse
from pytest_django.asserts import assertContains, assertNotContains, assertRedirects

from console.management.commands.create_people import SAMPLE_PASSWORD

LOGIN = "/login"


def log_in(client, name="agent", password=SAMPLE_PASSWORD, **fields):
    return client.post(LOGIN, {"username": name, "password": password, **fields})


def test_a_page_leads_to_the_log_in_and_back(client, agent):
    asked = client.get("/?state=escalated")
    assertRedirects(asked, f"{LOGIN}?next=/%3Fstate%3Descalated")

    assertRedirects(log_in(client, next="/?state=escalated"), "/?state=escalated")


def test_an_action_after_the_session_ended_does_not_swap_the_log_in_for_what_was_typed():
    response = Client().post("/review/8b8a2f2e-0c1c-4a9e-8a39-1f1f0c6a1d11/save", headers={"HX-Request": "true"})

    assert response.status_code == 401
    assert not response.content


def test_the_header_names_who_is_signed_in(client, agent):
    log_in(client)

    assertContains(client.get("/"), "Ada Moreau")


@pytest.mark.parametrize(
    "elsewhere", ["https://example.org/", "//example.org/", "javascript:alert(1)", "/\\example.org", "https:/x"]
)
def test_next_leads_nowhere_else(client, agent, elsewhere):
    assertRedirects(log_in(client, next=elsewhere), "/")


@pytest.mark.parametrize(("name", "password"), [("agent", "wrong"), ("no-such-person", SAMPLE_PASSWORD), ("", "")])
def test_a_wrong_log_in_is_refused_without_telling_which_names_exist(client, agent, name, password):
    response = log_in(client, name, password)

    assert response.status_code == 200
    assertContains(response, "Log in")
    assertNotContains(response, "does not exist")


def test_a_disabled_person_reads_the_same_sentence(client, agent):
    agent.is_active = False
    agent.save()

    assertContains(log_in(client), "do not belong together")


def test_logging_out_ends_the_session_and_takes_a_post(client, agent):
    log_in(client)

    assert client.get("/logout").status_code == 405
    assertRedirects(client.post("/logout"), reverse("login"))
    assert client.get("/").status_code == 302


def test_a_disabled_person_is_out_at_the_next_request(client, agent):
    log_in(client)
    agent.is_active = False
    agent.save()

    assert client.get("/").status_code == 302


def test_logging_in_needs_the_protection_token(agent):
    response = log_in(Client(enforce_csrf_checks=True))

    assertContains(response, "The form was not accepted", status_code=403)


def test_whoever_is_signed_in_needs_no_log_in(client, agent):
    log_in(client)

    assertRedirects(client.get(LOGIN), "/")
