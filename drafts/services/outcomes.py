"""What a decision can come to, as values: decided, refused with reasons, or overtaken by somebody or something."""

from dataclasses import dataclass
from datetime import datetime

from drafts.decisions.given import Blocker
from drafts.models import Decision, ReviewItem


class Unusable(Exception):
    """The decision lacks something or names what does not exist; `field` says where."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(message)
        self.field = field
        self.message = message


@dataclass(frozen=True, slots=True)
class Decided:
    """The decision stands; None for an escalation, which hands the item on."""

    item: ReviewItem
    decision: Decision | None


@dataclass(frozen=True, slots=True)
class Refused:
    """The text may not leave; nothing was decided."""

    item: ReviewItem
    blockers: tuple[Blocker, ...]


@dataclass(frozen=True, slots=True)
class Overtaken:
    """Somebody decided or holds the item, or its text moved on; the caller's own text is parked with the item."""

    item: ReviewItem
    message: str
    who: str | None = None
    since: datetime | None = None
    kind: str | None = None


Outcome = Decided | Refused | Overtaken
