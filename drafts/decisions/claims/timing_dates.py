"""Resolve the phrases that name days and clock times: by Friday, tomorrow morning, before 1 October, at 5 pm today."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta

from drafts.decisions.claims.interval import Interval
from ledger.decisions.calendar import ONE_DAY, BusinessCalendar

_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = r"(?P<{0}>jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{{0,6}}\.?"
_ISO = re.compile(r"\b(\d{4})-(\d{2})-(\d{2})\b")
_DAY_MONTH = re.compile(
    rf"\b(?P<day>\d{{1,2}})(?:st|nd|rd|th)? (?:of )?{_MONTH.format('month')}(?:,? (?P<year>\d{{4}}))?"
)
_MONTH_DAY = re.compile(rf"\b{_MONTH.format('month')} (?P<day>\d{{1,2}})(?:st|nd|rd|th)?\b(?:,? (?P<year>\d{{4}}))?")
_DAY_ONLY = re.compile(r"\bthe (?P<day>\d{1,2})(?:st|nd|rd|th)\b")
_WEEKDAY = re.compile(
    r"\b(?:(?P<which>next|this|the following|the coming|coming|following) )?(?P<name>mon|tue|wed|thu|fri|sat"
    r"|sun)[a-z]*\b(?P<then> (?:of )?next week)?"
)
_CLOCK = re.compile(r"\b(\d{1,2})(?:[:.](\d{2}))? ?(a\.m\.|p\.m\.|am\b|pm\b|o'clock)?|\b(noon|midday|midnight)\b")
_PARTS = {
    "morning": (time(0), time(12)),
    "lunchtime": (time(12), time(14)),
    "afternoon": (time(12), time(18)),
    "evening": (time(18), time(22)),
    "tonight": (time(18), time(23, 59)),
    "night": (time(18), time(23, 59)),
}
_UP_TO = re.compile(
    r"\b(?:by|no later than|not later than|until|till|til|on or before|latest|end of|close of|eod|cob|eob)\b"
)
_BEFORE = re.compile(r"\bbefore\b(?<!or before)")
_END_OF_DAY = re.compile(
    r"\b(?:end|close) of (?:the |our )?(?:business |working )?(?:day|business|play|today)\b|\b(?:eod|cob|eob)\b"
)


@dataclass(frozen=True, slots=True)
class _Days:
    """The first and the last day a phrase may mean; a second reading of the last where it is ambiguous."""

    first: date
    last: date
    otherwise: date | None = None
    named: bool = True


def end_of_day(day: date, calendar: BusinessCalendar) -> datetime:
    """Return the last second of a day in the organisation's zone."""
    return calendar.day_bounds(day)[1] - timedelta(seconds=1)


