"""The words that decisions about a draft are made in: enums and plain values, no behaviour."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


class ClaimClass(StrEnum):
    """What a claim speaks about."""

    STATUS = "STATUS"
    ACTION = "ACTION"
    TIMING = "TIMING"
    OUTCOME = "OUTCOME"


class Tier(StrEnum):
    """`claim` is precise and blocks until settled; `possible` is a loose second net that never blocks."""

    CLAIM = "claim"
    POSSIBLE = "possible"


class Verdict(StrEnum):
    """What the record says to a claim."""

    SUPPORTED = "SUPPORTED"
    CONTRADICTED = "CONTRADICTED"
    UNSUPPORTED = "UNSUPPORTED"


@dataclass(frozen=True, slots=True)
class Claim:
    """One statement of a draft about status, action, timing or outcome, and the record held against it.

    `start` and `end` are code points into the text as given. `record` reads `field = value, as of TIME` where a
    record exists; `needs` says in words what would support the claim. `earliest` and `latest` are the instants
    (UTC) that a TIMING claim resolves to.
    """

    start: int
    end: int
    cls: ClaimClass
    sub: str | None
    tier: Tier
    rule: str
    text: str
    verdict: Verdict = Verdict.UNSUPPORTED
    record: str | None = None
    needs: str | None = None
    earliest: datetime | None = None
    latest: datetime | None = None


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that a person must look at: stable code, plain words that say how to clear it, and where it is."""

    code: str
    message: str
    start: int | None = None
    end: int | None = None


@dataclass(frozen=True, slots=True)
class Message:
    """One turn of a thread; `role` is customer, agent or note."""

    id: str
    role: str
    text: str
    sent_at: datetime | None = None


# A ticket is a mapping as the helpdesk sent it: flat names (`status`, `assignee`, `callback_at` …), the nested
# `refund`, `order` and `fields` objects, `as_of`; addressed by dotted paths such as `refund.status`.
Ticket = Mapping[str, object]
