"""Conflicts are found wherever sources change, and whoever has to act hears of it once."""

from datetime import timedelta
from io import StringIO

import pytest
from django.contrib.auth.models import Group, User
from django.core.management import call_command
from django.utils import timezone

from drafts.models import Event, Notice
from drafts.services import conflicts, holding, updates
from ledger import queries as ledger
from ledger.models import Conflict
from ledger.services.settling import Settlement
from tests import builders

pytestmark = pytest.mark.django_db


@pytest.fixture
def olga(owner):
    """A second policy owner."""
    person = User.objects.create_user("olga", email="olga@example.org", first_name="Olga", last_name="Reis")
    person.groups.add(Group.objects.get(name="policy_owner"))
    return person


def contradicted(owner, **changes):
    """Publish a second document that answers the same question."""
    builders.version(by=owner, **{"doc_id": "leaflet", "name": "LEAF-1", "passage": "Within 30 days.", **changes})


def told(kind):
    return sorted(Notice.objects.filter(kind=kind).values_list("person__username", flat=True))


def test_publishing_a_second_source_opens_one_conflict_and_tells_every_policy_owner(owner, olga):
    builders.return_policy(owner)
    contradicted(owner)
    contradicted(owner, passage="Within 31 days.")

    (found,) = ledger.conflicts(state="open")
    assert (found.found_by, set(found.versions)) == ("publishing", {"RET-1", "LEAF-1"})
    assert told("conflict_opened") == ["olga", "owner"]


def test_the_owner_of_the_question_alone_is_told_and_one_named_later_takes_it_over(owner, olga):
    builders.return_policy(owner)
    builders.key(by=owner, owner="olga")
    contradicted(owner)
    assert told("conflict_opened") == ["olga"]

    olga.groups.clear()
    conflicts.remind(now=timezone.now(), calendar=builders.calendar())

    assert told("conflict_opened") == ["olga", "owner"]


def test_one_conflict_is_open_for_each_channel(owner):
    builders.return_policy(owner)
    contradicted(owner, channels=frozenset({builders.CHANNEL, "shop"}))
    builders.version(by=owner, doc_id="faq", name="FAQ-1", channels=frozenset({"shop"}))

    assert sorted(view.channel for view in ledger.conflicts(state="open")) == [builders.CHANNEL, "shop"]


def test_a_conflict_that_open_drafts_meet_after_publishing_was_found_by_it(owner):
    both = frozenset({"shop", builders.CHANNEL})
    builders.key(by=owner)
    builders.version(by=owner, channels=both)
    builders.item(channel="shop")

    contradicted(owner, channels=both)

    found = {view.channel: view.found_by for view in ledger.conflicts(state="open")}
    assert found == {builders.CHANNEL: "publishing", "shop": "publishing"}


def test_making_a_key_adjacent_lets_no_conflict_go_unseen(owner):
    builders.return_policy(owner)
    builders.key("return_window::leaflet", by=owner)

    builders.key("return_window::leaflet", by=owner, parent=builders.RETURN_KEY, boundary="The same.")

    assert ledger.conflicts() == ()


def test_the_nightly_search_finds_what_came_in_by_another_door_and_ends_what_is_over(owner, olga):
    builders.return_policy(owner)
    contradicted(owner)
    Conflict.objects.all().delete()
    Notice.objects.all().delete()

    out = StringIO()
    call_command("find_conflicts", stdout=out)

    (found,) = ledger.conflicts(state="open")
    assert found.found_by == "nightly"
    assert "1 open, 1 of them new." in out.getvalue()
    assert told("conflict_opened") == ["olga", "owner"]
    assert conflicts.search(now=timezone.now(), calendar=builders.calendar()) == ()


def test_the_owner_is_reminded_once_a_day(owner):
    builders.return_policy(owner)
    contradicted(owner)
    calendar = builders.calendar()
    opening = calendar.opening_of(calendar.nth_business_day(timezone.now(), 2))

    first = conflicts.remind(now=opening, calendar=calendar)
    again = conflicts.remind(now=opening + timedelta(hours=1), calendar=calendar)
    following = calendar.opening_of(calendar.nth_business_day(opening, 1))

    assert (first, again, conflicts.remind(now=following, calendar=calendar)) == (1, 0, 1)
    assert told("conflict_overdue") == ["owner", "owner"]


