"""The sample that `make run` brings in: whole, once, and with something of everything a reviewer meets."""

import ast
import json
from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta
from io import StringIO
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from django.core.management import call_command
from django.db import transaction
from django.utils import timezone

from console.management.commands.create_people import create_people
from console.sample.reading import read_policies, read_steps
from console.sample.times import Moments
from drafts import queries as drafts
from drafts.decisions.analysis import analyse
from drafts.decisions.transitions import DecisionKind, ItemState
from drafts.decisions.vocabulary import ClaimClass, Tier, Verdict
from drafts.models import (
    Claim,
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
    TicketSnapshot,
)
from drafts.services import deciding
from drafts.services.outcomes import Decided, Refused
from ledger import queries as ledger
from ledger.decisions.calendar import BusinessCalendar
from ledger.decisions.default_keys import default_registry
from ledger.decisions.vocabulary import Branch, KeyStatus
from ledger.services.settling import Settlement
from tests import builders

pytestmark = [pytest.mark.usefixtures("sample"), pytest.mark.django_db]

ROOT = Path(__file__).parents[2]
ZONE = ZoneInfo("Europe/Lisbon")
DEADLINES = {"due_at", "deadline_at"}
STORED = (
    Conversation, Message, TicketSnapshot, ReviewItem, DraftVersion, Decision, Delivery, Correction, Event, Escalation,
    Dismissal,
)  # fmt: skip
NOT_FROM_A_DRAFT = {
    "moved_on_meanwhile": "only where somebody else writes in the same moment",
    "reply_already_sent": "an outside reply retires a draft; only one that was opened again shows this",
    "answer_still_leaving": "said to whoever starts a correction",
    "waits_for_policy_owner": "said to an agent who tries to decide an escalated item",
    "answer_text_not_in_reply": "about the answer that a reviewer confirms with an approval",
    "answer_text_states_nothing": "about the answer that a reviewer confirms with an approval",
    "nothing_to_correct": "said to whoever starts a correction",
    "no_source_for_correction": "said to whoever starts a correction",
    "correction_changes_nothing": "said to whoever starts a correction",
    "withdrawn_answer_not_named": "about the message of a correction",
    "new_answer_not_named": "about the message of a correction",
    "value_differs_from_correction": "about the message of a correction",
    "no_reply_from_outside": "said to whoever withdraws what was said past the desk",
    "withdrawn_words_not_said": "said to whoever withdraws what was said past the desk",
    "withdrawn_words_do_not_differ": "said to whoever withdraws what was said past the desk",
}
"""Codes that no draft can bring in, with the reason; every other code of the product has an item of the sample."""


@pytest.fixture(scope="module")
def sample(django_db_setup, django_db_blocker):
    """The sample, loaded once for this module in a transaction that is undone after it; tests nest in it."""
    held = transaction.atomic()
    held._from_testcase = True  # as Django's own test cases do it, so that durable services run inside
    with django_db_blocker.unblock(), held:
        create_people()
        call_command("load_sample", stdout=StringIO())
        yield
        transaction.set_rollback(True)


def items(*states: ItemState) -> dict[str, ReviewItem]:
    found = ReviewItem.objects.filter(state__in=states or tuple(ItemState))
    return {item.external_id: item for item in found}


def codes_of_the_product() -> set[str]:
    """Every code that a finding or a blocker is made with, read from the program itself."""
    return {code for path in (ROOT / "drafts").rglob("*.py") for code in _codes(path)}


def _codes(path: Path) -> Iterator[str]:
    makers = {"Finding", "Blocker", "_at"}
    for call in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in makers and call.args:
            code = call.args[0]
            if isinstance(code, ast.Constant) and isinstance(code.value, str):
                yield code.value


def codes_of(item: ReviewItem) -> set[str]:
    """The codes an item shows when somebody opens it now."""
    analysis = analyse(drafts.given_for(item, now=timezone.now(), calendar=builders.calendar()))
    return {found.code for found in (*analysis.findings, *analysis.blockers)}


def decide(item: ReviewItem, by, *, text: str | None = None) -> object:
    kind = DecisionKind.EDIT if text else DecisionKind.APPROVE
    wanted = deciding.Wanted(kind, item.version, text)
    return deciding.decide(item_id=item.pk, wanted=wanted, actor=by, now=timezone.now(), calendar=builders.calendar())


def test_every_default_key_is_there_and_has_an_owner(people):
    keys = ledger.registry()
    assert default_registry().keys() <= keys.keys()
    assert {entry.owner for entry in keys.values()} == {"owner"}


def test_every_branch_of_the_gate_has_an_open_item(people):
    shown = {item.branch for item in items(ItemState.PENDING, ItemState.ESCALATED).values()}
    assert sorted({branch.value for branch in Branch} - shown) == [], "branches without an open item of the sample"


