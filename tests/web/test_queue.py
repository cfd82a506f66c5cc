import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.urls import reverse
from django.utils import timezone
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pytest_django.asserts import assertContains, assertNotContains

from drafts.models import DraftVersion, ReviewItem
from drafts.queries import waiting
from drafts.services import holding
from tests import builders
from tests.web.conftest import HTMX, is_whole_page, press, signed_in

QUERIES_OF_ONE_PAGE = 12
QUERIES_OF_ONE_SEARCH = 12
START = datetime(2026, 11, 30, 8, tzinfo=UTC)


def shown(response):
    """The ids of the drafts listed, in order."""
    return re.findall(r" · <bdi>([^<]+)</bdi></p>", response.text)


def link(response, rel):
    return re.search(rf'<a href="([^"]+)" rel="{rel}"', response.text).group(1).replace("&amp;", "&")


def tabs(response):
    """The lists on offer with their counts."""
    nav = re.search(r'<nav class="tabs".*?</nav>', response.text, re.DOTALL).group()
    return dict(re.findall(r'>([^<>]+) <span class="tab-count">([^<]+)</span>', nav))


def due(item, **changes):
    """Set a deadline as an analysis would."""
    ReviewItem.objects.filter(pk=item.pk).update(**changes)
    return item


# What waits, and in which order


def test_the_nearest_deadline_stands_first_and_none_stands_last(console, policy):
    undated_early = builders.item(now=START)
    undated_late = builders.item(now=START + timedelta(hours=1))
    later = due(builders.item(now=START + timedelta(hours=2)), deadline_at=START + timedelta(days=2))
    nearest = due(builders.item(now=START + timedelta(hours=3)), deadline_at=START + timedelta(days=1))

    expected = [one.external_id for one in (nearest, later, undated_early, undated_late)]
    assert shown(console.get("/")) == expected


def test_intake_knows_the_deadline_of_its_ticket(policy):
    at = (timezone.now() + timedelta(hours=4)).replace(microsecond=0)

    item = builders.item(ticket={"status": "open", "first_response_due_at": at.isoformat()})

    assert ReviewItem.objects.get(pk=item.pk).deadline_at == at


def test_a_changed_ticket_changes_the_deadline(policy):
    item = builders.item(ticket={"status": "open"})
    at = (timezone.now() + timedelta(hours=4)).replace(microsecond=0)
    changes = {"resolution_due_at": at.isoformat()}

    builders.updates.update_ticket(
        ticket_id=item.ticket_id, changes=changes, as_of=None, now=timezone.now(), calendar=builders.calendar()
    )

    assert ReviewItem.objects.get(pk=item.pk).deadline_at == at


def test_decided_items_stand_newest_decision_first(console, policy, agent):
    items = [builders.item(), builders.item()]
    for item in reversed(items):
        builders.approve(item, agent)

    assert shown(console.get("/", {"state": "decided"})) == [items[0].external_id, items[1].external_id]


def test_a_row_tells_what_waits(console, policy):
    item = builders.item(builders.UNBACKED, messages=[builders.message("Until when may I return the lamp?")])
    due(item, deadline_at=timezone.now() + timedelta(minutes=40, seconds=30))

    response = console.get("/")

    for told in (
        "Until when may I return the lamp?",
        "Hello Ana,",
        item.conversation.external_id,
        "One source answers",
        "Due in 40 minutes",
        "1 without a record",
        "customer-1",
        builders.CHANNEL,
        reverse("review", args=[item.pk]),
    ):
        assertContains(response, told)


def test_an_overdue_item_says_by_how_much(console, policy):
    due(builders.item(), deadline_at=timezone.now() - timedelta(hours=2, minutes=5))

    assertContains(console.get("/"), '<strong class="late">Overdue by 2 hours</strong>')


def test_who_holds_what_is_told(console, policy, agent, agent2):
    theirs, mine = builders.item(), builders.item()
    holding.take(item_id=theirs.pk, actor=agent2)
    holding.take(item_id=mine.pk, actor=agent)

    response = console.get("/", {"state": "open"})

    assertContains(response, "Held by <bdi>Ben Okafor</bdi> until")
    assertContains(response, "Held by you until")


def test_an_expired_hold_is_not_told(console, policy, agent2):
    item = builders.item()
    holding.take(item_id=item.pk, actor=agent2)
    due(item, lease_until=datetime(2026, 1, 1, tzinfo=UTC))

    response = console.get("/")

    assert shown(response) == [item.external_id]
    assertNotContains(response, "Held by <bdi>")


