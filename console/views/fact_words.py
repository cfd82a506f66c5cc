"""Facts of a ledger entry in words: those that decided, and those that it commits to."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import date
from decimal import Decimal

from console.views import words
from console.views.shapes import FactShape
from ledger.decisions.differences import in_words
from ledger.decisions.facts import Bound, Fact, FactKind


def facts_in_words(facts: Sequence[FactShape]) -> tuple[str, ...]:
    """Say each value that an answer commits to, with the event it counts from and what it applies to."""
    return tuple(_words(as_fact(fact)) for fact in facts)


def deciding_in_words(facts: Mapping[str, object]) -> tuple[tuple[str, str], ...]:
    """Name each known fact that chose the answer, with its value; days are written as everywhere on the screens."""
    return tuple((words.field_name(name), _value(value)) for name, value in facts.items() if value is not None)


def _value(value: object) -> str:
    written = str(value)
    with suppress(ValueError):
        day = date.fromisoformat(written) if written[4:5] == written[7:8] == "-" else None
        return f"{day.day} {day:%b} {day.year}" if day else written
    return written


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
