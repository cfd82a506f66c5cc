"""The helpdesk's ticket as dotted names and values."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from console.views.highlight import plain
from drafts.decisions.structure import Piece

if TYPE_CHECKING:
    from drafts.models import Ticket

ROWS_SHOWN = 200


@dataclass(frozen=True, slots=True)
class TicketCard:
    """A ticket's fields at one time; `empty` names those that hold nothing."""

    name: str
    as_of: datetime
    rows: tuple[tuple[str, tuple[Piece, ...]], ...]
    empty: tuple[str, ...]


def ticket_card(ticket: "Ticket | None") -> TicketCard | None:
    """Return the fields of a ticket, those that hold something first."""
    if ticket is None:
        return None
    fields = list(_flat(ticket.fields))[:ROWS_SHOWN]
    return TicketCard(
        ticket.external_id,
        ticket.as_of,
        tuple((path, plain(value)) for path, value in fields if value),
        tuple(path for path, value in fields if not value),
    )


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
    return ", ".join(_written(one) for one in value) if isinstance(value, list) else str(value)
