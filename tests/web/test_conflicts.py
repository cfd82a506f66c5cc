"""Conflicts on screen: who waits for what, what differs, and a settlement by a policy owner."""

import uuid
from datetime import date, timedelta

import pytest
from django.contrib.auth.models import User
from django.urls import reverse
from django.utils import timezone
from pytest_django.asserts import assertContains, assertNotContains

from drafts.services import analysing
from ledger import queries as ledger
from ledger.decisions.vocabulary import DocumentKind, Statement, VersionStatus
from ledger.models import Conflict, PolicyVersion
from ledger.services import conflicts as services
from tests import builders
from tests.web.conftest import signed_in
from tests.web.test_hostile_text import CORPUS, is_inert

THIRTY = "Lamps can be returned within 30 days of receipt."
REASON = "The leaflet ran out in spring."
QUERIES_OF_THE_LIST = 14
QUERIES_OF_A_CONFLICT = 16


@pytest.fixture
def desk(owner):
    """The policy owner's browser."""
    return signed_in(owner)


@pytest.fixture
def leaflet(policy, owner):
    """A second document that answers the same question."""
    return builders.version(
        by=owner, doc_id="leaflet", name="LEAF-1", passage=THIRTY, title="Summer leaflet", kind=DocumentKind.PROMOTION
    )


@pytest.fixture
def held(leaflet):
    """A draft that has met both documents."""
    return builders.item()


@pytest.fixture
def conflict(held):
    return Conflict.objects.get(state="open", question_key=builders.RETURN_KEY)


def page(client, conflict, **query):
    return client.get(reverse("conflict", args=[conflict.pk]), query)


def seen(conflict):
    """The digest that the page of the conflict carries now."""
    return ledger.conflict(conflict.pk).seen


def settle(client, conflict, **changes):
    sent = {"keep": "RET-1", "then:LEAF-1": "retire", "reason": REASON, "seen": seen(conflict), **changes}
    return client.post(reverse("conflict-resolve", args=[conflict.pk]), sent)


def many(number, *, like):
    """More conflicts of the same versions, each on a channel of its own, due one minute after the other."""
    made = Conflict.objects.bulk_create(
        Conflict(
            question_key=like.question_key,
            channel=f"channel-{n:04}",
            opened_at=like.opened_at,
            due_at=like.due_at + timedelta(minutes=n),
        )
        for n in range(1, number + 1)
    )
    versions = list(like.members.values_list("version", flat=True))
    for one in made[:60]:
        one.members.bulk_create(one.members.model(conflict=one, version_id=version) for version in versions)


def status_of(name):
    return PolicyVersion.objects.get(version=name).status


def test_a_conflict_is_listed_with_question_owner_channel_and_what_waits(console, conflict):
    response = console.get(reverse("conflicts"))

    for told in ("How long after receipt can an item be returned?", builders.RETURN_KEY, builders.CHANNEL,
                 "any policy owner", "1 open draft", "LEAF-1", "RET-1"):  # fmt: skip
        assertContains(response, told)


def test_the_owner_of_the_question_is_named(console, people, leaflet):
    builders.key(by=people["owner"], owner="owner")
    builders.item()

    assertContains(console.get(reverse("conflicts")), people["owner"].get_full_name())


def test_the_most_urgent_stands_first_and_overdue_is_said_in_words(console, conflict):
    many(2, like=conflict)
    Conflict.objects.filter(channel="channel-0002").update(due_at=timezone.now() - timedelta(days=2, hours=1))

    response = console.get(reverse("conflicts"))

    assertContains(response, "overdue by 2 days")
    first = response.text.index("channel-0002")
    assert first < response.text.index(f"<bdi>{builders.CHANNEL}</bdi>") < response.text.index("channel-0001")


def test_no_open_conflict_is_said(console, policy):
    assertContains(console.get(reverse("conflicts")), "No conflict is open")
    assertContains(console.get(reverse("conflicts"), {"state": "settled"}), "Nothing was settled yet")


def test_a_thousand_conflicts_are_shown_in_parts(console, conflict):
    many(1000, like=conflict)

    first = console.get(reverse("conflicts"))
    second = console.get(reverse("conflicts"), {"page": "2"})
    last = console.get(reverse("conflicts"), {"page": "41"})

    assert [response.text.count('<li class="queue-row') for response in (first, second, last)] == [25, 25, 1]
    assertContains(first, 'rel="next"')
    assertNotContains(first, 'rel="prev"')
    assertNotContains(last, 'rel="next"')


