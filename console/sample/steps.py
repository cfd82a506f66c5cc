"""What happens in the sample, one step after another, as plain values."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from drafts.decisions.arriving import DraftIn, MessageIn
from drafts.decisions.transitions import DecisionKind


@dataclass(frozen=True, slots=True)
class Arrived:
    """A draft comes in."""

    at: datetime
    item: str
    draft: DraftIn


@dataclass(frozen=True, slots=True)
class Said:
    """Somebody writes in a thread whose draft is here already."""

    at: datetime
    item: str
    conversation: str
    message: MessageIn


@dataclass(frozen=True, slots=True)
class TicketChanged:
    """The helpdesk reports changed fields of a ticket."""

    at: datetime
    item: str
    ticket: str
    fields: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Settled:
    """A reviewer marks a stretch of the draft as no claim, or a finding as looked at."""

    at: datetime
    item: str
    by: str
    subject: str
    start: int
    end: int
    reason: str


@dataclass(frozen=True, slots=True)
class KeyChosen:
    """A reviewer says which question the customer asks."""

    at: datetime
    item: str
    by: str
    key: str


@dataclass(frozen=True, slots=True)
class Saved:
    """A reviewer saves an edited text and leaves the item open."""

    at: datetime
    item: str
    by: str
    seen_version: int
    text: str


@dataclass(frozen=True, slots=True)
class Taken:
    """A reviewer takes an item. The lease runs by the database's clock, from the moment of loading."""

    at: datetime
    item: str
    by: str


@dataclass(frozen=True, slots=True)
class Decision:
    """A reviewer decides an item; `text` is what leaves where it is not the newest text as it stands."""

    at: datetime
    item: str
    by: str
    kind: DecisionKind
    seen_version: int
    text: str | None = None
    reason: str | None = None
    owner: str | None = None
    answer_text: str | None = None


@dataclass(frozen=True, slots=True)
class Corrected:
    """Somebody corrects what a customer was told without a draft waiting."""

    at: datetime
    item: str
    by: str
    conversation: str
    key: str
    answer_text: str
    reason: str
    owner: str


type Step = Arrived | Said | TicketChanged | Settled | KeyChosen | Saved | Taken | Decision | Corrected
