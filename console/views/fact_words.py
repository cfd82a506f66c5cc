"""Typed facts of a ledger entry in words."""

from collections.abc import Sequence
from decimal import Decimal

from console.views.shapes import FactShape
from ledger.decisions.differences import in_words
from ledger.decisions.facts import Bound, Fact, FactKind


def facts_in_words(facts: Sequence[FactShape]) -> tuple[str, ...]:
    """Say each value that an answer commits to, with the event it counts from and what it applies to."""
    return tuple(_words(as_fact(fact)) for fact in facts)


def as_fact(stored: FactShape) -> Fact:
    """Return a stored fact as the decisions take it."""
    return Fact(
        kind=FactKind(stored["kind"]),
        unit=stored["unit"],
        low=_number(stored["low"]),
        high=_number(stored["high"]),
        bound=Bound(stored["bound"]),
        per=stored["per"],
        anchor=stored["anchor"],
        applies_to=stored["applies_to"],
        polarity=stored["polarity"],
        start=stored["start"],
        end=stored["end"],
        topics=frozenset(stored["topics"]),
    )


def _words(fact: Fact) -> str:
    counted = f", counted from {fact.anchor.replace('_', ' ')}" if fact.anchor else ""
    applies = f", for {fact.applies_to.replace('_', ' ').replace('+', ' and ')}" if fact.applies_to else ""
    return f"{in_words(fact)}{counted}{applies}"


def _number(value: str | None) -> Decimal | None:
    """Drop the zeros behind the point with which the database keeps a number."""
    return None if value is None else Decimal(f"{Decimal(value).normalize():f}")
