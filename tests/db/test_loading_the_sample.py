"""Loading the sample: once, at any hour, and with respect for what people have changed since."""

from collections import Counter
from datetime import UTC, datetime, timedelta
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from console.management.commands import load_sample
from console.sample import steps
from console.sample.performing import Performance, StepRefused
from console.sample.reading import read_policies
from console.sample.times import Moments
from drafts.decisions.transitions import DecisionKind, ItemState
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
    TicketSnapshot,
)
from ledger import queries as ledger
from ledger.decisions.vocabulary import Branch, VersionStatus
from tests import builders

pytestmark = pytest.mark.django_db

STORED = (
    Conversation, Message, TicketSnapshot, ReviewItem, DraftVersion, Decision, Delivery, Correction, Event, Escalation,
    Dismissal,
)  # fmt: skip


def load() -> str:
    said = StringIO()
    call_command("load_sample", stdout=said)
    return said.getvalue()


def stored() -> dict[object, Counter[object]]:
    return {model: Counter(model.objects.values_list("pk", flat=True)) for model in STORED}


def test_a_second_run_changes_nothing_and_says_so(people):
    first = load()
    before = stored()

    versions = read_policies(Moments(timezone.now(), builders.calendar())).versions
    counts = f"24 question keys, {len(versions)} policy versions, {len(before[ReviewItem])} drafts"
    assert first == f"Sample loaded: {counts}.\n"
    assert load() == "The sample is already loaded; nothing was changed.\n"
    assert stored() == before


def test_a_run_on_a_later_day_changes_nothing_either(people, monkeypatch):
    load()
    before = ledger.versions_of(["returns"])

    monkeypatch.setattr(load_sample.timezone, "now", lambda: datetime.now(UTC) + timedelta(days=40))

    assert load() == "The sample is already loaded; nothing was changed.\n"
    assert ledger.versions_of(["returns"]) == before


@pytest.mark.parametrize("hour", ["2026-03-02T09:01", "2026-03-01T23:30", "2025-12-31T12:00"])
def test_it_loads_at_any_hour(people, monkeypatch, hour):
    now = datetime.fromisoformat(f"{hour}Z")
    monkeypatch.setattr(load_sample.timezone, "now", lambda: now)

    load()

    assert ReviewItem.objects.get(external_id="walk-1-approve").blocker_count == 1
    waiting = ReviewItem.objects.filter(state=ItemState.PENDING)
    assert {item.branch for item in waiting} == {branch.value for branch in Branch}


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


def test_a_step_that_the_rules_refuse_says_why(people):
    moments = Moments(timezone.now(), builders.calendar())
    load()
    item = ReviewItem.objects.get(external_id="walk-1-approve")
    performance = Performance(moments.calendar)
    performance.items["walk-1-approve"] = item.pk

    approval = steps.Decision(moments.now, "walk-1-approve", "agent", DecisionKind.APPROVE, 1)

    with pytest.raises(StepRefused, match="no record behind it"):
        performance.perform(approval, people.__getitem__)