def test_one_starts_with_the_first(console, policy):
    first = due(builders.item(), deadline_at=START)
    builders.item()

    assertContains(console.get("/"), f'href="{reverse("review", args=[first.pk])}">Start with the first</a>')


def test_reading_takes_nothing(console, policy):
    item = builders.item()

    console.get("/")

    assert ReviewItem.objects.get(pk=item.pk).holder is None


# The lists


@pytest.fixture
def various(policy, console, agent, agent2):
    """One item of each sort, by its name."""
    items = {
        "waiting": builders.item(),
        "blocked": builders.item(builders.UNBACKED),
        "owners": builders.item(),
        "escalated": builders.item(),
        "approved": builders.item(),
        "mine": builders.item(),
        "theirs": builders.item(channel="phone"),
        "retired": builders.item(),
    }
    press(console, items["escalated"], "escalate", reason__escalate="Please settle.")
    due(items["owners"], handler="policy_owner")
    builders.approve(items["approved"], agent)
    holding.take(item_id=items["mine"].pk, actor=agent)
    holding.take(item_id=items["theirs"].pk, actor=agent2)
    due(items["retired"], state="retired", retired_at=timezone.now(), retired_because="A reply was sent.")
    return {item.external_id: name for name, item in items.items()}


OPEN = {"waiting", "blocked", "owners", "escalated", "mine", "theirs"}


@pytest.mark.parametrize(
    ("role", "state", "expected"),
    [
        ("agent", "", {"waiting", "blocked", "mine"}),
        ("agent", "for-me", {"waiting", "blocked", "mine"}),
        ("agent2", "", {"waiting", "blocked", "theirs"}),
        ("owner", "", {"waiting", "blocked", "owners", "escalated"}),
        ("manager", "", OPEN),
        ("admin", "", OPEN),
        ("manager", "for-me", OPEN),
        ("agent", "held", {"mine"}),
        ("owner", "held", set()),
        ("agent", "open", OPEN),
        ("agent", "waiting", OPEN),
        ("agent", "escalated", {"escalated"}),
        ("agent", "decided", {"approved"}),
        ("agent", "retired", {"retired"}),
        ("agent", "all", OPEN | {"approved", "retired"}),
        ("agent", "nonsense", {"waiting", "blocked", "mine"}),
    ],
)
def test_each_list_holds_what_it_says(people, various, role, state, expected):
    response = signed_in(people[role]).get("/", {"state": state})

    assert {various[name] for name in shown(response)} == expected


@pytest.mark.parametrize(
    ("role", "expected"),
    [
        ("agent", {"Waiting for me": "3", "Held by me": "1"}),
        ("owner", {"Waiting for me": "4", "Held by me": "0"}),
        ("manager", {}),
        ("admin", {}),
    ],
)
def test_the_tabs_count_for_whoever_looks(people, various, role, expected):
    everybody = {"Everything open": "6", "Escalated": "1", "Decided": "1", "Retired": "1", "All": "8"}

    assert tabs(signed_in(people[role]).get("/")) == {**expected, **everybody}


def test_counts_are_bounded(console, policy, monkeypatch):
    monkeypatch.setattr("console.views.queue.COUNTED", 5)
    monkeypatch.setattr("console.views.queue.PER_PAGE", 3)
    builders.many(10, like=builders.item())

    response = console.get("/")

    assert tabs(response)["Everything open"] == "5+"
    assertContains(response, "1–3 of more than 5 items")


@pytest.mark.parametrize(
    ("state", "told"),
    [
        ("", "Nothing waits for you"),
        ("held", "You hold nothing"),
        ("open", "Nothing waits"),
        ("escalated", "Nothing is escalated"),
        ("decided", "Nothing is decided yet"),
        ("retired", "Nothing was retired"),
        ("all", "No draft has arrived"),
    ],
)
def test_an_empty_list_says_so(console, db, state, told):
    assertContains(console.get("/", {"state": state}), f"<h2>{told}</h2>")


def test_whoever_has_nothing_to_do_is_shown_where_others_have(console, policy):
    due(builders.item(), handler="policy_owner")

    assertContains(console.get("/"), '<a href="/?state=open">See everything that is open</a>')


