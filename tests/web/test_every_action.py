"""What holds for every button of the review page, whichever it is."""

import uuid

import pytest
from django.urls import reverse
from pytest_django.asserts import assertContains

from drafts.services import holding
from tests import builders
from tests.web.conftest import ACTIONS, is_whole_page, press, signed_in

OWN_WORDS = "Hello Ana,\n\nthese are my own words, typed for an hour."
EVERY_ACTION = pytest.mark.parametrize("action", ACTIONS)
CHANGING = pytest.mark.parametrize("action", [a for a in ACTIONS if a != "release"])

# What each button needs beside the text, so that nothing but the tested obstacle stands in its way.
FILLED = {
    "send-back": {"reason__send_back": "Not usable."},
    "escalate": {"reason__escalate": "Please settle."},
    "correct": {"new_answer": "Within 14 days.", "reason__correct": "Wrong before.", "owner": "agent"},
    "question": {"question": "none"},
    "settle": {"dismiss": "language_not_checked::", "reason__language_not_checked::": "Read it."},
    "insert": {"insertion": builders.PASSAGE},
    "mend": {"mend": "sentence:0:5"},
}


def press_filled(client, item, action, **given):
    return press(client, item, action, **{**FILLED.get(action, {}), **given})


@EVERY_ACTION
def test_a_button_is_no_link(console, policy, action):
    item = builders.item()

    response = console.get(reverse(f"review-{action}", args=[item.pk]))

    assert response.status_code == 405


@EVERY_ACTION
@pytest.mark.parametrize("role", ["manager", "admin"])
def test_managers_and_administrators_may_not(people, policy, action, role):
    item = builders.item()

    response = press_filled(signed_in(people[role]), item, action)

    assertContains(response, "Deciding is for support agents and policy owners.", status_code=403)
    item.refresh_from_db()
    assert (item.state, item.holder, item.version) == ("pending", None, 1)


@EVERY_ACTION
def test_whoever_is_not_signed_in_is_told_so_and_changes_nothing(client, policy, action):
    item = builders.item()

    response = press_filled(client, item, action)

    assertContains(response, "You are logged out", status_code=401)
    item.refresh_from_db()
    assert (item.state, item.holder, item.version) == ("pending", None, 1)


@EVERY_ACTION
def test_what_is_not_there_is_not_found(console, policy, action):
    response = console.post(reverse(f"review-{action}", args=[uuid.uuid4()]), {"text": "x"})

    assertContains(response, "Not found", status_code=404)


@CHANGING
def test_what_a_colleague_has_taken_stays_theirs_and_the_text_is_kept(console, policy, agent2, action, headers):
    item = builders.item()
    holding.take(item_id=item.pk, actor=agent2)

    response = press_filled(console, item, action, text=OWN_WORDS, headers=headers)

    assertContains(response, "Ben Okafor", status_code=409)
    assertContains(response, "these are my own words", status_code=409)
    assert is_whole_page(response) is not bool(headers)
    item.refresh_from_db()
    assert (item.state, item.version, item.holder) == ("pending", 1, agent2)


@CHANGING
def test_what_is_decided_stays_decided_and_the_text_is_kept(console, policy, agent2, action, headers):
    item = builders.item()
    builders.approve(item, agent2)

    response = press_filled(console, item, action, text=OWN_WORDS, headers=headers)

    assertContains(response, "these are my own words", status_code=409)
    assertContains(response, "Ben Okafor approved the text as it stood", status_code=409)
    item.refresh_from_db()
    assert (item.state, item.decided_by) == ("approved", agent2)


@pytest.mark.parametrize("action", ["save", "insert", "approve", "escalate", "send-back", "correct"])
def test_a_text_that_moved_on_is_not_overwritten(console, policy, agent, action, headers):
    item = builders.item()
    press(signed_in(agent), item, "save", text="Hello Ana, somebody else's words.")

    response = press_filled(console, item, action, text=OWN_WORDS, headers=headers)

    assertContains(response, "moved on to version 2", status_code=409)
    assertContains(response, "these are my own words", status_code=409)
    item.refresh_from_db()
    assert (item.state, item.version) == ("pending", 2)


@EVERY_ACTION
def test_a_form_of_another_session_is_refused_in_plain_words(agent, policy, action):
    item = builders.item()
    client = signed_in(agent)
    client.handler.enforce_csrf_checks = True

    response = press_filled(client, item, action, text=OWN_WORDS)

    assertContains(response, "The form was not accepted", status_code=403)
    assertContains(response, "these are my own words", status_code=403)


@EVERY_ACTION
def test_a_text_that_cannot_be_stored_is_refused_and_shown_again(console, policy, action, headers):
    item = builders.item()

    response = press_filled(console, item, action, text="x" * 65_600, headers=headers)

    assertContains(response, "Shorten it", status_code=422)
    assertContains(response, "x" * 65_600, status_code=422)
