"""Bodies of requests as OpenAPI describes them. What they promise is enforced by the readers, not by these classes."""

from datetime import date, datetime
from typing import Annotated, Literal

from ninja import Schema
from pydantic import ConfigDict, Field

from drafts.decisions.arriving import MAX_MESSAGES
from drafts.decisions.reading import NAME_LIMIT
from ledger.decisions.keys import KEY_GRAMMAR
from ledger.decisions.vocabulary import CommitmentClass, DocumentKind, KeyOrigin, VersionStatus

Name = Annotated[str, Field(min_length=1, max_length=NAME_LIMIT, description="One visible line.")]
Text = Annotated[str, Field(max_length=65536, description="At most 64 kB in UTF-8.")]
Key = Annotated[str, Field(pattern=KEY_GRAMMAR, max_length=NAME_LIMIT)]


class Open(Schema):
    """An object whose further fields are kept to the letter."""

    model_config = ConfigDict(extra="allow")


class Closed(Schema):
    """An object of which further fields are refused."""

    model_config = ConfigDict(extra="forbid")


InPath = Annotated[object, Field(description="Named by the address, which wins; left alone here.")]


class MessageBody(Schema):
    id: Name
    role: Literal["customer", "agent", "note"]
    text: Text
    sent_at: datetime | None = None


class ConversationBody(Schema):
    id: Name
    customer_id: Name | None = None
    channel: Name | None = None
    messages: Annotated[list[MessageBody], Field(min_length=1, max_length=MAX_MESSAGES)]


class QuestionBody(Schema):
    key: Key | None = None
    by: KeyOrigin | None = KeyOrigin.FORM


class FactsBody(Open):
    """Facts by name; one that ends in `_on` is a calendar date `YYYY-MM-DD` or null."""

    requested_on: date | None = None


class RefundBody(Open):
    status: str | None = None
    issued_at: datetime | None = None


class OrderBody(Open):
    status: str | None = None
    shipped_at: datetime | None = None
    delivered_at: datetime | None = None
    eta: datetime | None = None


class TicketFields(Open):
    """Fields under the names of the helpdesk; one that ends in `_at` is an instant with its zone, or null."""

    as_of: datetime | None = None
    status: str | None = None
    assignee: str | None = None
    team: str | None = None
    first_response_due_at: datetime | None = None
    resolution_due_at: datetime | None = None
    callback_at: datetime | None = None
    appointment_at: datetime | None = None
    review_started_at: datetime | None = None
    escalated_at: datetime | None = None
    refund: RefundBody | None = None
    order: OrderBody | None = None
    fields: dict[str, object] | None = None


class TicketBody(TicketFields):
    """A ticket as of an instant; without an id it takes the conversation's. An empty object is no ticket."""

    id: Name | None = None


class RetrievedBody(Schema):
    doc_id: Name
    section: Text | None = None
    score: float | None = None


class DraftText(Schema):
    text: Annotated[str, Field(min_length=1, max_length=65536)]
    raw_output: Text | None = None
    model: Text | None = None
    selected_version: Text | None = None
    missing_fields: list[Text] | None = None
    retrieved: list[RetrievedBody] | None = None


class AskBody(Schema):
    conversation: ConversationBody
    in_reply_to: Name | None = None
    question: QuestionBody | None = None
    facts: FactsBody | None = None
    ticket: TicketBody | None = None


class DraftBody(AskBody):
    external_id: Name
    draft: DraftText


class DismissedBody(Schema):
    """A marked stretch of the final text that is no claim, or a finding (by its code) that was looked at."""

    start: Annotated[int, Field(ge=0)] | None = None
    end: Annotated[int, Field(ge=0)] | None = None
    subject: Annotated[str, Field(alias="class", description="The claim's class, or the finding's code.")]
    reason: Text


class DecisionBody(Schema):
    kind: Literal["approve", "edit", "send_back", "escalate", "correct"]
    seen_version: Annotated[int, Field(ge=1, lt=2**31)] | None = None
    text: Text | None = None
    reason: Text | None = None
    owner: Text | None = None
    answer_text: Text | None = None
    dismissed: list[DismissedBody] | None = None


class ChangeBody(Schema):
    """One change: the question, or a text with the version it replaces, or that the draft still fits the thread."""

    question: QuestionBody | None = None
    text: Text | None = None
    seen_version: Annotated[int, Field(ge=1, lt=2**31)] | None = None
    still_fits: Literal[True] | None = None


class NewMessageBody(Schema):
    conversation_id: Name
    message: MessageBody


class OutsideBody(Schema):
    """Words of a reply that did not come through the desk, to the letter; without it the locked answer is corrected."""

    message_id: Name
    words: Annotated[str, Field(min_length=1, max_length=65536)]


class CorrectionBody(Schema):
    conversation_id: Name
    question_key: Key
    answer_text: Annotated[str, Field(min_length=1, max_length=65536)]
    reason: Annotated[str, Field(min_length=1, max_length=65536)]
    owner: Name
    text: Text | None = None
    outside: OutsideBody | None = None


class KeyBody(Closed):
    key: InPath = None
    question_canonical: Annotated[str, Field(min_length=1, max_length=65536)]
    commitment_class: CommitmentClass = CommitmentClass.BINDING_POLICY
    deciding_facts: list[Name] | None = None
    parent: Key | None = None
    boundary: Text | None = None
    examples: list[Text] | None = None
    owner: Name | None = None


class StatementBody(Closed):
    question_key: Key
    section: Text | None = None
    text: Annotated[str, Field(min_length=1, max_length=65536)]


class VersionBody(Closed):
    doc_id: InPath = None
    version: InPath = None
    title: Text | None = None
    kind: DocumentKind
    channels: list[Name] | None = None
    deciding_date: Name
    effective_from: date
    effective_until: date | None = None
    status: VersionStatus = VersionStatus.ACTIVE
    statements: list[StatementBody] | None = None
    body: Annotated[
        str | None,
        Field(max_length=65536, description="The whole text; every passage stands in it. Left out, it stays as it is."),
    ] = None


class NarrowingBody(Schema):
    """What is left of a version: fewer channels, a later first day, an earlier end."""

    version: Name
    channels: list[Name] | None = None
    effective_from: date | None = None
    effective_until: date | None = None


class ResolutionBody(Schema):
    keep: Name
    retire: list[Name] | None = None
    narrow: list[NarrowingBody] | None = None
    reason: Annotated[str, Field(min_length=1, max_length=65536)]
    seen: Annotated[str, Field(description="The digest under which the conflict was shown.")] | None = None
