"""The organisation's business calendar: opening hours in its own zone, and the days on which nobody works.

Instants that go in must be aware; instants that come out are UTC. Days are calendar dates in the zone.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

ONE_DAY = timedelta(days=1)
HORIZON_DAYS = 800
"""How far ahead a business day is looked for; a calendar with none in two years is a mistake in the settings."""


class NoBusinessDay(Exception):
    """The calendar has no working day within its horizon."""


@dataclass(frozen=True, slots=True)
class BusinessCalendar:
    """When the organisation works: `workdays` counts from Monday = 0, `opens` and `closes` are wall-clock times.

    Raises ValueError where there is no workday or the day closes before it opens.
    """

    zone: ZoneInfo
    workdays: frozenset[int] = frozenset(range(5))
    opens: time = time(9)
    closes: time = time(18)
    holidays: frozenset[date] = frozenset()

    def __post_init__(self) -> None:
        if not self.workdays or not self.workdays <= frozenset(range(7)):
            raise ValueError("workdays must be one or more of 0 (Monday) to 6 (Sunday)")
        if self.opens >= self.closes:
            raise ValueError("the business day must open before it closes")

    def local(self, instant: datetime) -> datetime:
        """Return an instant on the organisation's wall clock."""
        return instant.astimezone(self.zone)

    def at(self, day: date, clock: time) -> datetime:
        """Return the UTC instant of a wall-clock time on a day; a time the clocks skip is read as the hour after."""
        return datetime.combine(day, clock, self.zone).astimezone(UTC)

    def is_business_day(self, day: date) -> bool:
        """Say whether anybody works on that day."""
        return day.weekday() in self.workdays and day not in self.holidays

    def is_open(self, instant: datetime) -> bool:
        """Say whether the organisation is at work at this instant; closing time itself is no longer open."""
        local = self.local(instant)
        return self.is_business_day(local.date()) and self.opens <= local.time() < self.closes

    def opening_of(self, day: date) -> datetime:
        """Return the opening of a day, whether it is worked or not."""
        return self.at(day, self.opens)

    def closing_of(self, day: date) -> datetime:
        """Return the closing of a day, whether it is worked or not."""
        return self.at(day, self.closes)

    def day_bounds(self, day: date) -> tuple[datetime, datetime]:
        """Return the first instant of a day and the first of the next."""
        return self.at(day, time.min), self.at(day + ONE_DAY, time.min)

    def current_business_day(self, instant: datetime) -> date:
        """Return day 0 of counting: the day of the instant, or the next one worked where it is over or not worked.

        Raises NoBusinessDay.
        """
        local = self.local(instant)
        if self.is_business_day(local.date()) and local.time() < self.closes:
            return local.date()
        return next(self._business_days_after(local.date()))

    def closing_time(self, instant: datetime) -> datetime:
        """Return the closing of the same business day; outside hours that of the next. Raises NoBusinessDay."""
        return self.closing_of(self.current_business_day(instant))

    def nth_business_day(self, instant: datetime, count: int) -> date:
        """Return the day that is `count` business days after day 0; after closing, day 0 is the next one worked.

        Raises NoBusinessDay.
        """
        day = self.current_business_day(instant)
        following = self._business_days_after(day)
        for _ in range(count):
            day = next(following)
        return day

    def add_business_time(self, instant: datetime, duration: timedelta) -> datetime:
        """Return the instant after which so much opening time has passed, clock changes counted as they elapse.

        Raises NoBusinessDay.
        """
        day = self.current_business_day(instant)
        start = max(instant.astimezone(UTC), self.opening_of(day))
        following = self._business_days_after(day)
        left = duration
        while start + left > self.closing_of(day):
            left -= self.closing_of(day) - start
            day = next(following)
            start = self.opening_of(day)
        return start + left

    def _business_days_after(self, day: date) -> Iterator[date]:
        idle = 0
        while idle < HORIZON_DAYS:
            day += ONE_DAY
            idle += 1
            if self.is_business_day(day):
                idle = 0
                yield day
        raise NoBusinessDay(f"no business day in the {HORIZON_DAYS} days up to {day:%Y-%m-%d}")
