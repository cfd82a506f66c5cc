"""Which fields something that was sent may have: a name that nobody reads is refused, for it may be a slip."""

from collections.abc import Iterable
from difflib import get_close_matches

KEY_FIELDS = (
    "key", "question_canonical", "commitment_class", "deciding_facts", "parent", "boundary", "examples", "owner",
)  # fmt: skip
VERSION_FIELDS = (
    "doc_id", "version", "title", "kind", "channels", "deciding_date", "effective_from", "effective_until", "status",
    "statements", "body",
)  # fmt: skip
STATEMENT_FIELDS = ("question_key", "section", "text")
_SHOWN = 60


def stray(sent: Iterable[object], known: Iterable[str]) -> str | None:
    """Return the first name, in the order of the alphabet, that is none of the known ones; None where all are."""
    return next(iter(sorted(str(name) for name in sent if name not in set(known))), None)


def no_such_field(name: str, known: Iterable[str]) -> str:
    """Say that there is no such field, which one may be meant, and which there are."""
    fields = tuple(known)
    meant = meant_by(name, fields)
    asked = f" Did you mean {meant}?" if meant else ""
    return f"there is no field {ascii(name)[:_SHOWN]}.{asked} There are {', '.join(fields)}."


def meant_by(name: str, known: Iterable[str]) -> str | None:
    """Return the known name that another is a slip for, or None where it is like none of them."""
    return next(iter(get_close_matches(name.lower(), tuple(known), n=1, cutoff=0.75)), None)


def as_place(name: str) -> str:
    """Return a name fit to stand in a path and on a terminal."""
    return name if name.isascii() and name.isidentifier() and len(name) <= _SHOWN else ascii(name)[:_SHOWN]