# Filters


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        pytest.param({"blockers": "yes"}, {"blocked", "theirs"}, id="blocked"),
        pytest.param({"blockers": "no"}, OPEN - {"blocked", "theirs"}, id="free"),
        pytest.param({"handler": "policy_owner"}, {"owners", "escalated"}, id="handler"),
        pytest.param({"held": "me"}, {"mine"}, id="held-by-me"),
        pytest.param({"held": "nobody"}, OPEN - {"mine", "theirs"}, id="held-by-nobody"),
        pytest.param({"held": "@agent2"}, {"theirs"}, id="held-by-a-person"),
        pytest.param({"held": "@owner"}, set(), id="held-by-one-who-holds-nothing"),
        pytest.param({"held": "@nobody"}, OPEN, id="nobody-of-this-name"),
        pytest.param({"key": builders.RETURN_KEY}, OPEN, id="key"),
        pytest.param({"key": "other::key"}, set(), id="other-key"),
        pytest.param({"channel": "phone"}, {"theirs"}, id="channel"),
        pytest.param({"channel": "fax"}, set(), id="other-channel"),
        pytest.param({"handler": "nonsense"}, OPEN, id="not-understood"),
        pytest.param({"due": "none"}, OPEN, id="no-deadline"),
        pytest.param({"held": "nobody", "blockers": "no"}, {"waiting", "owners", "escalated"}, id="two-at-once"),
    ],
)
def test_filters(console, various, asked, expected):
    assert {various[name] for name in shown(console.get("/", {"state": "open", **asked}))} == expected


@pytest.mark.parametrize(
    ("asked", "expected"), [("overdue", ["overdue"]), ("today", ["today"]), ("later", ["later"]), ("none", ["none"])]
)
def test_the_deadline_filter_counts_days_in_the_organisations_zone(policy, console, monkeypatch, asked, expected):
    auckland = replace(builders.calendar(), zone=ZoneInfo("Pacific/Auckland"))
    monkeypatch.setattr("console.views.queue.queries.organisation_calendar", lambda: auckland)
    now = datetime(2026, 11, 30, 9, tzinfo=UTC)  # ten in the evening there; the day ends at eleven by UTC
    monkeypatch.setattr("console.views.queue.timezone.now", lambda: now)
    hours = {"overdue": -1, "today": 1, "later": 3}
    names = {
        due(
            builders.item(now=now - timedelta(days=1)),
            deadline_at=now + timedelta(hours=hours[name]) if name in hours else None,
        ).external_id: name
        for name in ("overdue", "today", "later", "none")
    }

    assert [names[name] for name in shown(console.get("/", {"due": asked}))] == expected


@pytest.mark.parametrize(
    ("asked", "expected"), [("hour", {90, 2000, 20000}), ("day", {2000, 20000}), ("week", {20000})]
)
def test_the_age_filter_leaves_out_what_is_newer(console, policy, asked, expected):
    now = timezone.now()
    ages = {
        builders.item(now=now - timedelta(minutes=minutes)).external_id: minutes for minutes in (5, 90, 2000, 20000)
    }

    assert {ages[name] for name in shown(console.get("/", {"age": asked}))} == expected


def test_each_filter_can_be_taken_away(console, policy):
    builders.item()

    response = console.get("/", {"state": "open", "blockers": "no", "held": "@agent2", "q": "lamp"})

    for told, without in (
        ("Free to approve", "state=open&amp;held=%40agent2&amp;q=lamp"),
        ("Ben Okafor", "state=open&amp;blockers=no&amp;q=lamp"),
        ("lamp", "state=open&amp;blockers=no&amp;held=%40agent2"),
    ):
        assert re.search(
            rf'href="/\?{re.escape(without)}"><span class="quiet">[^<]+</span> <bdi>{told}</bdi>', response.text
        )
    assertContains(response, '<a href="/?state=open">Take all away</a>')


def test_the_tabs_keep_the_filters(console, policy):
    assertContains(console.get("/", {"blockers": "no"}), 'href="/?state=escalated&amp;blockers=no"')


def test_what_was_not_understood_is_said(console, policy):
    assertContains(console.get("/", {"handler": "nonsense"}), "not understood: Who must act.")


# Search


