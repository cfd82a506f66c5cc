"""The rows of a drift report: one conversation read through, question by question."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from drafts.decisions.classifier import classify
from drafts.decisions.drifting.answers import Distinct, Given, Line, lines_of, states
from drafts.decisions.drifting.matters import TOPICS, matter_asked
from drafts.decisions.drifting.promises import Thread, promises
from drafts.decisions.drifting.transcripts import (
    AGENT,
    CUSTOMER,
    Answer,
    Document,
    DriftRow,
    Passage,
    Transcript,
    known_role,
)
from ledger.decisions.default_keys import default_registry
from ledger.decisions.keys import topic_of
from ledger.decisions.values import extract

ASKED_FROM = 2
DISTINCT_FROM = 2
TURN_LIMIT = 65_536
"""Characters of one message that are read."""

_REGISTRY = default_registry()
_TIMES = frozenset({
    "refund_timing", "delivery_time", "response_sla", "repair_turnaround", "warranty_duration", "return_window",
    "cancellation_window",
})  # fmt: skip
_HOW_LONG = re.compile(
    r"\b(?:how (?:long|soon)|how (?:much|many) (?:more |longer )?(?:time|days|hours|weeks)|how much longer|by when"
    r"|until when|when (?:will|can|do|should|is|are|exactly|then)|(?:so|and|but) when|which day|what day"
    r"|what(?:'s| is) the (?:eta|timeline|time ?frame))\b|\bwhen ?\?",
    re.IGNORECASE,
)


def rows_of(transcript: Transcript, passages: Sequence[Passage] = ()) -> tuple[DriftRow, ...]:
    """Return a row for each question that was asked twice or more, or that got two distinct answers or more.

    Pure and deterministic; times asked and answers are independent: what is promised unasked counts as an answer.
    `passages` are those of policies; the ones that state the value of an answer stand in `documents`.
    """
    asked, given = _read(transcript)
    lines = lines_of(given)
    topics = dict.fromkeys((*asked, *(TOPICS[line.first.matter] for line in lines)))
    rows = (_row(transcript, topic, asked[topic], lines, passages) for topic in topics)
    return tuple(row for row in rows if row.times_asked >= ASKED_FROM or len(row.distinct_answers) >= DISTINCT_FROM)


def _read(transcript: Transcript) -> tuple[Counter[str], list[Given]]:
    """Count the questions of the customer's messages and collect what the agent's promise."""
    asked, given, thread = Counter[str](), list[Given](), Thread()
    nameless = False
    for at, turn in enumerate(transcript.turns):
        role, text = known_role(turn.role), turn.text[:TURN_LIMIT]
        if role == CUSTOMER:
            topics = _topics(text)
            asked.update(topics)
            thread.asked = next((found for topic in topics if (found := matter_asked(topic))), thread.asked)
            nameless = _TIMES.isdisjoint(topics) and _HOW_LONG.search(text) is not None
        elif role == AGENT:
            said = promises(text, thread)
            given += [Given(at, text, promise) for promise in said]
            if nameless and said:
                # “How long will that take?” names no topic; the answer tells which question it was.
                asked[TOPICS[said[0].matter]] += 1
            nameless = False
    return asked, given


def _topics(text: str) -> tuple[str, ...]:
    found = classify(text, _REGISTRY)
    return tuple(dict.fromkeys(topic_of(question.key) for question in found.questions if question.key))


def _row(
    transcript: Transcript, topic: str, times_asked: int, lines: Sequence[Line], passages: Sequence[Passage]
) -> DriftRow:
    own = [line for line in lines if TOPICS[line.first.matter] == topic]
    drifted = [line for line in own if len(line.answers) >= DISTINCT_FROM]
    shown = drifted or sorted(own, key=lambda line: -sum(len(one.given) for one in line.answers))[:1]
    named = [(_name(line, one, drifted), one) for line in shown for one in line.answers]
    evidence = [
        Answer(told.text[told.promise.start : told.promise.end], told.turn, name)
        for name, one in named
        for told in one.given
    ]
    return DriftRow(
        transcript.conversation_id,
        topic,
        times_asked,
        tuple(name for name, _ in named),
        tuple(sorted(dict.fromkeys(evidence), key=lambda answer: answer.turn)),
        tuple(_documents(topic, named, passages)),
    )


def _name(line: Line, answer: Distinct, drifted: Sequence[Line]) -> str:
    """Name an answer by its value, and by its matter where the row lays several side by side."""
    return f"{line.first.matter}: {answer.words}" if len(drifted) > 1 else answer.words


def _documents(topic: str, named: Sequence[tuple[str, Distinct]], passages: Sequence[Passage]) -> Iterable[Document]:
    on_topic = [passage for passage in passages if topic_of(passage.question_key) == topic]
    for name, answer in named:
        for passage in on_topic:
            if any(states(fact, answer) for fact in extract(passage.text)):
                yield Document(name, passage.doc_id, passage.version, passage.section)
