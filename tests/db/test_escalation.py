"""An item that was handed on is decided by a policy owner, and nobody's words are lost on the way."""

import pytest
from django.utils import timezone

from drafts.decisions.transitions import DecisionKind, ItemState
from drafts.models import Decision, ParkedText
from drafts.services import analysing, editing, holding
from drafts.services.deciding import Dismiss, Wanted, decide
from drafts.services.outcomes import Decided, Overtaken, Refused, Unusable
from tests import builders

pytestmark = pytest.mark.django_db


@pytest.fixture
def escalated(people):
    builders.return_policy(people["owner"])
    item = builders.item()
    act(item, people["agent"], DecisionKind.ESCALATE, reason="Is this still our policy?")
    item.refresh_from_db()
    return item


def act(item, by, kind: DecisionKind, **wanted: object):
    return decide(
        item_id=item.pk,
        wanted=Wanted(kind, seen_version=item.version, **wanted),
        actor=by,
        now=timezone.now(),
        calendar=builders.calendar(),
    )


def test_an_escalated_item_stays_open_and_is_nobodys(escalated):
    assert escalated.state == ItemState.ESCALATED
    assert escalated.holder is None
    assert not Decision.objects.filter(item=escalated).exists()


def test_an_agent_cannot_decide_what_was_escalated(escalated, agent2):
    text = f"{builders.PASSAGE} My own words."

    outcome = act(escalated, agent2, DecisionKind.EDIT, text=text)

    assert isinstance(outcome, Refused)
    assert [b.code for b in outcome.blockers] == ["waits_for_policy_owner"]
    assert ParkedText.objects.get(item=escalated).text == text


def test_an_agent_who_tries_does_not_keep_the_policy_owner_from_it(escalated, agent2, owner):
    act(escalated, agent2, DecisionKind.APPROVE)

    assert isinstance(act(escalated, owner, DecisionKind.APPROVE), Decided)


def save(item, by, now):
    return editing.save_text(item_id=item.pk, text="My own words.", seen_version=1, actor=by, **now)


def choose(item, by, now):
    return editing.choose_key(item_id=item.pk, key=None, actor=by, **now)


def settle(item, by, now):
    looked_at = Dismiss(None, None, "language_not_checked", "Read it.")
    return editing.settle(item_id=item.pk, dismissed=[looked_at], actor=by, **now)


def confirm(item, by, now):
    return editing.confirm_still_fits(item_id=item.pk, actor=by, **now)


def take(item, by, _now):
    return holding.take(item_id=item.pk, actor=by)


WORK = pytest.mark.parametrize("work", [save, choose, settle, confirm, take])


def worked_on(item, by, work):
    return work(item, by, {"now": timezone.now(), "calendar": builders.calendar()})


def state_of(item):
    """Everything that work on an item could change."""
    item.refresh_from_db()
    columns = ("state", "version", "holder_id", "lease_until", "fence", "question_key", "question_status", "handler")
    counts = [rows.count() for rows in (item.events, item.dismissals, item.draft_versions)]
    return [getattr(item, column) for column in columns] + counts


@WORK
def test_an_agent_changes_nothing_on_it_and_takes_no_lease(escalated, agent2, work):
    before = state_of(escalated)

    outcome = worked_on(escalated, agent2, work)

    assert isinstance(outcome, Refused)
    assert "A policy owner decides it" in outcome.blockers[0].message
    assert state_of(escalated) == before


@WORK
def test_a_policy_owner_works_on_it(escalated, owner, work):
    assert not isinstance(worked_on(escalated, owner, work), (Refused, Overtaken))

    escalated.refresh_from_db()
    assert escalated.holder == owner


def test_a_text_that_an_agent_saves_on_it_is_kept_beside_it(escalated, agent2):
    worked_on(escalated, agent2, save)

    parked = ParkedText.objects.get(item=escalated)
    assert (parked.text, parked.author) == ("My own words.", agent2)
    assert "A policy owner decides it" in parked.because


def test_whoever_handed_it_on_gets_no_lease_again(escalated, agent):
    assert not holding.try_take(escalated.pk, agent)


def test_it_stays_the_policy_owners_when_it_is_analysed_again(escalated):
    analysing.refresh(escalated, now=timezone.now(), calendar=builders.calendar())

    escalated.refresh_from_db()
    assert escalated.handler == "policy_owner"


def test_a_policy_owner_decides_it(escalated, owner):
    outcome = act(escalated, owner, DecisionKind.APPROVE)

    assert isinstance(outcome, Decided)
    assert outcome.decision.decided_by == owner


def test_handing_on_needs_a_reason(people, agent):
    builders.return_policy(people["owner"])

    with pytest.raises(Unusable, match="Say why") as refused:
        act(builders.item(), agent, DecisionKind.ESCALATE, reason="\u200b ")

    assert refused.value.field == "reason"
