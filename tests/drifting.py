"""Builders for tests of drift reports: conversations with known answers, as files and as our own."""

import json
from collections.abc import Iterable, Sequence

from django.contrib.auth.models import User
from django.utils import timezone

from drafts import drift_tasks
from drafts.models import DriftReport
from drafts.services import drifting
from tests import builders

ASKED = "How long is the warranty on the lamp?"
TWELVE, TWENTY_FOUR, LIFETIME = (
    "The warranty is 12 months.",
    "The warranty is 24 months.",
    "Your lamp has a lifetime warranty.",
)
TOPIC = "warranty_duration"


def conversation(name: str, *answers: str, asked: str = ASKED) -> dict[str, object]:
    """A conversation in which a customer asks one question before each answer, an hour apart."""
    messages = []
    for hour, answer in enumerate(answers):
        messages += [
            {"role": "customer", "text": asked, "sent_at": f"2026-03-01T{hour:02}:00:00Z"},
            {"role": "agent", "text": answer, "sent_at": f"2026-03-01T{hour:02}:30:00Z"},
        ]
    return {"conversation_id": name, "messages": messages}


def mixed(number: int) -> list[dict[str, object]]:
    """Conversations by threes: one that drifts, one with one answer, one that drifts between three answers."""
    kinds = ((TWELVE, TWENTY_FOUR), (TWELVE, TWELVE, TWELVE), (TWELVE, TWENTY_FOUR, LIFETIME))
    return [conversation(f"conversation-{place}", *kinds[place % 3]) for place in range(number)]


def file(conversations: Iterable[object]) -> bytes:
    """JSON Lines of conversations; a text is a line as it stands."""
    lines = (one if isinstance(one, str) else json.dumps(one) for one in conversations)
    return "\n".join(lines).encode()


def begun(by: User, conversations: Sequence[object], *, name: str = "archive.jsonl") -> DriftReport:
    """A report whose file was taken in and that no worker has seen."""
    return drifting.begin_with_file(name=name, chunks=[file(conversations)], actor=by, now=timezone.now())


def begun_past(by: User, **days: object) -> DriftReport:
    """A report on our own past that no worker has seen."""
    asked = {"since": None, "until": None, **days}
    return drifting.begin_with_own_past(name="Our conversations", actor=by, now=timezone.now(), **asked)


def worked_off(report: DriftReport) -> DriftReport:
    """Do what workers do until the report has ended."""
    for _step in range(1_000):
        drift_tasks.work(str(report.pk))
        report.refresh_from_db()
        if report.finished_at:
            return report
    raise AssertionError("the report never ended")


def read(by: User, conversations: Sequence[object], **given: str) -> DriftReport:
    """A report of these conversations that has ended."""
    return worked_off(begun(by, conversations, **given))


def told(report: DriftReport) -> list[tuple[str, str, int, int]]:
    """Return what a report lists, in the order of its names."""
    listed = report.rows.values_list("conversation_id", "question_key", "times_asked", "distinct")
    return sorted(listed)


def thread(*texts: str) -> list[object]:
    """Messages by turns, the customer's first."""
    return [builders.message(text, "agent" if place % 2 else "customer") for place, text in enumerate(texts)]