@pytest.mark.parametrize("number", ["0", "-1", "x", "", "9" * 40, "²", "\x00"])
def test_a_part_that_is_not_understood_is_the_first(console, conflict, number):
    assertContains(console.get(reverse("conflicts"), {"page": number}), builders.RETURN_KEY)


def test_a_part_beyond_the_last_says_so(console, conflict):
    assertContains(console.get(reverse("conflicts"), {"page": "999999999"}), "No more conflicts")


def test_the_list_takes_as_many_queries_for_many_as_for_one(console, conflict, django_assert_max_num_queries):
    many(60, like=conflict)
    builders.many(120, like=builders.item())

    with django_assert_max_num_queries(QUERIES_OF_THE_LIST):
        response = console.get(reverse("conflicts"))

    assertContains(response, "more than 100 open drafts")


def test_the_passages_stand_side_by_side_with_what_they_say_differently(console, conflict):
    response = page(console, conflict)

    assertContains(response, "Time: they differ")
    for told in ("within 14 days", "within 30 days", "counted from receipt", "Own policy", "Promotion", "Active",
                 "Returns in the online store", "Summer leaflet", "1 Jan 2026", "with no end"):  # fmt: skip
        assertContains(response, told)
    assertContains(response, '<mark class="mark-finding">14 days</mark>')


def test_a_passage_without_a_value_is_said_to_have_none(console, policy, owner):
    builders.version(by=owner, doc_id="faq", name="FAQ-1", passage="Of course you can send it back to us.")
    builders.item()

    assertContains(page(console, Conflict.objects.get(state="open")), "no value")


def test_what_waits_is_linked_and_counted(console, conflict, held):
    response = page(console, conflict)

    assertContains(response, reverse("review", args=[held.pk]))
    assertContains(response, "1 open draft, the oldest first")


def test_a_draft_that_meets_it_with_its_second_question_waits_too(console, conflict, owner):
    builders.key("delivery_time::lamp", by=owner, question_canonical="How long does delivery take?")
    item = builders.item(question="delivery_time::lamp", external_id="asks-it-second")
    item.also_asked = [{"key": builders.RETURN_KEY, "by": "form", "score": None}]
    item.save()
    analysing.refresh(item, now=timezone.now(), calendar=builders.calendar())

    assertContains(page(console, conflict), "2 open drafts, the oldest first")
    assertContains(page(console, conflict), "asks-it-second")
    assertContains(console.get(reverse("conflicts")), "2 open drafts")


def test_a_conflict_takes_as_many_queries_for_many_items_as_for_one(
    console, conflict, held, django_assert_max_num_queries
):
    builders.many(150, like=held)

    with django_assert_max_num_queries(QUERIES_OF_A_CONFLICT):
        response = page(console, conflict)

    assertContains(response, "More than 100 open drafts")
    assert response.text.count('<a href="/review/') == 20


@pytest.mark.parametrize("role", ["agent", "manager", "admin"])
def test_others_read_and_are_told_who_can_settle(people, conflict, role):
    client = signed_in(people[role])

    response = page(client, conflict)
    refused = settle(client, conflict)

    assertContains(response, "Settling a conflict is for policy owners")
    assertContains(response, people["owner"].get_full_name())
    assertNotContains(response, "Settle this conflict")
    assertContains(refused, "Settling a conflict is for policy owners", status_code=403)
    assert status_of("LEAF-1") == VersionStatus.ACTIVE


def test_a_settlement_keeps_one_retires_the_other_and_frees_what_waited(desk, conflict, held, owner):
    response = settle(desk, conflict)
    after = desk.get(response.url)

    assert (response.status_code, response.url) == (302, reverse("conflict", args=[conflict.pk]))
    assertContains(after, "The conflict is settled. 1 draft was analysed again.")
    assertContains(after, "/?state=open&amp;key=return_window%3A%3Aonline_store")
    assertContains(after, f"<bdi>{owner.get_full_name()}</bdi> settled it on")
    assertContains(after, REASON)
    assertNotContains(after, "Settle this conflict")
    assert (status_of("RET-1"), status_of("LEAF-1")) == (VersionStatus.ACTIVE, VersionStatus.RETIRED)
    held.refresh_from_db()
    assert held.branch == "first_ask_key_resolved_single_active_source"
    assertContains(desk.get(reverse("conflicts"), {"state": "settled"}), "Resolved")


