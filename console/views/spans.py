"""Spans of time in words."""

from datetime import datetime, timedelta

MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)


def span(length: timedelta) -> str:
    """Return a span in its largest fitting unit, rounded down: “40 minutes”, “2 hours”, “3 days”."""
    for unit, name, least in ((DAY, "day", 2 * DAY), (HOUR, "hour", 2 * HOUR), (MINUTE, "minute", MINUTE)):
        if length >= least:
            number = length // unit
            return f"{number:,} {name}{'' if number == 1 else 's'}"
    return "less than a minute"


def deadline_told(at: datetime, now: datetime) -> str:
    """Say how far off a deadline is, or how long ago it passed."""
    return f"due in {span(at - now)}" if at > now else f"overdue by {span(now - at)}"
