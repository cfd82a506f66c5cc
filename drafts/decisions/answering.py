"""What a destination's answer says, made fit to keep: its wait, and its words in short."""

from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from http import HTTPStatus

LONGEST_SAID = 2000
MOST_DIGITS = 9


def wait_asked_for(header: str | None, *, now: datetime) -> timedelta | None:
    """Return the wait that a Retry-After header names, in seconds or as an HTTP date; None where it names none."""
    value = (header or "").strip()
    if value.isascii() and value.isdigit():
        return timedelta(seconds=int(value[:MOST_DIGITS]))
    try:
        until = parsedate_to_datetime(value)
    except ValueError:
        return None
    aware = until if until.tzinfo else until.replace(tzinfo=UTC)
    return max(aware - now, timedelta(0))


def in_short(status: int, body: bytes) -> str:
    """Return status and beginning of an answer as one line of printable text."""
    words = printable(body.decode("utf-8", errors="replace"))
    head = f"{status} {_name_of(status)}".strip()
    return f"{head}: {words}"[:LONGEST_SAID] if words else head


def printable(text: str) -> str:
    """Return the beginning of a text that somebody else wrote, on one line and without control characters."""
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())[:LONGEST_SAID]


def _name_of(status: int) -> str:
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return ""
