"""What must never happen to items and decisions is refused by the database, whoever asks. One test per rule."""

import uuid

import pytest
from django.db import DatabaseError, connection, transaction
from django.utils import timezone

from drafts.models import (
    Conversation,
    Correction,
    Decision,
    Delivery,
    Dismissal,
    DraftVersion,
    Escalation,
    Event,
    Message,
    ReviewItem,
)
from tests import builders

pytestmark = pytest.mark.django_db
INVISIBLE = "\u200b\u00a0 \u2060"


@pytest.fixture
def item(people):
    builders.return_policy(people["owner"])
    return builders.item()


@pytest.fixture
def decided(item, agent):
    builders.approve(item, agent)
    item.refresh_from_db()
    return item


def refused(match: str):
    """The database refuses, for the stated reason, when the statement runs or when the transaction would end."""
    return pytest.raises(DatabaseError, match=match)


def settle() -> None:
    """Check now what is otherwise checked when the transaction ends."""
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")


def decision(item: ReviewItem, agent, **changes: object) -> Decision:
    fields = {"kind": "approve", "seen_version": 1, "text": "Hello", "branch": "", "decided_by": agent}
    return Decision(item=item, decided_at=timezone.now(), **{**fields, **changes})


def test_a_decided_item_has_a_decider_and_a_time(item):
    with refused("item_decided_by_someone_at_some_time"):
        ReviewItem.objects.filter(pk=item.pk).update(state="approved")


def test_an_open_item_has_no_decider(item, agent):
    with refused("item_decided_by_someone_at_some_time"):
        ReviewItem.objects.filter(pk=item.pk).update(decided_by=agent, decided_at=timezone.now())


def test_a_decided_item_names_its_decision(item, agent):
    with refused("item_decided_by_someone_at_some_time"):
        ReviewItem.objects.filter(pk=item.pk).update(state="approved", decided_by=agent, decided_at=timezone.now())


def test_an_item_does_not_name_the_decision_of_another(decided, agent):
    other = builders.item()

    with refused("names its one standing decision"), transaction.atomic():
        decision(other, agent).save(force_insert=True)
        ReviewItem.objects.filter(pk=decided.pk).update(
            state="pending", decision=None, decided_by=None, decided_at=None
        )
        ReviewItem.objects.filter(pk=other.pk).update(
            state="approved", decision=decided.decision_id, decided_by=agent, decided_at=timezone.now()
        )
        settle()


def test_a_decision_closes_its_item(item, agent):
    with refused("names its one standing decision"), transaction.atomic():
        decision(item, agent).save(force_insert=True)
        settle()


def test_an_item_is_decided_once(decided, agent):
    with refused("decision_stands_once_per_item"):
        decision(decided, agent).save(force_insert=True)


def test_a_closed_item_stays_closed_while_its_decision_stands(decided):
    with refused("names its one standing decision"), transaction.atomic():
        ReviewItem.objects.filter(pk=decided.pk).update(
            state="pending", decision=None, decided_by=None, decided_at=None
        )
        settle()


def test_an_item_does_not_stay_decided_by_what_was_withdrawn(decided):
    with refused("names its one standing decision"), transaction.atomic():
        Decision.objects.filter(item=decided).update(withdrawn_at=timezone.now(), withdrawn_because="Undone")
        settle()


@pytest.mark.parametrize("changes", [
    pytest.param({"withdrawn_at": "now"}, id="without-a-reason"),
    pytest.param({"withdrawn_at": "now", "withdrawn_because": INVISIBLE}, id="blank"),
])  # fmt: skip
def test_a_decision_is_withdrawn_for_a_reason(decided, changes):
    with refused("decision_withdrawn_for_a_reason"):
        Decision.objects.filter(item=decided).update(**{**changes, "withdrawn_at": timezone.now()})


def test_a_withdrawal_changes_nothing_else(decided):
    with refused("written once; they can be withdrawn"):
        Decision.objects.filter(item=decided).update(
            withdrawn_at=timezone.now(), withdrawn_because="Undone", text="Another"
        )


@pytest.mark.parametrize(("changes", "rule"), [
    pytest.param({"kind": "correct", "reason": None}, "decision_to_correct", id="correct-no-reason"),
    pytest.param({"kind": "correct", "reason": INVISIBLE}, "decision_to_correct", id="correct-blank"),
    pytest.param({"kind": "correct", "reason": "why", "owner": None}, "decision_to_correct_has_reason", id="no-owner"),
    pytest.param({"kind": "send_back", "reason": None, "text": ""}, "decision_to_send_back", id="back-no-reason"),
    pytest.param({"kind": "send_back", "reason": INVISIBLE}, "decision_to_send_back_has_reason", id="back-blank"),
    pytest.param({"text": ""}, "decision_that_sends_has_text", id="approve-nothing"),
    pytest.param({"text": INVISIBLE}, "decision_that_sends_has_text", id="approve-invisible"),
])  # fmt: skip
def test_a_decision_is_complete(item, agent, changes, rule):
    owner = {"owner": agent} if "owner" not in changes else {}

    with refused(rule):
        decision(item, agent, **owner, **changes).save(force_insert=True)