def test_every_verdict_is_shown_for_every_class_of_claims(people):
    open_claims = Claim.objects.filter(item__state=ItemState.PENDING)
    shown = set(open_claims.filter(tier=Tier.CLAIM).values_list("cls", "verdict"))
    wanted = {(cls.value, verdict.value) for cls in ClaimClass for verdict in Verdict}
    assert sorted(wanted - shown) == [], "claims without an open item of the sample"
    assert open_claims.filter(tier=Tier.POSSIBLE).exists()


def test_every_code_that_a_draft_can_raise_is_shown(people):
    shown = {code for item in items(ItemState.PENDING).values() for code in codes_of(item)}
    missing = codes_of_the_product() - shown - NOT_FROM_A_DRAFT.keys()
    assert sorted(missing) == [], "codes without an item of the sample: add one, or say in NOT_FROM_A_DRAFT why not"


def test_what_is_said_to_come_from_no_draft_is_a_code_and_comes_from_none(people):
    assert NOT_FROM_A_DRAFT.keys() <= codes_of_the_product()
    assert not NOT_FROM_A_DRAFT.keys() & {code for item in items(ItemState.PENDING).values() for code in codes_of(item)}


def test_what_the_queue_shows_is_what_opening_the_item_shows(people):
    for name, item in items(ItemState.PENDING).items():
        stored = {blocker["code"] for blocker in item.analysis["blocked_by"]}
        now = {b.code for b in analyse(drafts.given_for(item, now=timezone.now())).blockers}
        assert stored == now, name


def test_every_state_and_every_decision_has_an_item(people):
    assert {item.state for item in items().values()} == {state.value for state in ItemState}
    assert {decision.kind for decision in Decision.objects.all()} == set(Decision.Kind.values)
    assert {item.question_status for item in items().values()} == {status.value for status in KeyStatus}
    assert all(escalation.reason for escalation in Escalation.objects.all())


def test_items_are_being_worked_on(people):
    open_items = items(ItemState.PENDING)
    assert open_items["coffee-taken"].holder == people["agent2"]
    assert drafts.current_version(open_items["grinder-edited"]).author == people["agent"]
    assert open_items["juicer-chosen"].question_set_by == people["agent2"]
    assert [other["key"] for other in open_items["two-questions"].also_asked] == ["return_window::general"]
    assert open_items["form-question"].question_by == "form"
    assert Dismissal.objects.filter(item__external_id="seal-words").exists()


def test_deadlines_lie_behind_near_and_far(people):
    tickets = [item.ticket.fields for item in items(ItemState.PENDING).values() if item.ticket]
    due = [datetime.fromisoformat(str(f["first_response_due_at"])) for f in tickets if f.get("first_response_due_at")]
    now = timezone.now()
    assert min(due) < now
    assert any(now < at < now + timedelta(hours=2) for at in due)
    assert max(due) > now + timedelta(hours=10)


def test_the_first_walk_leads_to_an_approval_by_taking_one_sentence_out(people, agent):
    item = items()["walk-1-approve"]
    text = drafts.current_version(item).text

    refused = decide(item, agent)
    decided = decide(item, agent, text=text.replace(" Our warehouse team is currently preparing your parcel.", ""))

    assert isinstance(refused, Refused)
    assert [blocker.code for blocker in refused.blockers] == ["claim_unsupported"]
    assert isinstance(decided, Decided)
    assert "3 to 5 business days" in ledger.live_answers("walk-1-approve")["delivery_time::general"].answer_text


def test_the_second_walk_repeats_the_locked_answer(people, agent):
    told = ledger.live_answers("walk-2-repeat")["warranty_duration::general"]
    item = items()["walk-2-repeat-2"]
    assert "24 months" in drafts.current_version(item).text
    assert "12 months" in told.answer_text

    refused = decide(item, agent)
    decided = decide(item, agent, text=f"Hello Femi,\n\nNo problem. {told.answer_text}\n\nAlder Home Repair")

    assert isinstance(refused, Refused)
    assert "value_differs_from_locked_answer" in {blocker.code for blocker in refused.blockers}
    assert isinstance(decided, Decided)
    after = ledger.live_answers("walk-2-repeat")["warranty_duration::general"]
    assert (told.replay_count, after.replay_count) == (0, 1)


def test_the_third_walk_settles_three_documents_and_frees_the_item(people, agent, owner):
    (conflict,) = ledger.conflicts()
    assert conflict.question_key == "warranty_duration::general"
    documents = {member.doc_id for member in conflict.members}
    assert documents == {"repair-warranty", "autumn-weeks-2023", "help-page-fridges"}

    builders.updates.resolve_conflict(
        conflict_id=conflict.id,
        wanted=Settlement(
            "WAR-3",
            ["AUTUMN-2023", "HELP-FRIDGE"],
            "The autumn weeks are over, and the maker's promise is not ours.",
        ),
        actor=owner,
        now=timezone.now(),
        calendar=builders.calendar(),
    )

    held = items()["walk-3-conflict"]
    assert held.branch == Branch.SINGLE_SOURCE
    statement = held.analysis["router"]["passage"]
    assert isinstance(decide(held, agent, text=f"Hello Noor,\n\n{statement}\n\nAlder Home Repair"), Decided)