def test_a_settlement_names_the_conflict_that_the_question_still_has(desk, policy, owner):
    builders.version(by=owner, doc_id="leaflet", name="LEAF-1", passage=THIRTY,
                     channels=frozenset({builders.CHANNEL, "shop"}))  # fmt: skip
    builders.version(by=owner, doc_id="faq", name="FAQ-1", passage="Within 60 days.", channels=frozenset({"shop"}))
    here, there = (Conflict.objects.get(state="open", channel=channel) for channel in (builders.CHANNEL, "shop"))

    after = desk.get(settle(desk, here, **{"then:LEAF-1": "channel"}).url)

    assertContains(after, "The same question still has a conflict open on")
    assertContains(after, reverse("conflict", args=[there.pk]))


def test_the_version_kept_is_never_retired_even_where_it_is_ticked(desk, conflict):
    assert settle(desk, conflict, **{"then:RET-1": "retire"}).status_code == 302
    assert (status_of("RET-1"), status_of("LEAF-1")) == (VersionStatus.ACTIVE, VersionStatus.RETIRED)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"keep": ""}, "Choose the version that answers from now on."),
        ({"keep": "RET-9"}, "is no version of this conflict"),
        ({"then:LEAF-1": "leave"}, "LEAF-1 would still answer this question"),
        ({"then:LEAF-1": "burn"}, "LEAF-1 would still answer this question"),
        ({"then:LEAF-1": "end"}, "Give the day for LEAF-1"),
        ({"then:LEAF-1": "end", "end:LEAF-1": "2026-02-30"}, "Give the day for LEAF-1"),
        ({"then:LEAF-1": "begin", "begin:LEAF-1": "soon"}, "Give the day for LEAF-1"),
        ({"then:LEAF-1": "channel"}, "This would leave LEAF-1 no channel. Retire it instead."),
        ({"then:LEAF-1": "begin", "begin:LEAF-1": "2001-01-01"}, "it can only begin later"),
        ({"then:LEAF-1": "begin", "begin:LEAF-1": "2030-01-01"}, "question from 1 Jan 2030 on, beside RET-1"),
        ({"reason": ""}, "Say why, in a sentence"),
        ({"reason": " \u200b\n"}, "Say why, in a sentence"),
        ({"reason": "x" * 70_000}, "Shorten it"),
        ({"reason": "a\x00b"}, "Remove that character"),
    ],
)
def test_what_is_missing_is_said_beside_its_field_and_everything_typed_is_kept(desk, conflict, changes, message):
    response = settle(desk, conflict, **changes)

    assertContains(response, message, status_code=422)
    assertContains(response, 'class="error"', status_code=422)
    sent = {"keep": "RET-1", "then:LEAF-1": "retire", "reason": REASON, **changes}
    assertContains(response, sent["reason"], status_code=422)
    assert ('value="RET-1" checked' in response.text) is (sent["keep"] == "RET-1")
    assert ('name="then:LEAF-1" value="retire" checked' in response.text) is (sent["then:LEAF-1"] == "retire")
    for day in ("end:LEAF-1", "begin:LEAF-1"):
        assert (f'name="{day}" value="{sent.get(day, "")}"') in response.text
    assert Conflict.objects.get(pk=conflict.pk).state == "open"
    assert status_of("LEAF-1") == VersionStatus.ACTIVE


def test_the_second_of_two_owners_is_told_who_settled_it_and_keeps_the_reason(desk, conflict, owner):
    other = User.objects.create_user("olga", first_name="Olga", last_name="Reis", password="x")
    other.groups.set(owner.groups.all())
    second = signed_in(other)
    assertContains(page(second, conflict), "Settle this conflict")
    settle(desk, conflict)

    response = settle(second, conflict, keep="LEAF-1", reason="The leaflet was promised.")

    assertContains(response, "This conflict is already resolved.", status_code=409)
    assertContains(response, f"<bdi>{owner.get_full_name()}</bdi> settled it on", status_code=409)
    assertContains(response, "The leaflet was promised.", status_code=409)
    assert (status_of("RET-1"), status_of("LEAF-1")) == (VersionStatus.ACTIVE, VersionStatus.RETIRED)


