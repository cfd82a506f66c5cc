"""How a version is narrowed when a conflict is settled, and what its settlement was decided on."""

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import date

from ledger.decisions.text import day_in_words
from ledger.decisions.vocabulary import Version


@dataclass(frozen=True, slots=True)
class Narrowing:
    """What is left of a version: fewer channels, a later first day, an earlier end. None leaves a side as it is."""

    version: str
    channels: frozenset[str] | None = None
    effective_from: date | None = None
    effective_until: date | None = None


class CannotNarrow(ValueError):
    """The version cannot be narrowed like this; `field` names the side, the message says what to do."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(f"{field}: {message}")
        self.field = field
        self.message = message


def narrowed(version: Version, wanted: Narrowing) -> Version:
    """Return the version with less of it in force; nothing is ever widened. Raises CannotNarrow."""
    less = replace(
        version,
        channels=version.channels if wanted.channels is None else wanted.channels,
        effective_from=wanted.effective_from or version.effective_from,
        effective_until=wanted.effective_until or version.effective_until,
    )
    _refuse_more(version, less)
    if less == version:
        raise CannotNarrow("version", f"This leaves {version.version} as it is. Take a channel away or move a date.")
    return less


def _refuse_more(version: Version, less: Version) -> None:
    name = version.version
    if not less.channels:
        raise CannotNarrow("channels", f"This would leave {name} no channel. Retire it instead.")
    if more := sorted(less.channels - version.channels):
        raise CannotNarrow("channels", f"{name} does not hold on {', '.join(more)}; narrowing takes channels away.")
    if less.effective_from < version.effective_from:
        message = f"{name} begins on {day_in_words(version.effective_from)}; narrowed, it can only begin later."
        raise CannotNarrow("effective_from", message)
    if version.effective_until is not None and (less.effective_until or date.max) > version.effective_until:
        message = f"{name} ends on {day_in_words(version.effective_until)}; narrowed, it can only end earlier."
        raise CannotNarrow("effective_until", message)
    if less.effective_until is not None and less.effective_until <= less.effective_from:
        side = "effective_until" if less.effective_until != version.effective_until else "effective_from"
        raise CannotNarrow(side, f"This would leave {name} no day at all. Retire it instead.")


def digest(key: str, channel: str, versions: Iterable[Version]) -> str:
    """Return what a settlement is bound to: a digest over everything in the versions that the choice rests on."""
    seen = [
        [
            v.doc_id, v.version, v.title, v.kind.value, v.status.value, v.deciding_date, sorted(v.channels),
            str(v.effective_from), str(v.effective_until), v.answers_for_us, *_passage(v, key),
        ]
        for v in sorted(versions, key=lambda v: (v.doc_id, v.version))
    ]  # fmt: skip
    return hashlib.sha256(json.dumps([key, channel, seen], ensure_ascii=False).encode()).hexdigest()


def _passage(version: Version, key: str) -> tuple[str, str]:
    statement = version.statement_for(key)
    return ("", "") if statement is None else (statement.section, statement.text)
