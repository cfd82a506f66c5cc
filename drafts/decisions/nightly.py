"""When something that is done every night is due, by the clock of the organisation."""

from datetime import datetime, time, timedelta
from zoneinfo import ZoneInfo


def last_due(now: datetime, *, hour: int, zone: ZoneInfo) -> datetime:
    """Return the newest instant, not after `now`, at which clocks in `zone` showed `hour`.

    An hour that a change of the clocks leaves out is taken as the hour after the change.
    """
    today = now.astimezone(zone).date()
    due = datetime.combine(today, time(hour), zone)
    return due if due <= now else datetime.combine(today - timedelta(days=1), time(hour), zone)
