"""An item that was handed on is decided by a policy owner, and nobody's words are lost on the way."""

import pytest
from django.utils import timezone

from drafts.decisions.transitions import DecisionKind, ItemState
from drafts.models import Decision, ParkedText
from drafts.services import analysing
from drafts.services.deciding import Wanted, decide
from drafts.services.outcomes import Decided, Refused, Unusable
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
