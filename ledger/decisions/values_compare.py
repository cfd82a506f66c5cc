"""Whether two typed facts say the same. Similar wording never decides it; the normal form does."""

from datetime import date
from decimal import Decimal

from ledger.decisions.facts import Bound, Fact, FactKind, Sameness

_MINUTES = {"minutes": 1, "hours": 60, "days": 1440}
_DOLLARS = frozenset({"USD", "CAD", "AUD", "NZD", "SGD", "HKD"})
_TIMES = frozenset({FactKind.DURATION, FactKind.LIFETIME})
_EVENTS_ALIKE = (
    frozenset({"delivery", "receipt"}),
    frozenset({"service", "completion"}),
    frozenset({"purchase", "order", "invoice"}),
)
_OPPOSITES = (
    frozenset({"opened", "unopened"}),
    frozenset({"used", "new"}),
    frozenset({"business", "private"}),
    frozenset({"weekdays", "weekends"}),
    frozenset({"domestic", "international"}),
    frozenset({"express", "standard"}),
)
_DAYS_IN_MONTH = (Decimal(28), Decimal(31))
_WINDOWS = frozenset({Bound.EXACTLY, Bound.WITHIN, Bound.AT_MOST})
_WORST = (Sameness.UNRELATED, Sameness.DIFFERENT, Sameness.NEAR, Sameness.SAME)


def same_value(a: Fact, b: Fact) -> Sameness:
    """Compare two facts: value, unit, bound, rate, the event they count from, what they apply to, and yes or no.

    Calendar and business units are never equal; months and days are near at best; a different known event, rate or
    scope makes a different value. `UNRELATED` means that the two are values of different kinds.
    """
    if not _related(a, b):
        return Sameness.UNRELATED
    checks = (_amount(a, b), _bound(a, b), _rate(a, b), _anchor(a, b), _scope(a, b), _polarity(a, b))
    return min(checks, key=_WORST.index)


def _related(a: Fact, b: Fact) -> bool:
    if a.kind is FactKind.STANCE or b.kind is FactKind.STANCE:
        return a.kind is b.kind and a.unit == b.unit
    return a.kind is b.kind or {a.kind, b.kind} <= _TIMES


def _amount(a: Fact, b: Fact) -> Sameness:
    if a.kind is not b.kind:
        return Sameness.DIFFERENT
    if a.kind in {FactKind.LIFETIME, FactKind.STANCE}:
        return Sameness.SAME
    if a.kind is FactKind.DATE:
        return _dates(a, b)
    if a.kind is FactKind.DURATION:
        return _durations(a, b)
    return _quantities(a, b)


def _quantities(a: Fact, b: Fact) -> Sameness:
    """Compare money, shares, counts and measures; nothing is nothing in every currency."""
    equal = (a.low, a.high) == (b.low, b.high)
    if a.kind is FactKind.MONEY:
        unit = Sameness.SAME if a.low == b.low == 0 else _currency(a.unit, b.unit)
        return unit if equal else Sameness.DIFFERENT
    if a.unit != b.unit:
        return Sameness.UNRELATED
    return Sameness.SAME if equal else Sameness.DIFFERENT


def _currency(a: str, b: str) -> Sameness:
    if a == b or {a, b} == {"$", "USD"}:
        return Sameness.SAME
    return Sameness.NEAR if "$" in {a, b} and {a, b} & _DOLLARS else Sameness.DIFFERENT


def _durations(a: Fact, b: Fact) -> Sameness:
    if a.low is None or b.low is None or a.high is None or b.high is None:
        return Sameness.NEAR
    if a.unit in _MINUTES and b.unit in _MINUTES:
        same = (
            a.low * _MINUTES[a.unit] == b.low * _MINUTES[b.unit]
            and a.high * _MINUTES[a.unit] == b.high * _MINUTES[b.unit]
        )
        return Sameness.SAME if same else Sameness.DIFFERENT
    if a.unit == b.unit:
        return Sameness.SAME if (a.low, a.high) == (b.low, b.high) else Sameness.DIFFERENT
    months, days = (a, b) if a.unit == "months" else (b, a)
    if months.unit == "months" and days.unit == "days":
        return _month_in_days(months, days)
    return Sameness.DIFFERENT


def _month_in_days(months: Fact, days: Fact) -> Sameness:
    shortest, longest = _DAYS_IN_MONTH
    pairs = ((months.low, days.low), (months.high, days.high))
    near = all(m is not None and d is not None and m * shortest <= d <= m * longest for m, d in pairs)
    return Sameness.NEAR if near else Sameness.DIFFERENT


def _dates(a: Fact, b: Fact) -> Sameness:
    if "ambiguous_date" in {a.unit, b.unit}:
        return (
            Sameness.NEAR
            if {_month_day(a), _month_day(a, high=True)} & {_month_day(b), _month_day(b, high=True)}
            else Sameness.DIFFERENT
        )
    if a.unit == b.unit:
        return Sameness.SAME if a.low == b.low else Sameness.DIFFERENT
    return Sameness.SAME if _month_day(a) == _month_day(b) else Sameness.DIFFERENT


def _month_day(fact: Fact, *, high: bool = False) -> int:
    number = int((fact.high if high else fact.low) or 0)
    if fact.unit == "day_of_year":
        return number
    day = date.fromordinal(number)
    return day.month * 100 + day.day


def _bound(a: Fact, b: Fact) -> Sameness:
    bounds = {a.bound, b.bound}
    if len(bounds) == 1:
        return Sameness.SAME
    if Bound.ABOUT in bounds:
        return Sameness.NEAR
    if a.kind is FactKind.DATE and Bound.EXACTLY in bounds:
        return Sameness.SAME
    if bounds <= _WINDOWS and a.kind is FactKind.DURATION:
        term = "cover" in a.topics | b.topics and Bound.AT_MOST in bounds and Bound.EXACTLY in bounds
        return Sameness.DIFFERENT if term else Sameness.SAME
    return Sameness.DIFFERENT


def _rate(a: Fact, b: Fact) -> Sameness:
    if a.per == b.per or a.low == b.low == 0:
        return Sameness.SAME
    return Sameness.DIFFERENT if a.per and b.per else Sameness.NEAR


def _anchor(a: Fact, b: Fact) -> Sameness:
    if not a.anchor or not b.anchor or a.anchor == b.anchor:
        return Sameness.SAME
    return Sameness.NEAR if any({a.anchor, b.anchor} <= alike for alike in _EVENTS_ALIKE) else Sameness.DIFFERENT


def _scope(a: Fact, b: Fact) -> Sameness:
    if not a.applies_to or not b.applies_to or set(a.applies_to.split("+")) & set(b.applies_to.split("+")):
        return Sameness.SAME
    opposed = any(pair <= set(f"{a.applies_to}+{b.applies_to}".split("+")) for pair in _OPPOSITES)
    return Sameness.DIFFERENT if opposed else Sameness.NEAR


def _polarity(a: Fact, b: Fact) -> Sameness:
    return Sameness.SAME if a.polarity == b.polarity else Sameness.DIFFERENT
