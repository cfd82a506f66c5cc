"""Typed facts out of running text: durations, money, per cent, counts, dates, lifetimes, and plain yes or no."""

from bisect import bisect_left
from dataclasses import replace
from decimal import Decimal
from functools import lru_cache

from ledger.decisions.facts import Bound, Fact, FactKind, Sameness
from ledger.decisions.numbers import DATE_FILLER, Token, tokens
from ledger.decisions.passages import Passages
from ledger.decisions.value_context import Surroundings, event_of
from ledger.decisions.value_dates import read_dates
from ledger.decisions.value_grammar import Quantity, quantities
from ledger.decisions.value_phrases import read_phrases, read_stances
from ledger.decisions.values_compare import same_value

__all__ = ["Bound", "Fact", "FactKind", "Sameness", "extract", "same_value"]

_BEFORE, _AFTER, _AROUND = 60, 90, 300
_COUNTED_FROM = frozenset({FactKind.DURATION, FactKind.LIFETIME})


@lru_cache(maxsize=128)
def extract(text: str) -> tuple[Fact, ...]:
    """Return every value that `text` states, normalised and in order; offsets are code points into `text` as given.

    The normal form: a year is 12 months, a fortnight 14 days; months never become days; business days stay business
    days; "free of charge" is 0. What is no value is left out: numbers without a unit, clock times, codes, opening hours
    and how long ago something was.
    """
    passages = Passages(text)
    values, bare_stances = _values(passages.folded), read_stances(passages)
    if not values and not bare_stances:
        return ()  # most turns of a thread; reading what surrounds a value is the dear part
    around = Surroundings(passages.folded)
    placed = [_placed(passages, around, values, index) for index in range(len(values))]
    stances = [_with_scope(passages, around, fact) for fact in bare_stances]
    return tuple(sorted((*placed, *stances), key=lambda fact: (fact.start, fact.end)))


def _values(folded: str) -> list[Fact]:
    dates = read_dates(folded)
    words = tokens(_without(folded, dates))
    counted = _merged(folded, [_fact(words, quantity) for quantity in quantities(words)])
    taken = [fact.start for fact in counted]
    phrases = [fact for fact in read_phrases(folded) if not _overlapped(fact, counted, taken)]
    return sorted([*dates, *counted, *phrases], key=lambda fact: (fact.start, fact.end))


def _overlapped(fact: Fact, counted: list[Fact], starts: list[int]) -> bool:
    at = bisect_left(starts, fact.end) - 1
    return at >= 0 and counted[at].span.overlaps(fact.span)


def _without(folded: str, dates: tuple[Fact, ...]) -> str:
    """Blank the dates out, so that a day of the month is no number of days."""
    parts, at = [], 0
    for fact in dates:
        parts += [folded[at : fact.start], DATE_FILLER * (fact.end - fact.start)]
        at = fact.end
    return "".join(parts) + folded[at:]


def _fact(words: tuple[Token, ...], quantity: Quantity) -> Fact:
    return Fact(
        quantity.kind,
        quantity.unit,
        _plain(quantity.low),
        _plain(quantity.high),
        quantity.bound,
        quantity.per,
        polarity=not quantity.denied,
        start=words[quantity.first].start,
        end=words[quantity.after - 1].end,
    )


def _plain(value: Decimal | None) -> Decimal | None:
    """Drop the zeros behind the point, so that 18 is written in one way."""
    return None if value is None else Decimal(f"{value.normalize():f}")


def _merged(piece: str, facts: list[Fact]) -> list[Fact]:
    """Join "at least 5 days and at most one week" into the one range that it is."""
    joined: list[Fact] = []
    for fact in facts:
        last = joined[-1] if joined else None
        if last and _is_range(piece, last, fact):
            joined[-1] = replace(last, high=fact.high, bound=Bound.RANGE, end=fact.end)
        else:
            joined.append(fact)
    return joined


def _is_range(piece: str, low: Fact, high: Fact) -> bool:
    between = piece[low.end : high.start].split()
    bounded = low.bound is Bound.AT_LEAST and high.bound in {Bound.AT_MOST, Bound.WITHIN}
    ordered = low.low is not None and high.high is not None and low.low <= high.high
    return (
        bounded
        and ordered
        and low.unit == high.unit
        and len(between) <= 6
        and between[:1] in (["and"], ["but"], [","], [",and"])
    )


def _placed(passages: Passages, around: Surroundings, values: list[Fact], index: int) -> Fact:
    """Give a value its topic, event and scope from the words between its neighbours, then from its clause."""
    fact = values[index]
    clause, sentence = passages.clause(fact.span), passages.sentence(fact.span)
    last = values[index - 1].end if index else 0
    following = values[index + 1].start if index + 1 < len(values) else clause.end
    before = max(clause.start, last, fact.start - _BEFORE), fact.start
    after = fact.end, max(fact.end, min(clause.end, following, fact.end + _AFTER))
    near = max(sentence.start, fact.start - _AROUND), min(sentence.end, fact.end + _AROUND)
    topics = around.topics(before, after) or around.topics((clause.start, clause.end)) or around.topics(near)
    anchor = None
    if fact.kind in _COUNTED_FROM:
        alone = last <= sentence.start and following >= min(sentence.end, clause.end)
        stretches = (after, before, near) if alone else (after, before)
        anchor = next((event for a, b in stretches if (event := event_of(passages.folded[a:b]))), None)
    scopes = around.scopes_beside(passages.folded, before, after)
    return replace(fact, topics=topics, anchor=anchor, applies_to="+".join(scopes) or None)


def _with_scope(passages: Passages, around: Surroundings, fact: Fact) -> Fact:
    clause = passages.clause(fact.span)
    scopes = around.scopes((clause.start, clause.end))
    return replace(fact, applies_to="+".join(scopes) or None, topics=frozenset({fact.unit}))
