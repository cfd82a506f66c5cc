"""The table of time phrases at four references: mid-week, Friday after closing, before a holiday, at a clock change."""

from datetime import UTC, date, datetime, time
from zoneinfo import ZoneInfo

import pytest

from drafts.decisions.claims.timing import resolve
from drafts.decisions.claims.timing_dates import named_day
from ledger.decisions.calendar import BusinessCalendar

LONDON = ZoneInfo("Europe/London")
NEW_YORK = ZoneInfo("America/New_York")
OFFICE = BusinessCalendar(LONDON, opens=time(9), closes=time(17), holidays=frozenset({date(2026, 5, 4)}))
COAST = BusinessCalendar(NEW_YORK, opens=time(9), closes=time(17))
MID_WEEK = datetime(2026, 3, 10, 10, 0, tzinfo=LONDON)
FRIDAY_EVENING = datetime(2026, 3, 13, 18, 30, tzinfo=LONDON)
BEFORE_HOLIDAY = datetime(2026, 5, 1, 15, 0, tzinfo=LONDON)
CLOCK_CHANGE = datetime(2026, 3, 7, 20, 0, tzinfo=NEW_YORK)


def limits(phrase, now, calendar=OFFICE):
    """Return the strict and the lenient limit on the wall clock, as day and hour."""
    interval = resolve(phrase, now=now, calendar=calendar)
    return tuple(f"{calendar.local(end):%m-%d %H:%M}" if end else None for end in (interval.strict, interval.lenient))


@pytest.mark.parametrize(
    ("phrase", "strict", "lenient"),
    [
        ("within 24 hours", "03-11 10:00", "03-11 10:00"),
        ("within one business day", "03-11 17:00", "03-11 17:00"),
        ("in 3-5 business days", "03-17 17:00", "03-17 17:00"),
        ("up to 5 working days", "03-17 17:00", "03-17 17:00"),
        ("within two weeks", "03-24 23:59", "03-24 23:59"),
        ("within 14 days", "03-24 23:59", "03-24 23:59"),
        ("in 2 hours", "03-10 12:00", "03-10 12:30"),
        ("in an hour or so", "03-10 11:00", "03-10 11:30"),
        ("within the hour", "03-10 11:00", "03-10 11:00"),
        ("in a few hours", "03-10 13:00", "03-10 16:00"),
        ("in a couple of days", "03-12 23:59", "03-13 23:59"),
        ("in the next few days", "03-13 23:59", "03-15 23:59"),
        ("today", "03-10 17:00", "03-10 23:59"),
        ("by end of day", "03-10 17:00", "03-10 23:59"),
        ("by close of business", "03-10 17:00", "03-10 23:59"),
        ("this afternoon", "03-10 18:00", "03-10 18:00"),
        ("tomorrow morning", "03-11 12:00", "03-11 12:00"),
        ("by Friday", "03-13 17:00", "03-13 23:59"),
        ("no later than Friday", "03-13 17:00", "03-13 23:59"),
        ("before Friday", "03-12 23:59", "03-12 23:59"),
        ("on Friday", "03-13 23:59", "03-13 23:59"),
        ("next Monday", "03-16 23:59", "03-16 23:59"),
        ("next Friday", "03-13 23:59", "03-20 23:59"),
        ("early next week", "03-17 23:59", "03-17 23:59"),
        ("by the end of the week", "03-13 17:00", "03-13 23:59"),
        ("by the end of the month", "03-31 17:00", "03-31 23:59"),
        ("before 1 October", "09-30 23:59", "09-30 23:59"),
        ("by 1 October", "10-01 17:00", "10-01 23:59"),
        ("by 3 pm", "03-10 15:00", "03-10 15:00"),
        ("tomorrow before noon", "03-11 12:00", "03-11 12:00"),
        ("before the weekend", "03-13 23:59", "03-13 23:59"),
        ("right away", "03-10 11:00", "03-10 17:00"),
        ("momentarily", "03-10 11:00", "03-10 17:00"),
        ("shortly", "03-10 14:00", "03-11 17:00"),
        ("soon", "03-11 17:00", "03-13 17:00"),
        ("as soon as possible", None, None),
        ("in due course", None, None),
        ("every two hours", None, None),
    ],
)
def test_phrases_in_mid_week(phrase, strict, lenient):
    assert limits(phrase, MID_WEEK) == (strict, lenient)


