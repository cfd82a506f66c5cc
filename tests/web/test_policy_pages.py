"""Policies on screen: what every version says, and which one was in force on a day."""

from datetime import date

import pytest
from django.urls import reverse
from pytest_django.asserts import assertContains, assertNotContains

from ledger.decisions.vocabulary import DocumentKind, Statement, VersionStatus
from ledger.models import Conflict, PolicyDocument, PolicyVersion
from tests import builders
from tests.web.conftest import signed_in
from tests.web.test_hostile_text import CORPUS, is_inert

QUERIES_OF_THE_LIST = 9
QUERIES_OF_A_DOCUMENT = 14


@pytest.fixture
def second(policy, owner):
    """The version that follows RET-1 in June."""
    return builders.version(
        by=owner, name="RET-2", passage="Within 30 days.", effective_from=date(2026, 6, 1), title="Returns, new"
    )


@pytest.fixture
def promotion(policy, owner):
    """Another document that answers the same question."""
    return builders.version(
        by=owner, doc_id="promo", name="PROMO-1", passage="Within 60 days.", kind=DocumentKind.PROMOTION, title="Promo"
    )


def listed(client, **query):
    return client.get(reverse("policies"), query)


def document(client, doc_id="returns", **query):
    return client.get(reverse("policy", args=[doc_id]), query)


def many(number):
    """More documents, each with one version."""
    made = PolicyDocument.objects.bulk_create(
        PolicyDocument(doc_id=f"manual-{n:04}", kind="own_policy", deciding_date="received_on")
        for n in range(1, number + 1)
    )
    PolicyVersion.objects.bulk_create(
        PolicyVersion(
            document=one, version="1", title=f"Manual {one.doc_id}", channels=["mail"],
            effective_from=date(2026, 1, 1), status=VersionStatus.DRAFT,
        )
        for one in made
    )  # fmt: skip


def test_every_document_is_listed_with_kind_deciding_date_and_channels(console, second, promotion):
    response = listed(console)

    for told in ("Returns, new", "Promo", "Own policy", "Promotion", "received_on", builders.CHANNEL):
        assertContains(response, told)


def test_no_policy_is_said_with_where_they_come_from(console, db):
    assertContains(listed(console), "No policy is here yet")
    assertContains(listed(console), "load_policies")


@pytest.mark.parametrize(
    ("day", "told"),
    [
        ("2025-12-31", "No version was in force"),
        ("2026-01-01", "<strong><bdi>RET-1</bdi></strong>"),
        ("2026-05-31", "<strong><bdi>RET-1</bdi></strong>"),
        ("2026-06-01", "<strong><bdi>RET-2</bdi></strong>"),
    ],
)
def test_the_version_in_force_on_a_day_is_shown(console, second, day, told):
    for response in (listed(console, on=day), document(console, on=day)):
        assertContains(response, told)


def test_a_channel_leaves_out_what_does_not_hold_on_it(console, second, owner):
    builders.version(by=owner, doc_id="shop", name="SHOP-1", channels=frozenset({"counter"}), title="In the shop")

    response = listed(console, channel="counter")

    assertContains(response, "In the shop")
    assertNotContains(response, "Returns, new")
    assertContains(document(console, channel="counter"), "No version was in force")
    assertContains(listed(console, channel="nowhere"), "Nothing matches")


@pytest.mark.parametrize("day", ["2026-02-30", "yesterday", "31.12.2026", "\x00"])
def test_what_is_no_day_is_said_so_beside_the_field(console, second, day):
    for response in (listed(console, on=day), document(console, on=day)):
        assertContains(response, "This is no day of the calendar")
        assertContains(response, "RET-2")


def test_a_document_shows_every_version_with_dates_status_and_passages(console, second, owner):
    builders.version(by=owner, name="RET-0", effective_from=date(2025, 1, 1), effective_until=date(2025, 6, 1),
                     status=VersionStatus.RETIRED, passage="Within 7 days.")  # fmt: skip

    response = document(console)

    for told in ("RET-0", "RET-1", "RET-2", "Retired", "Active", "Within 7 days.", builders.PASSAGE, "Within 30 days.",
                 "How long after receipt can an item be returned?", builders.RETURN_KEY, "1 Jun 2026",
                 "section <bdi>2</bdi>", owner.get_full_name()):  # fmt: skip
        assertContains(response, told)
    places = [response.text.index(f"<h3><bdi>{name}") for name in ("RET-2", "RET-1", "RET-0")]
    assert places == sorted(places)


def test_questions_that_another_document_answers_too_lead_to_the_conflict(console, policy, promotion):
    assertContains(document(console), "Also answered elsewhere")
    builders.item()
    conflict = Conflict.objects.get(state="open")

    for doc_id, other in (("returns", "promo"), ("promo", "returns")):
        response = document(console, doc_id)
        assertContains(response, reverse("conflict", args=[conflict.pk]))
        assertContains(response, reverse("policy", args=[other]))
    assertContains(listed(console), '<a href="/policies/returns/">1</a>')


