"""Finding a conversation by its own id or its customer's."""

import re

import pytest
from django.urls import reverse
from django.utils import timezone
from pytest_django.asserts import assertContains

from drafts.models import Conversation, Message
from drafts.services import updates
from tests import builders
from tests.web.conftest import signed_in

QUERIES = 7
LIST = "/conversations/"


def shown(response):
    return re.findall(r'<h2><a href="/conversations/\d+/"><bdi>(.*?)</bdi>', response.text)


def link(response, rel):
    return re.search(rf'<a href="([^"]+)" rel="{rel}"', response.text).group(1).replace("&amp;", "&")


def many(number, prefix="bulk"):
    """Store many conversations with two messages each, the last one stored being the newest."""
    now = timezone.now()
    made = Conversation.objects.bulk_create(
        Conversation(external_id=f"{prefix}-{n:04}", customer_id=f"client-{n % 7}", created_at=now)
        for n in range(number)
    )
    for ordinal in (1, 2):
        Message.objects.bulk_create(
            Message(
                conversation=one,
                external_id=f"m{ordinal}",
                ordinal=ordinal,
                role="customer",
                text=f"turn {ordinal}",
                received_at=now,
            )
            for one in made
        )
    return [one.external_id for one in made]


def test_the_one_in_which_something_happened_last_stands_first(console, policy):
    first, second = builders.item().conversation, builders.item().conversation
    assert shown(console.get(LIST)) == [second.external_id, first.external_id]

    updates.tell_message(
        conversation_id=first.external_id,
        message=builders.message("One more thing."),
        now=timezone.now(),
        calendar=builders.calendar(),
    )

    response = console.get(LIST)
    assert shown(response) == [first.external_id, second.external_id]
    assertContains(response, "One more thing.")


def test_a_row_tells_customer_channel_and_items(console, policy):
    item = builders.item()
    builders.many(2, like=item)

    response = console.get(LIST)

    assertContains(response, reverse("conversation", args=[item.conversation.pk]))
    for wanted in ("customer-1", builders.CHANNEL, builders.QUESTION, "3, <strong>3 waiting</strong>"):
        assertContains(response, wanted)


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        pytest.param("bulk-0003", {"bulk-0003"}, id="exact"),
        pytest.param("bulk-000", {f"bulk-000{n}" for n in range(10)}, id="prefix"),
        pytest.param("client-3", {"bulk-0003", "bulk-0010"}, id="customer"),
        pytest.param("  bulk-0003 ", {"bulk-0003"}, id="spaces-around"),
        pytest.param("ulk", set(), id="not-from-the-middle"),
        pytest.param("%", set(), id="a-wildcard-is-a-letter"),
        pytest.param("bulk_0", set(), id="an-underscore-is-a-letter"),
    ],
)
def test_a_conversation_is_found_by_how_its_id_begins(console, db, wanted, expected):
    many(12)

    assert set(shown(console.get(LIST, {"q": wanted}))) == expected


@pytest.mark.parametrize("hostile", ["x\x00y", "\\", "'; --", "<script>", "\u202e", "x" * 5000])
def test_any_search_is_safe(console, policy, hostile):
    builders.item()

    assert console.get(LIST, {"q": hostile}).status_code == 200


def test_pages_lead_on_and_keep_the_search(console, db):
    names = many(120)

    first = console.get(LIST, {"q": "bulk"})
    second = console.get(LIST + link(first, "next"))
    third = console.get(LIST + link(second, "next"))

    assert [len(shown(page)) for page in (first, second, third)] == [50, 50, 20]
    assert [*shown(first), *shown(second), *shown(third)] == names[::-1]
    assert 'rel="next"' not in third.text
    assertContains(third, 'href="/conversations/?q=bulk">← The newest')


@pytest.mark.parametrize("place", ["x", "-1", "9" * 40, "\x00", "²"])
def test_a_place_that_is_not_understood_is_the_beginning(console, policy, place):
    item = builders.item()

    assert shown(console.get(LIST, {"before": place})) == [item.conversation.external_id]


def test_empty_states(console, policy):
    assertContains(console.get(LIST), "No conversation yet")

    builders.item()

    assertContains(console.get(LIST, {"q": "nothing-like-it"}), "Nothing found")
    assertContains(console.get(LIST, {"before": "1"}), "No older ones")


def test_a_page_takes_as_many_queries_for_many_as_for_one(console, db, django_assert_max_num_queries):
    many(120)

    with django_assert_max_num_queries(QUERIES):
        console.get(LIST)


@pytest.mark.parametrize("role", ["agent", "owner", "manager", "admin"])
def test_whoever_has_a_role_may_look(people, policy, role):
    item = builders.item()

    assert shown(signed_in(people[role]).get(LIST)) == [item.conversation.external_id]


def test_whoever_has_no_role_is_refused(django_user_model, policy):
    client = signed_in(django_user_model.objects.create_user("nobody-yet", password="x"))

    assertContains(client.get(LIST), "no role yet", status_code=403)


def test_the_list_is_read_and_never_posted_to(console, db):
    assert console.post(LIST).status_code == 405
