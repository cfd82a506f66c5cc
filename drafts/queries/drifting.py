"""Read drift reports: what there is, their rows by what is asked for, and what a worker needs for its next step."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from enum import StrEnum
from uuid import UUID
from zoneinfo import ZoneInfo

from django.contrib.auth.models import AnonymousUser, User
from django.db.models import Count, Func, Q, QuerySet, TextField
from django.db.models.functions import Cast, Coalesce

from drafts.decisions.drifting import Passage
from drafts.models import Conversation, DriftPart, DriftReport, DriftRow, Message
from drafts.queries.visibility import may_read
from ledger import queries as ledger
from ledger.decisions.keys import topic_of
from ledger.decisions.vocabulary import EntryKind


class Answers(StrEnum):
    """Which rows of a report are asked for."""

    TWO = "two"
    THREE = "three"
    ASKED = "asked"
    ALL = "all"


@dataclass(frozen=True, slots=True)
class Narrowing:
    """What the rows are narrowed by; `words` stand in a conversation's name, an answer or its sentences."""

    answers: Answers = Answers.TWO
    question_key: str = ""
    words: str = ""


@dataclass(frozen=True, slots=True)
class KeyCount:
    """How many conversations of a report drift on one question."""

    question_key: str
    asked_three: int
    two: int
    three: int


_WANTED = {
    Answers.TWO: Q(distinct__gte=2),
    Answers.THREE: Q(distinct__gte=3),
    Answers.ASKED: Q(times_asked__gte=3),
    Answers.ALL: Q(),
}


def reports(user: User | AnonymousUser) -> QuerySet[DriftReport]:
    """Return the reports a person may see, the newest first: all of them, or none."""
    found = DriftReport.objects.select_related("started_by").order_by("-created_at", "pk")
    return found if may_read(user) else found.none()


def rows(report: DriftReport, narrowing: Narrowing) -> QuerySet[DriftRow]:
    """Return a report's rows that fit, the worst first."""
    found = DriftRow.objects.filter(_WANTED[narrowing.answers], report=report)
    if narrowing.question_key:
        found = found.filter(question_key=narrowing.question_key)
    if narrowing.words:
        wanted = json.dumps(narrowing.words, ensure_ascii=False)[1:-1]  # as JSON writes it
        said = Func("evidence", template="jsonb_path_query_array(%(expressions)s, '$[*].text')")
        found = found.annotate(said=Cast(said, TextField()), answers=Cast("distinct_answers", TextField()))
        found = found.filter(
            Q(conversation_id__icontains=narrowing.words) | Q(said__icontains=wanted) | Q(answers__icontains=wanted)
        )
    return found.order_by("-distinct", "-times_asked", "id")


def key_counts(report: DriftReport) -> tuple[KeyCount, ...]:
    """Count a report's rows by question, the one with most drift first."""
    counted = DriftRow.objects.filter(report=report).order_by().values("question_key").annotate(
        asked=Count("pk", filter=_WANTED[Answers.ASKED]),
        two=Count("pk", filter=_WANTED[Answers.TWO]),
        three=Count("pk", filter=_WANTED[Answers.THREE]),
    )  # fmt: skip
    found = (KeyCount(row["question_key"], row["asked"], row["two"], row["three"]) for row in counted)
    return tuple(sorted(found, key=lambda one: (-one.two, -one.three, -one.asked_three, one.question_key)))


def conversations_named(user: User | AnonymousUser, names: Sequence[str]) -> dict[str, int]:
    """Return the database key of each named conversation that this person may see."""
    found = Conversation.objects.filter(external_id__in=names) if may_read(user) else Conversation.objects.none()
    return dict(found.values_list("external_id", "pk"))


def pieces(report_id: UUID) -> Iterator[bytes]:
    """Yield what waits of a report, part by part, each read when it is asked for."""
    for number in DriftPart.objects.filter(report=report_id).order_by("number").values_list("number", flat=True):
        yield bytes(DriftPart.objects.values_list("content", flat=True).get(report=report_id, number=number))


def next_part(report_id: UUID) -> DriftPart | None:
    """Return what a report has to read next, None where nothing is left."""
    return DriftPart.objects.filter(report=report_id).order_by("number").first()


def conversations_between(since: date | None, until: date | None, zone: ZoneInfo) -> tuple[int, ...]:
    """Return our conversations in which something was said on these days of the zone, both included; None is open."""
    said = Message.objects.annotate(at=Coalesce("sent_at", "received_at"))
    if since:
        said = said.filter(at__gte=datetime.combine(since, time.min, zone))
    if until:
        said = said.filter(at__lt=datetime.combine(until + timedelta(days=1), time.min, zone))
    return tuple(said.order_by("conversation").values_list("conversation", flat=True).distinct())


def threads(conversations: Sequence[int]) -> Iterator[tuple[str, list[Message]]]:
    """Yield the names of these conversations, each with all its messages in order."""
    found = Conversation.objects.filter(pk__in=list(conversations)).order_by("pk").prefetch_related("messages")
    for conversation in found:
        yield conversation.external_id, sorted(conversation.messages.all(), key=lambda message: message.ordinal)


def correction_times(conversation_id: str, topic: str) -> tuple[datetime, ...]:
    """Return when answers to a topic were corrected in a conversation; a correction that was undone never happened."""
    line = ledger.entries(conversation_id)
    undone = {entry["supersedes"] for entry in line if entry["kind"] == EntryKind.WITHDRAWAL}
    found = (
        entry["effective_at"]
        for entry in line
        if entry["kind"] == EntryKind.CORRECTION
        and topic_of(str(entry["question_key"])) == topic_of(topic)
        and entry["entry_id"] not in undone
    )
    return tuple(at for at in found if isinstance(at, datetime))


def passages() -> tuple[Passage, ...]:
    """Return what every stored version of a policy, drafts apart, states about each question."""
    return tuple(
        Passage(version.doc_id, version.version, said.section, said.question_key, said.text)
        for version in ledger.versions()
        for said in version.statements
    )
