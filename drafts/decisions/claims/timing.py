"""Resolve a time phrase against the moment of sending: vague words, durations, and dates (timing_dates.py).

Every phrase is read in the organisation's zone and calendar; results are UTC. Hours are elapsed hours, also over a
change of the clocks; days and business days are calendar days and end when the day, or the business day, does.
What the vague words stand for is house policy: VAGUE_LIMITS.
"""

import re
from datetime import UTC, datetime, timedelta

from drafts.decisions.claims.folding import fold
from drafts.decisions.claims.interval import Interval
from drafts.decisions.claims.timing_dates import end_of_day, months_later, resolve_date
from ledger.decisions.calendar import BusinessCalendar

_SMALL = {
    "half an": 0.5,
    "half a": 0.5,
    "a couple of": 2,
    "a couple": 2,
    "couple of": 2,
    "a few": 3,
    "few": 3,
    "several": 3,
    "some": 3,
    "an": 1,
    "a": 1,
    "another": 1,
    "one": 1,
    "two": 2,
    "three": 3,
    "four": 4,
    "five": 5,
    "six": 6,
    "seven": 7,
    "eight": 8,
    "nine": 9,
    "ten": 10,
    "eleven": 11,
    "twelve": 12,
    "thirteen": 13,
    "fourteen": 14,
    "fifteen": 15,
    "sixteen": 16,
    "eighteen": 18,
    "twenty": 20,
    "twenty-four": 24,
    "twenty four": 24,
    "thirty": 30,
    "forty": 40,
    "forty-eight": 48,
    "forty eight": 48,
    "fifty": 50,
    "sixty": 60,
    "seventy-two": 72,
    "seventy two": 72,
    "ninety": 90,
}
_NUMBER = r"\d{1,4}(?:[.,]\d{1,2})?|" + "|".join(sorted(_SMALL, key=len, reverse=True))
_DURATION = re.compile(
    rf"(?<![\w.])(?P<low>{_NUMBER})(?:[ ]?\(\d{{1,4}}\))?(?:[ ]?(?:-|to|or|and)[ ]?(?P<high>{_NUMBER}))?(?:[ "
    rf"]?\(\d{{1,4}}\))?[ -]?"
    r"(?:(?:more|full|clock|short|additional|further|consecutive)[ ])?"
    r"(?P<business>business|working|bank|week)?[ -]?(?P<unit>second|sec|minute|min|moment|hour|hr|day|week|month"
    r"|year|fortnight|weekday)s?\b"
)
_BOUNDED = re.compile(
    r"within|up to|no more than|not more than|no later than|no longer than|not longer than|at most|less than|under"
    r"|inside|maximum|max|over|during|in the|next|for"
)
_RECURRING = re.compile(r"every|hourly|daily|each")
_PERIOD = re.compile(r"(?:within|in|inside) (?:the|this) (?:(?:next|current|coming) )?(hour|day|week|month|minute)$")
_FUZZY = {
    "a couple of": (2, 3),
    "a couple": (2, 3),
    "couple of": (2, 3),
    "a few": (3, 5),
    "few": (3, 5),
    "several": (3, 7),
    "some": (3, 5),
}
_FUZZY_HOURS = {"a few": (3, 6), "few": (3, 6), "several": (3, 8), "some": (3, 6)}
LARGEST_NUMBER = 999
"""Numbers beyond it are read as it; no promise of handling runs for longer, and dates stay in range."""
_ELAPSED = {
    "second": 1 / 3600,
    "sec": 1 / 3600,
    "minute": 1 / 60,
    "min": 1 / 60,
    "moment": 1 / 6,
    "hour": 1.0,
    "hr": 1.0,
}

# Business hours until kept, business days until broken; None where the phrase sets no limit.
_NOW = (timedelta(hours=1), 0)
_SHORTLY = (timedelta(hours=4), 1)
VAGUE_LIMITS: tuple[tuple[re.Pattern[str], tuple[timedelta, int] | None], ...] = tuple(
    (re.compile(pattern), limits)
    for pattern, limits in (
        (
            (
                r"as (?:soon|quickly|fast|promptly|early|swiftly|speedily) as|asap|a\.s\.a\.p|earliest|without .*delay"
                r"|timely"
            ),
            None,
        ),
        (r"due course|due time|near future|too distant|later", None),
        (r"right away|straight ?away|immediately|instantly|at once|momentarily|presently|in no time|now\b", _NOW),
        (
            (
                r"(?:very|quite|really) (?:shortly|soon)|in (?:just )?a (?:moment|minute|second|sec|bit|jiffy|while"
                r"|little while|few)|moments"
            ),
            _NOW,
        ),
        (r"shortly|promptly|imminently", _SHORTLY),
    )
)
_EFFORT = re.compile(
    r"as (?:soon|quickly|fast|promptly|early|swiftly|speedily) as|asap|a\.s\.a\.p|earliest|without .*delay|timely"
)
_SOON = re.compile(r"soon|before (?:too )?long|any (?:day|minute|moment|time)")


