"""Whatever happens in whatever order, nothing that was promised is denied, doubled or quietly changed.

A machine drives the real services: asks, approvals, replays, corrections, undoing, deliveries, replies from outside and
changes of policy, in an order that Hypothesis chooses. After every step the ledger is read as a stranger would.
"""

import contextlib
from collections import Counter
from datetime import date, timedelta

import pytest
from django.db import connection, transaction
from django.utils import timezone
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule, run_state_machine_as_test

from drafts import queries
from drafts.decisions.comparison import contains_verbatim
from drafts.decisions.delivering import Answered, DeliveryState, Outcome
from drafts.decisions.transitions import DecisionKind
from drafts.models import Conversation, Delivery, ReviewItem
from drafts.services import correcting, deciding, sending, settling, undoing, updates
from drafts.services.outcomes import Decided, Unusable
from ledger import queries as ledger
from ledger.decisions.vocabulary import Branch, DocumentKind, VersionStatus
from ledger.services.policies import VersionRefused
from tests import builders

pytestmark = pytest.mark.django_db

CANCEL_KEY = "cancellation_window::online_store"
FIRST, LATER, RIVAL = (f"An unused lamp can be returned within {days} days of receipt." for days in (14, 30, 60))
CANCEL = "An order can be cancelled within 2 days of purchase."
SAYINGS = {builders.RETURN_KEY: (FIRST, LATER, RIVAL), CANCEL_KEY: (CANCEL, CANCEL.replace("2 days", "5 days"))}
ASKING = {builders.RETURN_KEY: builders.QUESTION, CANCEL_KEY: "Until when can I cancel my order?"}
NAMES = ("promise-a", "promise-b")
keys, names, numbers = st.sampled_from(sorted(SAYINGS)), st.sampled_from(NAMES), st.integers(0, 2)


def moment():
    return {"now": timezone.now(), "calendar": builders.calendar()}


def saying(key, number):
    return SAYINGS[key][number % len(SAYINGS[key])]


def published(owner, doc_id, name, passage, **changes):
    """Send a version, where the rules allow it at this moment."""
    with contextlib.suppress(VersionRefused):
        builders.version(by=owner, doc_id=doc_id, name=name, passage=passage, **changes)


