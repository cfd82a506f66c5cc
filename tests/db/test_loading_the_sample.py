"""Loading the sample: once, at any hour, and with respect for what people have changed since."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from io import StringIO
from itertools import product

import pytest
from django.core.management import CommandError, call_command
from django.db import transaction
from django.utils import timezone

from console.management.commands import load_sample
from console.sample import resuming, steps
from console.sample.performing import Performance, StepRefused
from console.sample.reading import read_policies, read_steps
from console.sample.times import Moments
from drafts import queries as drafts
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
from drafts.services import editing
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


class Cut(BaseException):
    """The process ends here."""


@contextmanager
def undone() -> Iterator[None]:
    """Undo what the block wrote."""
    held = transaction.atomic()
    held._from_testcase = True  # as Django's own test cases do it, so that durable services run inside
    with suppress(Cut), held:
        yield
        raise Cut


CUTS = ("before the step", "after the step", "after its reply")
NOW = datetime(2026, 3, 4, 15, tzinfo=UTC)


def cut_at(monkeypatch, number: int, where: str) -> None:
    """Load at NOW and end at the step of this number: before it, after it, or after its reply has left."""
    step = read_steps(Moments(NOW, builders.calendar()))[number - 1]

    def performed(performance, performed, person):
        if performed == step and where == "before the step":
            raise Cut
        perform(performance, performed, person)
        if performed == step and where == "after the step":
            raise Cut

    def saved(loading, **how):
        if loading.steps_done == number and where == "after its reply":
            raise Cut
        save(loading, **how)

    perform, save = Performance.perform, resuming.SampleLoading.save
    with monkeypatch.context() as patched, suppress(Cut):
        patched.setattr(load_sample.timezone, "now", lambda: NOW)
        patched.setattr(Performance, "perform", performed)
        patched.setattr(resuming.SampleLoading, "save", saved)
        load()
    monkeypatch.setattr(load_sample.timezone, "now", lambda: NOW + timedelta(days=3))


def told() -> dict[str, object]:
    """What stands in the database, without what is drawn by chance."""
    rows = {
        "items": ReviewItem.objects.values_list("external_id", "state", "version", "holder__username", "decided_at"),
        "events": Event.objects.values_list("item__external_id", "kind", "actor__username", "happened_at"),
        "decisions": Decision.objects.values_list("item__external_id", "kind", "text", "decided_at"),
        "deliveries": Delivery.objects.values_list("conversation__external_id", "state"),
        "messages": Message.objects.values_list("conversation__external_id", "role", "text", "sent_at"),
        "versions": DraftVersion.objects.values_list("item__external_id", "text", "author__username"),
        "corrections": Correction.objects.values_list("conversation__external_id", "new_text", "corrected_at"),
        "dismissals": Dismissal.objects.values_list("item__external_id", "reason"),
        "tickets": TicketSnapshot.objects.values_list("as_of"),
    }
    return {name: Counter(found) for name, found in rows.items()}


def every_kind_of_step() -> list[int]:
    """The number of the last step of each kind, and of the first decision."""
    happened = read_steps(Moments(NOW, builders.calendar()))
    numbers = {type(step): number for number, step in enumerate(happened, start=1)}
    first = next(number for number, step in enumerate(happened, start=1) if isinstance(step, steps.Decision))
    return sorted({first, *numbers.values()})


@pytest.fixture
def uncut(people, monkeypatch):
    """What a loading that nobody cut leaves, undone again."""
    with undone(), monkeypatch.context() as patched:
        patched.setattr(load_sample.timezone, "now", lambda: NOW)
        load()
        return told()


def test_a_loading_that_is_cut_short_again_and_again_goes_on_where_it_stopped(uncut, monkeypatch):
    for number, where in product(every_kind_of_step(), CUTS):
        cut_at(monkeypatch, number, where)
        assert resuming.SampleLoading.objects.get().steps_done == number - 1

    assert load() == f"The rest of the sample is loaded: {len(uncut['items'])} drafts in all.\n"
    assert told() == uncut
    assert load() == "The sample is already loaded; nothing was changed.\n"


def test_what_people_did_between_the_cut_and_the_rest_stays(people, agent, monkeypatch):
    happened = read_steps(Moments(NOW, builders.calendar()))
    number = next(n for n, step in enumerate(happened, start=1) if isinstance(step, steps.Saved))
    cut_at(monkeypatch, number, "before the step")
    item = ReviewItem.objects.get(external_id=happened[number - 1].item)
    editing.save_text(
        item_id=item.pk,
        text="Our own words.",
        seen_version=1,
        actor=agent,
        now=timezone.now(),
        calendar=builders.calendar(),
    )

    assert "The rest of the sample is loaded" in load()

    item.refresh_from_db()
    assert drafts.current_version(item).text == "Our own words."
    assert item.state == ItemState.PENDING
