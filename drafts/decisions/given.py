"""What an analysis is given and what it gives back: plain values only."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime

from drafts.decisions.claims.mapping import DEFAULT_MAPPING, RecordMapping
from drafts.decisions.vocabulary import Claim, Finding, Message, Ticket
from ledger.decisions.calendar import BusinessCalendar
from ledger.decisions.gate import Gate
from ledger.decisions.router import Route
from ledger.decisions.vocabulary import KeyEntry, LockedAnswer, QuestionKey, Version


@dataclass(frozen=True, slots=True)
class Retrieved:
    """One passage that the model says it read; its score decides nothing."""

    doc_id: str
    section: str | None = None
    score: float | None = None


@dataclass(frozen=True, slots=True)
class ModelNotes:
    """What the model said beside its text. It describes that text only, so an edit by a person sets it aside."""

    raw_output: str | None = None
    selected_version: str | None = None
    missing_fields: tuple[str, ...] = ()
    retrieved: tuple[Retrieved, ...] = ()


NO_NOTES = ModelNotes()


@dataclass(frozen=True, slots=True)
class Dismissed:
    """A person's word that a quoted claim (by class) or finding (by code) is settled."""

    subject: str
    quote: str


@dataclass(frozen=True, slots=True)
class SaidPastTheDesk:
    """A sentence of a reply from outside the desk that commits us; `question_key` is a root key, or empty.

    `is_settled` says that a person settled it, or that a correction came after it.
    """

    message_id: str
    question_key: str
    sentence: str
    differs: bool
    is_settled: bool


@dataclass(frozen=True, slots=True)
class Sources:
    """Everything the reply may rest on: the key registry, the policy versions, and what this customer was told.

    `withdrawn` holds, by root key, what was said past the desk and has been withdrawn by a correction since, `outside`
    every sentence from past the desk that was found to commit us.
    """

    registry: Mapping[str, KeyEntry] = field(default_factory=dict)
    versions: tuple[Version, ...] = ()
    version_names: frozenset[str] = frozenset()
    locked: Mapping[str, LockedAnswer] = field(default_factory=dict)
    recorded_texts: tuple[str, ...] = ()
    outside: tuple[SaidPastTheDesk, ...] = ()
    withdrawn: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Given:
    """One draft with all that it is held against. `now` is an instant; `requested_on` a day in the organisation's zone.

    `edited` says that a person wrote or changed the text; `written_on` is the day the text was written;
    `newer_message` that the customer wrote again after the message this draft answers was last read, `outside_reply`
    that somebody answered outside the desk since.
    `correcting` names the answer that a composed correction withdraws, whose old value may then be told.
    """

    text: str
    questions: tuple[QuestionKey, ...]
    now: datetime
    requested_on: date
    written_on: date
    calendar: BusinessCalendar
    notes: ModelNotes = NO_NOTES
    messages: tuple[Message, ...] = ()
    reply_to: str | None = None
    desk_messages: frozenset[str] = frozenset()
    sources: Sources = field(default_factory=Sources)
    facts: Mapping[str, object] = field(default_factory=dict)
    channel: str | None = None
    ticket: Ticket | None = None
    mapping: RecordMapping = DEFAULT_MAPPING
    dismissed: tuple[Dismissed, ...] = ()
    edited: bool = False
    newer_message: bool = False
    outside_reply: bool = False


@dataclass(frozen=True, slots=True)
class Asked:
    """One question of the message with its route, its gate and the locked answer, all by the root key."""

    question: QuestionKey
    root: str | None
    route: Route
    gate: Gate
    locked: LockedAnswer | None


@dataclass(frozen=True, slots=True)
class Blocker:
    """One reason why this item cannot be approved now."""

    code: str
    message: str
    start: int | None = None
    end: int | None = None


@dataclass(frozen=True, slots=True)
class Analysis:
    """The whole result. `asked[0]` is the item's question.

    `answers` holds, for each root key whose first answer this reply gives, the sentences that approval would lock, or
    None where none carries the answer.
    """

    asked: tuple[Asked, ...]
    claims: tuple[Claim, ...]
    findings: tuple[Finding, ...]
    blockers: tuple[Blocker, ...]
    answers: Mapping[str, str | None]

    @property
    def answer_text(self) -> str | None:
        """Return the first answer that approval of this text would lock."""
        return next((text for text in self.answers.values() if text is not None), None)

    @property
    def first(self) -> Asked:
        """Return the item's own question with its route and gate."""
        return self.asked[0]
