"""Hold every claim of a draft against the ticket snapshot: supported, contradicted, or no record."""

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from itertools import accumulate

from drafts.decisions.claims import judging_future, judging_outcome, judging_status
from drafts.decisions.claims.interval import Interval
from drafts.decisions.claims.mapping import DEFAULT_MAPPING, RecordMapping
from drafts.decisions.claims.records import Judged, Records, instant_of
from drafts.decisions.claims.timing import resolve
from drafts.decisions.vocabulary import Claim, ClaimClass, Ticket, Verdict
from ledger.decisions.calendar import BusinessCalendar

_NEEDS = {
    ClaimClass.STATUS: "a ticket or order field that records this; none was sent with the draft",
    ClaimClass.ACTION: "an assignee, a call back or a planned task; no ticket was sent with the draft",
    ClaimClass.TIMING: "a deadline or appointment inside the promised time; no ticket was sent with the draft",
    ClaimClass.OUTCOME: "a decision that a person recorded on the ticket; none was sent with the draft",
}
_NEAR = 160
"""Characters within which a time belongs to the promise beside it."""


def judge(
    claims: Sequence[Claim],
    *,
    text: str,
    ticket: Ticket | None,
    now: datetime,
    calendar: BusinessCalendar,
    mapping: RecordMapping = DEFAULT_MAPPING,
    latest_customer_at: datetime | None = None,
) -> tuple[Claim, ...]:
    """Return the claims with verdict, record and what is needed; TIMING claims with their interval.

    `now` is the moment of sending. `earliest` and `latest` of a TIMING are UTC, `latest` the most generous reading:
    what happens after it breaks the promise. A snapshot older than the customer's latest message supports nothing.
    """
    records = Records(ticket or {}, mapping, now, calendar)
    stale = _stale_since(records, latest_customer_at)
    statements = _Statements(claim for claim in claims if claim.cls is not ClaimClass.TIMING)
    judged = []
    for claim in claims:
        interval = resolve(claim.text, now=now, calendar=calendar) if claim.cls is ClaimClass.TIMING else None
        verdict = _verdict(claim, interval, _promise_beside(claim, statements, text), text, records)
        judged.append(_settled(claim, _freshened(verdict, stale, records), interval))
    return tuple(judged)


def _verdict(claim: Claim, interval: Interval | None, promise: Claim | None, text: str, records: Records) -> Judged:
    if not records.ticket:
        return Judged(Verdict.UNSUPPORTED, None, _NEEDS[claim.cls])
    if interval is not None:
        return judging_future.timing(promise, _sentence_around(claim, text), interval, records)
    if claim.cls is ClaimClass.ACTION:
        return judging_future.action(claim, records)
    if claim.cls is ClaimClass.OUTCOME:
        return judging_outcome.outcome(claim, records)
    return judging_status.status(claim, records)


def _sentence_around(claim: Claim, text: str) -> str:
    before = text[max(0, claim.start - _NEAR) : claim.start]
    start = max(before.rfind(mark) for mark in (".", "!", "?", "\n")) + 1
    return before[start:] + text[claim.start : claim.end]


def _ending_last(one: Claim, other: Claim) -> Claim:
    return other if other.end > one.end else one


class _Statements:
    """The claims that are no TIMING, in order, so that the nearest ones are found without measuring them all."""

    def __init__(self, claims: Iterable[Claim]) -> None:
        self.claims = sorted(claims, key=lambda claim: claim.start)
        self.starts = [claim.start for claim in self.claims]
        self.reaching = list(accumulate(self.claims, _ending_last))
        """At each place the claim up to there that ends last."""

    def around(self, timing: Claim) -> tuple[Claim, ...]:
        """Return the nearest statement that begins before a time ends, and the next one after it."""
        after = bisect_left(self.starts, timing.end)
        return (*self.reaching[max(0, after - 1) : after], *self.claims[after : after + 1])


def _promise_beside(timing: Claim, statements: _Statements, text: str) -> Claim | None:
    """Return the statement a time belongs to: the nearest one, first of all within the same sentence."""

    def distance(claim: Claim) -> tuple[bool, int]:
        gap = max(claim.start - timing.end, timing.start - claim.end, 0)
        between = text[min(claim.end, timing.end) : max(claim.start, timing.start)]
        return any(mark in between for mark in ".!?\n"), gap

    near = min(statements.around(timing), key=distance, default=None)
    return near if near is not None and distance(near)[1] <= _NEAR else None


def _stale_since(records: Records, latest_customer_at: datetime | None) -> datetime | None:
    as_of = instant_of(records.ticket.get("as_of"), records.calendar)
    if as_of is None or latest_customer_at is None or as_of >= latest_customer_at:
        return None
    return as_of


def _freshened(judged: Judged, stale: datetime | None, records: Records) -> Judged:
    if stale is None or judged.verdict is not Verdict.SUPPORTED:
        return judged
    taken = f"{records.calendar.local(stale):%Y-%m-%d %H:%M} ({records.calendar.zone.key})"
    return Judged(
        Verdict.UNSUPPORTED,
        f"{judged.record}, as of {taken}, before the customer's latest message",
        "the ticket as it is now; the snapshot is older than the customer's latest message",
    )


def _settled(claim: Claim, judged: Judged, interval: Interval | None) -> Claim:
    return replace(
        claim,
        verdict=judged.verdict,
        record=judged.record,
        needs=judged.needs,
        earliest=interval.earliest if interval else None,
        latest=interval.lenient if interval else None,
    )
