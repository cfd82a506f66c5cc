"""Attach time expressions to the statements they belong to: those are the TIMING claims."""

import re
from collections.abc import Iterator, Sequence

from drafts.decisions.claims.forms import Form
from drafts.decisions.claims.fragments import Fragment
from drafts.decisions.claims.guards import Guard
from drafts.decisions.claims.lexicon import words
from drafts.decisions.claims.reading import Reading
from drafts.decisions.claims.subjects import Who
from drafts.decisions.claims.times import TimeKind
from drafts.decisions.claims.tokens import Kind, Sentence, Token
from drafts.decisions.vocabulary import ClaimClass

_PAST = re.compile(r"(?:since|yesterday|last|earlier)\b|.*\bago\b")
_AHEAD = re.compile(
    r"(?:by|within|before|until|no later|not later|in the next|in \d|tomorrow|next|later|at the latest)\b"
)
_SCHEDULED = words(
    "scheduled booked arranged rescheduled planned set moved confirmed due expected reserved postponed fixed"
)
_ALLOW = re.compile(
    r"(?:^| )(?:please )?(?:allow|expect|give us|allow us|give me|allow me|anticipate)(?: it| this| that| them| your "
    r"\w+| the \w+)?(?: for| us| me| a| up to| an? (?:short |slight |small )?delay of(?: about| up to| around)?| an? "
    r"(?:extra|additional|further))*$"
)
_TAKES = words("take takes taking need needs require requires")
_DUE_NOUN = re.compile(
    r"\b(?:eta|estimated|expected|delivery date|arrival|turnaround|lead time|waiting time|wait time|resolution time"
    r"|response time|appointment)\b"
)


def _depending(readings: Sequence[Reading], claimed: Reading) -> Iterator[Token]:
    """Yield the times of what a promise leads to in its own clause: “… follow up to ensure you receive it today”."""
    for reading in readings:
        same = reading.clause is claimed.clause and reading.group.start > claimed.group.start
        aimed_at = reading.guard is Guard.PURPOSE and reading.clause.index >= claimed.clause.index
        if (same and reading.group.form is Form.PRESENT) or aimed_at:
            yield from reading.times


def attached(claimed: Sequence[tuple[Reading, ClaimClass, str | None]], readings: Sequence[Reading]) -> Iterator[Token]:
    """Yield the times that belong to claims: every one of a promise, only those ahead of a status."""
    for reading, cls, sub in claimed:
        if cls is ClaimClass.ACTION:
            yield from _depending(readings, reading)
        for token in reading.times:
            if _PAST.match(token.low):
                continue
            if (
                cls is ClaimClass.ACTION
                or (cls is ClaimClass.OUTCOME and _handles(reading))
                or _belongs_to_status(reading, sub, token)
            ):
                yield token


def _handles(reading: Reading) -> bool:
    moves = reading.group.verb in {"delivered", "shipped", "sent", "dispatched"}
    return reading.group.form is Form.MODAL and not reading.group.negated and (reading.subject.who is Who.US or moves)


def _belongs_to_status(reading: Reading, sub: str | None, token: Token) -> bool:
    vague = token.time is not None and token.time.kind is TimeKind.VAGUE
    if sub == "done":
        scheduled = reading.group.verb in _SCHEDULED
        delivered = bool(re.search(r"\bdeliver(?:y|ed)\b", " ".join(reading.after)))
        return (scheduled or delivered or token.low.startswith(("by ", "within "))) and not vague
    due = reading.group.verb in _SCHEDULED or reading.plain[:1] in {("due",), ("expected",), ("scheduled",)}
    return bool(_AHEAD.match(token.low)) or due


def within(sentence: Sentence, fragments: Sequence[tuple[int, int]]) -> Iterator[Token]:
    """Yield the times inside or right after a fixed wording that promises something: “expect a call tomorrow”."""
    for token in sentence.tokens:
        if token.kind is Kind.TIME and any(start <= token.start <= end + 2 for start, end in fragments):
            yield token


def neighbouring(sentence: Sentence, claims: Sequence[tuple[int, int]]) -> Iterator[Token]:
    """Yield a time that stands alone between marks beside a claim: “Within a day, we will …”, “… you, tomorrow”."""
    tokens = sentence.tokens
    for at, token in enumerate(tokens):
        if token.kind is not Kind.TIME or _PAST.match(token.low) or not claims:
            continue
        left = at == 0 or tokens[at - 1].kind is Kind.MARK
        right = at + 1 == len(tokens) or tokens[at + 1].kind is Kind.MARK
        close = any(0 <= start - token.end <= 4 or 0 <= token.start - end <= 4 for start, end in claims)
        if close and (left or (right and at == 0)):
            yield token


def expected(sentence: Sentence, readings: Sequence[Reading]) -> Iterator[tuple[Token, Fragment | None]]:
    """Yield the times of “please allow 3 days”, “it takes up to 5 days”, “the estimated delivery is Friday”."""
    if sentence.is_question:
        return
    yield from _allowed(sentence)
    for reading in readings:
        if reading.guard is None and reading.times and (_takes(reading) or _is_due(reading)):
            for token in reading.times:
                yield token, None


def _allowed(sentence: Sentence) -> Iterator[tuple[Token, Fragment | None]]:
    tokens = sentence.tokens
    for at, token in enumerate(tokens):
        before = " ".join(t.low for t in tokens[max(0, at - 5) : at] if t.kind is Kind.WORD)
        if (
            token.kind is Kind.TIME
            and not re.search(r"\b(?:moments?|seconds?)\b|\bago\b", token.low)
            and not _PAST.match(token.low)
            and _ALLOW.search(before)
        ):
            yield token, _what_for(tokens, at)


def _what_for(tokens: Sequence[Token], at: int) -> Fragment | None:
    """“… for the replacement to be sent”: what the time is allowed for is promised with it."""
    rest = tokens[at + 1 :]
    lows = [token.low for token in rest]
    if (
        len(rest) > 3
        and lows[0] == "for"
        and "to" in lows[2:12]
        and rest[1].kind is Kind.WORD
        and lows[1] not in {"us", "me"}
    ):
        return Fragment("action.allowed_for", ClaimClass.ACTION, "process", rest[1].start, rest[-1].end)
    return None


def _takes(reading: Reading) -> bool:
    subject = reading.subject
    if reading.group.verb not in _TAKES or reading.is_general:
        return False
    lead = reading.tokens[0].low
    if subject.bare and reading.group.form is Form.PRESENT:
        return False
    ours = subject.who in {Who.CASE, Who.US, Who.PERSON} or (subject.who is Who.OTHER and lead in {"the", "this"})
    return (
        ours
        and reading.group.form in {Form.PRESENT, Form.FUTURE, Form.SOFT, Form.MODAL, Form.PROGRESS}
        and subject.who is not Who.CUSTOMER
    )


def _is_due(reading: Reading) -> bool:
    before = " ".join(token.low for token in reading.tokens[: reading.group.start])
    if (
        reading.group.verb in {"expected", "due", "scheduled", "planned", "anticipated"}
        and reading.subject.who is Who.CASE
    ):
        return reading.group.form is Form.STATE and not reading.subject.generic
    return (
        reading.group.form in {Form.STATE, Form.FUTURE}
        and not reading.subject.generic
        and bool(_DUE_NOUN.search(before))
    )
