"""Every value of a message with the words around it, and the statement that it stands in."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from drafts.decisions.claims.folding import fold
from drafts.decisions.claims.quoting import masked
from drafts.decisions.claims.reading import Reading as Statement
from drafts.decisions.claims.reading import read
from drafts.decisions.claims.times import find_times
from drafts.decisions.claims.tokens import sentences
from drafts.decisions.stated import Reading
from ledger.decisions.values import Fact, FactKind
from ledger.decisions.vocabulary import Span

VALUES_LIMIT = 200
"""Values of one message that are read; a message with more is a table, which people have to read."""
REACH = 300
"""Characters of a sentence on each side of a value that are read and shown."""

_READ = frozenset({FactKind.DURATION, FactKind.LIFETIME, FactKind.MONEY, FactKind.PERCENT, FactKind.DATE})
_ASKS_PATIENCE = re.compile(r"\b(?:could|can|would|will) you (?:please |kindly )*(?:allow|give|wait|bear)\b")
_ANCHOR = re.compile(
    r"\b(?:after|once|when|upon|following|of (?:us )?receiv\w+"
    r"|of (?:the |your |its )?(?:receipt|delivery|arrival|purchase|order|booking|request|return|pick-?up|check-?out)"
    r"|from (?:the )?(?:date|day|time|moment|receipt))\b(?! (?:you|this|that)\b)"
)


@dataclass(frozen=True, slots=True)
class Place:
    """One value with the words around it, in lower case.

    `before` and `after` are its clause, `lead` the sentence up to it, `said` the sentence; `span` is where the
    sentence stands in the message. `unheard` says that the value is asked for, quoted, or the customer's own words.
    """

    fact: Fact
    span: Span
    lead: str
    said: str
    before: str
    after: str
    statement: Statement | None
    unheard: bool

    @property
    def scopes(self) -> frozenset[str]:
        """Return what the value applies to."""
        return frozenset((self.fact.applies_to or "").split("+")) - {""}

    @property
    def subject(self) -> str:
        """Return the words of the subject; for one that is understood, the noun it takes up."""
        if self.statement is None:
            return self.before
        if self.statement.subject.start < 0:
            return self.statement.subject.head
        first = self.statement.tokens[self.statement.group.start].start
        tokens = self.statement.tokens
        return " ".join(token.low for token in tokens if self.statement.subject.start <= token.start < first)

    @property
    def is_anchored(self) -> bool:
        """Say whether the value counts from an event that is still to come."""
        return _ANCHOR.search(self.after.partition(",")[0]) is not None


def places(text: str, reading: Reading) -> tuple[Place, ...]:
    """Return the values of a message in order; what the message denies is left out."""
    facts = [fact for fact in reading.facts if fact.kind in _READ and fact.polarity][:VALUES_LIMIT]
    statements = list(_statements(text)) if facts else []
    return tuple(_place(reading, fact, statements) for fact in facts)


def unanchored(words: str) -> str:
    """Leave out the event from which a time counts; it may name another matter."""
    match = _ANCHOR.search(words)
    return words[: match.start()] if match else words


def _is_asked(reading: Reading, fact: Fact, said: str) -> bool:
    """Say whether the value stands in a question; “could you please allow 2 days?” is none."""
    return ("?" in said[-3:] or reading.is_asked(fact)) and not _ASKS_PATIENCE.search(said)


def _statements(text: str) -> Iterator[tuple[Span, Statement]]:
    """Yield each time expression of the message, as a span of the text as given, with the statement it stands in."""
    folded = fold(text)
    plain = masked(folded.text)
    for sentence in sentences(plain, find_times(plain)):
        for statement in read(sentence):
            for token in statement.times:
                yield Span(*folded.raw(token.start, token.end)), statement


def _place(reading: Reading, fact: Fact, statements: Sequence[tuple[Span, Statement]]) -> Place:
    whole, sentence, clause = reading.passages.folded, reading.sentence_of(fact), reading.passages.clause(fact.span)
    start = max(sentence.start, fact.start - REACH)
    end = min(max(sentence.end, fact.end), fact.end + REACH)
    return Place(
        fact,
        Span(start, end),
        whole[start : fact.start],
        whole[start:end],
        whole[clause.start : fact.start],
        whole[fact.end : max(clause.end, min(end, fact.end + REACH // 2))],
        next((one for span, one in statements if span.overlaps(fact.span)), None),
        _is_asked(reading, fact, whole[start:end]) or reading.is_quoted(fact) or reading.is_reported(fact),
    )
