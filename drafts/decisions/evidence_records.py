"""What an evidence pack is made of, as plain values: the names of these fields are the names in the pack."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from ledger.decisions.chain import Head, Row


@dataclass(frozen=True, slots=True)
class Edit:
    """What a message said before it was edited."""

    text: str
    learnt_at: datetime
    replaced_at: datetime


@dataclass(frozen=True, slots=True)
class Turn:
    """One message; `sent_at` is what the helpdesk said, `received_at` our clock."""

    ordinal: int
    id: str
    role: str
    text: str
    sent_at: datetime | None
    received_at: datetime
    through_desk: bool
    earlier_texts: tuple[Edit, ...]


@dataclass(frozen=True, slots=True)
class Tried:
    """One attempt to hand a reply over; without an end it was interrupted."""

    number: int
    address: str
    started_at: datetime
    ended_at: datetime | None
    outcome: str | None
    status: int | None
    receiver_said: str


@dataclass(frozen=True, slots=True)
class Left:
    """A reply on its way out, with every attempt."""

    id: str
    decision_id: str | None
    correction_id: str | None
    text: str
    state: str
    destination: str | None
    created_at: datetime
    delivered_at: datetime | None
    because: str | None
    settled_by: str | None
    attempts: tuple[Tried, ...]


@dataclass(frozen=True, slots=True)
class Decided:
    """What a person decided about a draft, withdrawn or not."""

    id: str
    item: str
    kind: str
    text: str
    answer_text: str | None
    reason: str | None
    owner: str | None
    seen_version: int
    entry_ids: tuple[str, ...]
    decided_by: str
    decided_at: datetime
    withdrawn_at: datetime | None
    withdrawn_by: str | None
    withdrawn_because: str | None


@dataclass(frozen=True, slots=True)
class Corrected:
    """A correction, and the words in which the customer is told.

    `said_in_message` numbers the message that holds the withdrawn words where no ledger entry does.
    """

    id: str
    entry_id: str
    said_in_message: int | None
    question_key: str
    old_text: str
    new_text: str
    message: str
    reason: str
    owner: str
    corrected_by: str
    corrected_at: datetime
    withdrawn_at: datetime | None
    withdrawn_by: str | None
    withdrawn_because: str | None


@dataclass(frozen=True, slots=True)
class Inclusion:
    """How one entry, by its position, leads to a checkpoint's root; `number` is its place in the whole ledger."""

    position: int
    number: int
    path: tuple[bytes, ...]


@dataclass(frozen=True, slots=True)
class Seal:
    """A checkpoint's signed text, and the entries of the conversation that it covers."""

    note: str
    inclusions: tuple[Inclusion, ...]


@dataclass(frozen=True, slots=True)
class Records:
    """Everything that is kept about one conversation; people by the name they sign in with."""

    conversation_id: str
    customer_id: str | None
    channel: str | None
    first_seen_at: datetime
    transcript: tuple[Turn, ...]
    entries: tuple[Row, ...]
    head: Head | None
    checkpoints: tuple[Seal, ...]
    decisions: tuple[Decided, ...]
    corrections: tuple[Corrected, ...]
    deliveries: tuple[Left, ...]
    people: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Making:
    """Who has the pack made ("" from the command line), when, with which key; `zone` is that of the organisation."""

    at: datetime
    by: str
    by_name: str
    zone: str
    public_key: bytes
    key_id: str
