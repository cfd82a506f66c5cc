"""What arrives from a bot or a helpdesk, as plain values, and the rules it must meet before anything is stored."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from drafts.decisions.given import NO_NOTES, ModelNotes
from ledger.decisions.router import plain_date
from ledger.decisions.vocabulary import KeyOrigin

CLOCK_SKEW = timedelta(minutes=5)
"""How far another system's clock may be ahead of ours."""

MAX_MESSAGES = 200
"""Messages of one body; a longer thread is sent in parts with `POST /messages`."""


class Unacceptable(Exception):
    """The body cannot be taken in; `field` names the place and the message says what to do."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(message)
        self.field = field
        self.message = message


@dataclass(frozen=True, slots=True)
class MessageIn:
    """One turn as sent; `sent_at` is an instant or unknown."""

    id: str
    role: str
    text: str
    sent_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class TicketIn:
    """A ticket as sent: everything but its id and `as_of` is in `fields`, under the names of the helpdesk."""

    id: str
    fields: Mapping[str, object]
    as_of: datetime | None = None


@dataclass(frozen=True, slots=True)
class QuestionIn:
    """A key that a form field, a classifier outside or a person established."""

    key: str
    by: KeyOrigin


@dataclass(frozen=True, slots=True)
class AskIn:
    """A customer's question with all that is known about it."""

    conversation_id: str
    messages: tuple[MessageIn, ...]
    customer_id: str | None = None
    channel: str | None = None
    in_reply_to: str | None = None
    question: QuestionIn | None = None
    facts: Mapping[str, object] = field(default_factory=dict)
    ticket: TicketIn | None = None


@dataclass(frozen=True, slots=True)
class DraftIn:
    """A draft with its ask. `digest` is the SHA-256 of the content, so that the same content is known again."""

    external_id: str
    ask: AskIn
    text: str
    digest: str
    notes: ModelNotes = NO_NOTES
    model_name: str | None = None


def check_as_of(field: str, as_of: datetime | None, now: datetime) -> None:
    """Raise Unacceptable for a ticket from the future: it would outrank every later news of that ticket."""
    if as_of is not None and as_of > now + CLOCK_SKEW:
        raise Unacceptable(field, "The ticket is dated in the future. Send the time it was read, or leave it out.")


def check(ask: AskIn, known_keys: Mapping[str, object]) -> None:
    """Raise Unacceptable or BadDate for the first thing in an ask that cannot be stored.

    The thread needs a message, each with its own id; a reply must answer a message of the thread; a key must be in
    the registry; a fact that ends in `_on` is a calendar date `YYYY-MM-DD` or null (rule 3.1).
    """
    _check_messages(ask.messages)
    if ask.question is not None and ask.question.key not in known_keys:
        message = (
            f"The key {ask.question.key!r} is not in the registry. Create it with PUT /keys/{{key}}, or send null."
        )
        raise Unacceptable("question.key", message)
    check_dates(ask.facts)


def _check_messages(messages: Sequence[MessageIn]) -> None:
    if not messages:
        raise Unacceptable("conversation.messages", "Send at least one message.")
    if len(messages) > MAX_MESSAGES:
        raise Unacceptable(
            "conversation.messages", f"At most {MAX_MESSAGES} messages in one body; send earlier ones to /messages."
        )
    seen: set[str] = set()
    for place, message in enumerate(messages):
        if message.id in seen:
            raise Unacceptable(f"conversation.messages[{place}].id", f"The id {message.id!r} stands twice.")
        seen.add(message.id)


def check_dates(facts: Mapping[str, object]) -> None:
    """Raise BadDate for the first fact that should be a calendar date and is none."""
    for name, value in facts.items():
        if name.endswith("_on") and value is not None:
            plain_date(f"facts.{name}", value)