def test_the_fourth_walk_finds_a_correction_among_others(people):
    found = {correction.conversation.external_id: correction for correction in Correction.objects.all()}
    told = found["walk-4-correction"]
    assert (told.owner.username, "€6.90" in told.old_text, "€4.90" in told.new_text) == ("agent2", True, True)
    assert {correction.owner.username for correction in found.values()} == {"agent", "agent2", "owner"}
    days = sorted(correction.corrected_at for correction in found.values())
    assert len(days) == 4
    assert days[-1] - days[0] > timedelta(weeks=3)


def test_a_correction_names_the_day_on_which_the_customer_was_told(people):
    for correction in Correction.objects.all():
        told = correction.conversation.items.get(state=ItemState.APPROVED)
        assert f"On {told.decided_at.day} {told.decided_at:%B %Y} we told you" in correction.message


def test_nothing_lies_in_the_future_but_deadlines_and_appointments(people):
    now = timezone.now()

    rows = (
        (model, field.name, getattr(row, field.name))
        for model in STORED
        for row in model.objects.all()
        for field in model._meta.fields
        if field.name.endswith(("_at", "as_of")) and field.name not in DEADLINES
    )
    assert [found for found in rows if found[2] is not None and found[2] > now] == []
    assert [f for item in items().values() for f in item.facts.items() if str(f[1]) > now.date().isoformat()] == []


def test_a_thread_is_in_order_and_a_draft_follows_its_question(people):
    for conversation in Conversation.objects.all():
        sent = list(conversation.messages.order_by("ordinal").values_list("sent_at", flat=True))
        assert sent == sorted(sent), conversation.external_id
    for item in items().values():
        assert item.reply_to.sent_at < item.created_at, item.external_id
        if item.decided_at:
            assert item.created_at < item.decided_at, item.external_id


def test_our_own_replies_are_known_in_the_thread(people):
    agents = Message.objects.filter(role="agent", conversation__external_id="patient-thread").order_by("ordinal")
    assert [message.through_desk for message in agents] == [False, True, True]


def test_a_number_stands_for_a_day_or_an_hour():
    moments = Moments(datetime(2026, 3, 2, 23, 30, tzinfo=UTC), BusinessCalendar(ZONE))
    at = datetime(2026, 2, 27, 10, tzinfo=UTC)

    raw = {"received_on": -6, "ordered_on": "step-2", "issued_at": -26, "due_at": "now+2h", "visit_at": "+2 10:00"}

    assert moments.dated(raw, at=at) == {
        "received_on": "2026-02-24",
        "ordered_on": "2026-02-25",
        "issued_at": "2026-02-26T08:00:00+00:00",
        "due_at": "2026-03-03T01:30:00+00:00",
        "visit_at": "2026-03-05T10:00:00+00:00",
    }
    assert moments.dated("on «+2», from «-6d»", at=at) == "on Thursday, 5 March 2026, from 24 February"


@pytest.mark.parametrize(
    ("now", "hours", "then"),
    [
        ("2026-03-04T12:00", 2, "2026-03-04T10:00"),
        ("2026-03-04T10:00", 2, "2026-03-03T17:00"),
        ("2026-03-02T08:00", 1, "2026-02-27T17:00"),
        ("2026-03-01T23:30", 10, "2026-02-26T17:00"),
        ("2026-03-04T12:00", 45, "2026-02-25T12:00"),
    ],
)
def test_people_work_while_the_shop_is_open(now, hours, then):
    lisbon = BusinessCalendar(ZONE, opens=time(6), closes=time(7))
    moments = Moments(datetime.fromisoformat(now).replace(tzinfo=ZONE), lisbon)

    assert moments.working_hours_ago(hours) == datetime.fromisoformat(then).replace(tzinfo=ZONE)


def test_the_days_of_a_version_count_from_the_day_of_loading():
    moments = Moments(datetime(2026, 3, 2, 12, tzinfo=UTC), builders.calendar())

    first, second = (v for v in read_policies(moments).versions if v.doc_id == "returns")

    assert first.effective_until == second.effective_from == date(2026, 1, 16)


def test_steps_come_in_the_order_in_which_they_happened():
    moments = Moments(datetime(2026, 3, 2, 12, tzinfo=UTC), builders.calendar())

    happened = read_steps(moments)

    assert [step.at for step in happened] == sorted(step.at for step in happened)
    assert max(step.at for step in happened) < moments.now


def test_every_conversation_is_another_customers_and_says_what_it_shows():
    content = json.loads((ROOT / "console/sample/conversations.json").read_text(encoding="utf-8"))

    assert len({each["id"] for each in content}) == len({each["customer_id"] for each in content}) == len(content)
    assert all(each["shows"] for each in content)
