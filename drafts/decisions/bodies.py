"""From a parsed JSON body to what arrives: the same reading for the API and for files of drafts.

Field names and meanings are the published contract of `POST /drafts`. What is not described there is ignored at the
top and kept inside `facts` and `ticket`.
"""

import json
from collections.abc import Mapping
from datetime import datetime
from hashlib import sha256

from drafts.decisions.arriving import AskIn, DraftIn, MessageIn, QuestionIn, TicketIn, Unacceptable
from drafts.decisions.given import ModelNotes, Retrieved
from drafts.decisions.reading import Reader, instant
from ledger.decisions.vocabulary import KeyOrigin

ROLES = ("customer", "agent", "note")
ORIGINS = tuple(origin.value for origin in KeyOrigin)
CONTENT = ("external_id", "conversation", "in_reply_to", "question", "facts", "ticket", "draft")
"""What makes two bodies the same content; everything else at the top is a sender's own remark."""

TICKET_TEXTS = ("status", "assignee", "team")
TICKET_PARTS = ("refund", "order", "fields")


def draft_from(body: object) -> DraftIn:
    """Return the draft that a body describes. Raises Unacceptable naming the first field that cannot be taken."""
    read = Reader.of(body)
    draft = read.part("draft")
    return DraftIn(
        external_id=read.name("external_id"),
        ask=ask_from(body),
        text=draft.visible_text("text"),
        digest=digest_of(read.values),
        notes=_notes(draft),
        model_name=draft.text_or_none("model"),
    )


def ask_from(body: object) -> AskIn:
    """Return the customer's question that a body describes, with or without a draft. Raises Unacceptable."""
    read = Reader.of(body)
    conversation = read.part("conversation")
    conversation_id = conversation.name("id")
    facts = read.part_or_none("facts")
    return AskIn(
        conversation_id=conversation_id,
        messages=tuple(message_from(each) for each in conversation.parts("messages")),
        customer_id=conversation.name_or_none("customer_id"),
        channel=conversation.name_or_none("channel"),
        in_reply_to=read.name_or_none("in_reply_to"),
        question=_question(read.part_or_none("question")),
        facts=dict(facts.values) if facts else {},
        ticket=_ticket(read.part_or_none("ticket"), conversation_id),
    )


def message_from(read: Reader) -> MessageIn:
    """Return one turn of a thread; its text may be empty (an attachment alone). Raises Unacceptable."""
    return MessageIn(
        id=read.name("id"),
        role=read.one_of("role", ROLES),
        text=read.text("text"),
        sent_at=read.instant_or_none("sent_at"),
    )


def ticket_changes_from(body: object, *, ticket_id: str) -> tuple[dict[str, object], datetime | None]:
    """Return changed ticket fields and the instant they are known as of. Raises Unacceptable."""
    read = Reader.of(body)
    if read.has("id") and read.name("id") != ticket_id:
        raise Unacceptable("id", f"The address names ticket {ticket_id!r}. A ticket keeps its id; leave it out.")
    as_of = read.instant_or_none("as_of")
    changes = _ticket_fields(read)
    if not changes and as_of is None:
        raise Unacceptable("body", "Send at least one field to change.")
    return changes, as_of


def digest_of(values: Mapping[str, object]) -> str:
    """Return the SHA-256 of a body's content: its described fields, in a fixed order, absent and null alike."""
    content = {field: values[field] for field in CONTENT if values.get(field) not in (None, {})}
    written = json.dumps(content, sort_keys=True, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return sha256(written.encode()).hexdigest()


def _question(read: Reader | None) -> QuestionIn | None:
    if read is None or not read.has("key"):
        return None
    origin = read.one_of("by", ORIGINS) if read.has("by") else KeyOrigin.FORM
    return QuestionIn(read.name("key"), KeyOrigin(origin))


def _ticket(read: Reader | None, conversation_id: str) -> TicketIn | None:
    if read is None or not read.values:
        return None
    return TicketIn(read.name_or_none("id") or conversation_id, _ticket_fields(read), read.instant_or_none("as_of"))


def _ticket_fields(read: Reader) -> dict[str, object]:
    for field in TICKET_TEXTS:
        read.text_or_none(field)
    _check_instants(read)
    for field in TICKET_PARTS:
        part = read.part_or_none(field)
        if part is not None and field != "fields":
            part.text_or_none("status")
            _check_instants(part)
    return {field: value for field, value in read.values.items() if field not in {"id", "as_of"}}


def _check_instants(read: Reader) -> None:
    for field, value in read.values.items():
        if value is not None and (field.endswith("_at") or field == "eta"):
            instant(read.at(field), value)


def _notes(draft: Reader) -> ModelNotes:
    """Read what the model said beside its text: any text, since a model's oddity is for a reviewer to see."""
    return ModelNotes(
        raw_output=draft.text_or_none("raw_output"),
        selected_version=draft.text_or_none("selected_version"),
        missing_fields=draft.texts("missing_fields"),
        retrieved=tuple(
            Retrieved(each.name("doc_id"), each.text_or_none("section"), each.number_or_none("score"))
            for each in draft.parts("retrieved")
        ),
    )
