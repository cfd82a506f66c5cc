"""Which values of a text are statements about a commitment, and which only stand in it.

Left out are questions, quoted mail, values a caller exempts, promises to reply or call (those are TIMING claims), dates
and amounts of the customer's own order, and values that the text denies.
"""

import re
from collections.abc import Sequence
from datetime import date

from ledger.decisions.passages import Passages
from ledger.decisions.values import Bound, Fact, FactKind, extract
from ledger.decisions.vocabulary import Span

TERMS = frozenset({"cover", "return", "cancel", "match", "trial"})
HANDLING = frozenset({"repair", "delivery", "refund", "reply", "exchange"})
_ASKS = re.compile(
    r"^\W*(?:(?:and|so|or|also|then|ok|okay|hi|hello|well|just to check|please) )*"
    r"(?:is|are|was|were|do|does|did|can|could|would|will|have|has|had|may|shall|should|what|which|when|how|who|where|why)\b"
    r"(?! you know\b)"
)
_EVENT = re.compile(
    r"\b(?:arriv|receiv|deliver|order|bought|purchas|paid|placed|servic|repair|complet|finish|shipp|dispatch|dated|sent|"
    r"return|book|sign|activat|regist|contact|wrote|call|request|messag|e-?mail|appointment|visit|today)"
)
_PAID = re.compile(
    r"\b(?:you(?:'ve| have)? paid|your (?:\S+ )?(?:order|payment|purchase|invoice)|order total|total of|total is"
    r"|charged)\b"
)
_REPORTED = re.compile(
    r"\b(?:you|your (?:message|e-?mail|letter)) (?:\w+ )?"
    r"(?:said|say|wrote|write|mention(?:ed)?|were told|quoted?|ask(?:ed)?|refer(?:red)? to)\b"
)
_QUOTED = re.compile(r"(?m)^[ \t]*>.*$")


class Reading:
    """A text with its facts, and what the words around each fact make of it."""

    def __init__(self, text: str) -> None:
        self.passages = Passages(text)
        self.facts = extract(text)
        self._quoted = tuple(Span(m.start(), m.end()) for m in _QUOTED.finditer(self.passages.folded))
        self._reported: dict[Span, int | None] = {}

    def sentence_of(self, fact: Fact) -> Span:
        """Return the sentence that holds `fact`."""
        return self.passages.sentence(fact.span)

    def is_asked(self, fact: Fact) -> bool:
        """Say whether the fact stands in a question, which states nothing."""
        sentence = self.sentence_of(fact)
        if not self.passages.text(sentence).endswith(("?", '?"', "?'", "?)")):
            return False
        return _ASKS.search(self.passages.text(self.passages.clause(fact.span))) is not None

    def is_quoted(self, fact: Fact) -> bool:
        """Say whether the fact stands in a quoted line of mail."""
        return any(span.overlaps(fact.span) for span in self._quoted)

    def is_reported(self, fact: Fact) -> bool:
        """Say whether the text gives the fact as the customer's own words ("you wrote that ...")."""
        sentence = self.sentence_of(fact)
        if sentence not in self._reported:
            match = _REPORTED.search(self.passages.folded, sentence.start, sentence.end)
            self._reported[sentence] = match.end() if match else None
        report = self._reported[sentence]
        return report is not None and report <= fact.start

    def is_event(self, fact: Fact) -> bool:
        """Say whether a date only tells when something happened ("your item arrived on ...")."""
        clause = self.passages.clause(fact.span)
        return _EVENT.search(self.passages.folded, clause.start, fact.start) is not None

    def is_paid(self, fact: Fact) -> bool:
        """Say whether an amount is what the customer paid."""
        return _PAID.search(self.passages.text(self.passages.clause(fact.span))) is not None


def commitments(
    reading: Reading, *, ignore: Sequence[Span], exempt: Sequence[Span], reference: Sequence[Fact]
) -> tuple[Fact, ...]:
    """Return the facts of a text that state something about the commitment of `reference` (which may be empty).

    A value inside an ignored span (a detected claim) still counts where the reference speaks about the same topic;
    inside an exempt span none does.
    """
    topics = frozenset().union(*(fact.topics for fact in reference)) if reference else TERMS
    return tuple(
        fact
        for fact in reading.facts
        if not _elsewhere(reading, fact, exempt)
        and not _only_a_promise_of_contact(fact, topics)
        and not (_inside(fact, ignore) and not _on_topic(fact, topics))
        and not _only_counts(reading, fact, reference)
    )


def _elsewhere(reading: Reading, fact: Fact, exempt: Sequence[Span]) -> bool:
    return _inside(fact, exempt) or reading.is_quoted(fact) or reading.is_asked(fact)


def _inside(fact: Fact, spans: Sequence[Span]) -> bool:
    return any(span.overlaps(fact.span) for span in spans)


def _only_a_promise_of_contact(fact: Fact, topics: frozenset[str]) -> bool:
    return (
        fact.kind is FactKind.DURATION and "reply" in fact.topics and "reply" not in topics and not fact.topics & topics
    )


def _on_topic(fact: Fact, topics: frozenset[str]) -> bool:
    if fact.topics:
        return bool(fact.topics & topics)
    return bool(topics & HANDLING)


def _only_counts(reading: Reading, fact: Fact, reference: Sequence[Fact]) -> bool:
    """Things counted or paid in the customer's order state no commitment unless the reference counts such things."""
    if any(fact.kind is other.kind for other in reference):
        return False
    if fact.kind in {FactKind.COUNT, FactKind.MEASURE}:
        return fact.bound is Bound.EXACTLY and fact.per is None
    return fact.kind is FactKind.MONEY and fact.low != 0 and reading.is_paid(fact)


def readings_of(fact: Fact) -> frozenset[tuple[int | None, int, int]]:
    """Return the days that a date may mean, as year (None where it is not said), month and day."""
    numbers = {int(fact.low or 0), int(fact.high or 0)}
    if fact.unit == "day_of_year":
        return frozenset((None, number // 100, number % 100) for number in numbers)
    days = [date.fromordinal(number) for number in numbers]
    return frozenset((day.year, day.month, day.day) for day in days)


def is_known_date(fact: Fact, known: frozenset[date]) -> bool:
    """Say whether a date is one of the facts of the case; a bound has shifted it by at most a day."""
    near = {date.fromordinal(day.toordinal() + shift) for day in known for shift in _SHIFTS[fact.bound]}
    days = {(day.year, day.month, day.day) for day in near} | {(None, day.month, day.day) for day in near}
    return bool(readings_of(fact) & days)


_SHIFTS = {Bound.EXACTLY: (0,), Bound.AT_MOST: (0, -1), Bound.AT_LEAST: (0, 1)}