def test_an_item_is_found_by_how_an_id_begins(console, policy):
    item = builders.item(ticket={"status": "open"}, customer=builders.unique("customer"))
    builders.item(customer="somebody-else")
    customer = item.conversation.customer_id

    for wanted in (item.external_id, item.conversation.external_id, item.ticket_id, customer):
        assert shown(console.get("/", {"q": wanted})) == [item.external_id]
        assert shown(console.get("/", {"q": wanted[:-2]})) == [item.external_id]
    assert shown(console.get("/", {"q": item.external_id[1:]})) == []


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        ("carburettor", True),
        ("CARBURETTOR", True),
        ("carbur", True),
        ("arburettor", False),
        ("leaks carburettor", True),
        ("carburettor lamp", False),
        ("unused lamp returned", True),
        ("M-2201/b", True),
        ("2201", True),
        ("ana@example", True),
        ("über", True),
        ("don't", True),
    ],
)
def test_an_item_is_found_by_words_of_its_message_or_of_its_draft(console, policy, wanted, found):
    question = "The carburettor M-2201/b leaks, don't you see? Übermorgen write to ana@example.com"
    item = builders.item(messages=[builders.message(question)])
    builders.item("Nothing like it.", messages=[builders.message("Nor here.")])

    assert shown(console.get("/", {"q": wanted})) == ([item.external_id] if found else [])


def test_only_the_newest_text_of_a_draft_is_searched(console, policy, agent):
    item = builders.item("The first wording was about zebras.")
    DraftVersion.objects.create(item=item, number=2, text="The second is about llamas.", created_at=timezone.now())
    due(item, version=2)

    assert shown(console.get("/", {"q": "zebras"})) == []
    assert shown(console.get("/", {"q": "llamas"})) == [item.external_id]


@pytest.mark.parametrize(
    "wanted",
    [
        *(
            "'",
            "\\",
            "%",
            "_",
            "\x00",
            "' & '",
            ":*",
            "a:*b",
            "(",
            "!",
            "<->",
            "| |",
            '"',
            "\u202e",
            "﷽" * 200,
            "é" * 5000,
        ),
        *("漢字", "a_" * 100, "💡", "-", "--", "'; drop table", "\ud7ff", "1e5", "\t\n", "x" * 201, "&&", "\\' | 'a"),
    ],
)
def test_a_hostile_search_finds_nothing_and_breaks_nothing(console, policy, wanted):
    builders.item()

    response = console.get("/", {"q": wanted})

    assert response.status_code == 200


def test_a_percent_sign_is_no_wildcard(console, policy):
    builders.item()

    assertContains(console.get("/", {"q": "draft%"}), "Nothing matches")


@pytest.mark.parametrize("pattern", ["a_", "~/", "<!--", "漢字", "word "])
def test_a_huge_text_is_taken_in_and_searched_as_far_as_it_is_indexed(console, policy, pattern):
    text = ("zebra " + pattern * 40_000)[:65_000] + " llama"

    item = builders.item(text, messages=[builders.message(text)])

    assert shown(console.get("/", {"q": "zebra"})) == [item.external_id]
    assert shown(console.get("/", {"q": "llama"})) == []


def test_a_search_that_finds_nothing_says_what_is_searched_and_where_else(console, policy, agent):
    item = builders.item()
    builders.approve(item, agent)

    response = console.get("/", {"q": item.external_id})

    assertContains(response, "Nothing matches")
    assertContains(response, "capitals too")
    assert shown(console.get("/", {"state": "all", "q": item.external_id})) == [item.external_id]
    assertContains(response, f'<a href="/?state=all&amp;q={item.external_id}">Search all items')


def test_a_search_that_finds_too_much_says_so(console, policy, monkeypatch):
    monkeypatch.setattr("console.views.queue.COUNTED", 5)
    builders.many(10, like=builders.item())

    response = console.get("/", {"q": "lamp"})

    assertContains(response, "More than 5 items match")
    assert len(shown(response)) == 5


# Pages


def test_pages_hold_fifty_and_lead_on_and_back(console, policy):
    copies = builders.many(119, like=builders.item())
    names = [copy.external_id for copy in copies]

    first = console.get("/")
    second = console.get(link(first, "next"))
    third = console.get(link(second, "next"))
    back = console.get(link(third, "prev"))

    assert [len(shown(page)) for page in (first, second, third)] == [50, 50, 20]
    assert [*shown(first), *shown(second), *shown(third)][1:] == names
    assert shown(back) == shown(second)
    assert 'rel="prev"' not in first.text
    assert 'rel="next"' not in third.text
    for page, told in ((first, "1–50 of 120"), (second, "51–100 of 120"), (third, "101–120 of 120"), (back, "51–100")):
        assertContains(page, told)


