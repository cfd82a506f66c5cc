"""One shop's quarter, twice: drafts from three documents that contradict each other, without the desk and through it.

1,860 customers ask how long the repair warranty is; a quarter of them asks up to five times in other words. Every draft
is written from whichever of three documents a retrieval happened to put first: the policy in force (12 months), a page
of an old promotion (24 months), and a maker's sheet (lifetime).

Without the desk each draft is the reply. Through the desk each becomes a review item, a reviewer does what the screen
offers, a policy owner settles the conflict that the first ask finds, and what may leave is delivered into the thread.
Both sets of threads go through the drift report; the second is also audited.

    CONVERSATIONS=200 python benchmarks/bench_consistency.py      a smaller quarter

It starts a database of its own, which is gone afterwards.
"""

import os
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from datetime import date, timedelta
from pathlib import Path

from common import ROOT, table
from common import django as set_up

CONVERSATIONS = int(os.environ.get("CONVERSATIONS", "1860"))
SEED = int(os.environ.get("SEED", "1"))
KEY = "warranty_duration::repair_general"
CHANNEL = "chat"
POLICY, PROMOTION, SHEET = (
    "Every repair is covered for 12 months from the service date.",
    "Every repair is covered for 24 months from the service date.",
    "Every repair is covered for a lifetime.",
)
QUESTIONS = (
    "How long is the warranty on my repair?",
    "And how long does the repair warranty last?",
    "How long is the repair covered, please?",
    "Sorry, once more: how long is the guarantee on the repair?",
    "For how many months is the repair under warranty?",
)
WORDS = "Hello,\n\nthank you for your message. {}\n\nKind regards,\nThe workshop"


def threads(chance: random.Random) -> list[list[tuple[str, str]]]:
    """Return every customer's questions, each with the draft that a bot would write for it."""
    made = []
    for number in range(CONVERSATIONS):
        times = chance.choice((2, 3, 3, 4, 5)) if number % 4 == 0 else 1
        asked = chance.sample(QUESTIONS, times)
        made.append([(question, chance.choice((POLICY, PROMOTION, SHEET))) for question in asked])
    return made


def drift(transcripts) -> tuple[object, ...]:
    from drafts.decisions.drifting import Counts, rows_of

    counts = Counts()
    for transcript in transcripts:
        counts.add(rows_of(transcript))
    return (
        counts.conversations,
        counts.asked_three_or_more,
        counts.two_answers_or_more,
        counts.three_answers_or_more,
    )


def without_the_desk(asked: list[list[tuple[str, str]]]):
    from drafts.decisions.drifting import Transcript, Turn

    for number, pairs in enumerate(asked):
        turns = [Turn(*turn) for pair in pairs for turn in (("customer", pair[0]), ("agent", WORDS.format(pair[1])))]
        yield Transcript(f"plain-{number}", tuple(turns))


