"""What a destination's answer says."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drafts.decisions.answering import in_short, wait_asked_for

NOW = datetime(2026, 3, 11, 9, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("header", "expected"),
    [
        (None, None),
        ("", None),
        ("0", timedelta(0)),
        (" 120 ", timedelta(minutes=2)),
        ("Wed, 11 Mar 2026 09:05:00 GMT", timedelta(minutes=5)),
        ("Wed, 11 Mar 2026 10:05:00 +0100", timedelta(minutes=5)),
        ("Wed, 11 Mar 2026 08:00:00 GMT", timedelta(0)),
        ("Wed, 11 Mar 2026 09:05:00 -0000", timedelta(minutes=5)),
        ("9" * 40, timedelta(seconds=999_999_999)),
        ("-5", None),
        ("1.5", None),
        ("²", None),
        ("soon", None),
        ("Wed, 99 Mar 2026 09:05:00 GMT", None),
        ("120, 240", None),
    ],
)
def test_a_wait_is_named_in_seconds_or_by_a_date(header, expected):
    assert wait_asked_for(header, now=NOW) == expected


@given(st.text(max_size=60))
def test_any_header_is_read_or_left(header):
    wait = wait_asked_for(header, now=NOW)

    assert wait is None or wait >= timedelta(0)


@pytest.mark.parametrize(
    ("status", "body", "expected"),
    [
        (204, b"", "204 No Content"),
        (200, b'{"ok": true}', '200 OK: {"ok": true}'),
        (503, b"down\r\nfor\x00 a\x1b[31m while \xff", "503 Service Unavailable: down for a [31m while �"),
        (799, b"odd", "799: odd"),
    ],
)
def test_an_answer_is_kept_on_one_printable_line(status, body, expected):
    assert in_short(status, body) == expected


def test_a_long_answer_is_cut():
    assert len(in_short(500, b"x" * 70_000)) == 2000
