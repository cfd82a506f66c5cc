"""The rows of a drift report: the different answers of one conversation side by side, with what would explain each."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, TypedDict, cast

from console.views.highlight import plain
from drafts.decisions.structure import Piece

if TYPE_CHECKING:
    from drafts.models import DriftRow


class SaidShape(TypedDict):
    """One sentence as it is stored; `turn` counts from 0, and an empty `answer` is one that was not understood."""

    turn: int
    text: str
    answer: str
    sent_at: str | None


class DocumentShape(TypedDict):
    """One document as it is stored."""

    answer: str
    doc_id: str
    version: str
    section: str


@dataclass(frozen=True, slots=True)
class Said:
    """A sentence in which the answer was given: in which message, counted from one, and when, where that is known."""

    message: int
    at: datetime | None
    text: tuple[Piece, ...]


@dataclass(frozen=True, slots=True)
class Given:
    """One of the different answers."""

    answer: tuple[Piece, ...]
    said: tuple[Said, ...]
    documents: tuple[DocumentShape, ...]


@dataclass(frozen=True, slots=True)
class Row:
    """One conversation and one question; `unread` are replies to it that were not understood."""

    conversation: tuple[Piece, ...]
    conversation_id: int | None
    question: str
    topic: str
    times_asked: int
    distinct: int
    corrected: int
    answers: tuple[Given, ...]
    unread: tuple[Said, ...]


def rows_of(
    found: Iterable["DriftRow"], questions: Mapping[str, str], conversations: Mapping[str, int]
) -> tuple[Row, ...]:
    """Make rows for a page; `conversations` says which of them are ours, by their names."""
    return tuple(_row(one, questions, conversations) for one in found)


def said_of(row: "DriftRow") -> Sequence[SaidShape]:
    """Return the sentences of a row as they are stored."""
    return cast("Sequence[SaidShape]", row.evidence)


def documents_of(row: "DriftRow") -> Sequence[DocumentShape]:
    """Return the documents of a row as they are stored."""
    return cast("Sequence[DocumentShape]", row.documents)


def _row(row: "DriftRow", questions: Mapping[str, str], conversations: Mapping[str, int]) -> Row:
    return Row(
        conversation=plain(row.conversation_id),
        conversation_id=conversations.get(row.conversation_id),
        question=questions.get(row.question_key, row.question_key),
        topic=row.question_key,
        times_asked=row.times_asked,
        distinct=row.distinct,
        corrected=row.corrected,
        answers=tuple(_given(answer, row) for answer in row.distinct_answers),
        unread=_said(row, ""),
    )


def _given(answer: str, row: "DriftRow") -> Given:
    return Given(
        answer=plain(answer),
        said=_said(row, answer),
        documents=tuple(one for one in documents_of(row) if one["answer"] == answer),
    )


def _said(row: "DriftRow", answer: str) -> tuple[Said, ...]:
    said = (one for one in said_of(row) if one["answer"] == answer)
    return tuple(Said(one["turn"] + 1, _instant(one["sent_at"]), plain(one["text"])) for one in said)


def _instant(written: str | None) -> datetime | None:
    return datetime.fromisoformat(written) if written else None