class Desk:
    """The people and the worker of one shop, doing what the product offers them."""

    def __init__(self) -> None:
        from django.contrib.auth.models import User

        from tests import builders

        self.builders = builders
        self.people = {user.username: user for user in User.objects.all()}
        self.happened: Counter[str] = Counter()
        self.publish_sources()
        builders.destination("simulated")

    def publish_sources(self) -> None:
        from ledger.decisions.vocabulary import DocumentKind

        owner = self.people["owner"]
        self.builders.key(
            KEY, by=owner, question_canonical="How long is a repair covered?", deciding_facts=("service_on",)
        )
        for doc_id, name, passage, kind in (
            ("warranty_policy", "WAR-2026", POLICY, DocumentKind.OWN_POLICY),
            ("promotion_page", "PROMO-2023", PROMOTION, DocumentKind.PROMOTION),
            ("maker_sheet", "SHEET-7", SHEET, DocumentKind.THIRD_PARTY),
        ):
            self.builders.version(
                by=owner, doc_id=doc_id, name=name, passage=passage, key=KEY, kind=kind, title=doc_id,
                channels=frozenset({CHANNEL}), deciding_date="service_on", effective_from=date(2023, 1, 1),
            )  # fmt: skip

    def answer(self, conversation: str, question: str, draft: str) -> None:
        """Take one draft in, decide it and deliver the reply."""
        item = self.builders.item(
            WORDS.format(draft),
            conversation=conversation,
            customer=f"customer of {conversation}",
            question=KEY,
            channel=CHANNEL,
            facts={"service_on": "2026-08-01"},
            messages=[self.builders.message(question)],
        )
        if item.branch == "first_ask_multiple_active_sources_conflict":
            self.settle_conflict()
            item.refresh_from_db()
        self.review(item)
        self.deliver(conversation)

    def settle_conflict(self) -> None:
        from django.utils import timezone

        from drafts.services import updates
        from ledger.models import Conflict
        from ledger.services.settling import Settlement

        conflict = Conflict.objects.get(state="open")
        wanted = Settlement(keep="WAR-2026", retire=("PROMO-2023",), reason="The promotion ended in 2023.")
        updates.resolve_conflict(
            conflict_id=conflict.pk, wanted=wanted, actor=self.people["owner"], now=timezone.now(),
            calendar=self.builders.calendar(),
        )  # fmt: skip
        self.happened["conflicts settled"] += 1

    def review(self, item) -> None:
        """Approve; where the desk refuses, write what it says must stand in the reply."""
        from drafts.services.outcomes import Decided

        agent = self.people["agent"]
        outcome = self.builders.approve(item, agent)
        if not isinstance(outcome, Decided):
            self.happened["drafts refused"] += 1
            for blocker in outcome.blockers:
                self.happened[f"  because of {blocker.code}"] += 1
            needed = item.analysis["gate"]["must_contain"] or [POLICY]
            outcome = self.builders.approve(item, agent, text=WORDS.format(" ".join(needed)))
            assert isinstance(outcome, Decided), outcome
        else:
            self.happened["drafts approved as they came"] += 1
        self.happened[f"answered by {outcome.decision.branch}"] += 1

    def deliver(self, conversation: str) -> None:
        from django.utils import timezone

        from drafts.decisions.delivering import Answered, Outcome
        from drafts.models import Delivery
        from drafts.services import sending

        later = timezone.now() + timedelta(minutes=1)
        for delivery in Delivery.objects.filter(conversation__external_id=conversation, due_at__isnull=False):
            claimed = sending.claim(delivery.pk, now=later, calendar=self.builders.calendar())
            assert claimed is not None, delivery
            state = sending.settle(claimed, Answered(Outcome.TAKEN, 200), now=later, chance=0.5)
            self.happened[f"replies {state.value}"] += 1


def through_the_desk():
    """Yield every thread as it stands in the database."""
    from drafts.decisions.drifting import Transcript, Turn
    from drafts.models import Conversation

    for conversation in Conversation.objects.prefetch_related("messages").iterator(500):
        turns = tuple(Turn(m.role, m.text, m.sent_at) for m in conversation.messages.all())
        yield Transcript(conversation.external_id, turns)


def simulate() -> None:
    from drafts import queries
    from ledger.models import Entry

    asked = threads(random.Random(SEED))
    questions = sum(map(len, asked))
    print(f"{len(asked):,} conversations, {questions:,} questions, seed {SEED}")
    plain = drift(without_the_desk(asked))
    desk = Desk()
    start = time.perf_counter()
    for number, pairs in enumerate(asked):
        for question, draft in pairs:
            desk.answer(f"desk-{number}", question, draft)
    took = time.perf_counter() - start
    kept = drift(through_the_desk())
    head = ("", "conversations", "asked 3 times or more", "2 answers or more", "3 answers or more")
    table("What the drift report finds", [head, ("without the desk", *plain), ("through the desk", *kept)])
    kinds = Counter(Entry.objects.values_list("kind", flat=True))
    rows = [("", "count"), *sorted(desk.happened.items(), key=lambda row: row[0].strip())]
    table(
        "What happened at the desk", [*rows, *((f"ledger: {kind}", number) for kind, number in sorted(kinds.items()))]
    )
    table("The audit afterwards", [("check", "rows"), *((f"{c.id} {c.name}", c.count) for c in queries.audit())])
    print(f"\n  {questions / took:.1f} questions a second through intake, decision and delivery")


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="countersign-quarter-") as directory:
        Path(directory).chmod(0o711)
        os.environ |= {"DATA_DIR": directory, "CELERY_BROKER_URL": "memory://"}
        for name in ("DATABASE_URL", "DATABASE_APP_URL"):
            os.environ.pop(name, None)
        manage = [sys.executable, str(ROOT / "manage.py")]
        try:
            for command in (["database", "start"], ["prepare_database"], ["create_people"]):
                subprocess.run([*manage, *command], check=True, stdout=subprocess.DEVNULL)
            set_up()
            simulate()
        finally:
            subprocess.run([*manage, "database", "stop"], check=False, stdout=subprocess.DEVNULL)


if __name__ == "__main__":
    main()
