"""One row of an audit check as a page shows it, whichever check it belongs to."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.urls import reverse
from django.utils.dateparse import parse_datetime

from console.views.highlight import plain
from drafts.decisions.structure import Piece
from drafts.queries.auditing import conversation_pages
from ledger import queries as ledger

COLUMNS: Mapping[int, tuple[str, ...]] = {
    1: ("conversation_id", "question_key", "distinct_answers", "answers"),
    2: ("question_key", "documents", "versions", "channels"),
    3: (
        "conversation_id", "question_key", "text", "said_by", "said_at", "commitment_id", "item_id", "differs",
        "entry_id",
    ),
    4: (
        "conversation_id", "question_key", "entry_id", "answer_text", "reason", "owner", "decided_by", "recorded_at",
    ),
    5: ("conversation_id", "question_key", "entry_id", "answer_text", "decided_by", "recorded_at"),
}  # fmt: skip
"""What the file of each check holds, in this order."""
_WHO = ("said_by", "decided_by")
_WHEN = ("said_at", "recorded_at")


@dataclass(frozen=True, slots=True)
class Row:
    """One row: what was said where, and where it can be put right. Empty where it does not apply."""

    key: str
    conversation: str
    conversation_url: str
    item_url: str
    correct_url: str
    withdraw_url: str
    texts: tuple[tuple[Piece, ...], ...]
    badge: str
    is_grave: bool
    who: str
    is_outside: bool
    at: datetime | None
    documents: tuple[str, ...]
    channels: tuple[str, ...]
    conflicts: tuple[tuple[str, str], ...]
    commitment: int | None


def rows_of(found: Sequence[Mapping[str, object]]) -> tuple[Row, ...]:
    """Turn the rows of a check, as they were found or as they were kept with a run, into those of a page."""
    pages = conversation_pages(_text(row, "conversation_id") for row in found)
    contested = [_text(row, "question_key") for row in found if "documents" in row]
    conflicts = ledger.open_conflicts_of(contested) if contested else {}
    return tuple(_row(row, pages, conflicts) for row in found)


def _row(
    row: Mapping[str, object], pages: Mapping[str, int], conflicts: Mapping[str, tuple[tuple[str, str], ...]]
) -> Row:
    name, key = _text(row, "conversation_id"), _text(row, "question_key")
    page, item = pages.get(name), _text(row, "item_id")
    badge, is_grave = _badge(row)
    is_outside = bool(row.get("commitment_id"))
    return Row(
        key=key,
        conversation=name,
        conversation_url=reverse("conversation", args=[page]) if page else "",
        item_url=reverse("review", args=[item]) if item else "",
        correct_url=reverse("conversation-correct", args=[page, key]) if page and _is_locked(row) else "",
        withdraw_url=reverse("conversation-withdraw", args=[page, key]) if page and key and is_outside else "",
        texts=tuple(plain(text) for text in _texts(row)),
        badge=badge,
        is_grave=is_grave,
        who="" if is_outside else next((_text(row, column) for column in _WHO if row.get(column)), ""),
        is_outside=is_outside,
        at=next((_instant(row[column]) for column in _WHEN if row.get(column)), None),
        documents=_list(row, "documents"),
        channels=_list(row, "channels"),
        conflicts=conflicts.get(key, ()),
        commitment=int(str(row["commitment_id"])) if row.get("commitment_id") else None,
    )


def _is_locked(row: Mapping[str, object]) -> bool:
    """Only a question with an answer on record can be corrected; of a reply from outside that is not sure."""
    return not row.get("commitment_id") or bool(row.get("entry_id"))


def _badge(row: Mapping[str, object]) -> tuple[str, bool]:
    """Say in two or three words what is wrong with a row, where rows of one check differ in it."""
    if row.get("commitment_id"):
        if not row.get("entry_id"):
            return "nothing was locked", False
        return ("another value", True) if row.get("differs") else ("the same value in other words", False)
    if row.get("item_id"):
        return "decided here without a replay", True
    if "owner" in row:
        lacking = [name for name in ("reason", "owner") if not (_text(row, name)).strip()]
        return f"no {' and no '.join(lacking)}" if lacking else "nothing to read in it", True
    return "", False


def _texts(row: Mapping[str, object]) -> Iterable[str]:
    several = _list(row, "answers")
    return several or tuple(_text(row, column) for column in ("text", "answer_text") if row.get(column))


def _list(row: Mapping[str, object], column: str) -> tuple[str, ...]:
    value = row.get(column)
    return tuple(str(each) for each in value) if isinstance(value, list | tuple) else ()


def _text(row: Mapping[str, object], column: str) -> str:
    value = row.get(column)
    return "" if value is None else str(value)


def _instant(value: object) -> datetime | None:
    return value if isinstance(value, datetime) else parse_datetime(str(value))