def test_an_unfinished_settlement_of_what_is_settled_is_told_so_too(desk, conflict):
    settle(desk, conflict)

    assertContains(settle(desk, conflict, keep="", reason=""), "already resolved", status_code=409)


def test_what_ended_by_itself_says_so(desk, conflict, owner):
    builders.version(by=owner, doc_id="leaflet", name="LEAF-1", passage=THIRTY, title="Summer leaflet",
                     kind=DocumentKind.PROMOTION, status=VersionStatus.RETIRED)  # fmt: skip

    response = settle(desk, conflict)

    assertContains(response, "already obsolete", status_code=409)
    assertContains(page(desk, conflict), "its sources stopped competing")


def test_a_version_that_joined_since_the_page_was_opened_is_not_overlooked(desk, conflict, owner):
    shown = seen(conflict)
    builders.version(by=owner, doc_id="faq", name="FAQ-1", passage="Return it within 60 days.")

    response = settle(desk, conflict, seen=shown)
    again = settle(desk, conflict)

    assertContains(response, "changed after this page was shown", status_code=409)
    assertContains(response, "within 60 days", status_code=409)
    assertContains(response, REASON, status_code=409)
    assertContains(again, "FAQ-1 would still answer this question", status_code=422)


def test_a_passage_that_changed_since_the_page_was_opened_is_shown_before_anything_is_settled(desk, conflict, owner):
    shown = seen(conflict)
    builders.version(by=owner, doc_id="leaflet", name="LEAF-1", passage="Within 31 days.", title="Summer leaflet",
                     kind=DocumentKind.PROMOTION)  # fmt: skip

    response = settle(desk, conflict, seen=shown)

    assertContains(response, "changed after this page was shown", status_code=409)
    assertContains(response, "31 days", status_code=409)
    assert settle(desk, conflict).status_code == 302


def test_a_version_is_narrowed_to_its_other_channel(desk, policy, owner):
    builders.version(by=owner, doc_id="leaflet", name="LEAF-1", passage=THIRTY,
                     channels=frozenset({builders.CHANNEL, "shop"}))  # fmt: skip
    conflict = Conflict.objects.get(state="open")

    response = settle(desk, conflict, **{"then:LEAF-1": "channel"})

    assert response.status_code == 302
    assert PolicyVersion.objects.get(version="LEAF-1").channels == ["shop"]
    member = conflict.members.get(version__version="LEAF-1")
    assert (member.outcome, member.narrowed_to["channels"]) == ("narrowed", ["shop"])
    assertContains(page(desk, conflict), "Narrowed: left on shop from 1 Jan 2026")


def test_a_version_is_ended_on_the_day_that_the_other_begins(desk, policy, owner):
    builders.version(by=owner, doc_id="leaflet", name="LEAF-1", passage=THIRTY, effective_from=date(2026, 9, 1))
    conflict = Conflict.objects.get(state="open")

    response = settle(desk, conflict, keep="LEAF-1", **{"then:RET-1": "end", "end:RET-1": "2026-09-01"})

    assert response.status_code == 302
    assert PolicyVersion.objects.get(version="RET-1").effective_until == date(2026, 9, 1)
    assertContains(page(desk, conflict), "until before 1 Sep 2026")


def test_what_an_answer_rests_on_keeps_its_channels_and_says_the_way_out(desk, policy, owner, agent):
    builders.locked(agent)
    builders.version(by=owner, doc_id="leaflet", name="LEAF-1", passage=THIRTY)
    conflict = Conflict.objects.get(state="open")

    shown = page(desk, conflict)
    refused = settle(desk, conflict, keep="LEAF-1", **{"then:RET-1": "begin", "begin:RET-1": "2030-01-01"})

    assertContains(shown, "Customers were already given answers that rest on it")
    assert 'name="then:RET-1" value="begin"' not in shown.text
    assertContains(refused, "publish a new version", status_code=422)
    assert Conflict.objects.get(pk=conflict.pk).state == "open"


