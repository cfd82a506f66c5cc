import re
from datetime import UTC, datetime, timedelta

import pytest
from django.urls import reverse
from pytest_django.asserts import assertContains, assertNotContains

from drafts.services import holding
from tests import builders
from tests.web.conftest import HTMX, is_whole_page, press, signed_in

QUERIES_OF_ONE_PAGE = 7


def shown(response):
    """The ids of the drafts listed, in order."""
    return re.findall(r"· <bdi>([^<]+)</bdi></p>", response.text)


def test_open_items_stand_oldest_first(console, policy):
    start = datetime(2026, 11, 30, 8, tzinfo=UTC)
    late = builders.item(now=start + timedelta(hours=1))
    early = builders.item(now=start)

    assert shown(console.get("/")) == [early.external_id, late.external_id]


def test_a_row_tells_what_waits(console, policy):
    item = builders.item(builders.UNBACKED, messages=[builders.message("Until when may I return the lamp?")])

    response = console.get("/")

    for told in (
        "Until when may I return the lamp?",
        "Hello Ana,",
        item.conversation.external_id,
        "One source answers",
        reverse("review", args=[item.pk]),
    ):
        assertContains(response, told)


def test_an_empty_queue_says_so(console, db):
    assertContains(console.get("/"), "Nothing waits")


def test_filters_that_match_nothing_say_so(console, policy):
    builders.item()

    response = console.get("/", {"q": "no such id"})

    assertContains(response, "Nothing matches")


def test_who_holds_what_is_told(console, policy, agent, agent2):
    theirs, mine = builders.item(), builders.item()
    holding.take(item_id=theirs.pk, actor=agent2)
    holding.take(item_id=mine.pk, actor=agent)

    response = console.get("/")

    assertContains(response, "Taken by <bdi>Ben Okafor</bdi>")
    assertContains(response, "Taken by you")


def test_an_expired_hold_is_not_told(console, policy, agent2):
    item = builders.item()
    holding.take(item_id=item.pk, actor=agent2)
    type(item).objects.filter(pk=item.pk).update(lease_until=datetime(2026, 1, 1, tzinfo=UTC))

    assertNotContains(console.get("/"), "Taken by <bdi>")


@pytest.fixture
def various(policy, console, agent):
    """One item of each sort, by its name."""
    items = {
        "waiting": builders.item(),
        "blocked": builders.item(builders.UNBACKED),
        "escalated": builders.item(),
        "approved": builders.item(),
        "mine": builders.item(),
    }
    press(console, items["escalated"], "escalate", reason__escalate="Please settle.")
    builders.approve(items["approved"], agent)
    holding.take(item_id=items["mine"].pk, actor=agent)
    return {item.external_id: name for name, item in items.items()}


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        pytest.param({}, {"waiting", "blocked", "escalated", "mine"}, id="open"),
        pytest.param({"state": "waiting"}, {"waiting", "blocked", "mine"}, id="waiting"),
        pytest.param({"state": "escalated"}, {"escalated"}, id="escalated"),
        pytest.param({"state": "decided"}, {"approved"}, id="decided"),
        pytest.param({"state": "retired"}, set(), id="retired"),
        pytest.param({"state": "all"}, {"waiting", "blocked", "escalated", "mine", "approved"}, id="all"),
        pytest.param({"blockers": "yes"}, {"blocked"}, id="blocked"),
        pytest.param({"blockers": "no"}, {"waiting", "escalated", "mine"}, id="free"),
        pytest.param({"handler": "policy_owner"}, {"escalated"}, id="handler"),
        pytest.param({"held": "me"}, {"mine"}, id="held-by-me"),
        pytest.param({"held": "nobody"}, {"waiting", "blocked", "escalated"}, id="held-by-nobody"),
        pytest.param({"key": builders.RETURN_KEY}, {"waiting", "blocked", "escalated", "mine"}, id="key"),
        pytest.param({"key": "other::key"}, set(), id="other-key"),
        pytest.param({"state": "nonsense"}, {"waiting", "blocked", "escalated", "mine"}, id="not-understood"),
    ],
)
def test_filters(console, various, asked, expected):
    assert {various[name] for name in shown(console.get("/", asked))} == expected


def test_an_item_is_found_by_its_id_and_by_its_conversation(console, policy):
    item, _other = builders.item(), builders.item()

    for wanted in (item.external_id, item.conversation.external_id, item.external_id.upper()):
        assert shown(console.get("/", {"q": wanted})) == [item.external_id]


def test_pages_hold_fifty_and_lead_on_and_back(console, policy):
    copies = builders.many(119, like=builders.item())
    names = [copy.external_id for copy in copies]

    first = console.get("/")
    second = console.get("/" + link(first, "next"))
    third = console.get("/" + link(second, "next"))
    back = console.get("/" + link(third, "prev"))

    assert [len(shown(page)) for page in (first, second, third)] == [50, 50, 20]
    assert [*shown(first), *shown(second), *shown(third)][1:] == names
    assert shown(back) == shown(second)
    assert 'rel="prev"' not in first.text
    assert 'rel="next"' not in third.text


def link(response, rel):
    return re.search(rf'<a href="([^"]+)" rel="{rel}"', response.text).group(1).replace("&amp;", "&")


def test_decided_items_stand_newest_first(console, policy, agent):
    items = [builders.item(), builders.item()]
    for item in items:
        builders.approve(item, agent)

    assert shown(console.get("/", {"state": "decided"})) == [items[1].external_id, items[0].external_id]


@pytest.mark.parametrize("cursor", ["x", "2026-01-01_x", "2026-01-01T00:00:00_" + "0" * 32, "_", "\x00"])
def test_a_place_that_is_not_understood_is_the_beginning(console, policy, cursor):
    item = builders.item()

    assert shown(console.get("/", {"after": cursor})) == [item.external_id]


def test_a_page_takes_as_many_queries_for_many_items_as_for_one(console, policy, django_assert_max_num_queries):
    builders.many(120, like=builders.item())

    with django_assert_max_num_queries(QUERIES_OF_ONE_PAGE):
        console.get("/")


def test_counts_are_bounded(console, policy, monkeypatch):
    monkeypatch.setattr("console.views.queue.COUNTED", 5)
    builders.many(10, like=builders.item())

    assertContains(console.get("/"), "More than 5 items")


def test_htmx_gets_only_the_list(console, policy):
    response = console.get("/", headers=HTMX)

    assert not is_whole_page(response)
    assertContains(response, 'id="list"')


def test_the_queue_is_read_and_never_posted_to(console, db):
    assert console.post("/").status_code == 405


def test_pages_are_kept_by_no_cache(console, db):
    assert console.get("/")["Cache-Control"] == "no-store"


def test_whoever_has_no_role_is_told_so(django_user_model, db):
    person = django_user_model.objects.create_user("nobody-yet", password="x")

    assertContains(signed_in(person).get("/"), "no role yet", status_code=403)
