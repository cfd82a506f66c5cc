"""Load drafts from a file of JSON Lines in the shape of the intake body."""

import json
import sys
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TextIO

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from drafts import queries
from drafts.decisions import bodies
from drafts.decisions.arriving import Unacceptable
from drafts.decisions.textgate import TextRefused, parse_json
from drafts.services.intake import ExternalIdReused, take_in
from ledger.decisions.calendar import BusinessCalendar
from ledger.decisions.router import BadDate

BAR = 30


class Command(BaseCommand):
    """Take in every line as the API would; a second run of the same file changes nothing."""

    help = "Load drafts (JSON Lines, one intake body a line); the same file may be loaded again without harm."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the file and the form of the answer."""
        parser.add_argument("file", type=Path)
        parser.add_argument("--format", choices=("table", "json"), default="table")

    def handle(self, *_: object, **options: object) -> None:
        """Load the file; exit status 1 when a line was refused, naming each with its reason."""
        path = Path(str(options["file"]))
        if not path.is_file():
            raise CommandError(f"There is no file {path}.")
        lines = [line for line in path.read_bytes().split(b"\n") if line.strip()]
        calendar = queries.organisation_calendar()
        counts: Counter[str] = Counter()
        refused: list[dict[str, object]] = []
        for number, line in enumerate(_with_bar(lines, sys.stderr), start=1):
            try:
                counts["new" if _load(line, calendar) else "known"] += 1
            except (TextRefused, Unacceptable, BadDate, ExternalIdReused) as problem:
                counts["refused"] += 1
                refused.append({"line": number, "field": getattr(problem, "field", "external_id"), "why": str(problem)})
        self._report(counts, refused, as_json=options["format"] == "json")
        if refused:
            sys.exit(1)

    def _report(self, counts: Counter[str], refused: list[dict[str, object]], *, as_json: bool) -> None:
        if as_json:
            self.stdout.write(json.dumps({**{k: counts[k] for k in ("new", "known", "refused")}, "problems": refused}))
            return
        self.stdout.write(f"{counts['new']} new, {counts['known']} already known, {counts['refused']} refused.")
        for problem in refused:
            self.stdout.write(f"  line {problem['line']}, {problem['field']}: {problem['why']}")


def _load(line: bytes, calendar: BusinessCalendar) -> bool:
    draft = bodies.draft_from(parse_json(line))
    return take_in(draft, now=timezone.now(), calendar=calendar).created


def _with_bar(lines: list[bytes], out: TextIO) -> Iterator[bytes]:
    """Yield the lines; on a terminal draw how far the work has come."""
    shown = out.isatty()
    for done, line in enumerate(lines):
        if shown and done % 5 == 0:
            filled = BAR * done // len(lines)
            out.write(f"\r[{'#' * filled}{'.' * (BAR - filled)}] {done} of {len(lines)}")
            out.flush()
        yield line
    if shown:
        out.write(f"\r[{'#' * BAR}] {len(lines)} of {len(lines)}\n")
