"""Scan one line of a file of drafts: its claims with verdicts, and what is wrong with the output as a whole."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from drafts.decisions import structure
from drafts.decisions.claims import detect, judge
from drafts.decisions.report import claim_as_json
from drafts.decisions.vocabulary import Claim, Finding
from ledger.decisions.calendar import BusinessCalendar


class LineRefused(Exception):
    """A line of the file is no draft that can be scanned."""


@dataclass(frozen=True, slots=True)
class Scanned:
    """What was found in one draft."""

    id: object
    claims: tuple[Claim, ...]
    findings: tuple[Finding, ...]

    def as_json(self) -> dict[str, object]:
        """Return the published shape of a scanned line; instants in UTC."""
        return {
            "id": self.id,
            "claims": [claim_as_json(claim) for claim in self.claims],
            "findings": [{"code": f.code, "start": f.start, "end": f.end} for f in self.findings],
        }


def scan_line(line: str, *, now: datetime, zone: ZoneInfo) -> Scanned:
    """Scan one JSON line. Its own `now` and `timezone` go before the given ones.

    Raises LineRefused, with the reason in words, for a line that is no JSON object with a text.
    """
    row = _row(line)
    text = row.get("text")
    if not isinstance(text, str):
        raise LineRefused("text is missing or no string")
    zone = _zone(row.get("timezone")) or zone
    now = _instant(row.get("now"), zone) or now
    ticket = row.get("ticket")
    if ticket is not None and not isinstance(ticket, Mapping):
        raise LineRefused("ticket is no object")
    claims = judge(detect(text), text=text, ticket=ticket, now=now, calendar=BusinessCalendar(zone))
    return Scanned(row.get("id"), claims, _findings(text, row))


def _row(line: str) -> dict[str, object]:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise LineRefused(f"no JSON: {error}") from error
    if not isinstance(row, dict):
        raise LineRefused("no JSON object")
    return row


def _zone(value: object) -> ZoneInfo | None:
    if value is None:
        return None
    try:
        return ZoneInfo(str(value))
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise LineRefused(f"timezone {value!r} is not known") from error


def _instant(value: object, zone: ZoneInfo) -> datetime | None:
    if value is None:
        return None
    try:
        moment = datetime.fromisoformat(str(value))
    except ValueError as error:
        raise LineRefused(f"now {value!r} is no ISO instant") from error
    return moment if moment.tzinfo else moment.replace(tzinfo=zone)


def _findings(text: str, row: Mapping[str, object]) -> tuple[Finding, ...]:
    selected, missing = row.get("selected_version"), row.get("missing_fields")
    names = [str(name) for name in missing] if isinstance(missing, list) else []
    return (
        *structure.several_drafts(text),
        *structure.hidden_characters(text),
        *structure.mixed_scripts(text),
        *structure.markup(text),
        *structure.language(text),
        *structure.contradictory_fields(selected if isinstance(selected, str) else None, names, None),
    )
