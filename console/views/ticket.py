"""The helpdesk's ticket, and an item's facts, as names in words and values; instants in the organisation's zone."""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, datetime
from typing import TYPE_CHECKING

from console.views import words
from console.views.highlight import plain
from drafts.decisions.structure import Piece

if TYPE_CHECKING:
    from drafts.models import Ticket

ROWS_SHOWN = 200


@dataclass(frozen=True, slots=True)
class FieldRow:
    """One field: `path` and `raw` are what the helpdesk wrote, `at` or `on` the instant or date that it means."""

    name: str
    path: str
    pieces: tuple[Piece, ...]
    raw: str
    at: datetime | None
    on: date | None


@dataclass(frozen=True, slots=True)
class TicketCard:
    """A ticket's fields at one time; `empty` names those that hold nothing."""

    name: str
    as_of: datetime
    rows: tuple[FieldRow, ...]
    empty: tuple[str, ...]


def ticket_card(ticket: "Ticket | None") -> TicketCard | None:
    """Return the fields of a ticket, those that hold something first."""
    if ticket is None:
        return None
    fields = list(_flat(ticket.fields))[:ROWS_SHOWN]
    return TicketCard(
        ticket.external_id,
        ticket.as_of,
        tuple(_row(path, value) for path, value in fields if value),
        tuple(words.ticket_field(path) for path, value in fields if not value),
    )


def fact_rows(facts: Mapping[str, object]) -> tuple[FieldRow, ...]:
    """Return the facts that are known, by name."""
    return tuple(_row(name, str(value)) for name, value in sorted(facts.items()) if value is not None)


def _row(path: str, value: str) -> FieldRow:
    return FieldRow(words.ticket_field(path), path, plain(value), value, _instant(value), _date(value))


def _instant(value: str) -> datetime | None:
    """Read an instant; one without a zone stays as it was written, since nobody can say when it was."""
    with suppress(ValueError):
        read = datetime.fromisoformat(value) if "T" in value else None
        return read if read is not None and read.tzinfo is not None else None
    return None


def _date(value: str) -> date | None:
    with suppress(ValueError):
        return date.fromisoformat(value) if value[4:5] == "-" else None
    return None


def _flat(value: Mapping[str, object], prefix: str = "") -> Iterator[tuple[str, str]]:
    for name, one in value.items():
        path = f"{prefix}{name}"
        if isinstance(one, dict):
            yield from _flat(one, f"{path}.")
        else:
            yield path, _written(one)


def _written(value: object) -> str:
    if value is None or value == "":
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, dict):
        return ", ".join(f"{words.ticket_field(str(name))}: {_written(one)}" for name, one in value.items())
    if isinstance(value, list) and any(isinstance(one, dict) for one in value):
        return "; ".join(_written(one) for one in value)
    return ", ".join(_written(one) for one in value) if isinstance(value, list) else str(value)