def test_a_third_partys_sheet_competes_with_nothing(console, policy, owner):
    builders.version(by=owner, doc_id="sheet", name="S-1", kind=DocumentKind.THIRD_PARTY, passage="Within 60 days.")

    assertNotContains(document(console), "Also answered elsewhere")
    assertContains(document(console, "sheet"), "Third party; never answers for us")


def test_three_hundred_documents_are_shown_in_parts(console, policy, django_assert_max_num_queries):
    many(300)

    with django_assert_max_num_queries(QUERIES_OF_THE_LIST):
        first = listed(console)
    last = listed(console, page="16")

    assert (first.text.count('<li class="queue-row'), last.text.count('<li class="queue-row')) == (20, 1)
    assertContains(listed(console, channel="mail", page="2"), "?channel=mail&amp;page=3")


def test_many_versions_are_shown_in_parts_and_the_one_in_force_always(
    console, policy, owner, django_assert_max_num_queries
):
    PolicyVersion.objects.bulk_create(
        PolicyVersion(document_id="returns", version=f"D-{n:03}", title="Later", channels=["mail"],
                      effective_from=date(2027, 1, 1), status=VersionStatus.DRAFT)
        for n in range(40)
    )  # fmt: skip

    with django_assert_max_num_queries(QUERIES_OF_A_DOCUMENT):
        first = document(console)
    last = document(console, page="5")

    assert (first.text.count("<article"), last.text.count("<article")) == (10, 1)
    for response in (first, last):
        assertContains(response, "<strong><bdi>RET-1</bdi></strong>")


@pytest.mark.parametrize("doc_id", ["a/b", "a b?c#d", "ü%2F", "x/", "50 %", "100%25"])
def test_a_document_can_be_called_almost_anything(console, policy, owner, doc_id):
    builders.version(by=owner, doc_id=doc_id, name="V-1", title="Odd name")
    address = reverse("policy", args=[doc_id])

    assertContains(listed(console), f'href="{address}?')
    assertContains(console.get(address), "Odd name")


def test_a_document_that_got_an_odd_name_before_is_still_read_and_changed(console, policy, owner):
    builders.named_before("ret\u200burns", "V\u202e1")

    builders.version(by=owner, doc_id="ret\u200burns", name="V\u202e1", title="Named oddly")

    assertContains(document(console, "ret\u200burns"), "Named oddly")


@pytest.mark.parametrize("doc_id", ["nothing", "a\x00b", "../x"])
def test_an_unknown_document_is_not_found(console, db, doc_id):
    assert document(console, doc_id).status_code == 404


@pytest.mark.parametrize("name", ["policies", "policy"])
def test_policies_are_only_read(console, policy, name):
    assert console.post(reverse(name, args=["returns"] if name == "policy" else [])).status_code == 405


def test_whoever_has_no_role_reads_no_policy(django_user_model, policy):
    client = signed_in(django_user_model.objects.create_user("nobody-yet", password="x"))

    for response in (listed(client), document(client)):
        assertContains(response, "no role yet", status_code=403)


@pytest.mark.parametrize("hostile", CORPUS)
def test_hostile_text_in_every_field_is_inert(console, policy, owner, hostile):
    owner.first_name = hostile[:100]
    owner.save()
    builders.key(by=owner, question_canonical=f"How long? {hostile}")
    doc_id = f"leaflet {hostile}"
    builders.named_before(doc_id, f"L {hostile}")
    builders.version(
        by=owner, doc_id=doc_id, name=f"L {hostile}", title=f"Leaflet {hostile}",
        channels=frozenset({builders.CHANNEL, hostile}),
        statements=(Statement(builders.RETURN_KEY, hostile, f"Within 30 days {hostile} of receipt."),),
    )  # fmt: skip
    builders.item()

    assert is_inert(listed(console))
    assert is_inert(listed(console, on=hostile, channel=hostile, page=hostile))
    assert is_inert(document(console, doc_id, on=hostile, channel=hostile))
    assert is_inert(document(console, "returns"))


def test_a_heading_takes_the_title_in_force_on_the_day_and_no_later_one(console, policy, owner):
    builders.version(by=owner, name="RET-2", title="Returns, from next year", effective_from=date(2999, 1, 1))

    assertContains(document(console), "<h1><bdi>Returns in the online store</bdi></h1>")
    assertContains(document(console, on="2999-01-01"), "<h1><bdi>Returns, from next year</bdi></h1>")
    assertNotContains(listed(console), "Returns, from next year")


def test_what_applied_asks_for_one_channel_and_offers_no_any(console, policy):
    response = console.get(reverse("policies-applied"))

    assertContains(response, '<option value="">Choose one</option>')
    assertNotContains(response, ">Any<")