@pytest.mark.parametrize(
    ("phrase", "strict", "lenient"),
    [
        ("within 24 hours", "03-14 18:30", "03-14 18:30"),
        ("within one business day", "03-17 17:00", "03-17 17:00"),
        ("shortly", "03-16 13:00", "03-17 17:00"),
        ("today", "03-13 23:59", "03-13 23:59"),
        ("by Friday", "03-13 23:59", "03-13 23:59"),
        ("on Monday", "03-16 23:59", "03-16 23:59"),
    ],
)
def test_phrases_on_friday_after_closing(phrase, strict, lenient):
    assert limits(phrase, FRIDAY_EVENING) == (strict, lenient)


@pytest.mark.parametrize(
    ("phrase", "strict", "lenient"),
    [
        ("within one business day", "05-05 17:00", "05-05 17:00"),
        ("in 2-3 business days", "05-07 17:00", "05-07 17:00"),
        ("shortly", "05-05 11:00", "05-05 17:00"),
        ("within 3 days", "05-04 23:59", "05-04 23:59"),
        ("by Monday", "05-04 23:59", "05-04 23:59"),
    ],
)
def test_phrases_on_the_day_before_a_holiday(phrase, strict, lenient):
    assert limits(phrase, BEFORE_HOLIDAY) == (strict, lenient)


@pytest.mark.parametrize(
    ("phrase", "limit"),
    [("within 24 hours", "03-08 21:00"), ("within 6 hours", "03-08 03:00"), ("within 2 days", "03-09 23:59")],
)
def test_hours_over_a_clock_change_are_elapsed_hours(phrase, limit):
    assert limits(phrase, CLOCK_CHANGE, COAST) == (limit, limit)


def test_a_range_starts_when_its_shorter_end_opens():
    interval = resolve("in 3-5 business days", now=MID_WEEK, calendar=OFFICE)

    assert OFFICE.local(interval.earliest) == datetime(2026, 3, 13, 9, 0, tzinfo=LONDON)


def test_business_hours_have_two_readings():
    interval = resolve("within 24 to 48 business hours", now=MID_WEEK, calendar=OFFICE)

    assert OFFICE.local(interval.strict) == datetime(2026, 3, 11, 17, 0, tzinfo=LONDON)
    assert interval.lenient > interval.strict
    assert "two ways" in interval.note


@pytest.mark.parametrize(
    ("phrase", "named"),
    [
        ("on Friday", True),
        ("tomorrow morning", True),
        ("by Friday", False),
        ("within 2 days", False),
        ("at 3 pm", True),
    ],
)
def test_only_a_named_day_can_be_missed_by_being_early(phrase, named):
    assert resolve(phrase, now=MID_WEEK, calendar=OFFICE).named_day is named


@pytest.mark.parametrize(
    ("phrase", "is_effort"), [("as soon as possible", True), ("ASAP", True), ("in the near future", False)]
)
def test_effort_without_a_limit_is_told_from_no_promise_at_all(phrase, is_effort):
    assert resolve(phrase, now=MID_WEEK, calendar=OFFICE).on_effort is is_effort


@pytest.mark.parametrize("phrase", ["on 31 February", "at 99:99", "in 9999 years", "within 9999 days", "\u200b", ""])
def test_impossible_phrases_raise_nothing(phrase):
    resolve(phrase, now=MID_WEEK, calendar=OFFICE)


@pytest.mark.parametrize("phrase", ["with\u200bin 24 h\u043eurs", "with<b>in</b>&nbsp;24 hours", "WITHIN 24 HOURS"])
def test_a_phrase_is_read_as_its_reader_reads_it(phrase):
    assert limits(phrase, MID_WEEK) == ("03-11 10:00", "03-11 10:00")


@pytest.mark.parametrize(
    ("phrase", "day"),
    [
        ("sent yesterday", date(2026, 3, 9)),
        ("issued this morning", date(2026, 3, 10)),
        ("shipped on 28 December", date(2025, 12, 28)),
        ("delivered on 3 March 2026", date(2026, 3, 3)),
        ("shipped on Tuesday", date(2026, 3, 3)),
        ("shipped some time ago", None),
    ],
)
def test_a_day_in_the_past_is_its_last_occurrence(phrase, day):
    assert named_day(phrase, now=MID_WEEK.astimezone(UTC), calendar=OFFICE) == day
