"""Whatever happens in whatever order, nothing that was promised is denied, doubled or quietly changed.

A machine drives the real services: asks, approvals, replays, corrections, undoing, deliveries, replies from outside and
changes of policy, in an order that Hypothesis chooses. After every step the ledger is read as a stranger would.
"""

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
from ledger.decisions.vocabulary import DocumentKind
from tests import builders

pytestmark = pytest.mark.django_db

CANCEL_KEY = "cancellation_window::online_store"
FIRST, LATER, RIVAL = (f"An unused lamp can be returned within {days} days of receipt." for days in (14, 30, 60))
CANCEL = "An order can be cancelled within 2 days of purchase."
SAYINGS = {builders.RETURN_KEY: (FIRST, LATER, RIVAL), CANCEL_KEY: (CANCEL, CANCEL.replace("2 days", "5 days"))}
ASKING = {builders.RETURN_KEY: builders.QUESTION, CANCEL_KEY: "Until when can I cancel my order?"}
NAMES = ("promise-a", "promise-b")
keys, names = st.sampled_from(sorted(SAYINGS)), st.sampled_from(NAMES)


class Desk(RuleBasedStateMachine):
    """Two customers, two questions, sources that change, and one destination."""

    people: dict[str, object]
    happened: Counter[str]

    def __init__(self):
        super().__init__()
        self.undone_at_the_end = transaction.atomic()
        self.undone_at_the_end._from_testcase = True  # as Django's TestCase does, so that services may be durable in it
        self.undone_at_the_end.__enter__()
        owner = self.people["owner"]
        builders.key(by=owner)
        builders.key(CANCEL_KEY, by=owner, question_canonical="Until when can it be cancelled?", deciding_facts=())
        builders.version(by=owner, doc_id="promised-returns", name="R-1", passage=FIRST)
        builders.version(
            by=owner, doc_id="promised-cancelling", name="C-1", passage=CANCEL, key=CANCEL_KEY, deciding_date="ordered_on"
        )
        builders.destination(channels=[builders.CHANNEL])

    def teardown(self):
        transaction.set_rollback(True)
        self.undone_at_the_end.__exit__(None, None, None)

    @rule(name=names, key=keys, number=st.integers(0, 3), repeats=st.booleans())
    def ask(self, name, key, number, repeats):
        """A bot drafts an answer: to the letter what this customer was told, or whatever a document says."""
        live = ledger.live_answers(name).get(key)
        sayings = SAYINGS[key]
        saying = live.answer_text if repeats and live else sayings[number % len(sayings)]
        facts = {"received_on": "2026-10-02", "ordered_on": "2026-10-01"}
        text = f"Hello Ana,\n\n{saying}\n\nKind regards,\nThe lamp shop"
        builders.item(
            text, conversation=name, question=key, facts=facts, messages=[builders.message(ASKING[key])], now=timezone.now()
        )
        self.happened["asked"] += 1

    def waiting(self):
        return list(ReviewItem.objects.filter(state="pending", conversation__external_id__in=NAMES).order_by("created_at"))

    @precondition(lambda self: self.waiting())
    @rule(data=st.data())
    def approve(self, data):
        item = data.draw(st.sampled_from(self.waiting()))
        outcome = builders.approve(item, self.people["agent"])
        self.happened["approved" if isinstance(outcome, Decided) else "approval refused"] += 1
        if isinstance(outcome, Decided):
            self.happened[f"branch {item.branch}"] += 1

    @precondition(lambda self: self.waiting())
    @rule(data=st.data(), number=st.integers(0, 3))
    def edit(self, data, number):
        """The reviewer writes another value than the bot did."""
        item = data.draw(st.sampled_from(self.waiting()))
        sayings = SAYINGS[item.question_key]
        outcome = builders.approve(item, self.people["agent2"], text=f"Dear Ana,\n\n{sayings[number % len(sayings)]}")
        self.happened["edited" if isinstance(outcome, Decided) else "edit refused"] += 1

    @precondition(lambda self: self.waiting())
    @rule(data=st.data(), number=st.integers(0, 3))
    def correct_an_item(self, data, number):
        item = data.draw(st.sampled_from(self.waiting()))
        sayings = SAYINGS[item.question_key]
        wanted = deciding.Wanted(
            DecisionKind.CORRECT, item.version, None, "It was wrong.", "manager", sayings[number % len(sayings)]
        )
        try:
            outcome = deciding.decide(
                item_id=item.pk, wanted=wanted, actor=self.people["agent"], now=timezone.now(), calendar=builders.calendar()
            )
        except Unusable:
            outcome = None
        self.happened["item corrected" if isinstance(outcome, Decided) else "correction of an item refused"] += 1

    @rule(name=names, key=keys, number=st.integers(0, 3))
    def correct(self, name, key, number):
        sayings = SAYINGS[key]
        wanted = correcting.CorrectionWanted(sayings[number % len(sayings)], "It was wrong.", "manager")
        try:
            correcting.correct(
                conversation_id=name, question_key=key, wanted=wanted, actor=self.people["agent"], now=timezone.now(),
                calendar=builders.calendar(),
            )  # fmt: skip
        except (Unusable, correcting.CorrectionRefused):
            self.happened["correction refused"] += 1
        else:
            self.happened["corrected"] += 1

    @rule(name=names)
    def undo(self, name):
        """Whoever decided last changes their mind."""
        last = ReviewItem.objects.filter(conversation__external_id=name, decision__isnull=False)
        item = last.order_by("-decided_at").first()
        if item is None:
            return
        try:
            undoing.undo(
                item_id=item.pk, actor=item.decision.decided_by, now=timezone.now(), calendar=builders.calendar()
            )
        except undoing.TooLate:
            self.happened["undo refused"] += 1
        else:
            self.happened["undone"] += 1

    @rule(name=names, arrives=st.booleans())
    def deliver(self, name, arrives):
        """The grace is over and a worker sends whatever is due; the last look may send it back."""
        later = timezone.now() + timedelta(minutes=10)
        due = Delivery.objects.filter(conversation__external_id=name, due_at__isnull=False).order_by("created_at")
        for delivery in due:
            claimed = sending.claim(delivery.pk, now=later, calendar=builders.calendar())
            if claimed is None:
                self.happened["not sent"] += 1
                continue
            answered = Answered(Outcome.TAKEN, 200) if arrives else Answered(Outcome.REFUSED, 410)
            self.happened[sending.settle(claimed, answered, now=later, chance=0.5)] += 1

    @rule(name=names)
    def take_back_what_was_given_up(self, name):
        dead = Delivery.objects.filter(conversation__external_id=name, state=DeliveryState.DEAD).first()
        if dead is not None:
            settling.take_back(
                delivery_id=dead.pk, reason="The address was wrong.", actor=self.people["agent"], now=timezone.now(),
                calendar=builders.calendar(),
            )  # fmt: skip
            self.happened["taken back"] += 1

    @rule(day=st.integers(1, 28))
    def publish_a_later_version(self, day):
        owner = self.people["owner"]
        builders_version(owner, "promised-returns", "R-2", LATER, effective_from=date(2026, 11, 1))
        self.happened["published"] += 1

    @rule(status=st.sampled_from(["active", "retired"]))
    def publish_or_retire_a_rival(self, status):
        builders_version(
            self.people["owner"], "promised-promotion", "P-1", RIVAL, kind=DocumentKind.PROMOTION, status=status
        )
        self.happened[f"rival {status}"] += 1

    @rule(name=names, number=st.integers(0, 2))
    def reply_outside_the_desk(self, name, number):
        if not Conversation.objects.filter(external_id=name).exists():
            return
        told = builders.message(f"Hello! {SAYINGS[builders.RETURN_KEY][number]}", "agent")
        updates.tell_message(conversation_id=name, message=told, now=timezone.now(), calendar=builders.calendar())
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
            assert all(any(contains_verbatim(text, saying) for text in recorded) for saying in said), (said, recorded)

    @invariant()
    def an_answer_changes_only_by_a_correction(self):
        for name in NAMES:
            standing: dict[object, object] = {}
            for entry in ledger.entries(name):
                key, text = entry["question_key"], entry["answer_text"]
                if entry["kind"] == "WITHDRAWAL":  # nobody has read what was withdrawn
                    live = ledger.entry(entry["restores"]) if entry.get("restores") else None
                    standing[key] = live["answer_text"] if live else None
                elif entry["kind"] == "CORRECTION":
                    standing[key] = text
                else:
                    assert standing.get(key) in {None, text}, (name, entry["kind"], text, standing)
                    standing[key] = text

    @invariant()
    def the_chain_verifies_and_the_audit_finds_no_second_answer(self):
        problems = [problem for checked in ledger.verify() for problem in checked.problems]
        assert [p for p in problems if p.conversation_id in NAMES] == []
        found = {check.id: check for check in queries.audit()}
        assert [row for row in found[1].rows if row["conversation_id"] in NAMES] == []


def builders_version(owner, doc_id, name, passage, *, status="active", **changes):
    """Publish, where the rules allow it at this moment."""
    from ledger.decisions.vocabulary import VersionStatus
    from ledger.services.policies import VersionRefused

    try:
        builders.version(by=owner, doc_id=doc_id, name=name, passage=passage, status=VersionStatus(status), **changes)
    except VersionRefused:
        return


def test_any_order_of_events_keeps_what_was_promised(people):
    happened: Counter[str] = Counter()
    machine = type("Desk", (Desk,), {"people": people, "happened": happened})

    run_state_machine_as_test(
        machine,
        settings=settings(
            max_examples=25, stateful_step_count=24, deadline=None, report_multiple_bugs=False, phases=[Phase.generate],
            suppress_health_check=list(HealthCheck)
        ),
    )

    print(happened)
    reached = {"asked", "approved", "approval refused", "corrected", "undone", DeliveryState.SENT, "not sent"}
    assert reached <= happened.keys(), happened
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