def test_a_conflict_is_given_to_another_policy_owner_who_is_told(desk, conflict, owner):
    olga = User.objects.create_user("olga", first_name="Olga", last_name="Reis", password="x")
    olga.groups.set(owner.groups.all())

    response = desk.post(reverse("conflict-reassign", args=[conflict.pk]), {"to": "olga"}, follow=True)

    assertContains(response, "This conflict now belongs to Olga Reis.")
    assertContains(signed_in(olga).get(reverse("notices")), "Conflict given to you: return_window::online_store")


@pytest.mark.parametrize("to", ["", "agent", "nobody"])
def test_a_conflict_is_given_to_nobody_but_policy_owners(desk, conflict, people, to):
    response = desk.post(reverse("conflict-reassign", args=[conflict.pk]), {"to": to})

    assertContains(response, "is no active policy owner", status_code=422)


def test_the_header_counts_what_is_overdue(console, conflict):
    Conflict.objects.filter(pk=conflict.pk).update(
        opened_at=timezone.now() - timedelta(days=2), due_at=timezone.now() - timedelta(days=1)
    )

    assertContains(console.get(reverse("queue")), "1 overdue")


def test_retiring_says_which_other_questions_lose_their_answer(desk, policy, owner):
    builders.key("refund_time::general", by=owner, question_canonical="When is the money back?")
    both = (Statement(builders.RETURN_KEY, "1", THIRTY), Statement("refund_time::general", "2", "Within 5 days."))
    builders.version(by=owner, doc_id="leaflet", name="LEAF-1", statements=both)
    builders.item()

    response = page(desk, Conflict.objects.get(state="open"))

    assertContains(response, "It answers 1 other question too")
    assertContains(response, "refund_time::general")


def test_versions_of_one_document_are_not_ticked_for_retirement(desk, policy, owner):
    later = builders.version(by=owner, name="RET-2", effective_from=date(2026, 6, 1))
    other = builders.version(by=owner, doc_id="leaflet", name="LEAF-1", passage=THIRTY)
    first = ledger.versions_of(["returns"])[0]
    found = services.open_conflict(
        key=builders.RETURN_KEY, channel=builders.CHANNEL, versions=(first, later, other), now=timezone.now(),
        calendar=builders.calendar(),
    )  # fmt: skip

    response = desk.get(reverse("conflict", args=[found]))

    assert 'name="then:LEAF-1" value="retire" checked' in response.text
    for name in (first.version, later.version):
        assert f'name="then:{name}" value="leave" checked' in response.text


def test_an_unknown_conflict_is_not_found(desk, db):
    nowhere = uuid.uuid4()

    assert desk.get(reverse("conflict", args=[nowhere])).status_code == 404
    assert desk.post(reverse("conflict-resolve", args=[nowhere]), {}).status_code == 404


def test_whoever_has_no_role_reads_no_conflict(django_user_model, conflict):
    client = signed_in(django_user_model.objects.create_user("nobody-yet", password="x"))

    for response in (client.get(reverse("conflicts")), page(client, conflict), settle(client, conflict)):
        assertContains(response, "no role yet", status_code=403)


@pytest.mark.parametrize("hostile", CORPUS)
def test_hostile_text_in_every_field_is_inert(desk, policy, owner, hostile):
    owner.first_name = hostile[:100]
    owner.save()
    builders.key(by=owner, question_canonical=f"How long? {hostile}", owner="owner")
    builders.named_before(f"leaflet {hostile}", f"L {hostile}")
    builders.version(
        by=owner, doc_id=f"leaflet {hostile}", name=f"L {hostile}", title=f"Leaflet {hostile}",
        statements=(Statement(builders.RETURN_KEY, hostile, f"Within 30 days {hostile} of receipt."),),
    )  # fmt: skip
    builders.item(external_id=builders.unique(hostile))
    found = Conflict.objects.get(state="open")

    assert is_inert(desk.get(reverse("conflicts"), {"state": hostile, "page": hostile}))
    assert is_inert(page(desk, found))
    assert is_inert(settle(desk, found, keep=hostile, reason=hostile, **{f"then:L {hostile}": hostile}))
    settled = settle(desk, found, reason=f"why {hostile}", **{f"then:L {hostile}": "retire"})
    assert is_inert(desk.get(settled.url))
    assert is_inert(settle(desk, found, reason=hostile))
    assert is_inert(desk.get(reverse("conflicts"), {"state": "settled"}))
