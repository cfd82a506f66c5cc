"""The registry of question keys on screen."""

import pytest
from django.urls import reverse
from django.utils import timezone
from pytest_django.asserts import assertContains, assertNotContains

from ledger.decisions.vocabulary import CommitmentClass, DocumentKind
from ledger.models import Conflict, QuestionKey
from tests import builders
from tests.web.conftest import signed_in
from tests.web.test_hostile_text import CORPUS, is_inert

ADJACENT = "return_window::spare_bulb"
QUERIES_OF_THE_LIST = 10
QUERIES_OF_A_KEY = 13


@pytest.fixture
def adjacent(policy, owner):
    """A neighbouring question with its boundary sentence."""
    return builders.key(
        ADJACENT, by=owner, question_canonical="How long can I return a spare bulb?", parent=builders.RETURN_KEY,
        boundary="A bulb goes back with its lamp.", examples=("Can the bulb go back?",), owner="owner",
    )  # fmt: skip


def listed(client, **query):
    return client.get(reverse("keys"), query)


def key(client, name=builders.RETURN_KEY):
    return client.get(reverse("key", args=[name]))


def many(number):
    """More keys that nothing answers."""
    QuestionKey.objects.bulk_create(
        QuestionKey(key=f"topic_{n:04}::x", question_canonical=f"Question {n}?", commitment_class="information",
                    changed_at=timezone.now())
        for n in range(number)
    )  # fmt: skip


def test_the_registry_is_listed(console, adjacent, owner):
    response = listed(console)

    for told in (
        "How long after receipt can an item be returned?", builders.RETURN_KEY, ADJACENT, "received_on",
        "A bulb goes back with its lamp.", "Binding: an answer is recorded and locked", owner.get_full_name(),
        "any policy owner", "1 document",
    ):  # fmt: skip
        assertContains(response, told)


def test_no_key_is_said_with_where_they_come_from(console, db):
    assertContains(listed(console), "No key is here yet")


def test_open_drafts_are_counted_up_to_a_bound(console, policy):
    builders.many(3, like=builders.item())
    assertContains(listed(console), "4 open drafts")
    assertContains(key(console), "4 open drafts")

    builders.many(120, like=builders.item())
    assertContains(listed(console), "more than 100 open drafts")


def test_a_key_shows_what_answers_it(console, policy):
    response = key(console)

    for told in ("Returns in the online store", "RET-1", builders.PASSAGE, "Own policy", "In force today",
                 reverse("policy", args=["returns"])):  # fmt: skip
        assertContains(response, told)


def test_key_page_preview_and_queue_count_the_same_drafts_and_the_queue_lists_them(console, adjacent, owner):
    builders.item(external_id="asks-first")
    builders.item(external_id="asks-its-neighbour", question=ADJACENT)
    builders.key("delivery_time::lamp", by=owner, question_canonical="How long does delivery take?")
    further = builders.item(external_id="asks-it-second", question="delivery_time::lamp")
    further.also_asked = [{"key": builders.RETURN_KEY, "by": "form", "score": None}]
    further.save()
    desk = signed_in(owner)
    told = {"state": "open", "key": builders.RETURN_KEY}

    assertContains(key(console), ">3 open drafts<")
    assertContains(listed(console), ">3 open drafts<")
    assertContains(desk.get(reverse("policy-end"), {"document": "returns", "version": "RET-1"}), ">3 open drafts<")
    response = desk.get(reverse("queue"), told)
    for name in ("asks-first", "asks-its-neighbour", "asks-it-second"):
        assertContains(response, name)


def test_an_adjacent_key_shows_its_boundary_and_the_passages_of_its_root(console, adjacent):
    response = key(console, ADJACENT)

    for told in (
        "A bulb goes back with its lamp.",
        "Can the bulb go back?",
        builders.PASSAGE,
        "to which this question",
    ):
        assertContains(response, told)
    assertContains(key(console), "Neighbouring questions that it answers")


def test_a_key_that_nothing_answers_says_so(console, owner):
    builders.key("gift_card::general", by=owner, commitment_class=CommitmentClass.INFORMATION)

    assertContains(key(console, "gift_card::general"), "No active document answers it")
    assertContains(listed(console), "no document")


def test_an_open_conflict_is_linked(console, policy, owner):
    builders.version(by=owner, doc_id="promo", name="PROMO-1", passage="Within 60 days.")
    builders.item()

    response = key(console)

    assertContains(response, reverse("conflict", args=[Conflict.objects.get(state="open").pk]))
    assertContains(response, "PROMO-1")
    assertContains(listed(console), "2 documents")


def test_a_third_partys_passage_is_shown_and_does_not_count(console, policy, owner):
    builders.version(by=owner, doc_id="sheet", name="S-1", kind=DocumentKind.THIRD_PARTY, passage="Within 60 days.")

    assertContains(key(console), "Third party; never answers for us")
    assertContains(listed(console), "1 document<")


def test_many_keys_are_shown_in_parts(console, policy, django_assert_max_num_queries):
    many(300)

    with django_assert_max_num_queries(QUERIES_OF_THE_LIST):
        first = listed(console)
    last = listed(console, page="7")

    assert (first.text.count('<li class="queue-row'), last.text.count('<li class="queue-row')) == (50, 1)
    assertContains(listed(console, page="8"), "No more keys")


def test_a_key_takes_a_fixed_number_of_queries(console, adjacent, owner, django_assert_max_num_queries):
    for n in range(12):
        builders.version(by=owner, doc_id=f"doc-{n}", name=f"V-{n}")

    with django_assert_max_num_queries(QUERIES_OF_A_KEY):
        key(console)


@pytest.mark.parametrize("name", ["nothing::here", "x", "a\x00b", "../x"])
def test_an_unknown_key_is_not_found(console, db, name):
    assert key(console, name).status_code == 404


@pytest.mark.parametrize("name", ["keys", "key"])
def test_keys_are_only_read(console, policy, name):
    assert console.post(reverse(name, args=[builders.RETURN_KEY] if name == "key" else [])).status_code == 405


def test_whoever_has_no_role_reads_no_key(django_user_model, policy):
    client = signed_in(django_user_model.objects.create_user("nobody-yet", password="x"))

    for response in (listed(client), key(client)):
        assertContains(response, "no role yet", status_code=403)


@pytest.mark.parametrize("hostile", CORPUS)
def test_hostile_text_in_every_field_is_inert(console, policy, owner, hostile):
    owner.first_name = hostile[:100]
    owner.save()
    builders.key(
        ADJACENT, by=owner, question_canonical=f"How? {hostile}", parent=builders.RETURN_KEY,
        boundary=f"Not so. {hostile}", examples=(hostile,), deciding_facts=(hostile,), owner="owner",
    )  # fmt: skip
    builders.named_before(f"d {hostile}", f"L {hostile}")
    builders.version(by=owner, doc_id=f"d {hostile}", name=f"L {hostile}", title=hostile, passage=f"30 days {hostile}")
    builders.item()

    assert is_inert(listed(console, page=hostile))
    assert is_inert(key(console))
    assert is_inert(key(console, ADJACENT))
    assertNotContains(key(console, ADJACENT), "<script>alert")