class Desk(RuleBasedStateMachine):
    """Two customers, two questions, sources that change, and one destination; all of it is rolled back afterwards."""

    people: dict[str, object]
    happened: Counter[str]

    def __init__(self):
        super().__init__()
        self.published: set[str] = set()
        self.whole = transaction.atomic()
        self.whole._from_testcase = True  # as Django's TestCase does, so that services may be durable in it
        self.whole.__enter__()
        owner = self.people["owner"]
        builders.key(by=owner)
        builders.key(CANCEL_KEY, by=owner, question_canonical="Until when can it be cancelled?", deciding_facts=())
        builders.version(by=owner, doc_id="promised-returns", name="R-1", passage=FIRST)
        cancelling = {"name": "C-1", "passage": CANCEL, "key": CANCEL_KEY, "deciding_date": "ordered_on"}
        builders.version(by=owner, doc_id="promised-cancelling", **cancelling)
        builders.destination(channels=[builders.CHANNEL])

    def teardown(self):
        transaction.set_rollback(True)
        self.whole.__exit__(None, None, None)

    def waiting(self):
        open_items = ReviewItem.objects.filter(state="pending", conversation__external_id__in=NAMES)
        return list(open_items.order_by("created_at"))

    def decided(self):
        found = ReviewItem.objects.filter(conversation__external_id__in=NAMES, decision__isnull=False)
        return found.order_by("-decided_at").first()

    def due(self):
        return Delivery.objects.filter(conversation__external_id__in=NAMES, due_at__isnull=False).order_by("created_at")

    def given_up(self):
        return Delivery.objects.filter(conversation__external_id__in=NAMES, state=DeliveryState.DEAD).first()

    def drafted(self, name, key, text):
        self.happened["asked"] += 1
        return builders.item(
            f"Hello Ana,\n\n{text}\n\nKind regards,\nThe lamp shop",
            conversation=name,
            question=key,
            facts={"received_on": "2026-10-02", "ordered_on": "2026-10-01"},
            messages=[builders.message(ASKING[key])],
        )

    def decide(self, item, who, text=None):
        outcome = builders.approve(item, self.people[who], text=text)
        self.happened[f"{'edit' if text else 'approval'} {type(outcome).__name__}"] += 1
        if isinstance(outcome, Decided):
            self.happened[outcome.decision.branch] += 1

    @rule(name=names, key=keys)
    def answer(self, name, key):
        """The ordinary case: what was told is told again, or the first document answers; a person approves."""
        live = ledger.live_answers(name).get(key)
        self.decide(self.drafted(name, key, live.answer_text if live else saying(key, 0)), "agent")

    @rule(name=names, key=keys, number=numbers)
    def ask(self, name, key, number):
        """A bot drafts whatever some document says."""
        self.drafted(name, key, saying(key, number))

    @precondition(lambda self: self.waiting())
    @rule(data=st.data())
    def approve(self, data):
        self.decide(data.draw(st.sampled_from(self.waiting())), "agent")

    @precondition(lambda self: self.waiting())
    @rule(data=st.data(), number=numbers)
    def edit(self, data, number):
        """The reviewer writes what another document says."""
        item = data.draw(st.sampled_from(self.waiting()))
        self.decide(item, "agent2", f"Dear Ana,\n\n{saying(item.question_key, number)}")

    @precondition(lambda self: self.waiting())
    @rule(data=st.data(), number=numbers)
    def correct_an_item(self, data, number):
        item = data.draw(st.sampled_from(self.waiting()))
        said = saying(item.question_key, number)
        wanted = deciding.Wanted(DecisionKind.CORRECT, item.version, None, "It was wrong.", "manager", said)
        outcome = deciding.decide(item_id=item.pk, wanted=wanted, actor=self.people["agent"], **moment())
        self.happened[f"item correction {type(outcome).__name__}"] += 1

    @precondition(lambda self: self.decided())
    @rule(name=names, key=keys, number=numbers)
    def correct(self, name, key, number):
        wanted = correcting.CorrectionWanted(saying(key, number), "It was wrong.", "manager")
        agent = self.people["agent"]
        try:
            correcting.correct(conversation_id=name, question_key=key, wanted=wanted, actor=agent, **moment())
        except (Unusable, correcting.CorrectionRefused):
            self.happened["correction refused"] += 1
        else:
            self.happened["corrected"] += 1

    @precondition(lambda self: self.decided())
    @rule()
    def undo(self):
        """Whoever decided last changes their mind."""
        item = self.decided()
        try:
            undoing.undo(item_id=item.pk, actor=item.decision.decided_by, **moment())
        except undoing.TooLate:
            self.happened["undo refused"] += 1
        else:
            self.happened["undone"] += 1

    @precondition(lambda self: self.due().exists())
    @rule()
    def deliver(self):
        self.sent(Answered(Outcome.TAKEN, 200))

    @precondition(lambda self: self.due().exists())
    @rule()
    def fail_to_deliver(self):
        self.sent(Answered(Outcome.REFUSED, 410))

    def sent(self, answered):
        """The grace is over and a worker sends whatever is due; the last look may send it back."""
        ago = timezone.now() - timedelta(seconds=1)
        for delivery in self.due():
            self.due().filter(pk=delivery.pk).update(undo_until=ago, due_at=ago)  # one returned takes others with it
            claimed = sending.claim(delivery.pk, **moment())
            came = "not sent"
            if claimed is not None:
                came = sending.settle(claimed, answered, now=timezone.now(), chance=0.5).value
            self.happened[came] += 1

    @precondition(lambda self: self.given_up())
    @rule()
    def take_back_what_was_given_up(self):
        dead, why = self.given_up(), "The address was wrong."
        settling.take_back(delivery_id=dead.pk, reason=why, actor=self.people["agent"], **moment())
        self.happened["taken back"] += 1

    @precondition(lambda self: "R-2" not in self.published)
    @rule()
    def publish_a_later_version(self):
        self.published.add("R-2")
        published(self.people["owner"], "promised-returns", "R-2", LATER, effective_from=date(2026, 11, 1))
        self.happened["published"] += 1

    @precondition(lambda self: self.decided() and "R-3" not in self.published)
    @rule()
    def find_the_version_wrong(self):
        """The passage should have said something else all the time: another version takes its place."""
        self.published.add("R-3")
        owner, until = self.people["owner"], date(2026, 11, 1)
        published(owner, "promised-returns", "R-1", FIRST, effective_until=until, status=VersionStatus.RETIRED)
        published(owner, "promised-returns", "R-3", LATER, effective_until=until)
        self.happened["found wrong"] += 1

    @precondition(lambda self: self.decided())
    @rule()
    def publish_or_retire_a_rival(self):
        status = VersionStatus.RETIRED if "P-1" in self.published else VersionStatus.ACTIVE
        self.published ^= {"P-1"}
        kind = DocumentKind.PROMOTION
        published(self.people["owner"], "promised-promotion", "P-1", RIVAL, kind=kind, status=status)
        self.happened[f"rival {status}"] += 1

    @precondition(lambda self: self.decided())
    @rule(name=names, number=numbers)
    def reply_outside_the_desk(self, name, number):
        if not Conversation.objects.filter(external_id=name).exists():
            return
        told = builders.message(f"Hello! {saying(builders.RETURN_KEY, number)}", "agent")
        updates.tell_message(conversation_id=name, message=told, **moment())
        self.happened["said outside"] += 1

    @invariant()
    def at_most_one_answer_is_live(self):
        for name in NAMES:
            line = ledger.entries(name)
            superseded = {entry["supersedes"] for entry in line}
            live = [e for e in line if e["kind"] in {"ANSWER", "CORRECTION"} and e["entry_id"] not in superseded]
            most = Counter(entry["question_key"] for entry in live).most_common(1)
            assert not most or most[0][1] == 1, most

    @invariant()
    def every_text_that_was_sent_rests_on_the_ledger(self):
        left = Delivery.objects.filter(conversation__external_id__in=NAMES, state=DeliveryState.SENT)
        for delivery in left.select_related("conversation"):
            recorded = [str(entry["answer_text"]) for entry in ledger.entries(delivery.conversation.external_id)]
            said = [text for texts in SAYINGS.values() for text in texts if contains_verbatim(delivery.text, text)]
            assert said, delivery.text
            assert all(any(contains_verbatim(text, one) for text in recorded) for one in said), (said, recorded)

    @invariant()
    def an_answer_changes_only_by_a_correction(self):
        for name in NAMES:
            standing: dict[object, object] = {}
            for entry in ledger.entries(name):
                key, text = entry["question_key"], entry["answer_text"]
                if entry["kind"] == "WITHDRAWAL":  # nobody has read what was withdrawn
                    restored = ledger.entry(entry["restores"]) if entry.get("restores") else None
                    standing[key] = restored["answer_text"] if restored else None
                elif entry["kind"] == "CORRECTION":
                    standing[key] = text
                else:
                    assert standing.get(key) in {None, text}, (name, entry["kind"], text, standing)
                    standing[key] = text

    @invariant()
    def the_chain_verifies_and_the_audit_finds_no_second_answer(self):
        problems = [problem for checked in ledger.verify() for problem in checked.problems]
        assert [problem for problem in problems if problem.conversation_id in NAMES] == []
        assert [row for row in second_answers() if row["conversation_id"] in NAMES] == []


