"""The shapes of a stored analysis and of a ledger entry, as far as the screens read them."""

from collections.abc import Mapping
from datetime import datetime
from typing import NotRequired, TypedDict


class QuestionShape(TypedDict):
    """Which question, and how that is known."""

    status: str
    key: str | None
    by: str | None


class CandidateShape(TypedDict):
    """One of several versions that answer."""

    doc_id: str
    version: str


class RouterShape(TypedDict):
    """The one version, or the refusal."""

    version: str | None
    doc_id: str | None
    refusal: str | None
    missing_field: str | None
    section: str | None
    passage: str | None
    candidates: list[CandidateShape]


class GateShape(TypedDict):
    """What may be said, and who must act."""

    branch: str
    must_contain: list[str]
    handler: str
    due_at: str | None
    missing_field: str | None
    root_key: str | None


class LockedShape(TypedDict):
    """The live answer of a question."""

    entry_id: str
    question_key: str
    answer_text: str
    version: str | None
    section: str | None
    locked_at: str | None
    told_at: NotRequired[str | None]
    replay_count: int


class AskedShape(TypedDict):
    """One question of the message."""

    question_key: QuestionShape
    router: RouterShape
    gate: GateShape
    locked: LockedShape | None


ClaimShape = TypedDict(
    "ClaimShape",
    {
        "start": int,
        "end": int,
        "class": str,
        "sub": str | None,
        "tier": str,
        "rule": str,
        "text": str,
        "verdict": str,
        "record": str | None,
        "needs": str | None,
    },
)


class FindingShape(TypedDict):
    """A finding or a blocker."""

    code: str
    message: str
    start: int | None
    end: int | None


class RetrievedShape(TypedDict):
    """A passage that the model says it read."""

    doc_id: str
    section: str | None
    score: float | None
    standing: str


class AnalysisShape(AskedShape):
    """The whole analysis."""

    claims: list[ClaimShape]
    findings: list[FindingShape]
    also: list[AskedShape]
    answer_text: str | None
    blocked_by: list[FindingShape]
    retrieved: NotRequired[list[RetrievedShape]]


class SourceShape(TypedDict):
    """A source as it was when an entry was written."""

    doc_id: str
    version: NotRequired[str]
    title: NotRequired[str]
    section: NotRequired[str]
    effective_from: NotRequired[str]
    effective_until: NotRequired[str | None]
    passage: NotRequired[str]
    passage_digest: NotRequired[str]


class FactShape(TypedDict):
    """One typed fact of an entry; numbers are text."""

    kind: str
    unit: str
    low: str | None
    high: str | None
    bound: str
    per: str | None
    anchor: str | None
    applies_to: str | None
    polarity: bool
    start: int
    end: int
    topics: list[str]


class EntryShape(TypedDict):
    """One ledger entry; `locked` says that it counts now, `locked_at` is the database's own clock."""

    entry_id: str
    conversation_id: str
    customer_id: str | None
    position: int
    kind: str
    question_key: str
    asked_key: str
    question_canonical: str
    matched_by: str
    answer_text: str
    answer_source: SourceShape | None
    locked: bool
    locked_at: datetime
    effective_at: datetime
    replay_count: int
    supersedes: str | None
    replays: str | None
    restores: str | None
    deciding_facts: Mapping[str, object]
    typed_facts: list[FactShape]
    channel: str | None
    reason: str | None
    owner: str | None
    decided_by: str
    decision_id: str
    entry_hash: str
    prev_hash: str
