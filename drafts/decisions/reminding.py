"""When the owner of an open conflict is told of it again, in the organisation's business hours."""

from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum

from ledger.decisions.calendar import BusinessCalendar


class Reminder(StrEnum):
    """Why somebody is told again."""

    DUE_TODAY = "due_today"
    OVERDUE = "overdue"


@dataclass(frozen=True, slots=True)
class Due:
    """A reminder and the day, in the organisation's zone, on which it is given; one a day at most."""

    reminder: Reminder
    day: date


def reminder(*, opened_at: datetime, due_at: datetime, now: datetime, calendar: BusinessCalendar) -> Due | None:
    """Say which reminder is due at this instant, if any.

    Nothing is sent while nobody works. A conflict that was opened on its due day was told of when it was opened; one
    that waited over night is told of again when its day begins, and every business day after that while it is open.
    """
    if not calendar.is_open(now):
        return None
    today = calendar.local(now).date()
    if now >= due_at:
        return Due(Reminder.OVERDUE, today)
    if calendar.local(due_at).date() == today and opened_at < calendar.opening_of(today):
        return Due(Reminder.DUE_TODAY, today)
    return None
