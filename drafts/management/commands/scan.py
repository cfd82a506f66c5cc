"""Scan a file of drafts for claims and faults; needs no database and no set-up."""

import json
import sys
from argparse import ArgumentTypeError
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import TextIO, override
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from django.core.management.base import BaseCommand, CommandError, CommandParser

from drafts.decisions.scanning import LineRefused, Scanned, scan_line
from drafts.decisions.vocabulary import Claim, Tier

BAR_WIDTH = 30


class Command(BaseCommand):
    """One line out for one line in, even for a line that cannot be read."""

    help = "Scan drafts (JSON Lines) for claims about status, action, timing and outcome, and for faults of the output."
    requires_system_checks = ()

    @override
    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", help='lines {"id", "text", "ticket"?, "now"?, "timezone"?}; - reads standard input')
        parser.add_argument("--format", choices=["table", "json"], default="table")
        parser.add_argument("--now", type=_instant, help="ISO instant at which the drafts would be sent (default: now)")
        parser.add_argument(
            "--timezone", type=_zone, default=ZoneInfo("UTC"), help="zone for dates and clock times (default: UTC)"
        )

    @override
    def handle(self, *args: object, **options: object) -> None:
        zone = options["timezone"]
        assert isinstance(zone, ZoneInfo)  # noqa: S101 - argparse made it one
        given = options["now"]
        now = given if isinstance(given, datetime) else datetime.now(UTC)
        now = now if now.tzinfo else now.replace(tzinfo=zone)
        as_json = options["format"] == "json"
        lines = list(_lines(str(options["file"])))
        for number, line in enumerate(lines, 1):
            _show_progress(sys.stderr, number, len(lines))
            try:
                scanned = scan_line(line, now=now, zone=zone)
            except LineRefused as refused:
                self.stdout.write(_refused(number, str(refused), as_json=as_json))
            else:
                self.stdout.write(_json(scanned.as_json()) if as_json else _table(number, scanned))


def _instant(value: str) -> datetime:
    try:
        return datetime.fromisoformat(value)
    except ValueError as error:
        raise ArgumentTypeError(f"{value!r} is no ISO instant such as 2026-03-10T10:00:00Z") from error


def _zone(value: str) -> ZoneInfo:
    try:
        return ZoneInfo(value)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise ArgumentTypeError(f"{value!r} is no time zone such as Europe/London") from error


def _lines(path: str) -> Iterator[str]:
    """Yield the lines of a file; bytes that are no UTF-8 are replaced, blank lines left out."""
    try:
        raw = sys.stdin.buffer.read() if path == "-" else Path(path).read_bytes()
    except OSError as error:
        raise CommandError(f"{path} cannot be read: {error.strerror}") from error
    for line in raw.decode("utf-8", errors="replace").removeprefix("\ufeff").split("\n"):
        if line.strip():
            yield line


def _json(row: dict[str, object]) -> str:
    # ASCII escapes keep lone surrogates and control characters writable on any terminal.
    return json.dumps(row)


def _refused(number: int, reason: str, *, as_json: bool) -> str:
    if as_json:
        return _json({"id": None, "line": number, "error": reason, "claims": [], "findings": []})
    return f"line {number}: not read ({_printable(reason)})"


def _table(number: int, scanned: Scanned) -> str:
    name = _printable(str(scanned.id)) if scanned.id is not None else f"line {number}"
    rows = [f"{name}: {len(scanned.claims)} claims, {len(scanned.findings)} findings"]
    rows += [_claim_row(claim) for claim in scanned.claims]
    rows += [f"  finding  {f.code:<40} {_printable(f.message)}" for f in scanned.findings]
    return "\n".join(rows)


def _claim_row(claim: Claim) -> str:
    verdict = claim.verdict if claim.tier is Tier.CLAIM else claim.tier
    behind = _printable(claim.record or claim.needs or "")
    return f"  {claim.cls:<8} {verdict:<12} {_printable(claim.text):<60}  {behind}".rstrip()


def _printable(text: str) -> str:
    return "".join(char if char.isprintable() else " " for char in text)


def _show_progress(terminal: TextIO, done: int, total: int) -> None:
    if terminal.isatty():
        bar = "#" * (BAR_WIDTH * done // total)
        terminal.write(f"\r[{bar:<{BAR_WIDTH}}] {done}/{total}" + ("\n" if done == total else ""))
