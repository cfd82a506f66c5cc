"""The values of a drift report: what goes in, one conversation with its turns, and what comes out, rows and counts."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

CUSTOMER, AGENT, OTHER = "customer", "agent", "other"
_ROLES = {
    **dict.fromkeys(("customer", "user", "human", "client", "requester", "visitor", "end-user", "end_user"), CUSTOMER),
    **dict.fromkeys(("agent", "assistant", "bot", "ai", "model", "support", "operator", "staff"), AGENT),
    **dict.fromkeys(("system", "tool", "function", "developer", "note", "internal"), OTHER),
}
MANY = 3


def known_role(name: str) -> str | None:
    """Return customer, agent or other (notes and tool output, which state nothing) for a role's name, None if unknown.

    The names of chat exports are understood: a user is the customer, an assistant or bot the agent.
    """
    return _ROLES.get(name.strip().lower())


@dataclass(frozen=True, slots=True)
class Turn:
    """One message. `role` is any name that `known_role` understands."""

    role: str
    text: str
    sent_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Transcript:
    """One conversation with all its messages in order."""

    conversation_id: str
    turns: tuple[Turn, ...]


@dataclass(frozen=True, slots=True)
class Passage:
    """What one version of a document states about one question key."""

    doc_id: str
    version: str
    section: str
    question_key: str
    text: str


@dataclass(frozen=True, slots=True)
class Document:
    """A passage that states the value of one answer; `answer` is one of the row's distinct answers."""

    answer: str
    doc_id: str
    version: str
    section: str

    def as_dict(self) -> dict[str, str]:
        """Return the published shape."""
        return {"answer": self.answer, "doc_id": self.doc_id, "version": self.version, "section": self.section}


@dataclass(frozen=True, slots=True)
class Answer:
    """A sentence in which an agent answered: the message's place in the conversation, and which answer it gave.

    `value` is one of the row's distinct answers; `turn` counts every message from 0.
    """

    text: str
    turn: int
    value: str


@dataclass(frozen=True, slots=True)
class Unread:
    """A sentence that holds a value of the sort that was asked for, of which nothing told what it answers."""

    text: str
    turn: int


@dataclass(frozen=True, slots=True)
class DriftRow:
    """One question of one conversation: how often it was asked, and what was answered where.

    `question_key` is the topic. `distinct_answers` are in the order in which they were first given, in normal form.
    `unread` are the replies to the question that give no answer which was understood, one sentence of each.
    """

    conversation_id: str
    question_key: str
    times_asked: int
    distinct_answers: tuple[str, ...]
    evidence: tuple[Answer, ...]
    documents: tuple[Document, ...] = ()
    unread: tuple[Unread, ...] = ()

    def as_dict(self) -> dict[str, object]:
        """Return the published shape of a row."""
        return {
            "conversation_id": self.conversation_id,
            "question_key": self.question_key,
            "times_asked": self.times_asked,
            "distinct_answers": list(self.distinct_answers),
            "evidence": [{"turn": one.turn, "text": one.text, "answer": one.value} for one in self.evidence],
            "documents": [document.as_dict() for document in self.documents],
            "unread": [{"turn": one.turn, "text": one.text} for one in self.unread],
        }


@dataclass(slots=True)
class Counts:
    """Conversations counted over a report; each conversation is added once with all its rows."""

    conversations: int = 0
    asked_three_or_more: int = 0
    two_answers_or_more: int = 0
    three_answers_or_more: int = 0

    def add(self, rows: Iterable[DriftRow]) -> None:
        """Count one conversation by its rows, which may be none."""
        rows = tuple(rows)
        answers = max((len(row.distinct_answers) for row in rows), default=0)
        self.conversations += 1
        self.asked_three_or_more += any(row.times_asked >= MANY for row in rows)
        self.two_answers_or_more += answers > 1
        self.three_answers_or_more += answers >= MANY

    def as_dict(self) -> Mapping[str, int]:
        """Return the published counts."""
        return {
            "conversations": self.conversations,
            "asked_three_or_more": self.asked_three_or_more,
            "two_answers_or_more": self.two_answers_or_more,
            "three_answers_or_more": self.three_answers_or_more,
        }
