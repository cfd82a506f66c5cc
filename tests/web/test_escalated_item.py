"""After an item was handed on: an agent reads who did and why, a policy owner works on it."""

import pytest
from django.urls import reverse
from pytest_django.asserts import assertContains, assertNotContains

from tests import builders
from tests.web.conftest import ACTIONS, press, signed_in, worked

SENTENCE = "Handed to a policy owner by Ada Moreau because “Which one holds?”."
FOR_OTHERS = "A policy owner decides it."
FORM = 'id="desk"'


@pytest.fixture
def escalated(console, policy):
    item = builders.item()
    press(console, item, "escalate", reason__escalate="Which one holds?")
    item.refresh_from_db()
    return item


def page_of(item, client):
    return client.get(reverse("review", args=[item.pk]))


def test_an_agent_reads_who_handed_it_on_and_why_and_has_no_forms(console, escalated):
    page = page_of(escalated, console)

    assertContains(page, SENTENCE)
    assertContains(page, FOR_OTHERS)
    assertNotContains(page, FORM)


def test_escalating_leads_on_to_the_next_item_that_an_agent_can_decide(console, escalated, headers):
    mine, following = builders.item(), builders.item()

    response = press(console, mine, "escalate", reason__escalate="Which one holds?", headers=headers)

    assert worked(response, headers)
    shown = response if headers else console.get(response.url)
    assertContains(shown, "The item was escalated to a policy owner.")
    assertContains(shown, SENTENCE)
    assertContains(shown, "Next waiting item", count=1)
    assertContains(shown, reverse("review", args=[following.pk]))
    assertNotContains(shown, FORM)


def test_where_nothing_else_waits_no_next_item_is_offered(console, escalated):
    assertNotContains(page_of(escalated, console), "Next waiting item")


def test_a_policy_owner_reads_why_and_has_the_forms(people, escalated):
    page = page_of(escalated, signed_in(people["owner"]))

    assertContains(page, SENTENCE)
    assertContains(page, FORM)
    assertNotContains(page, FOR_OTHERS)


@pytest.mark.parametrize("action", [a for a in ACTIONS if a != "release"])
def test_what_an_agent_does_to_it_changes_nothing_and_loses_no_words(console, escalated, action, headers):
    fields = {"question": "none", "insertion": builders.PASSAGE, "new_answer": "x", "owner": "agent"}
    reasons = {"reason__send_back": "x", "reason__escalate": "x", "reason__correct": "x"}
    settled = {"dismiss": "language_not_checked::", "reason__language_not_checked::": "Read it."}

    response = press(console, escalated, action, text="My own words.", headers=headers, **fields, **reasons, **settled)

    assertContains(response, "A policy owner decides this item", status_code=409)
    assertContains(response, "My own words.", status_code=409)
    escalated.refresh_from_db()
    assert (escalated.state, escalated.version, escalated.holder) == ("escalated", 1, None)


def test_a_reason_is_shown_to_the_letter_and_runs_nothing(console, policy):
    item = builders.item()
    press(console, item, "escalate", reason__escalate="<b>Which\u202e</b>")

    page = page_of(item, console)

    assertContains(page, 'because “&lt;b&gt;Which<span class="chip">')
    assertNotContains(page, "<b>Which")