@pytest.mark.parametrize("statement", [
    "UPDATE {table} SET {column} = {column} WHERE item_id = %s",
    "DELETE FROM {table} WHERE item_id = %s",
])  # fmt: skip
@pytest.mark.parametrize(("table", "column"), [
    ("drafts_decision", "text"), ("drafts_draftversion", "text"), ("drafts_event", "kind"),
])  # fmt: skip
def test_what_was_decided_is_never_rewritten(decided, statement, table, column):
    with refused("written once"), connection.cursor() as cursor:
        cursor.execute(statement.format(table=table, column=column), [decided.pk])


def test_a_correction_is_never_rewritten(decided, people):
    made = Correction.objects.create(
        conversation=decided.conversation, entry_id=uuid.uuid4(), question_key="a::b", old_text="12", new_text="14",
        message="Sorry", reason="A slip", owner=people["owner"], corrected_by=people["agent"],
        corrected_at=timezone.now(),
    )  # fmt: skip

    with refused("written once"):
        Correction.objects.filter(pk=made.pk).update(reason="Another")


def test_a_conversation_that_was_promised_something_keeps_its_name(decided):
    with refused("keeps its name"):
        Conversation.objects.filter(pk=decided.conversation_id).update(external_id="renamed")


def test_draft_versions_are_numbered_once(item):
    with refused("draft_version_numbered_once"):
        DraftVersion.objects.create(item=item, number=1, text="Again", created_at=timezone.now())


def test_a_message_stands_once_in_its_thread(item):
    known = item.conversation.messages.get()

    with refused("message_once_per_conversation"):
        Message.objects.create(
            conversation=item.conversation, external_id=known.external_id, ordinal=9, role="customer", text="",
            received_at=timezone.now(),
        )  # fmt: skip


@pytest.mark.parametrize("changes", [
    pytest.param({"holder_id": None, "lease_until": "now"}, id="lease-without-holder"),
    pytest.param({"lease_until": None, "holder_id": 1}, id="holder-without-lease"),
])  # fmt: skip
def test_an_item_is_held_by_someone_until_a_time(item, agent, changes):
    values = {**changes, "holder_id": agent.pk if changes["holder_id"] else None}
    values["lease_until"] = timezone.now() if changes["lease_until"] else None

    with refused("item_held_until_a_time"):
        ReviewItem.objects.filter(pk=item.pk).update(**values)


@pytest.mark.parametrize("changes", [
    pytest.param({"question_status": "established", "question_key": None}, id="established-without-key"),
    pytest.param({"question_status": "uncertain", "question_key": "a::b"}, id="key-while-uncertain"),
    pytest.param({"question_status": "established", "question_key": "a::b", "question_by": None}, id="by-nobody"),
])  # fmt: skip
def test_a_key_stands_only_when_established(item, changes):
    with refused("item_key_only_when_established"):
        ReviewItem.objects.filter(pk=item.pk).update(**changes)


def test_an_item_retires_for_a_reason(item):
    with refused("item_retired_for_a_reason"):
        ReviewItem.objects.filter(pk=item.pk).update(state="retired")


def test_no_item_has_an_unknown_state(item):
    with refused("item_state_known"):
        ReviewItem.objects.filter(pk=item.pk).update(state="lost")


@pytest.mark.parametrize("reason", ["", INVISIBLE])
def test_handing_on_and_dismissing_need_a_reason(item, agent, reason):
    with refused("escalation_has_a_reason"), transaction.atomic():
        Escalation.objects.create(item=item, reason=reason, escalated_by=agent, escalated_at=timezone.now())
    with refused("dismissal_has_a_reason"):
        Dismissal.objects.create(
            item=item, subject="STATUS", quote="x", reason=reason, dismissed_by=agent, dismissed_at=timezone.now()
        )


def test_a_delivery_belongs_to_one_thing(decided):
    with refused("delivery_of_one_thing"):
        Delivery.objects.create(
            conversation=decided.conversation, text="Hello", created_at=timezone.now(), undo_until=timezone.now()
        )


def test_a_reply_is_delivered_once(decided):
    with refused("drafts_delivery_decision_id"):
        Delivery.objects.create(
            conversation=decided.conversation, decision=decided.decision, text="Hello", created_at=timezone.now(),
            undo_until=timezone.now(),
        )  # fmt: skip


def test_history_names_an_item(item):
    assert Event.objects.filter(item=item).count() == 1
