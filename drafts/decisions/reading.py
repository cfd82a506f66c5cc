"""Read one JSON object field by field; the first thing that is not as it should be is named by its path."""

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from drafts.decisions.arriving import Unacceptable
from ledger.decisions.text import is_blank

NAME_LIMIT = 256
"""Characters of an identifier, a channel or a version's name."""

EARLIEST, LATEST = 1900, 2200
"""Years between which an instant must lie, so that every zone can show it."""

_INSTANT = re.compile(r"\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})", re.ASCII)
_LINE_BREAKS = frozenset("\u2028\u2029")


def instant(field: str, value: object) -> datetime:
    """Return an instant in UTC from ISO 8601 text with a zone. Raises Unacceptable naming the field."""
    if not isinstance(value, str) or not _INSTANT.fullmatch(value):
        raise Unacceptable(field, "Send a time in ISO 8601 with its zone, such as 2026-03-11T09:14:22Z, or null.")
    try:
        found = datetime.fromisoformat(value).astimezone(UTC)
    except (ValueError, OverflowError):
        raise Unacceptable(field, f"{value} is not a time that exists.") from None
    if not EARLIEST <= found.year < LATEST:
        raise Unacceptable(field, f"{value} lies outside the years {EARLIEST} to {LATEST}.")
    return found


def name(field: str, value: object) -> str:
    """Return an identifier: a short visible text on one line. Raises Unacceptable naming the field."""
    if not isinstance(value, str):
        raise Unacceptable(field, "This must be text. Send a string.")
    if is_blank(value):
        raise Unacceptable(field, "This is empty. Send a name that can be seen.")
    if len(value) > NAME_LIMIT:
        raise Unacceptable(field, f"This has {len(value)} characters; send at most {NAME_LIMIT}.")
    if any(unicodedata.category(c) in {"Cc", "Cs"} or c in _LINE_BREAKS for c in value):
        raise Unacceptable(field, "This holds a control character. Remove it.")
    return value


@dataclass(frozen=True, slots=True)
class Reader:
    """One JSON object and the path at which it stands in the body. Every method raises Unacceptable."""

    values: Mapping[str, object]
    path: str = ""

    @classmethod
    def of(cls, value: object, path: str = "") -> "Reader":
        """Read a value that must be an object."""
        if not isinstance(value, Mapping):
            raise Unacceptable(path or "body", "This must be an object. Send {…} with named fields.")
        return cls(value, path)

    def at(self, field: str) -> str:
        """Return a field's path from the top of the body."""
        return f"{self.path}.{field}" if self.path else field

    def has(self, field: str) -> bool:
        """Say whether a field was sent with another value than null."""
        return self.values.get(field) is not None

    def required(self, field: str) -> object:
        """Return a field's value, which must be there."""
        if not self.has(field):
            raise Unacceptable(self.at(field), "This field is required.")
        return self.values[field]

    def name(self, field: str) -> str:
        """Return a required identifier."""
        return name(self.at(field), self.required(field))

    def name_or_none(self, field: str) -> str | None:
        """Return an identifier, or None where it was not sent."""
        return self.name(field) if self.has(field) else None

    def text(self, field: str) -> str:
        """Return a required text to the letter; it may be empty."""
        value = self.required(field)
        if not isinstance(value, str):
            raise Unacceptable(self.at(field), "This must be text. Send a string.")
        return value

    def visible_text(self, field: str) -> str:
        """Return a required text with something in it that can be seen."""
        value = self.text(field)
        if is_blank(value):
            raise Unacceptable(self.at(field), "This text is empty.")
        return value

    def text_or_none(self, field: str) -> str | None:
        """Return a text to the letter, or None where it was not sent."""
        return self.text(field) if self.has(field) else None

    def one_of(self, field: str, allowed: tuple[str, ...]) -> str:
        """Return a required text that is one of a few words."""
        value = self.text(field)
        if value not in allowed:
            raise Unacceptable(self.at(field), f"This must be one of: {', '.join(allowed)}.")
        return value

    def instant_or_none(self, field: str) -> datetime | None:
        """Return an instant in UTC, or None where it was not sent."""
        return instant(self.at(field), self.values[field]) if self.has(field) else None

    def whole_number(self, field: str, *, least: int) -> int:
        """Return a required whole number that fits a column."""
        value = self.required(field)
        if not isinstance(value, int) or isinstance(value, bool) or not least <= value < 2**31:
            raise Unacceptable(self.at(field), f"This must be a whole number from {least}.")
        return value

    def number_or_none(self, field: str) -> float | None:
        """Return a number, or None where it was not sent."""
        value = self.values.get(field)
        if value is not None and (not isinstance(value, int | float) or isinstance(value, bool) or abs(value) > 1e15):
            raise Unacceptable(self.at(field), "This must be a number or null.")
        return None if value is None else float(value)

    def part(self, field: str) -> "Reader":
        """Return a required object inside this one."""
        return Reader.of(self.required(field), self.at(field))

    def part_or_none(self, field: str) -> "Reader | None":
        """Return an object inside this one, or None where it was not sent."""
        return self.part(field) if self.has(field) else None

    def items(self, field: str) -> tuple[object, ...]:
        """Return the entries of a list; a list that was not sent is empty."""
        value = self.values.get(field)
        if value is not None and not isinstance(value, list | tuple):
            raise Unacceptable(self.at(field), "This must be a list. Send […].")
        return tuple(value or ())

    def parts(self, field: str) -> tuple["Reader", ...]:
        """Return the objects of a list."""
        return tuple(Reader.of(each, f"{self.at(field)}[{place}]") for place, each in enumerate(self.items(field)))

    def names(self, field: str) -> tuple[str, ...]:
        """Return the identifiers of a list."""
        return tuple(name(f"{self.at(field)}[{place}]", each) for place, each in enumerate(self.items(field)))

    def texts(self, field: str) -> tuple[str, ...]:
        """Return the texts of a list, to the letter."""
        found = self.items(field)
        for place, each in enumerate(found):
            if not isinstance(each, str):
                raise Unacceptable(f"{self.at(field)}[{place}]", "This must be text. Send a string.")
        return tuple(each for each in found if isinstance(each, str))
