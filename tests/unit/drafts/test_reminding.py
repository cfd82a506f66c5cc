"""When the owner of a conflict hears of it again."""

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from drafts.decisions.mailing import MOST_ATTEMPTS, next_attempt
from drafts.decisions.reminding import Due, Reminder, reminder
from ledger.decisions.calendar import BusinessCalendar

LISBON = BusinessCalendar(ZoneInfo("Europe/Lisbon"), holidays=frozenset({date(2026, 12, 8)}))
SUNDAY = datetime(2026, 11, 29, 12, 0, tzinfo=UTC)
MONDAY_CLOSING = datetime(2026, 11, 30, 18, 0, tzinfo=UTC)


def at(day: int, hour: int, month: int = 11) -> datetime:
    return datetime(2026, month, day, hour, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("opened", "now", "expected"),
    [
        pytest.param(SUNDAY, at(29, 13), None, id="nobody-works-on-sunday"),
        pytest.param(SUNDAY, at(30, 8), None, id="before-opening"),
        pytest.param(SUNDAY, at(30, 9), Due(Reminder.DUE_TODAY, date(2026, 11, 30)), id="in-the-morning-it-is-due"),
        pytest.param(SUNDAY, at(30, 17), Due(Reminder.DUE_TODAY, date(2026, 11, 30)), id="once-for-the-day"),
        pytest.param(at(30, 10), at(30, 11), None, id="opened-today-and-told-then"),
        pytest.param(SUNDAY, MONDAY_CLOSING, None, id="closed-again"),
        pytest.param(SUNDAY, at(1, 9, 12), Due(Reminder.OVERDUE, date(2026, 12, 1)), id="the-day-after"),
        pytest.param(SUNDAY, at(4, 17, 12), Due(Reminder.OVERDUE, date(2026, 12, 4)), id="every-day"),
        pytest.param(SUNDAY, at(5, 10, 12), None, id="not-on-saturday"),
        pytest.param(SUNDAY, at(8, 10, 12), None, id="not-on-a-holiday"),
    ],
)
def test_a_reminder_comes_once_a_day_while_people_work(opened, now, expected):
    assert reminder(opened_at=opened, due_at=MONDAY_CLOSING, now=now, calendar=LISBON) == expected


def test_the_day_is_the_organisations():
    tokyo = BusinessCalendar(ZoneInfo("Asia/Tokyo"))

    due = reminder(opened_at=at(28, 3), due_at=at(30, 9), now=at(30, 1), calendar=tokyo)

    assert due == Due(Reminder.DUE_TODAY, date(2026, 11, 30))


def test_mails_are_tried_at_growing_waits_and_given_up():
    now = at(30, 9)
    waits = [(next_attempt(n, now=now, chance=0.0) or now) - now for n in range(1, MOST_ATTEMPTS)]

    assert waits == sorted(waits)
    assert (waits[0], waits[-1]) == (timedelta(minutes=1), timedelta(hours=12))
    assert next_attempt(1, now=now, chance=1.0) == now + timedelta(seconds=72)
    assert next_attempt(MOST_ATTEMPTS, now=now, chance=0.0) is None
