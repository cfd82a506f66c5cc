"""What competing passages say differently: their typed values laid beside each other, one row for each value."""

from calendar import month_abbr, month_name
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from itertools import combinations

from ledger.decisions.facts import Bound, Fact, FactKind, Sameness
from ledger.decisions.values import extract, same_value

MOST_FACTS = 40
"""Values of one passage that are compared; a passage that states more is a table, which people have to read."""

_CLOSEST = (Sameness.UNRELATED, Sameness.DIFFERENT, Sameness.NEAR, Sameness.SAME)
_UNITS = {
    "months": ("month", "months"),
    "days": ("day", "days"),
    "hours": ("hour", "hours"),
    "minutes": ("minute", "minutes"),
    "business_days": ("business day", "business days"),
    "business_hours": ("business hour", "business hours"),
    "percent": ("per cent", "per cent"),
}
_BOUNDS = {Bound.AT_MOST: "at most ", Bound.AT_LEAST: "at least ", Bound.ABOUT: "about ", Bound.WITHIN: "within "}
_DATE_BOUNDS = {Bound.AT_MOST: "until ", Bound.WITHIN: "until ", Bound.AT_LEAST: "from "}


class Agreement(StrEnum):
    """How passages stand to each other on one value; `near` is for a person to decide."""

    DIFFERENT = "different"
    NEAR = "near"
    MISSING = "missing"
    SAME = "same"


@dataclass(frozen=True, slots=True)
class ValueRow:
    """One value: what each passage states, None where it states no such value, in the order of the passages."""

    agreement: Agreement
    facts: tuple[Fact | None, ...]

    @property
    def kind(self) -> FactKind:
        """Return what sort of value this is; a length of time where one of them is for a lifetime."""
        kinds = {fact.kind for fact in self.facts if fact is not None}
        return FactKind.DURATION if FactKind.DURATION in kinds else next(iter(kinds))


def differences(passages: Sequence[str]) -> tuple[ValueRow, ...]:
    """Lay the values of passages beside each other, those that differ first.

    Values meet by what sort they are and what they are about, the most alike first. A bare yes or no counts only where
    two passages take different sides.
    """
    rows: list[list[Fact | None]] = []
    for place, text in enumerate(passages):
        _lay(rows, extract(text)[:MOST_FACTS], place, len(passages))
    found = [ValueRow(_agreement(row), tuple(row)) for row in rows]
    order = list(Agreement)
    told = [row for row in found if row.kind is not FactKind.STANCE or row.agreement is Agreement.DIFFERENT]
    return tuple(sorted(told, key=lambda row: order.index(row.agreement)))


def _lay(rows: list[list[Fact | None]], facts: Sequence[Fact], place: int, width: int) -> None:
    """Put the values of one passage into the rows, each into the one it is most alike to, else into a new one."""
    standing = len(rows)
    pairs = [(_likeness(rows[at], fact), at, number) for at in range(standing) for number, fact in enumerate(facts)]
    placed: set[int] = set()
    for likeness, at, number in sorted(pairs, key=lambda pair: (-pair[0][0], -pair[0][1], pair[1], pair[2])):
        if likeness[0] and number not in placed and rows[at][place] is None:
            rows[at][place] = facts[number]
            placed.add(number)
    for number, fact in enumerate(facts):
        if number not in placed:
            row: list[Fact | None] = [None] * width
            row[place] = fact
            rows.append(row)


def _likeness(row: Sequence[Fact | None], fact: Fact) -> tuple[int, int]:
    """Rank how alike a value is to those of a row: 0 for none of its sort; what both are about settles a tie."""
    known = [other for other in row if other is not None]
    best = max((_CLOSEST.index(same_value(fact, other)) for other in known), default=0)
    return best, max((len(fact.topics & other.topics) for other in known), default=0)


def _agreement(row: Sequence[Fact | None]) -> Agreement:
    stated = [fact for fact in row if fact is not None]
    outcomes = {same_value(one, other) for one, other in combinations(stated, 2)}
    if outcomes & {Sameness.DIFFERENT, Sameness.UNRELATED}:
        return Agreement.DIFFERENT
    if len(stated) < len(row):
        return Agreement.MISSING
    return Agreement.NEAR if Sameness.NEAR in outcomes else Agreement.SAME


def in_words(fact: Fact) -> str:
    """Say a value in its normal form, for example “24 months” for two years, or “at most 10 business days”."""
    words = f"{_BOUNDS.get(fact.bound, '')}{_amount(fact)}"
    if fact.kind is FactKind.LIFETIME:
        words = "a lifetime"
    elif fact.kind is FactKind.STANCE:
        return f"{'yes' if fact.polarity else 'no'}: {fact.unit.replace('_', ' ')}"
    elif fact.kind is FactKind.DATE:
        words = f"{_DATE_BOUNDS.get(fact.bound, '')}{_date(fact)}"
    return words if fact.polarity else f"not {words}"


def _amount(fact: Fact) -> str:
    low, high = fact.low, fact.high
    if fact.kind is FactKind.MONEY and low == high == 0:
        return "nothing to pay"
    numbers = list(dict.fromkeys(f"{value:,f}" for value in (low, high) if value is not None))
    unit, _, rest = fact.unit.partition("+")
    names = _UNITS.get(unit, (unit.replace("_", " "),) * 2)
    named = names[0] if numbers == ["1"] else names[1]
    each = f" per {fact.per.replace('_', ' ')}" if fact.per else ""
    return f"{' to '.join(numbers) or 'some'} {named}{' and ' + rest if rest else ''}{each}"


def _date(fact: Fact) -> str:
    days = dict.fromkeys(int(value) for value in (fact.low, fact.high) if value is not None)
    if fact.unit == "day_of_year":
        return " or ".join(f"{day % 100} {month_name[day // 100]} of any year" for day in days)
    written = (date.fromordinal(day) for day in days)
    return " or ".join(f"{day.day} {month_abbr[day.month]} {day.year}" for day in written)
