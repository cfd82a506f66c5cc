"""A decision can be taken back before its reply leaves; the ledger says so, and nothing typed is lost."""

from datetime import timedelta

import pytest
from django.utils import timezone

from drafts.decisions.delivering import Answered, DeliveryState, Outcome
from drafts.decisions.transitions import DecisionKind
from drafts.models import Correction, Delivery, ReviewItem
from drafts.services import correcting, deciding, sending, undoing
from ledger import queries as ledger
from tests import builders

pytestmark = pytest.mark.django_db(transaction=True)
NEW = "An unused lamp can be returned within 14 days of receipt. Please keep the box."


@pytest.fixture
def doc_id():
    return builders.unique("returns")


@pytest.fixture
def sources(people, doc_id):
    builders.return_policy(people["owner"], doc_id=doc_id)
    builders.destination(channels=[builders.CHANNEL])


@pytest.fixture
def approved(sources, agent):
    return builders.delivery(agent)


def undo(item, actor, **changes):
    arguments = {"item_id": item.pk, "actor": actor, "now": timezone.now(), "calendar": builders.calendar()}
    return undoing.undo(**{**arguments, **changes})


def kinds(conversation):
    return [entry["kind"] for entry in ledger.entries(conversation.external_id)]


def test_an_undone_approval_is_open_again_and_held_by_whoever_undid_it(approved, agent):
    item = undo(approved.decision.item, agent)

    item.refresh_from_db()
    assert (item.state, item.decision, item.decided_by, item.holder) == ("pending", None, None, agent)


def test_an_undone_approval_never_leaves(approved, agent):
    undo(approved.decision.item, agent)

    approved.refresh_from_db()
    assert (approved.state, approved.due_at) == (DeliveryState.UNDONE, None)
    later = timezone.now() + timedelta(hours=1)
    assert sending.claim(approved.pk, now=later, calendar=builders.calendar()) is None
    assert approved.pk not in sending.due(now=later)


def test_the_ledger_says_that_the_answer_was_withdrawn(approved, agent):
    undo(approved.decision.item, agent)

    assert kinds(approved.conversation) == ["ANSWER", "WITHDRAWAL"]
    assert ledger.live_answers(approved.conversation.external_id) == {}


def test_what_was_undone_can_be_approved_again(approved, agent):
    item = undo(approved.decision.item, agent)
    again = builders.approve(item, agent)

    assert isinstance(again, deciding.Decided)
    assert kinds(approved.conversation) == ["ANSWER", "WITHDRAWAL", "ANSWER"]
    assert Delivery.objects.filter(conversation=approved.conversation, state=DeliveryState.SCHEDULED).count() == 1


def test_an_edited_text_stays_the_newest_after_an_undo(sources, agent):
    waiting = builders.item()
    text = builders.CLEAN.replace("Hello Ana", "Dear Ana")
    builders.approve(waiting, agent, text=text)

    item = undo(waiting, agent)

    assert item.draft_versions.get(number=item.version).text == text


def test_a_second_undo_says_that_nothing_is_decided(approved, agent):
    undo(approved.decision.item, agent)

    with pytest.raises(undoing.TooLate, match="not decided"):
        undo(approved.decision.item, agent)


def test_only_who_decided_can_undo(approved, people):
    with pytest.raises(undoing.TooLate, match="agent, who decided this"):
        undo(approved.decision.item, people["agent2"])


def test_after_the_grace_it_is_too_late(approved, agent):
    with pytest.raises(undoing.TooLate, match="over"):
        undo(approved.decision.item, agent, now=approved.undo_until)


def test_what_is_being_sent_cannot_be_undone(approved, agent):
    assert sending.claim(approved.pk, now=approved.undo_until, calendar=builders.calendar())

    with pytest.raises(undoing.TooLate, match="being sent"):
        undo(approved.decision.item, agent)


def test_without_a_destination_an_approval_can_be_undone_too(people, agent, doc_id):
    builders.return_policy(people["owner"], doc_id=doc_id)
    waiting = builders.item(channel=builders.CHANNEL)
    builders.approve(waiting, agent)

    assert undo(waiting, agent).state == "pending"


def test_a_draft_sent_back_can_be_fetched_again(sources, agent):
    waiting = builders.item()
    wanted = deciding.Wanted(DecisionKind.SEND_BACK, waiting.version, reason="Wrong customer")
    deciding.decide(item_id=waiting.pk, wanted=wanted, actor=agent, now=timezone.now(), calendar=builders.calendar())

    assert undo(waiting, agent).state == "pending"


def test_a_first_answer_that_was_repeated_since_can_only_be_corrected(approved, agent):
    again = builders.item(conversation=approved.conversation.external_id)
    builders.approve(again, agent)

    with pytest.raises(undoing.TooLate, match="correction"):
        undo(approved.decision.item, agent)
    assert ReviewItem.objects.get(pk=approved.decision.item_id).state == "approved"


def test_an_undone_repeat_is_not_counted(sources, agent):
    conversation = builders.locked(agent)
    again = builders.item(conversation=conversation)
    builders.approve(again, agent)

    undo(again, agent)

    (live,) = ledger.live_answers(conversation).values()
    assert live.replay_count == 0


def test_an_undone_correction_brings_the_earlier_answer_back(sources, agent):
    conversation = builders.locked(agent)
    first = Delivery.objects.get(conversation__external_id=conversation)
    claimed = sending.claim(first.pk, now=first.undo_until, calendar=builders.calendar())
    sending.settle(claimed, Answered(Outcome.TAKEN, 200), now=claimed.sent_at, chance=0)
    wanted = correcting.CorrectionWanted(NEW, "The box is needed.", agent.username)
    correction = correcting.correct(
        conversation_id=conversation,
        question_key=builders.RETURN_KEY,
        wanted=wanted,
        actor=agent,
        now=timezone.now(),
        calendar=builders.calendar(),
    )

    undoing.undo_correction(correction_id=correction.pk, actor=agent, now=timezone.now(), calendar=builders.calendar())

    (live,) = ledger.live_answers(conversation).values()
    assert live.answer_text == builders.PASSAGE
    assert Correction.objects.get(pk=correction.pk).withdrawn_by == agent
    assert Delivery.objects.get(correction=correction).state == DeliveryState.UNDONE
