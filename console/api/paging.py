"""Cursor pagination: a page and an opaque mark where the next one begins."""

import base64
import binascii
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from uuid import UUID

from console.api.problems import field_problem

LIMIT, MOST = 50, 200


def mark(position: Sequence[str]) -> str:
    """Write a position in an order as an opaque cursor."""
    return base64.urlsafe_b64encode(json.dumps(list(position)).encode()).decode().rstrip("=")


def position(cursor: str | None, *, parts: int) -> tuple[str, ...] | None:
    """Read a cursor of so many parts. Raises Problem for one that was not given out here."""
    if not cursor:
        return None
    try:
        found = json.loads(base64.b64decode(cursor + "=" * (-len(cursor) % 4), altchars=b"-_", validate=True))
    except (ValueError, binascii.Error, RecursionError):
        raise _refused() from None
    if not isinstance(found, list) or len(found) != parts or not all(isinstance(part, str) for part in found):
        raise _refused()
    if any("\x00" in part or not part.isprintable() for part in found):
        raise _refused()
    return tuple(found)


def moment_and_id(cursor: str | None) -> tuple[datetime, str] | None:
    """Read a cursor of an instant and an id. Raises Problem."""
    found = position(cursor, parts=2)
    if found is None:
        return None
    try:
        return datetime.fromisoformat(found[0]).astimezone(UTC), str(UUID(found[1]))
    except (ValueError, OverflowError):
        raise _refused() from None


def _refused() -> Exception:
    return field_problem("cursor", "This is no cursor. Use `next` of the page before, or leave it out.")


def page[Row](
    rows: Iterable[Row],
    *,
    key: Callable[[Row], tuple[str, ...]],
    parts: int,
    cursor: str | None,
    limit: int,
    show: Callable[[Row], Mapping[str, object]],
) -> dict[str, object]:
    """Return one page of rows in the order of a key of so many parts, unique among them. Raises Problem."""
    after = position(cursor, parts=parts)
    rest = [row for row in sorted(rows, key=key) if after is None or key(row) > after]
    following = mark(key(rest[limit - 1])) if len(rest) > limit else None
    return {"items": [show(row) for row in rest[:limit]], "next": following}
