"""When the night's work is due."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from drafts.decisions.nightly import last_due

BERLIN = ZoneInfo("Europe/Berlin")


@pytest.mark.parametrize(
    ("now", "due"),
    [
        pytest.param("2026-06-10T01:00", "2026-06-10T01:00", id="on-the-hour"),
        pytest.param("2026-06-10T00:59", "2026-06-09T01:00", id="a-minute-before"),
        pytest.param("2026-06-10T23:30", "2026-06-10T01:00", id="late-in-the-day-there-is-another-day"),
        pytest.param("2026-12-10T12:00", "2026-12-10T02:00", id="winter-time"),
        pytest.param("2026-03-29T12:00", "2026-03-29T01:00", id="the-day-the-clocks-go-forward"),
        pytest.param("2026-10-25T12:00", "2026-10-25T02:00", id="after-the-clocks-went-back"),
    ],
)
def test_the_newest_night(now, due):
    at = datetime.fromisoformat(now).replace(tzinfo=UTC)

    found = last_due(at, hour=3, zone=BERLIN)

    assert found.astimezone(UTC) == datetime.fromisoformat(due).replace(tzinfo=UTC)
