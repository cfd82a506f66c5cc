"""The rows of a drift report: one conversation read through, question by question."""

from collections.abc import Iterable, Sequence

from drafts.decisions.drifting.answers import Distinct, Line, lines_of, states
from drafts.decisions.drifting.hearing import Heard, heard_in
from drafts.decisions.drifting.matters import TOPICS
from drafts.decisions.drifting.transcripts import Answer, Document, DriftRow, Passage, Transcript
from ledger.decisions.keys import topic_of
from ledger.decisions.values import extract

ASKED_FROM = 2
DISTINCT_FROM = 2


def rows_of(transcript: Transcript, passages: Sequence[Passage] = ()) -> tuple[DriftRow, ...]:
    """Return a row for each question that was asked twice or more, or that got two distinct answers or more.

    Pure and deterministic; times asked and answers are independent: what is promised unasked counts as an answer.
    `passages` are those of policies; the ones that state the value of an answer stand in `documents`.
    """
    heard = heard_in(transcript)
    lines = lines_of(heard.given)
    topics = dict.fromkeys((*heard.asked, *(TOPICS[line.first.matter] for line in lines)))
    rows = (_row(transcript, topic, heard, lines, passages) for topic in topics)
    return tuple(row for row in rows if row.times_asked >= ASKED_FROM or len(row.distinct_answers) >= DISTINCT_FROM)


def _row(
    transcript: Transcript, topic: str, heard: Heard, lines: Sequence[Line], passages: Sequence[Passage]
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
        heard.asked[topic],
        tuple(name for name, _ in named),
        tuple(sorted(dict.fromkeys(evidence), key=lambda answer: answer.turn)),
        tuple(_documents(topic, named, passages)),
        tuple(heard.unread.get(topic, ())),
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