def months_later(day: date, months: int) -> date:
    """Return the same day of a later month, or that month's last."""
    index = day.month - 1 + months
    year, month = day.year + index // 12, index % 12 + 1
    following = date(year + month // 12, month % 12 + 1, 1)
    return min(date(year, month, 1) + timedelta(days=day.day - 1), following - ONE_DAY)


def resolve_date(said: str, *, now: datetime, calendar: BusinessCalendar) -> Interval | None:
    """Return what a phrase with a day or a clock time promises, None where it has neither."""
    today = calendar.local(now).date()
    days = _days(said, today, calendar)
    clock = _clock(said)
    if days is None and clock is None:
        return None
    days = days or _Days(today, today)
    if clock is not None:
        return _at_clock(said, clock, days, now, calendar)
    return _whole_days(said, days, now, calendar)


def named_day(said: str, *, now: datetime, calendar: BusinessCalendar) -> date | None:
    """Return the one day that a phrase about the past names, the last occurrence, None where it names none."""
    low = said.lower()
    today = calendar.local(now).date()
    if re.search(r"\byesterday\b|\blast night\b", low):
        return today - ONE_DAY
    if re.search(r"\btoday\b|\bthis (?:morning|afternoon|evening)\b", low):
        return today
    found = _calendar_date(low, today, past=True)
    if found:
        return found
    if (weekday := _WEEKDAY.search(low)) and re.search(
        r"\b(?:on|last) (?:mon|tues|wednes|thurs|fri|satur|sun)day\b", low
    ):
        back = (today.weekday() - _index(weekday["name"])) % 7 or 7
        return today - timedelta(days=back)
    return None


def _index(name: str) -> int:
    return next(at for at, weekday in enumerate(_WEEKDAYS) if weekday.startswith(name[:3]))


def _days(said: str, today: date, calendar: BusinessCalendar) -> _Days | None:
    if found := _calendar_date(said, today, past=False):
        return _Days(found, found)
    for pattern, days in _RELATIVE:
        if re.search(pattern, said):
            return days(said, today, calendar)
    if weekday := _WEEKDAY.search(said):
        return _weekday(weekday, today)
    return None


def _calendar_date(said: str, today: date, *, past: bool) -> date | None:
    if iso := _ISO.search(said):
        return _safe(int(iso[1]), int(iso[2]), int(iso[3]))
    found = _DAY_MONTH.search(said) or _MONTH_DAY.search(said)
    if found:
        month = _MONTHS.index(found["month"]) + 1
        if found["year"]:
            return _safe(int(found["year"]), month, int(found["day"]))
        return _nearest_year(month, int(found["day"]), today, past=past)
    if only := _DAY_ONLY.search(said):
        return _nearest_month(int(only["day"]), today, past=past)
    return None


def _safe(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


def _nearest_year(month: int, day: int, today: date, *, past: bool) -> date | None:
    """Return the next occurrence for a promise, the last one for what has happened."""
    years = (today.year, today.year - 1) if past else (today.year, today.year + 1, today.year + 2)
    found = (_safe(year, month, day) for year in years)
    return next((one for one in found if one and (one <= today if past else one >= today)), None)


def _nearest_month(day: int, today: date, *, past: bool) -> date | None:
    step = -1 if past else 1
    for months in range(3):
        base = months_later(date(today.year, today.month, 1), step * months)
        found = _safe(base.year, base.month, day)
        if found and (found <= today if past else found >= today):
            return found
    return None


def _weekday(found: re.Match[str], today: date) -> _Days:
    index = _index(found["name"])
    monday = today - timedelta(days=today.weekday())
    following = monday + timedelta(days=7 + index)
    if found["then"]:
        return _Days(following, following)
    coming = today + timedelta(days=(index - today.weekday()) % 7)
    if found["which"] in {"next", "following", "the following"}:
        if coming < monday + timedelta(days=7) and coming > today:
            return _Days(coming, coming, otherwise=following)
        return _Days(following, following)
    return _Days(coming, coming)


def _week(said: str, today: date, calendar: BusinessCalendar) -> _Days:
    monday = (
        today
        - timedelta(days=today.weekday())
        + timedelta(days=7 if "next" in said or "following" in said or "coming" in said else 0)
    )
    weekday = _WEEKDAY.search(said)
    if weekday:
        day = monday + timedelta(days=_index(weekday["name"]))
        return _Days(day, day)
    working = [monday + timedelta(days=at) for at in range(7) if at in calendar.workdays]
    if re.search(r"\b(?:early|beginning|start)\b", said):
        return _Days(working[0], working[min(1, len(working) - 1)])
    if re.search(r"\bmid(?:dle)?\b", said):
        middle = working[len(working) // 2]
        return _Days(middle, middle)
    if re.search(r"\blate(?:r)?\b", said):
        return _Days(working[-2] if len(working) > 1 else working[-1], working[-1])
    return _Days(max(monday, today), working[-1])


def _month(said: str, today: date, _: BusinessCalendar) -> _Days:
    first = months_later(date(today.year, today.month, 1), 1 if "next" in said else 0)
    last = months_later(first, 1) - ONE_DAY
    named = re.search(_MONTH.format("name"), said)
    if named and "month" not in said:
        first = date(today.year + (_MONTHS.index(named["name"]) + 1 < today.month), _MONTHS.index(named["name"]) + 1, 1)
        last = months_later(first, 1) - ONE_DAY
    return _Days(max(first, today), max(last, today))


def _weekend(said: str, today: date, _: BusinessCalendar) -> _Days:
    saturday = today + timedelta(days=(5 - today.weekday()) % 7 if today.weekday() != 6 else -1)
    if "next" in said:
        saturday += timedelta(days=7)
    return _Days(saturday, saturday + ONE_DAY)


def _offset(days: int) -> "_Reader":
    def read(_said: str, today: date, _calendar: BusinessCalendar) -> _Days:
        return _Days(today + timedelta(days=days), today + timedelta(days=days))

    return read


def _next_business_day(_said: str, today: date, calendar: BusinessCalendar) -> _Days:
    day = calendar.nth_business_day(calendar.opening_of(today), 1)
    return _Days(day, day)


type _Reader = Callable[[str, date, BusinessCalendar], _Days]
_RELATIVE: tuple[tuple[str, _Reader], ...] = (
    (r"\bday after tomorrow\b", _offset(2)),
    (r"\btomorrow\b", _offset(1)),
    (r"\bnext (?:business|working) day\b", _next_business_day),
    (r"\bweekend\b", _weekend),
    (r"\bweek\b", _week),
    (r"\bmonth\b|\b(?:end|start|beginning|middle) of (?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)", _month),
    (
        (
            r"\btoday\b|\btonight\b|\bthis (?:morning|afternoon|evening)\b"
            r"|\b(?:end|close) of (?:the |our )?(?:business "
            r"|working )?(?:day|business|play)\b(?! on)|^(?:by )?(?:eod|cob|eob)\b"
        ),
        _offset(0),
    ),
    (r"\bovernight\b|\b(?:the )?(?:next|following) day\b", _offset(1)),
)


def _clock(said: str) -> time | None:
    bare = _DAY_MONTH.sub(" ", _MONTH_DAY.sub(" ", _ISO.sub(" ", said)))
    found = [match for match in _CLOCK.finditer(bare) if match[4] or match[2] or match[3]]
    if not found:
        return None
    last = found[-1]
    if last[4]:
        return time(0) if last[4] == "midnight" else time(12)
    hour, minute = int(last[1]), int(last[2] or 0)
    if last[3] and last[3].startswith("p") and hour < 12:
        hour += 12
    if last[3] and last[3].startswith("a") and hour == 12:
        hour = 0
    return time(hour, minute) if hour < 24 and minute < 60 else None


def _at_clock(said: str, clock: time, days: _Days, now: datetime, calendar: BusinessCalendar) -> Interval:
    moment = calendar.at(days.last + ONE_DAY if clock == time(0) else days.last, clock)
    if _UP_TO.search(said) or _BEFORE.search(said) or "latest" in said:
        return Interval(now, moment, moment)
    start = calendar.day_bounds(days.first)[0]
    if re.search(r"\b(?:after|from)\b", said):
        return Interval(
            calendar.at(days.first, clock),
            end_of_day(days.last, calendar),
            end_of_day(days.last, calendar),
            named_day=True,
        )
    return Interval(max(start, now.astimezone(UTC)), moment, moment + timedelta(hours=1), named_day=True)


def _whole_days(said: str, days: _Days, now: datetime, calendar: BusinessCalendar) -> Interval:
    first, last = days.first, days.last
    if _BEFORE.search(said):
        limit = calendar.day_bounds(first)[0] - timedelta(seconds=1)
        return Interval(now, limit, limit)
    lenient = end_of_day(days.otherwise or last, calendar)
    if part := next((bounds for word, bounds in _PARTS.items() if word in said), None):
        start = calendar.opening_of(first) if part[0] == time(0) else calendar.at(first, part[0])
        strict = calendar.at(last, part[1])
        return Interval(
            now if _UP_TO.search(said) else start, strict, max(strict, strict), named_day=not _UP_TO.search(said)
        )
    closing = calendar.closing_of(last) if calendar.is_business_day(last) else end_of_day(last, calendar)
    strict = closing if closing > now else lenient
    if _UP_TO.search(said) or _END_OF_DAY.search(said) or (first == calendar.local(now).date() and first == last):
        return Interval(now, strict, lenient)
    return Interval(calendar.day_bounds(first)[0], end_of_day(last, calendar), lenient, named_day=True)
