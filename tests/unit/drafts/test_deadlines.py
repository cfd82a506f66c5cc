"""When an item is due: the earliest of what still counts."""

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from drafts.decisions.deadlines import deadline
from drafts.decisions.given import Given
from drafts.decisions.vocabulary import Message
from ledger.decisions.calendar import BusinessCalendar

NOW = datetime(2026, 3, 10, 10, 0, tzinfo=UTC)
OFFICE = BusinessCalendar(ZoneInfo("Europe/Berlin"))
EARLY, MIDDLE, LATE = (NOW + timedelta(hours=hours) for hours in (1, 2, 3))
ASKED = Message("m1", "customer", "How long is the warranty?", None)
NOTE = Message("m2", "note", "She called too.", None)
ANSWERED = Message("m3", "agent", "Let me look.", None)


def given(ticket, *messages):
    return Given("", (), NOW, date(2026, 3, 10), date(2026, 3, 10), OFFICE, messages=messages, ticket=ticket)


def due(first=None, resolution=None, **ticket):
    return {"id": "7001", "first_response_due_at": first, "resolution_due_at": resolution, **ticket}


@pytest.mark.parametrize(
    ("ticket", "messages", "conflict", "expected"),
    [
        pytest.param(None, [ASKED], None, None, id="nothing-due"),
        pytest.param(None, [ASKED], MIDDLE, MIDDLE, id="conflict-without-ticket"),
        pytest.param({"id": "7001"}, [ASKED], None, None, id="ticket-without-deadlines"),
        pytest.param(due(EARLY.isoformat(), LATE.isoformat()), [ASKED], MIDDLE, EARLY, id="first-response-first"),
        pytest.param(due(LATE.isoformat(), EARLY.isoformat()), [ASKED], MIDDLE, EARLY, id="resolution-first"),
        pytest.param(due(LATE.isoformat(), MIDDLE.isoformat()), [ASKED], EARLY, EARLY, id="conflict-first"),
        pytest.param(due(EARLY.isoformat()), [ASKED, NOTE], None, EARLY, id="a-note-is-no-response"),
        pytest.param(due(EARLY.isoformat()), [ASKED, ANSWERED], None, None, id="first-response-was-given"),
        pytest.param(due(EARLY.isoformat(), LATE.isoformat()), [ASKED, ANSWERED], None, LATE, id="resolution-stays"),
        pytest.param(due(EARLY.isoformat(), status="Solved"), [ASKED], None, None, id="ticket-is-over"),
        pytest.param(due(EARLY.isoformat(), merged_into="7"), [ASKED], LATE, LATE, id="ticket-was-merged"),
        pytest.param(due(EARLY, MIDDLE), [ASKED], None, EARLY, id="read-instants"),
    ],
)
def test_the_earliest_that_counts_is_the_deadline(ticket, messages, conflict, expected):
    assert deadline(given(ticket, *messages), conflict) == expected


@pytest.mark.parametrize(
    "unreadable",
    [
        "",
        "soon",
        "2026-02-30T10:00:00Z",
        "0001-01-01T00:00:00+14:00",
        "9999-12-31T23:59:59-14:00",
        "0001-06-01T00:00:00Z",
        "9999-06-01T00:00:00Z",
        1773136800,
        True,
        [],
        {"at": "2026-03-10T11:00:00Z"},
    ],
)
def test_what_cannot_be_read_is_left_out(unreadable):
    assert deadline(given(due(unreadable, LATE.isoformat()), ASKED), None) == LATE


def test_a_deadline_without_zone_is_on_the_organisations_clock():
    assert deadline(given(due("2026-03-10T12:00:00"), ASKED), None) == datetime(2026, 3, 10, 11, 0, tzinfo=UTC)


def test_the_past_still_counts():
    overdue = NOW - timedelta(days=2)

    assert deadline(given(due(overdue.isoformat(), LATE.isoformat()), ASKED), None) == overdue
