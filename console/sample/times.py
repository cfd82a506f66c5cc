"""The sample's times: each counts from the moment of loading, so that the sample never grows old."""

import re
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from drafts.decisions.correcting import in_words
from ledger.decisions.calendar import ONE_DAY, BusinessCalendar

_LATER = re.compile(r"now\+(\d+(?:\.\d+)?)h")
_BOOKED = re.compile(r"\+(\d+) (\d\d:\d\d)")
_BEFORE_STEP = re.compile(r"step-(\d+)")
_DAY_IN_TEXT = re.compile(r"«([+-]\d+)(d?)»")


@dataclass(frozen=True, slots=True)
class Moments:
    """Resolves what the sample's files say of times, for one loading at the instant `now`.

    In the files an instant is a number of hours before or after its step, `now+2h`, or `+2 14:00`, a clock time two
    business days from now; a day is a number of calendar days from today, or `step-3`, three days before its step. In
    texts `«+2»` is the second business day from now with its weekday, `«-6d»` a day six calendar days ago.
    """

    now: datetime
    calendar: BusinessCalendar

    @property
    def today(self) -> date:
        """The day of loading in the organisation's zone."""
        return self.calendar.local(self.now).date()

    def working_hours_ago(self, hours: float) -> datetime:
        """Return the instant so many opening hours back: sample people write and decide while the shop is open.

        The shop has the usual week, whatever the organisation's is: the sample's other days are set by it.
        """
        left, day, shop = timedelta(hours=hours), self.today, BusinessCalendar(self.calendar.zone)
        while True:
            opens, closes = shop.opening_of(day), min(self.now, shop.closing_of(day))
            open_for = max(closes - opens, timedelta()) if shop.is_business_day(day) else timedelta()
            if left < open_for:
                return _on_the_minute(closes - left)
            left -= open_for
            day -= ONE_DAY

    def dated(self, value: object, *, at: datetime, name: str = "") -> object:
        """Return the same JSON with each day and instant written out; `at` is the instant of its step."""
        if isinstance(value, dict):
            return {each: self.dated(inner, at=at, name=each) for each, inner in value.items()}
        if isinstance(value, list):
            return [self.dated(inner, at=at) for inner in value]
        if isinstance(value, str):
            return self._written(value, at)
        if isinstance(value, int | float) and not isinstance(value, bool):
            return self._counted(value, at, name)
        return value

    def _counted(self, value: float, at: datetime, name: str) -> object:
        if name.endswith("_on") or name.startswith("effective_"):
            return (self.today + timedelta(days=value)).isoformat()
        if name.endswith("_at") or name in {"as_of", "eta"}:
            return (at + timedelta(hours=value)).isoformat()
        return value

    def _written(self, value: str, at: datetime) -> str:
        if before := _BEFORE_STEP.fullmatch(value):
            return (self.calendar.local(at).date() - timedelta(days=int(before[1]))).isoformat()
        if later := _LATER.fullmatch(value):
            return _on_the_minute(self.now + timedelta(hours=float(later[1]))).isoformat()
        if booked := _BOOKED.fullmatch(value):
            day = self.calendar.nth_business_day(self.now, int(booked[1]))
            return self.calendar.at(day, time.fromisoformat(booked[2])).isoformat()
        return _DAY_IN_TEXT.sub(self._named, value)

    def _named(self, found: re.Match[str]) -> str:
        count = int(found[1])
        if found[2]:
            day = self.today + timedelta(days=count)
            return f"{day.day} {day:%B}"
        day = self.calendar.nth_business_day(self.now, count)
        return f"{day:%A}, {in_words(day)}"


def _on_the_minute(instant: datetime) -> datetime:
    return instant.replace(second=0, microsecond=0)
