"""One customer across conversations: what was said where, and where it differs."""

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django.asserts import assertContains, assertNotContains

from console.customer_address import customer_address
from drafts.models import Conversation
from tests import builders
from tests.web.conftest import signed_in
from tests.web.test_hostile_text import CORPUS, is_inert

QUERIES = 14
LATER = "An unused lamp can be returned within 30 days of receipt."
ODD = ("a/b", "/a", "a/", "a//b", "..", ".", "../x", "a/../b", "%2e%2e", "a b", "ä?#&=%", "a\\b", "x" * 200, "{{ x }}")


def answered(agent, customer, text=builders.CLEAN, **fields):
    item = builders.item(text, customer=customer, **fields)
    outcome = builders.approve(item, agent)
    assert not getattr(outcome, "blockers", ()), outcome.blockers
    return item.conversation


def test_every_conversation_and_what_was_said_in_it_stand_on_one_page(console, policy, agent):
    first, second = answered(agent, "ana-1"), answered(agent, "ana-1")
    other = answered(agent, "someone-else")

    response = console.get(customer_address("ana-1"))

    for one in (first, second):
        assertContains(response, reverse("conversation-ledger", args=[one.pk]) + "#entry-1")
    assertContains(response, "2 conversations")
    assertContains(response, "the answers that count now agree")
    assertContains(response, "within 14 days, counted from receipt")
    assertNotContains(response, other.external_id)


def test_answers_that_differ_are_told_loudly(console, policy, agent, owner):
    answered(agent, "ana-1")
    builders.version(by=owner, status="retired")
    builders.version(by=owner, name="RET-2", passage=LATER)
    answered(agent, "ana-1", f"Hello Ana,\n\n{LATER}\n\nThe lamp shop")

    response = console.get(customer_address("ana-1"))

    assertContains(response, "This customer holds different answers to the same question")
    assertContains(response, "2 answers that state different values")
    assertContains(response, "Answer 2 of 2")
    assertContains(response, "within 30 days, counted from receipt")


@pytest.mark.parametrize("customer", ODD)
def test_an_id_may_be_any_text(agent, policy, customer):
    conversation = answered(agent, customer)
    client = signed_in(agent)

    page = client.get(reverse("conversation", args=[conversation.pk]))
    response = client.get(customer_address(customer))
    found = client.get(reverse("customers"), {"id": customer}, follow=True)

    assertContains(page, customer_address(customer).replace("&", "&amp;"))
    for shown in (response, found):
        assertContains(shown, reverse("conversation", args=[conversation.pk]))


@pytest.mark.parametrize("customer", ["nobody", "x\x00y", "a/b/c", "<script>alert(1)</script>"])
def test_a_customer_whom_nobody_knows_is_not_found(console, db, customer):
    response = console.get(reverse("customers"), {"id": customer}, follow=True)

    assertContains(response, "No such customer", status_code=404)
    assert is_inert(response)


def test_without_an_id_one_can_be_looked_up(console, db):
    assertContains(console.get(reverse("customers")), "The customer's whole id", html=False)


def test_a_customer_who_was_promised_nothing(console, policy):
    builders.item(customer="ana-2")

    assertContains(console.get(customer_address("ana-2")), "Nothing was promised")


def test_many_conversations_are_listed_in_parts_in_a_bounded_number_of_queries(
    console, policy, agent, django_assert_max_num_queries, monkeypatch
):
    now = answered(agent, "big").created_at
    Conversation.objects.bulk_create(
        Conversation(external_id=builders.unique("bulk"), customer_id="big", created_at=now) for _ in range(70)
    )

    with django_assert_max_num_queries(QUERIES):
        first = console.get(customer_address("big"))
    second = console.get(customer_address("big"), {"page": "2"})

    assert first.text.count("channel not known") == 30
    assert second.text.count("channel not known") == 30
    monkeypatch.setattr("drafts.queries.customers.MOST", 20)
    assertContains(console.get(customer_address("big")), "there are older ones")


@pytest.mark.parametrize("url", ["/customers/", "/customers/ana-1/"])
def test_strangers_and_people_without_a_role_see_nothing(client, django_user_model, policy, url):
    builders.item(customer="ana-1")
    nobody = signed_in(django_user_model.objects.create_user("nobody-yet", password="x"))

    assert client.get(url).status_code == 302
    assert nobody.get(url).status_code == 403
    assert Client().post(url).status_code == 401


def test_lists_and_items_lead_to_the_customer(console, policy):
    item = builders.item(customer="ana-1")

    for url in (reverse("conversations"), reverse("review", args=[item.pk])):
        assertContains(console.get(url), customer_address("ana-1"))


@pytest.mark.parametrize("hostile", CORPUS)
def test_hostile_text_is_inert(console, policy, agent, hostile):
    answered(agent, f"{hostile} x", conversation=builders.unique(hostile))

    assert is_inert(console.get(customer_address(f"{hostile} x")))