def test_whoever_holds_or_escalated_a_draft_hears_that_its_conflict_is_settled(owner, agent, agent2):
    builders.return_policy(owner)
    contradicted(owner)
    held, other = builders.item(), builders.item()
    holding.take(item_id=held.pk, actor=agent)
    (found,) = ledger.conflicts(state="open")

    analysed = updates.resolve_conflict(
        conflict_id=found.id, wanted=Settlement("RET-1", ["LEAF-1"], "It ran out."), actor=owner, now=timezone.now(),
        calendar=builders.calendar(),
    )  # fmt: skip

    assert analysed == 2
    assert told("conflict_settled") == ["agent"]
    events = Event.objects.filter(kind="item:conflict:settled", detail__kept="RET-1")
    assert set(events.values_list("item", flat=True)) == {held.pk, other.pk}


def test_a_conflict_that_ends_by_itself_frees_its_drafts_and_says_so(owner, agent):
    builders.return_policy(owner)
    contradicted(owner)
    held = builders.item()
    holding.take(item_id=held.pk, actor=agent)

    contradicted(owner, status="retired")

    assert ledger.conflicts()[0].state == "obsolete"
    assert told("conflict_settled") == ["agent"]
    held.refresh_from_db()
    assert held.branch == "first_ask_key_resolved_single_active_source"


def settle(owner, kept="RET-1", retired=("LEAF-1",)):
    (found,) = ledger.conflicts(state="open")
    updates.resolve_conflict(
        conflict_id=found.id, wanted=Settlement(kept, list(retired), "It ran out."), actor=owner, now=timezone.now(),
        calendar=builders.calendar(),
    )  # fmt: skip


def test_once_a_conflict_is_settled_nobody_has_to_read_of_it_and_no_mail_of_it_leaves(owner, olga):
    builders.return_policy(owner)
    contradicted(owner)
    assert Notice.objects.filter(read_at=None, kind="conflict_opened").count() == 2

    settle(owner)

    (mailed,) = Notice.objects.filter(person=olga)
    assert (mailed.mail, mailed.mail_due_at) == (Notice.Mail.NONE, None)
    assert not Notice.objects.filter(read_at=None, kind="conflict_opened").exists()


def test_a_mail_that_has_left_stays_sent(owner, olga):
    builders.return_policy(owner)
    contradicted(owner)
    Notice.objects.filter(person=olga).update(mail="sent", mailed_at=timezone.now(), mail_due_at=None)

    settle(owner)

    assert Notice.objects.get(person=olga).mail == Notice.Mail.SENT


def test_a_conflict_that_ends_by_itself_ends_its_notices_too(owner):
    builders.return_policy(owner)
    contradicted(owner)

    contradicted(owner, status="retired")

    assert not Notice.objects.filter(read_at=None).exists()


@pytest.fixture
def two_at_once(owner, olga):
    """Two conflicts that the nightly search meets in one transaction."""
    builders.return_policy(owner)
    builders.version(by=owner, doc_id="faq", name="FAQ-1", channels=frozenset({"shop"}))
    contradicted(owner, channels=frozenset({builders.CHANNEL, "shop"}))
    Conflict.objects.all().delete()
    Notice.objects.all().delete()
    conflicts.search(now=timezone.now(), calendar=builders.calendar())
    return ledger.conflicts(state="open")


def test_several_conflicts_of_one_moment_are_one_notice(two_at_once, owner):
    (notice,) = Notice.objects.filter(person=owner)

    assert notice.subject == "2 conflicts to settle"
    assert set(notice.conflicts) == {view.id for view in two_at_once}
    assert "on the channel shop" in notice.text
    assert "LEAF-1 of leaflet" in notice.text


def test_what_was_told_together_is_not_told_again_one_by_one(two_at_once):
    assert conflicts.remind(now=timezone.now(), calendar=builders.calendar()) == 0


def test_a_notice_of_several_conflicts_stays_new_until_all_are_over(two_at_once, owner):
    builders.version(by=owner, doc_id="faq", name="FAQ-1", channels=frozenset({"shop"}), status="retired")
    assert len(ledger.conflicts(state="open")) == 1
    assert Notice.objects.filter(person=owner, read_at=None).exists()

    contradicted(owner, channels=frozenset({builders.CHANNEL, "shop"}), status="retired")

    assert not Notice.objects.filter(read_at=None).exists()


def test_no_customers_words_stand_in_a_subject(owner):
    builders.return_policy(owner)
    contradicted(owner)
    builders.item()

    assert set(Notice.objects.values_list("subject", flat=True)) == {f"Conflict to settle: {builders.RETURN_KEY}"}
