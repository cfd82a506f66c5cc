"""What the settings say about the organisation."""

from zoneinfo import ZoneInfo

from django.conf import settings

from ledger.decisions.calendar import BusinessCalendar


def organisation_calendar() -> BusinessCalendar:
    """Return the organisation's zone, working days, opening hours and closed days."""
    hours = settings.ORGANISATION_HOURS
    return BusinessCalendar(
        zone=ZoneInfo(settings.TIME_ZONE),
        workdays=frozenset(day - 1 for day in hours.workdays),
        opens=hours.opens,
        closes=hours.closes,
        holidays=settings.ORGANISATION_HOLIDAYS,
    )
