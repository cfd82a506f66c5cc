"""After the decision: when the reply leaves, undoing it, what came back and why."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone
from pytest_django.asserts import assertContains, assertNotContains

from drafts.decisions.delivering import DeliveryState
from drafts.models import Delivery, Destination
from drafts.services import sending
from tests import builders
from tests.web.conftest import HTMX, press, signed_in, worked


@pytest.fixture
def destination(db):
    return Destination.objects.create(
        name="helpdesk",
        url="https://helpdesk.example/in",
        secret="whsec_c2VjcmV0c2VjcmV0c2VjcmV0",
        created_at=timezone.now(),
    )


@pytest.fixture
def decided(policy, destination, agent):
    item = builders.item()
    builders.approve(item, agent)
    item.refresh_from_db()
    return item


def opened(client, item):
    return client.get(reverse("review", args=[item.pk]))


def delivery_of(item, seen="", headers=HTMX):
    return reverse("review-delivery", args=[item.pk]) + f"?seen={seen}", headers


def undo(client, item, headers=None):
    return client.post(reverse("review-undo", args=[item.pk]), headers=headers or {})


def test_the_page_says_when_the_reply_leaves_and_offers_to_undo(console, decided):
    response = opened(console, decided)

    leaves = timezone.localtime(decided.decision.delivery.due_at)
    assertContains(response, "waiting to leave")
    assertContains(response, f"{leaves:%H:%M:%S}")
    assertContains(response, ">Undo</button>")
    assertContains(response, 'hx-trigger="every 3s"')


def test_undoing_opens_the_item_again_for_whoever_undid_it(console, decided, agent, headers):
    response = undo(console, decided, headers)

    assert worked(response, headers)
    decided.refresh_from_db()
    assert (decided.state, decided.holder, decided.decision) == ("pending", agent, None)
    page = opened(console, decided)
    assertContains(page, "<bdi>Ada Moreau</bdi> took this reply back before it left")
    assertContains(page, "Ada Moreau undid the decision before its reply left.")
    assertContains(page, "Approve as it is")


def test_a_second_press_is_told_that_there_is_nothing_to_undo(console, decided, headers):
    undo(console, decided)

    response = undo(console, decided, headers)

    assertContains(response, "This can no longer be undone", status_code=409)
    assertContains(response, "not decided", status_code=409)


def test_only_who_decided_is_offered_to_undo(decided, agent2):
    client = signed_in(agent2)

    assertNotContains(opened(client, decided), ">Undo</button>")
    assertContains(undo(client, decided), "This can no longer be undone", status_code=409)


def test_after_the_grace_nothing_is_undone(console, decided):
    past = timezone.now() - timedelta(seconds=1)
    Delivery.objects.filter(decision=decided.decision).update(undo_until=past)

    assertNotContains(opened(console, decided), ">Undo</button>")
    assertContains(undo(console, decided), "The time to undo this is over", status_code=409)


def test_a_draft_that_was_sent_back_can_be_undone_too(console, policy):
    item = builders.item()
    press(console, item, "send-back", reason__send_back="Not usable.")

    assertContains(opened(console, item), "With this decision nothing leaves.")
    assertContains(opened(console, item), ">Undo</button>")
    undo(console, item)

    item.refresh_from_db()
    assert item.state == "pending"


@pytest.mark.parametrize("state", list(DeliveryState))
def test_every_state_is_told_in_words(console, decided, state):
    delivery = Delivery.objects.get(decision=decided.decision)
    delivery.state = state
    delivery.due_at = delivery.due_at if state in {"scheduled", "retrying", "unknown"} else None
    delivery.leased_until = timezone.now() if state == DeliveryState.SENDING else None
    delivery.delivered_at = timezone.now() if state == DeliveryState.SENT else None
    delivery.save()

    response = opened(console, decided)

    assertContains(response, reverse("delivery", args=[delivery.pk]))
    moving = state in {"scheduled", "sending", "retrying", "unknown"}
    assert ('hx-trigger="every' in response.text) is moving


def test_a_page_that_asks_again_is_told_only_what_is_new(console, decided):
    url, headers = delivery_of(decided, "scheduled-undo")
    assert console.get(url, headers=headers).status_code == 204

    url, headers = delivery_of(decided, "sending")
    response = console.get(url, headers=headers)

    assertContains(response, 'id="leaving"')
    assertNotContains(response, "<html")


def test_a_page_whose_item_came_back_is_loaded_anew(console, decided):
    undo(console, decided)
    url, headers = delivery_of(decided, "scheduled-undo")

    assert console.get(url, headers=headers)["HX-Refresh"] == "true"


def test_without_script_the_address_leads_to_the_item(console, decided):
    url, _ = delivery_of(decided)

    assert console.get(url).url == reverse("review", args=[decided.pk])


def test_asking_again_takes_few_queries(console, decided, django_assert_max_num_queries):
    url, headers = delivery_of(decided, "sending")

    with django_assert_max_num_queries(6):
        console.get(url, headers=headers)


def test_what_the_last_look_stopped_says_why(console, decided):
    conversation = decided.conversation
    conversation.messages.create(
        external_id=builders.unique("m"), ordinal=99, role="customer", text="Wait!", received_at=timezone.now()
    )
    later = timezone.now() + timedelta(minutes=1)
    sending.claim(decided.decision.delivery.pk, now=later, calendar=builders.calendar())

    response = opened(console, decided)

    assertContains(response, "This reply was stopped by the last look before sending, and came back")
    assertContains(response, "The reply was stopped before it left, and the item came back.")


@pytest.mark.parametrize(
    ("late", "told"),
    [
        pytest.param(timedelta(seconds=5), "leaves any moment", id="just-due"),
        pytest.param(timedelta(minutes=5), "due for 5 minutes, and no worker took it", id="overdue"),
    ],
)
def test_a_reply_whose_time_has_passed_is_not_told_to_leave_then(console, decided, late, told):
    due_at = timezone.now() - late
    Delivery.objects.filter(decision=decided.decision).update(due_at=due_at)

    response = opened(console, decided)

    assertNotContains(response, "It leaves at")
    assertContains(response, f"{timezone.localtime(due_at):%H:%M:%S}")
    assertContains(response, told)


def test_an_open_page_is_told_that_no_worker_takes_a_reply(console, decided):
    Delivery.objects.filter(decision=decided.decision).update(due_at=timezone.now() - timedelta(minutes=5))
    url, headers = delivery_of(decided, "scheduled-undo")

    assertContains(console.get(url, headers=headers), "no worker took it")


def test_what_may_be_said_is_dated_once_an_item_is_decided(console, decided, policy):
    assertContains(opened(console, decided), "What may be said, as it stood when this was decided")
    assertNotContains(opened(console, builders.item()), "as it stood when")
