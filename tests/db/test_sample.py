"""The sample that `make run` brings in: whole, once, and with something of everything a reviewer meets."""

from collections import Counter
from datetime import UTC, date, datetime, timedelta
from io import StringIO
from zoneinfo import ZoneInfo

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from console.management.commands import load_sample
from console.sample.reading import read_policies, read_steps
from drafts import queries as drafts
from drafts.decisions.analysis import analyse
from drafts.decisions.transitions import ItemState
from drafts.models import Conversation, Decision, DraftVersion, Message, ReviewItem, TicketSnapshot
from ledger import queries as ledger
from ledger.decisions.default_keys import default_registry
from ledger.decisions.vocabulary import Branch, VersionStatus
from tests import builders

pytestmark = pytest.mark.django_db

ZONE = ZoneInfo("Europe/Lisbon")
ANOTHER_VALUE = {
    "value_differs_from_locked_answer",
    "second_source_for_locked_key",
    "locked_text_missing",
    "selected_version_differs_from_router",
}
SHOWN = {
    "kettle-return-1": (Branch.SINGLE_SOURCE, set()),
    "toaster-order-1": (Branch.SINGLE_SOURCE, {"claim_contradicted", "claim_unsupported"}),
    "mixer-refund-1": (Branch.NOT_A_COMMITMENT_QUESTION, set()),
    "lamp-no-date-1": (Branch.DECIDING_FACT_MISSING, set()),
    "heater-no-date-1": (
        Branch.DECIDING_FACT_MISSING,
        {
            "missing_field_not_asked",
            "selected_version_despite_missing_field",
            "value_stated_but_none_selected",
            "version_named_but_none_selected",
        },
    ),
    "dishwasher-chat-1": (
        Branch.SOURCES_CONFLICT,
        {"sources_conflict", "value_stated_but_none_selected", "version_named_but_none_selected"},
    ),
    "quote-validity-1": (Branch.NO_SOURCE, {"value_stated_but_none_selected"}),
    "washer-warranty-2": (Branch.REPEAT, ANOTHER_VALUE),
    "fridge-compressor-2": (Branch.ADJACENT_KEY, ANOTHER_VALUE),
    "dryer-told-otherwise-2": (Branch.ASSERTS_OTHER, set()),
    "grill-received-later-2": (
        Branch.NEW_FACTS,
        {"correction_required", "value_differs_from_locked_answer", "second_source_for_locked_key"},
    ),
    "iron-old-edition-2": (Branch.POLICY_CHANGED, set()),
    "invoice-copy-1": (Branch.NOT_A_COMMITMENT_QUESTION, set()),
    "compressor-conditions-1": (
        Branch.KEY_NOT_ESTABLISHED,
        {"key_not_established", "value_stated_but_none_selected", "version_named_but_none_selected"},
    ),
    "hidden-letters-1": (Branch.SINGLE_SOURCE, {"hidden_characters"}),
    "merged-ticket-1": (Branch.SINGLE_SOURCE, {"ticket_merged"}),
}
STORED = (Conversation, Message, TicketSnapshot, ReviewItem, DraftVersion, Decision)


def load() -> str:
    said = StringIO()
    call_command("load_sample", stdout=said)
    return said.getvalue()


def items() -> dict[str, ReviewItem]:
    return {item.external_id.removeprefix("sample-"): item for item in ReviewItem.objects.all()}


def blocking(item: ReviewItem) -> set[str]:
    given = drafts.given_for(item, now=timezone.now(), calendar=builders.calendar())
    return {blocker.code for blocker in analyse(given).blockers}


def test_every_default_key_is_there_and_has_an_owner(people):
    load()

    keys = ledger.registry()
    assert default_registry().keys() <= keys.keys()
    assert {entry.owner for entry in keys.values()} == {"owner"}


def test_every_branch_of_the_gate_has_an_item(people):
    load()

    assert {item.branch for item in ReviewItem.objects.all()} == {branch.value for branch in Branch}


def test_each_item_shows_what_it_is_there_for(people):
    load()

    waiting = {name: item for name, item in items().items() if item.state == ItemState.PENDING}
    assert {name: (item.branch, blocking(item)) for name, item in waiting.items()} == SHOWN


def test_a_repeated_question_was_answered_through_the_desk_first(people):
    load()

    told = ledger.live_answers("sample-washer-warranty")
    assert "12 months" in told["warranty_duration::general"].answer_text
    assert "24 months" in drafts.current_version(items()["washer-warranty-2"]).text


def test_a_conflict_waits_for_the_owner_of_its_key(people):
    load()

    (conflict,) = ledger.conflicts()
    assert conflict.question_key == "warranty_duration::general"
    assert {member.version for member in conflict.members} == {"WAR-3", "AUTUMN-2023"}


def test_a_second_run_changes_nothing_and_says_so(people):
    first = load()
    before = {model: Counter(model.objects.values_list("pk", flat=True)) for model in STORED}

    assert "Sample loaded: 24 question keys, 7 policy versions" in first
    assert load() == "The sample is already loaded; nothing was changed.\n"
    assert {model: Counter(model.objects.values_list("pk", flat=True)) for model in STORED} == before


def test_a_run_on_a_later_day_changes_nothing_either(people, monkeypatch):
    load()
    before = ledger.versions_of(["returns"])

    monkeypatch.setattr(load_sample.timezone, "now", lambda: datetime.now(UTC) + timedelta(days=40))

    assert load() == "The sample is already loaded; nothing was changed.\n"
    assert ledger.versions_of(["returns"]) == before


def test_what_people_have_changed_since_stays(people, owner):
    load()
    builders.key("price_validity::general", by=owner, question_canonical="How long do our quotes hold?")
    builders.version(
        by=owner,
        doc_id="compressor-maker",
        name="MK-7",
        key="warranty_duration::general",
        status=VersionStatus.RETIRED,
    )

    load()

    assert ledger.registry()["price_validity::general"].question_canonical == "How long do our quotes hold?"
    assert ledger.versions_of(["compressor-maker"])[0].status is VersionStatus.RETIRED


def test_keys_of_ones_own_keep_the_sample_out(people, owner):
    builders.key(by=owner)

    assert "left out" in load()
    assert not ReviewItem.objects.exists()


def test_without_its_people_it_says_what_to_do():
    with pytest.raises(CommandError, match="create_people"):
        load()


def test_a_number_stands_for_a_day_or_an_hour_from_now():
    now = datetime(2026, 3, 2, 23, 30, tzinfo=UTC)

    first, second = (v for v in read_policies(date(2026, 3, 2)).versions if v.doc_id == "returns")
    steps = {step.draft.external_id: step for step in read_steps(now, ZONE)}

    assert first.effective_until == second.effective_from == date(2026, 1, 16)
    assert steps["sample-kettle-return-1"].draft.ask.facts == {"received_on": "2026-02-24"}
    assert steps["sample-kettle-return-1"].at == now - timedelta(hours=1)
    assert steps["sample-mixer-refund-1"].draft.ask.ticket.fields["refund"]["issued_at"].startswith("2026-03-01T21:30")


def test_every_conversation_says_what_it_is_there_to_show():
    steps = list(read_steps(datetime(2026, 3, 2, tzinfo=UTC), ZONE))

    assert all(step.shows.strip() for step in steps)
    assert len({step.draft.external_id for step in steps}) == len(steps)
