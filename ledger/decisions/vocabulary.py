"""The words that ledger decisions are made in: enums and plain values, no behaviour.

One word per idea; the meaning of each is in docs/architecture.md.
Dates without a time are calendar dates in the organisation's zone; instants are aware datetimes in UTC.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A stretch of text by Unicode code points: `start` included, `end` excluded."""

    start: int
    end: int

    def overlaps(self, other: "Span") -> bool:
        """Say whether the two stretches share at least one character."""
        return self.start < other.end and other.start < self.end


class CommitmentClass(StrEnum):
    """How binding an answer to a question key is; `information` is no commitment."""

    BINDING_POLICY = "binding_policy"
    ESTIMATE = "estimate"
    INFORMATION = "information"


class DocumentKind(StrEnum):
    """Where a document comes from; a third party's sheet answers for us only where a policy owner permits it."""

    OWN_POLICY = "own_policy"
    PROMOTION = "promotion"
    THIRD_PARTY = "third_party"


class VersionStatus(StrEnum):
    """Life of a policy version; only an active one is routed to."""

    DRAFT = "draft"
    ACTIVE = "active"
    RETIRED = "retired"


class EntryKind(StrEnum):
    """The four facts the ledger records."""

    ANSWER = "ANSWER"
    REPLAY = "REPLAY"
    CORRECTION = "CORRECTION"
    WITHDRAWAL = "WITHDRAWAL"


class KeyStatus(StrEnum):
    """Whether it is known which question is being asked."""

    ESTABLISHED = "established"
    UNCERTAIN = "uncertain"
    NONE = "none"


class KeyOrigin(StrEnum):
    """Who or what established a question key."""

    FORM = "form"
    CLASSIFIER = "classifier"
    PERSON = "person"


class Refusal(StrEnum):
    """Why the router selected no version."""

    SUBJECT_NOT_COVERED = "subject_not_covered"
    CHANNEL_MISSING = "channel_missing"
    CHANNEL_UNSUPPORTED = "channel_unsupported"
    DATE_MISSING = "date_missing"
    DATE_AFTER_REQUEST = "date_after_request"
    OUTSIDE_EVERY_VERSION = "outside_every_version"


class Branch(StrEnum):
    """What may be said on an ask: eight branches and three plain outcomes."""

    NOT_A_COMMITMENT_QUESTION = "not_a_commitment_question"
    KEY_NOT_ESTABLISHED = "key_not_established"
    NEW_FACTS = "repeat_ask_with_new_facts_changing_applicability"
    ASSERTS_OTHER = "repeat_ask_customer_asserts_a_different_answer"
    ADJACENT_KEY = "repeat_ask_paraphrased_to_adjacent_key"
    POLICY_CHANGED = "policy_changed_mid_thread"
    REPEAT = "repeat_ask_ledger_entry_exists"
    DECIDING_FACT_MISSING = "deciding_fact_missing"
    SOURCES_CONFLICT = "first_ask_multiple_active_sources_conflict"
    NO_SOURCE = "first_ask_no_source_found"
    SINGLE_SOURCE = "first_ask_key_resolved_single_active_source"


REPLAY_BRANCHES = frozenset({Branch.ASSERTS_OTHER, Branch.ADJACENT_KEY, Branch.POLICY_CHANGED, Branch.REPEAT})


class Handler(StrEnum):
    """Who has to act on an item."""

    REVIEWER = "reviewer"
    POLICY_OWNER = "policy_owner"
    CORRECTION = "correction"


@dataclass(frozen=True, slots=True)
class KeyEntry:
    """One row of the key registry."""

    key: str
    question_canonical: str
    commitment_class: CommitmentClass = CommitmentClass.BINDING_POLICY
    deciding_facts: tuple[str, ...] = ()
    parent: str | None = None
    boundary: str | None = None
    examples: tuple[str, ...] = ()
    owner: str | None = None


@dataclass(frozen=True, slots=True)
class QuestionKey:
    """Which question a message asks, and how that is known. `key` is set only when established."""

    status: KeyStatus
    key: str | None = None
    by: KeyOrigin | None = None
    score: float | None = None


@dataclass(frozen=True, slots=True)
class Statement:
    """The passage of one policy version that answers one question key."""

    question_key: str
    section: str
    text: str


@dataclass(frozen=True, slots=True)
class Version:
    """A dated text of one document: `effective_from` included, `effective_until` excluded.

    `body` is the whole text in which every passage stands, None where it is not known. `permitted` says that a policy
    owner lets a third party's document answer; of our own documents it means nothing.
    """

    doc_id: str
    version: str
    title: str
    kind: DocumentKind
    channels: frozenset[str]
    deciding_date: str
    effective_from: date
    effective_until: date | None
    status: VersionStatus
    statements: tuple[Statement, ...]
    body: str | None = None
    permitted: bool = False

    @property
    def answers_for_us(self) -> bool:
        """Say whether an answer may rest on this document at all: ours may, a third party's only where permitted."""
        return self.permitted or self.kind is not DocumentKind.THIRD_PARTY

    def statement_for(self, key: str) -> Statement | None:
        """Return the one statement of this version that answers `key`, if there is one."""
        for statement in self.statements:  # a plain loop: the router asks every version on every decision
            if statement.question_key == key:
                return statement
        return None


@dataclass(frozen=True, slots=True)
class LockedAnswer:
    """The live ledger entry of one conversation and root key.

    `facts` are the deciding facts it was given under, the newest known value of each.
    `doc_id`, `version` and `section` name the source as it was then. `told_at` is the instant of the decision, which
    a customer is given as the day of the answer; `locked_at` is the database's own clock.
    """

    entry_id: str
    question_key: str
    answer_text: str
    doc_id: str | None
    version: str | None
    section: str | None
    facts: Mapping[str, object]
    locked_at: datetime
    replay_count: int = 0
    told_at: datetime | None = None
