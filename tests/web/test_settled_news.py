"""What open pages hear when a conflict is settled meanwhile."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone
from pytest_django.asserts import assertContains

from drafts.services import updates
from ledger import queries as ledger
from ledger.services.settling import Settlement
from tests import builders
from tests.web.conftest import HTMX


@pytest.fixture
def held(policy, owner):
    """A draft that waits for a conflict."""
    builders.version(by=owner, doc_id="leaflet", name="LEAF-1", passage="Within 30 days.")
    return builders.item()


def settle(owner):
    (found,) = ledger.conflicts(state="open")
    updates.resolve_conflict(
        conflict_id=found.id, wanted=Settlement("RET-1", ["LEAF-1"], "It ran out."), actor=owner, now=timezone.now(),
        calendar=builders.calendar(),
    )  # fmt: skip


def item_news(client, item, headers=HTMX):
    return client.get(reverse("review-news", args=[item.pk]), headers=headers)


def queue_news(client, since, headers=HTMX):
    return client.get(reverse("queue-news"), {"since": since}, headers=headers)


def test_a_page_listens_only_while_its_item_waits_for_a_conflict(console, held, owner):
    news = f'hx-get="{reverse("review-news", args=[held.pk])}"'

    assertContains(console.get(reverse("review", args=[held.pk])), news)
    settle(owner)
    assert news not in console.get(reverse("review", args=[held.pk])).text


def test_an_item_hears_that_its_conflict_is_settled_by_whom_and_how(console, held, owner):
    assert item_news(console, held).status_code == 204

    settle(owner)
    response = item_news(console, held)

    assertContains(response, "<strong><bdi>RET-1</bdi></strong> answers from now on")
    assertContains(response, owner.get_full_name())
    assert response["HX-Trigger-After-Swap"] == "released"
    assert "<html" not in response.text


def test_the_history_of_the_item_tells_it(console, held, owner):
    settle(owner)

    page = console.get(reverse("review", args=[held.pk]))

    assertContains(page, "The conflict between its sources was settled: RET-1 answers.")


def test_a_decided_item_hears_nothing(console, held, owner, agent):
    settle(owner)
    held.refresh_from_db()
    builders.approve(held, agent)

    assert item_news(console, held).status_code == 204


def test_the_queue_hears_what_ended_since_it_was_shown(console, held, owner):
    shown = timezone.now() - timedelta(seconds=1)
    assert queue_news(console, shown.isoformat()).status_code == 204

    settle(owner)
    response = queue_news(console, shown.isoformat())

    assertContains(response, "<strong><bdi>RET-1</bdi></strong> answers")
    assertContains(response, "Show its 1 open draft")
    assert queue_news(console, timezone.now().isoformat()).status_code == 204


@pytest.mark.parametrize("since", ["", "yesterday", "2026-11-30T09:00:00", "9999-99-99"])
def test_a_time_that_is_not_understood_tells_nothing(console, held, owner, since):
    settle(owner)

    assert queue_news(console, since).status_code == 204


def test_without_htmx_the_pages_themselves_are_shown(console, held):
    assert item_news(console, held, headers={}).url == reverse("review", args=[held.pk])
    assert queue_news(console, "", headers={}).url == reverse("queue")
