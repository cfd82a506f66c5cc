"""Dates in running text, as typed facts: written out, ISO, or in numbers where day and month cannot be mixed up."""

import re
from datetime import date
from decimal import Decimal

from ledger.decisions.facts import Bound, Fact, FactKind

_MONTHS = (
    "jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|"
    "nov(?:ember)?|dec(?:ember)?"
)
_NUMBERS = (
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
)  # fmt: skip
_DATE = re.compile(
    rf"\b(?P<iso>\d{{4}}-\d\d-\d\d)\b"
    rf"|\b(?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?: of)?[ -](?P<month>{_MONTHS})\b(?:\.?,?[ -](?P<year>\d{{4}})\b)?"
    rf"|\b(?P<month2>{_MONTHS})\b\.? (?P<day2>\d{{1,2}})(?:st|nd|rd|th)?\b"
    rf"(?!-| (?:days?|weeks?|months?|years?|hours?)\b)(?:,? (?P<year2>\d{{4}})\b)?"
    rf"|\b(?P<a>\d{{1,2}})(?P<sep>[/.])(?P<b>\d{{1,2}})(?P=sep)(?P<year3>\d{{4}}|\d\d)\b",
)
_LEADS = (
    ("on or before", Bound.AT_MOST, 0), ("no later than", Bound.AT_MOST, 0), ("not later than", Bound.AT_MOST, 0),
    ("up to and including", Bound.AT_MOST, 0), ("until", Bound.AT_MOST, 0), ("till", Bound.AT_MOST, 0),
    ("through", Bound.AT_MOST, 0), ("by", Bound.AT_MOST, 0), ("on or after", Bound.AT_LEAST, 0),
    ("or later than", Bound.AT_LEAST, 0), ("prior to", Bound.AT_MOST, -1), ("before", Bound.AT_MOST, -1),
    ("starting on", Bound.AT_LEAST, 0), ("starting", Bound.AT_LEAST, 0), ("since", Bound.AT_LEAST, 0),
    ("from", Bound.AT_LEAST, 0), ("after", Bound.AT_LEAST, 1),
)  # fmt: skip
_LEAP_YEAR = 2000
_REACH = 24


def read_dates(folded: str) -> tuple[Fact, ...]:
    """Return every date of folded text; `low` is the ordinal day, or month times 100 plus day where no year is said.

    A bound shifts the day to the one that is meant: "before 1 October" is at most 30 September.
    """
    return tuple(fact for match in _DATE.finditer(folded) if (fact := _fact(folded, match)) is not None)


def _fact(folded: str, match: re.Match[str]) -> Fact | None:
    readings = _readings(match)
    if not readings:
        return None
    bound, shift = _lead(folded, match.start())
    yearless = not (match["iso"] or match["a"] or match["year"] or match["year2"])
    low, high = (_number(day, shift, yearless=yearless) for day in (min(readings), max(readings)))
    unit = "ambiguous_date" if len(readings) > 1 else "day_of_year" if yearless else "date"
    return Fact(FactKind.DATE, unit, low, high, bound, start=match.start(), end=match.end())


def _number(day: date, shift: int, *, yearless: bool) -> Decimal:
    moved = date.fromordinal(max(1, day.toordinal() + shift))
    return Decimal(moved.month * 100 + moved.day if yearless else moved.toordinal())


def _lead(folded: str, start: int) -> tuple[Bound, int]:
    before = folded[max(0, start - _REACH) : start].rstrip().removesuffix(" the")
    for phrase, bound, shift in _LEADS:
        if before == phrase or before.endswith(" " + phrase):
            return bound, shift
    return Bound.EXACTLY, 0


def _readings(match: re.Match[str]) -> tuple[date, ...]:
    if match["iso"]:
        year, month, day = match["iso"].split("-")
        return _real((int(year), int(month), int(day)))
    if match["a"]:
        year_text = match["year3"]
        year = int(year_text) + (2000 if len(year_text) == 2 else 0)
        first, second = int(match["a"]), int(match["b"])
        return _real(*dict.fromkeys(((year, second, first), (year, first, second))))
    name, day_text = match["month"] or match["month2"], match["day"] or match["day2"]
    year_said = match["year"] or match["year2"]
    return _real((int(year_said) if year_said else _LEAP_YEAR, _NUMBERS.index(name[:3]) + 1, int(day_text)))


def _real(*candidates: tuple[int, int, int]) -> tuple[date, ...]:
    days = []
    for year, month, day in candidates:
        try:
            days.append(date(year, month, day))
        except ValueError:
            continue
    return tuple(days)