def second_answers():
    return next(check.rows for check in queries.audit() if check.id == 1)


def machine(people):
    return type("Desk", (Desk,), {"people": people, "happened": Counter()})


def test_any_order_of_events_keeps_what_was_promised(people):
    desk = machine(people)

    run_state_machine_as_test(
        desk,
        settings=settings(
            max_examples=12,
            stateful_step_count=25,
            deadline=None,
            phases=[Phase.generate],  # a day that fails is short enough to read, and shrinking it takes minutes
            suppress_health_check=list(HealthCheck),
        ),
    )

    assert desk.happened["approval Decided"]
    assert desk.happened["approval Refused"] + desk.happened["edit Refused"]


def test_a_day_on_which_everything_happens_once(people):
    """The same steps written out, so that every way through them is taken in each run."""
    a, b = NAMES
    desk = machine(people)()
    steps = (
        lambda: desk.answer(a, builders.RETURN_KEY),
        desk.undo,
        lambda: desk.decide(desk.waiting()[0], "agent"),
        desk.deliver,
        lambda: desk.answer(a, builders.RETURN_KEY),
        desk.fail_to_deliver,
        desk.take_back_what_was_given_up,
        lambda: desk.answer(b, CANCEL_KEY),
        lambda: desk.reply_outside_the_desk(b, 1),
        desk.deliver,
        desk.publish_a_later_version,
        lambda: desk.answer(a, builders.RETURN_KEY),
        lambda: desk.correct(a, builders.RETURN_KEY, 2),
        desk.deliver,
        desk.find_the_version_wrong,
        lambda: desk.correct(a, builders.RETURN_KEY, 1),
        desk.deliver,
        lambda: desk.answer(a, builders.RETURN_KEY),
        desk.publish_or_retire_a_rival,
        lambda: desk.answer(b, builders.RETURN_KEY),
        desk.publish_or_retire_a_rival,
    )
    try:
        for step in steps:
            step()
            for check in (
                desk.at_most_one_answer_is_live,
                desk.every_text_that_was_sent_rests_on_the_ledger,
                desk.an_answer_changes_only_by_a_correction,
                desk.the_chain_verifies_and_the_audit_finds_no_second_answer,
            ):
                check()
        with connection.cursor() as cursor:
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
    finally:
        desk.teardown()

    branches = {Branch.REPEAT, Branch.SINGLE_SOURCE, Branch.POLICY_CHANGED}
    refused = {"approval Refused", "correction refused", "not sent", "dead"}
    done = {"approval Decided", "corrected", "undone", "sent", "taken back", "said outside", "found wrong"}
    assert (branches | refused | done) - desk.happened.keys() == set(), desk.happened
