"""Answers as OpenAPI describes them; fields may be added, these keep their names and meanings."""

from typing import Annotated, Literal

from ninja import Schema
from pydantic import ConfigDict, Field

from drafts.decisions.delivering import DeliveryState
from drafts.decisions.transitions import ItemState
from drafts.decisions.vocabulary import ClaimClass, Tier, Verdict
from ledger.decisions.vocabulary import (
    Branch,
    CommitmentClass,
    DocumentKind,
    EntryKind,
    Handler,
    KeyOrigin,
    KeyStatus,
    Refusal,
    VersionStatus,
)

Instant = Annotated[str, Field(json_schema_extra={"format": "date-time"})]
Day = Annotated[str, Field(json_schema_extra={"format": "date"})]


class Growing(Schema):
    """An answer that may carry further fields."""

    model_config = ConfigDict(extra="allow")


class FieldError(Growing):
    field: str
    message: str


class BlockerAnswer(Growing):
    code: str
    message: str


class ConflictAnswer(Growing):
    """Who decided or holds the item, since when; or that the draft moved on."""

    who: str | None
    since: Instant | None
    kind: str | None
    message: str
    your_text_kept: bool


class ProblemAnswer(Growing):
    """An RFC 9457 problem document."""

    type: str
    title: str
    status: int
    detail: str
    errors: list[FieldError]
    blockers: list[BlockerAnswer] | None = None
    conflict: ConflictAnswer | None = None


class QuestionKeyAnswer(Growing):
    status: KeyStatus
    key: str | None
    by: KeyOrigin | None
    score: float | None


class RouterAnswer(Growing):
    version: str | None
    refusal: Refusal | None
    missing_field: str | None


class GateAnswer(Growing):
    branch: Branch
    must_contain: list[str]
    handler: Handler
    due_at: Instant | None
    missing_field: str | None


class AskedAnswer(Growing):
    question_key: QuestionKeyAnswer
    router: RouterAnswer
    gate: GateAnswer


class ClaimAnswer(Growing):
    """A claim; `start` and `end` are Unicode code points into the text."""

    start: int
    end: int
    cls: Annotated[ClaimClass, Field(alias="class")]
    sub: str | None
    tier: Tier
    rule: str
    text: str
    verdict: Verdict
    record: str | None
    needs: str | None
    earliest: Instant | None
    latest: Instant | None


class FindingAnswer(Growing):
    code: str
    message: str
    start: int | None
    end: int | None


class AnalysisAnswer(AskedAnswer):
    claims: list[ClaimAnswer]
    findings: list[FindingAnswer]
    also: list[AskedAnswer]
    answer_text: str | None
    blockers: list[str]


class DecisionAnswer(Growing):
    kind: Literal["approve", "edit", "send_back", "escalate", "correct"]
    text: str
    decided_by: str
    decided_at: Instant
    reason: str | None


class DeliveryAnswer(Growing):
    """Where a reply stands on its way out; read it as sent no earlier than `undo_until`, when nobody can undo it."""

    state: DeliveryState
    attempts: int
    delivered_at: Instant | None
    undo_until: Instant
    next_attempt_at: Instant | None
    because: str | None


class ItemAnswer(Growing):
    id: str
    url: str
    external_id: str
    conversation_id: str
    state: ItemState
    version: int
    text: str
    facts: dict[str, object]
    ticket: dict[str, object] | None
    created_at: Instant
    analysis: AnalysisAnswer
    decision: DecisionAnswer | None
    delivery: DeliveryAnswer | None


class ItemPage(Growing):
    items: list[ItemAnswer]
    next: str | None


class SayAnswer(Growing):
    """What the bot may say: this text, within this version, ask for this field, or nothing."""

    mode: Literal["verbatim", "within", "ask_for", "do_not_answer"]


class AskAnswer(AskedAnswer):
    say: SayAnswer
    also: list[AskedAnswer]


class TicketAnswer(Growing):
    id: str
    as_of: Instant
    ticket: dict[str, object]
    analysed_again: int


class MessageAnswer(Growing):
    id: str
    role: Literal["customer", "agent", "note"]
    text: str
    sent_at: Instant | None


class NewMessageAnswer(Growing):
    conversation_id: str
    message: MessageAnswer
    created: bool


class KeyAnswer(Growing):
    key: str
    question_canonical: str
    commitment_class: CommitmentClass
    deciding_facts: list[str]
    parent: str | None
    boundary: str | None
    examples: list[str]
    owner: str | None


class KeyPage(Growing):
    items: list[KeyAnswer]
    next: str | None


class StatementAnswer(Growing):
    question_key: str
    section: str
    text: str


class VersionAnswer(Growing):
    doc_id: str
    version: str
    title: str
    kind: DocumentKind
    channels: list[str]
    deciding_date: str
    effective_from: Day
    effective_until: Day | None
    status: VersionStatus
    statements: list[StatementAnswer]
    body: Annotated[str | None, Field(description="The whole text where it is known; lists leave it out.")] = None


class VersionPage(Growing):
    items: list[VersionAnswer]
    next: str | None


class SourceConflictAnswer(Growing):
    id: str
    question_key: str
    versions: list[str]
    owner: str | None
    due_at: Instant | None
    state: str


class ResolvedAnswer(SourceConflictAnswer):
    analysed_again: int


class SourceConflictPage(Growing):
    items: list[SourceConflictAnswer]
    next: str | None


class EntryAnswer(Growing):
    entry_id: str
    position: int
    kind: EntryKind
    question_key: str
    answer_text: str
    entry_hash: str


class LedgerAnswer(Growing):
    conversation_id: str
    entries: list[EntryAnswer]


class CorrectionAnswer(Growing):
    id: str
    conversation_id: str
    question_key: str
    old_text: str
    new_text: str
    message: str
    reason: str
    owner: str
    corrected_by: str
    corrected_at: Instant
    outside_message_id: str | None
    source_document: str | None


class CorrectionPage(Growing):
    items: list[CorrectionAnswer]
    next: str | None


class CheckAnswer(Growing):
    id: int
    rows: int
    healthy: bool


class AuditAnswer(Growing):
    checks: list[CheckAnswer]