def resolve(phrase: str, *, now: datetime, calendar: BusinessCalendar) -> Interval:
    """Return what a time phrase promises when it is sent at `now`; an open interval where it sets no limit.

    The table of phrases is in docs/claims.md. Raises NoBusinessDay where the calendar has no working day ahead.
    """
    now = now.astimezone(UTC)
    said = " ".join(fold(phrase).text.lower().split())
    if _RECURRING.match(said):
        return Interval(note="recurring; needs a schedule of contacts")
    if period := _PERIOD.search(said):
        return _within_period(period[1], now, calendar)
    if (found := _DURATION.search(said)) and not re.search(
        r"\b(?:today|tomorrow)\b(?<!from today)", said[: found.start()]
    ):
        return _duration(said, found, now, calendar)
    dated = resolve_date(said, now=now, calendar=calendar)
    return dated if dated is not None else _vague(said, now, calendar)


def _vague(said: str, now: datetime, calendar: BusinessCalendar) -> Interval:
    for pattern, limits in VAGUE_LIMITS:
        if pattern.search(said):
            if limits is None:
                return Interval(on_effort=bool(_EFFORT.search(said)), note="sets no limit")
            hours, days = limits
            strict = calendar.add_business_time(now, hours)
            return Interval(now, strict, max(strict, _closing(now, days, calendar)))
    if _SOON.search(said):
        return Interval(now, _closing(now, 1, calendar), _closing(now, 3, calendar))
    return Interval(note="sets no limit")


def _closing(now: datetime, days: int, calendar: BusinessCalendar) -> datetime:
    return calendar.closing_of(calendar.nth_business_day(now, days))


def _within_period(unit: str, now: datetime, calendar: BusinessCalendar) -> Interval:
    if unit in {"hour", "minute"}:
        limit = now + timedelta(hours=_ELAPSED[unit])
        return Interval(now, limit, limit)
    if unit == "day":
        limit = now + timedelta(hours=24)
        return Interval(now, limit, limit)
    today = calendar.local(now).date()
    last = today + timedelta(days=7) if unit == "week" else months_later(today, 1)
    return Interval(now, end_of_day(last, calendar), end_of_day(last, calendar))


def _duration(said: str, found: re.Match[str], now: datetime, calendar: BusinessCalendar) -> Interval:
    unit, business = found["unit"], bool(found["business"]) or found["unit"] == "weekday"
    low, high = _value(found["low"]), _value(found["high"] or found["low"])
    bounded = bool(_BOUNDED.search(said[: found.start()])) or found["high"] is not None
    if business and unit in _ELAPSED:
        return _business_hours(low, high, now, calendar)
    if business:
        days = max(1, round(high * (5 if unit == "week" else 1)))
        first = calendar.nth_business_day(now, round(low)) if found["high"] else None
        limit = _closing(now, days, calendar)
        return Interval(calendar.opening_of(first) if first else now, limit, limit)
    if unit in _ELAPSED:
        return _hours(said, found, now, bounded=bounded)
    return _days(found, now, calendar)


def _value(word: str) -> float:
    return _SMALL[word] if word in _SMALL else min(float(word.replace(",", ".")), LARGEST_NUMBER)


def _business_hours(low: float, high: float, now: datetime, calendar: BusinessCalendar) -> Interval:
    """Read “48 business hours” both ways: as two business days, and as 48 hours of opening time."""
    if high < 12:
        limit = calendar.add_business_time(now, timedelta(hours=high))
        return Interval(now, limit, limit)
    as_days = _closing(now, max(1, round(low / 24)), calendar)
    as_hours = calendar.add_business_time(now, timedelta(hours=high))
    return Interval(now, min(as_days, as_hours), max(as_days, as_hours), note="business hours can be read in two ways")


def _hours(said: str, found: re.Match[str], now: datetime, *, bounded: bool) -> Interval:
    hour = _ELAPSED[found["unit"]]
    first, last = _FUZZY_HOURS.get(found["low"], _FUZZY.get(found["low"], (0, 0))) if not found["high"] else (0, 0)
    if first:
        return Interval(now, now + timedelta(hours=first * hour), now + timedelta(hours=last * hour))
    high = _value(found["high"] or found["low"]) * hour
    strict = now + timedelta(hours=high)
    if "or so" in said or said.startswith(("about", "around", "roughly", "approx")):
        return Interval(now, strict, now + timedelta(hours=high * 1.5))
    earliest = now + timedelta(hours=_value(found["low"]) * hour) if found["high"] else now
    return Interval(earliest, strict, strict if bounded else now + timedelta(hours=high * 1.25))


def _days(found: re.Match[str], now: datetime, calendar: BusinessCalendar) -> Interval:
    today, unit = calendar.local(now).date(), found["unit"]
    fuzzy = _FUZZY.get(found["low"]) if not found["high"] else None
    low, high = fuzzy or (_value(found["low"]), _value(found["high"] or found["low"]))
    if unit in {"month", "year"}:
        months = 12 if unit == "year" else 1
        first, last = (months_later(today, round(n * months)) for n in (low, high))
    else:
        length = {"week": 7, "fortnight": 14}.get(unit, 1)
        first, last = (today + timedelta(days=round(n * length)) for n in (low, high))
    if fuzzy:
        return Interval(now, end_of_day(first, calendar), end_of_day(last, calendar))
    earliest = calendar.day_bounds(first)[0] if found["high"] else now
    return Interval(earliest, end_of_day(last, calendar), end_of_day(last, calendar))