@pytest.fixture
def tied(policy):
    """About 130 items, many of which share their deadline, their arrival or both; half have no deadline."""
    first = builders.item()
    copies = builders.many(129, like=first)
    for number, copy in enumerate(copies):
        copy.created_at = START + timedelta(minutes=number % 7)
        copy.deadline_at = None if number % 2 else START + timedelta(hours=number % 5)
    ReviewItem.objects.bulk_update(copies, ["created_at", "deadline_at"])
    return {item.pk for item in (first, *copies)}


def walk(order, size, *, backwards):
    """Read everything, page after page, from one end to the other."""
    found, place = [], None
    while True:
        page = waiting.part(ReviewItem.objects.all(), order, limit=size, beyond=place, backwards=backwards)
        if not page:
            return found
        found += [item.pk for item in page]
        last = page[-1]
        place = waiting.Place(getattr(last, order.column), last.created_at, last.pk)


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(size=st.integers(1, 140), column=st.sampled_from(["deadline_at", "created_at"]))
def test_pages_lose_and_double_nothing_in_either_direction(tied, size, column):
    order = waiting.Order(column, descending=column == "created_at")

    onwards, back = walk(order, size, backwards=False), walk(order, size, backwards=True)

    assert len(onwards) == len(tied)
    assert set(onwards) == tied
    assert back == onwards[::-1]


def test_ties_are_read_by_the_pages_too(console, tied):
    pages = [console.get("/")]
    while 'rel="next"' in pages[-1].text:
        pages.append(console.get(link(pages[-1], "next")))
    onwards = [name for page in pages for name in shown(page)]
    back = [pages[-1]]
    while 'rel="prev"' in back[-1].text:
        back.append(console.get(link(back[-1], "prev")))

    assert len(set(onwards)) == len(onwards) == len(tied)
    assert [name for page in reversed(back) for name in shown(page)] == onwards
    assertContains(back[-1], "1–50 of 130")


@pytest.mark.parametrize(
    "cursor",
    [
        "x",
        "2026-01-01_x",
        "none_2026-01-01T00:00:00_" + "0" * 32 + "_0",
        "2026-01-01T00:00:00+00:00_" + "0" * 32,
        "2026-01-01T00:00:00_2026-01-01T00:00:00+00:00_" + "0" * 32 + "_0",
        "none_2026-01-01T00:00:00+00:00_" + "0" * 32 + "_-5",
        "none_2026-01-01T00:00:00+00:00_" + "0" * 32 + "_" + "9" * 5000,
        "___",
        "\x00",
    ],
)
@pytest.mark.parametrize("direction", ["after", "before"])
def test_a_place_that_is_not_understood_is_the_beginning(console, policy, direction, cursor):
    item = builders.item()

    assert shown(console.get("/", {direction: cursor})) == [item.external_id]


@pytest.mark.parametrize("state", ["for-me", "decided", "retired", "all"])
@pytest.mark.parametrize("first", ["none", "0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00"])
def test_a_place_beyond_everything_is_no_fault(console, policy, state, first):
    builders.item()

    place = f"{first}_{START.isoformat()}_{'0' * 32}_50"

    assert console.get("/", {"state": state, "after": place}).status_code == 200
    assert console.get("/", {"state": state, "before": place}).status_code == 200


# The page as such


@pytest.mark.parametrize("state", ["for-me", "open", "decided", "all"])
def test_a_page_takes_as_many_queries_for_many_items_as_for_one(console, policy, django_assert_max_num_queries, state):
    builders.many(120, like=builders.item())

    with django_assert_max_num_queries(QUERIES_OF_ONE_PAGE):
        console.get("/", {"state": state})
    with django_assert_max_num_queries(QUERIES_OF_ONE_SEARCH):
        console.get("/", {"state": state, "q": "lamp", "held": "@agent2", "due": "today"})


def test_htmx_gets_only_the_queue_and_a_short_address(console, policy):
    response = console.get("/", {"state": "open", "q": "lamp", "key": "", "held": ""}, headers=HTMX)

    assert not is_whole_page(response)
    assertContains(response, 'id="list"')
    assert response["HX-Push-Url"] == "/?state=open&q=lamp"


def test_the_queue_is_read_and_never_posted_to(console, db):
    assert console.post("/").status_code == 405


def test_pages_are_kept_by_no_cache(console, db):
    assert console.get("/")["Cache-Control"] == "no-store"


def test_whoever_has_no_role_is_told_so(django_user_model, db):
    person = django_user_model.objects.create_user("nobody-yet", password="x")

    assertContains(signed_in(person).get("/"), "no role yet", status_code=403)
