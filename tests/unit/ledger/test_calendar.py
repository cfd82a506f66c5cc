from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest

from ledger.decisions.calendar import BusinessCalendar, NoBusinessDay

PARIS = ZoneInfo("Europe/Paris")
NEW_YORK = ZoneInfo("America/New_York")
PLAIN = BusinessCalendar(PARIS, opens=time(9), closes=time(17), holidays=frozenset({date(2026, 5, 1)}))


def paris(text):
    return datetime.fromisoformat(text).replace(tzinfo=PARIS).astimezone(UTC)


@pytest.mark.parametrize(
    ("instant", "closing"),
    [
        pytest.param("2026-03-10T10:00", "2026-03-10T17:00", id="mid-week-at-work"),
        pytest.param("2026-03-10T06:30", "2026-03-10T17:00", id="before-opening"),
        pytest.param("2026-03-10T17:00", "2026-03-11T17:00", id="closing-time-belongs-to-the-next-day"),
        pytest.param("2026-03-13T20:00", "2026-03-16T17:00", id="friday-evening"),
        pytest.param("2026-03-14T11:00", "2026-03-16T17:00", id="saturday"),
        pytest.param("2026-04-30T18:00", "2026-05-04T17:00", id="before-a-holiday-and-a-weekend"),
    ],
)
def test_closing_time_is_that_of_the_same_business_day_else_of_the_next(instant, closing):
    assert PLAIN.closing_time(paris(instant)) == paris(closing)


@pytest.mark.parametrize(
    ("instant", "count", "day"),
    [
        ("2026-03-10T10:00", 0, date(2026, 3, 10)),
        ("2026-03-10T10:00", 5, date(2026, 3, 17)),
        ("2026-03-13T17:30", 0, date(2026, 3, 16)),
        ("2026-03-14T10:00", 1, date(2026, 3, 17)),
        ("2026-04-30T10:00", 1, date(2026, 5, 4)),
    ],
)
def test_business_days_are_counted_from_the_day_that_is_still_open(instant, count, day):
    assert PLAIN.nth_business_day(paris(instant), count) == day


@pytest.mark.parametrize(
    ("instant", "hours", "end"),
    [
        pytest.param("2026-03-10T10:00", 4, "2026-03-10T14:00", id="within-a-day"),
        pytest.param("2026-03-10T15:00", 4, "2026-03-11T11:00", id="over-night"),
        pytest.param("2026-03-13T16:00", 2, "2026-03-16T10:00", id="over-a-weekend"),
        pytest.param("2026-03-14T03:00", 1, "2026-03-16T10:00", id="from-a-day-off"),
        pytest.param("2026-03-10T10:00", 7, "2026-03-10T17:00", id="to-the-last-minute"),
    ],
)
def test_business_time_passes_only_while_open(instant, hours, end):
    assert PLAIN.add_business_time(paris(instant), timedelta(hours=hours)) == paris(end)


def test_a_day_on_which_the_clocks_change_has_its_true_length():
    start, end = PLAIN.day_bounds(date(2026, 3, 29))

    assert end - start == timedelta(hours=23)


def test_business_time_over_a_clock_change_counts_elapsed_hours():
    round_the_clock = BusinessCalendar(NEW_YORK, frozenset(range(7)), time(0), time(23, 59, 59))
    start = datetime(2026, 3, 8, 6, 0, tzinfo=UTC)

    assert round_the_clock.add_business_time(start, timedelta(hours=3)) == start + timedelta(hours=3)


@pytest.mark.parametrize(
    ("instant", "is_open"),
    [("2026-03-10T09:00", True), ("2026-03-10T08:59", False), ("2026-03-10T17:00", False), ("2026-05-01T12:00", False)],
)
def test_opening_belongs_to_the_day_and_closing_does_not(instant, is_open):
    assert PLAIN.is_open(paris(instant)) is is_open


@pytest.mark.parametrize(
    "wrong", [{"workdays": frozenset()}, {"workdays": frozenset({7})}, {"opens": time(18), "closes": time(9)}]
)
def test_a_calendar_without_any_opening_time_is_refused(wrong):
    with pytest.raises(ValueError, match=r"workdays|open before"):
        BusinessCalendar(PARIS, **wrong)


def test_a_calendar_whose_every_day_is_a_holiday_says_so():
    closed = BusinessCalendar(PARIS, holidays=frozenset(date(2026, 1, 1) + timedelta(days=n) for n in range(1200)))

    with pytest.raises(NoBusinessDay):
        closed.closing_time(paris("2026-03-10T10:00"))
