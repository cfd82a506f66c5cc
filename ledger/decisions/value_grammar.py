"""The grammar of quantities: one amount, two amounts that make a range, a greater and a smaller unit added up."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import lru_cache

from ledger.decisions.facts import Bound, FactKind
from ledger.decisions.numbers import Token, begins_number, read_number, word_at
from ledger.decisions.units import Unit, begins_currency, read_currency, read_unit, singular
from ledger.decisions.value_bounds import VAGUE, bound_of, is_denied, is_past, is_schedule, rate_of

_PARTS = {"half": Decimal("0.5"), "quarter": Decimal("0.25"), "third": Decimal(1) / 3}


@dataclass(frozen=True, slots=True)
class Quantity:
    """One value as read: tokens `first` up to `after`, with `low` equal to `high` unless it is a range."""

    kind: FactKind
    unit: str
    low: Decimal | None
    high: Decimal | None
    bound: Bound
    first: int
    after: int
    per: str | None = None
    denied: bool = False
    stated: bool = True


@dataclass(frozen=True, slots=True)
class _Amount:
    value: Decimal | None
    unit: Unit
    after: int


def quantities(words: Sequence[Token]) -> tuple[Quantity, ...]:
    """Read every quantity from left to right, the longest reading first."""
    found: list[Quantity] = []
    at = 0
    while at < len(words):
        read = (_alternatives(words, at) or _single(words, at)) if _may_begin(words[at]) else ()
        found += read
        at = read[-1].after if read else at + 1
    return tuple(quantity for quantity in found if quantity.stated)


def _may_begin(word: Token) -> bool:
    return _text_may_begin(word.text)


@lru_cache(maxsize=4096)
def _text_may_begin(text: str) -> bool:
    return begins_number(text) or begins_currency(text) or text in VAGUE or singular(text) in _PARTS


def _alternatives(words: Sequence[Token], first: int) -> tuple[Quantity, ...]:
    """Read "12- or 24-month" as the two values that it is."""
    number = read_number(words, first)
    at = number[1] + (word_at(words, number[1]) == "-") if number else first
    if number is None or word_at(words, at) != "or":
        return ()
    second = read_quantity(words, at + 1)
    unit = read_unit(words, second.after - 1) if second else None
    if second is None or unit is None:
        return ()
    value = number[0] * unit.factor
    return replace(second, low=value, high=value, first=first, after=at), second


def _single(words: Sequence[Token], first: int) -> tuple[Quantity, ...]:
    quantity = read_quantity(words, first)
    return (quantity,) if quantity else ()


def read_quantity(words: Sequence[Token], first: int) -> Quantity | None:
    """Read one value with its bound and rate beginning at token `first`, or None.

    Opening hours ("24 hours a day") and ages ("two weeks ago") are read but marked as not stated.
    """
    amounts = _amounts(words, first)
    if amounts is None:
        return None
    low, high = amounts[0], amounts[-1]
    bound = Bound.RANGE if low.value != high.value else bound_of(words, first, high.after)
    kind, name = high.unit.kind, high.unit.name
    schedule = kind is FactKind.DURATION and is_schedule(words, high.after)
    per, after = rate_of(words, high.after) if kind is not FactKind.DURATION or schedule else (None, high.after)
    stated = not schedule and not is_past(words, first, high.after)
    values = low.value, high.value
    return Quantity(kind, name, *values, bound, first, after, per, denied=is_denied(words, first), stated=stated)


def _amounts(words: Sequence[Token], first: int) -> tuple[_Amount, ...] | None:
    """Read one amount, or the two ends of a range in one unit."""
    ends: tuple[_Amount, ...] | None = _open_range(words, first) or _vague(words, first)
    if ends:
        return ends
    low = _amount(words, first)
    if low is None:
        return None
    joint = _joint(words, first, low.after)
    high = _amount(words, joint) if joint else None
    if high and (high.unit.kind, high.unit.name) == (low.unit.kind, low.unit.name) and _in_order(low, high):
        return low, high
    more = read_number(words, low.after + 1) if word_at(words, low.after) == "or" else None
    if more and low.value is not None and read_unit(words, more[1]) is None and more[0] * low.unit.factor > low.value:
        return low, _Amount(more[0] * low.unit.factor, low.unit, more[1])
    return (low,)


def _in_order(low: _Amount, high: _Amount) -> bool:
    return low.value is not None and high.value is not None and low.value <= high.value


def _open_range(words: Sequence[Token], first: int) -> tuple[_Amount, _Amount] | None:
    """Read "5 to 7 days", "$5-10" and "12- or 24-month", where the unit is said once."""
    prefix = read_currency(words, first)
    low = read_number(words, prefix[1] if prefix else first)
    joint = _joint(words, first, low[1]) if low else None
    high = read_number(words, joint) if joint else None
    if low is None or high is None or high[0] < low[0]:
        return None
    unit = Unit(FactKind.MONEY, prefix[0], Decimal(1), 0, high[1]) if prefix else read_unit(words, high[1])
    if unit is None:
        return None
    return _Amount(low[0] * unit.factor, unit, low[1]), _Amount(high[0] * unit.factor, unit, unit.after)


def _joint(words: Sequence[Token], first: int, at: int) -> int | None:
    """Return the index behind the word that joins the two ends of a range, past a currency said twice."""
    hyphen = word_at(words, at) == "-"
    word = word_at(words, at + 1) if hyphen else word_at(words, at)
    if word in {"to", "until", "through"} or (word == "and" and word_at(words, first - 1) == "between"):
        return at + (2 if hyphen else 1)
    if hyphen or word == "\N{EM DASH}":
        return at + 1
    return None


def _vague(words: Sequence[Token], first: int) -> tuple[_Amount, ...] | None:
    at = first + 1 if word_at(words, first) == "a" else first
    if word_at(words, at) not in VAGUE:
        return None
    unit = read_unit(words, at + (2 if word_at(words, at + 1) == "of" else 1))
    if unit is None:
        return None
    value = VAGUE[word_at(words, at)]
    return (_Amount(None if value is None else value * unit.factor, unit, unit.after),)


def _amount(words: Sequence[Token], first: int) -> _Amount | None:
    """Read one end: a number with its unit, "a year and a half", "half a year", "two years and six months"."""
    if prefix := read_currency(words, first):
        return _money(words, *prefix)
    simple = _part_of_unit(words, first) or _simple(words, first)
    if simple is None or simple.value is None or simple.unit.kind is not FactKind.DURATION:
        return simple
    if half := _half_more(words, simple.after):
        return _Amount(simple.value + simple.unit.factor * half[0], simple.unit, half[1])
    return _compound(words, simple) or simple


def _money(words: Sequence[Token], currency: str, at: int) -> _Amount | None:
    number = read_number(words, at)
    if number is None:
        return None
    value, after = number
    if (
        scale := {"k": 1000, "thousand": 1000, "million": 1_000_000, "m": 1_000_000}.get(word_at(words, after))
    ) is not None:
        value, after = value * scale, after + 1
    return _Amount(value, Unit(FactKind.MONEY, currency, Decimal(1), 0, after), after)


def _simple(words: Sequence[Token], first: int) -> _Amount | None:
    number = read_number(words, first)
    if (
        number is None
        and word_at(words, first) in {"a", "an"}
        and word_at(words, first - 1) not in {"once", "twice", "times"}
    ):
        number = Decimal(1), first + 1
        unit = read_unit(words, first + 1)
        return _Amount(unit.factor, unit, unit.after) if unit and unit.kind is FactKind.DURATION else None
    unit = read_unit(words, number[1]) if number else None
    return _Amount(number[0] * unit.factor, unit, unit.after) if number and unit else None


def _part_of_unit(words: Sequence[Token], first: int) -> _Amount | None:
    """Read "half a year", "half-year", "a quarter of a year" and "three quarters of an hour"."""
    number = read_number(words, first)
    at, times = (number[1], number[0]) if number else (first + (word_at(words, first) in {"a", "an"}), Decimal(1))
    part = {"half": Decimal("0.5"), "quarter": Decimal("0.25"), "third": Decimal(1) / 3}.get(
        singular(word_at(words, at))
    )
    if part is None:
        return None
    at += 1
    at += word_at(words, at) in {"-", "of"}
    article = word_at(words, at) in {"a", "an", "the"}
    unit = read_unit(words, at + article)
    if (
        unit is None
        or unit.kind is not FactKind.DURATION
        or (singular(word_at(words, at - 1)) == "quarter" and not article)
    ):
        return None
    return _Amount((times * part * unit.factor).normalize(), unit, unit.after)


def _half_more(words: Sequence[Token], at: int) -> tuple[Decimal, int] | None:
    if [word_at(words, at), word_at(words, at + 1)] != ["and", "a"]:
        return None
    part = {"half": Decimal("0.5"), "quarter": Decimal("0.25")}.get(word_at(words, at + 2))
    return (part, at + 3) if part else None


def _compound(words: Sequence[Token], first: _Amount) -> _Amount | None:
    """Add a smaller unit to a greater one; months with days stay a unit of their own."""
    at = first.after + (word_at(words, first.after) == "and")
    second = _simple(words, at)
    if second is None or first.value is None or second.value is None or not 0 < second.unit.rank < first.unit.rank:
        return None
    scale = {"minutes": 1, "hours": 60, "days": 1440}
    here, there = first.unit, second.unit
    if here.name == there.name:
        return _Amount(first.value + second.value, here, second.after)
    if here.name in scale and there.name in scale:
        total = first.value * scale[here.name] / scale[there.name] + second.value
        return _Amount(total, there, second.after)
    name = f"{here.name}+{second.value.normalize():f} {there.name}"
    return _Amount(first.value, Unit(here.kind, name, Decimal(1), 0, second.after), second.after)
