"""Load keys and policies from files."""

import json
import sys
from argparse import ArgumentParser
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from pathlib import Path

from django.contrib.auth.models import User
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from drafts.queries import organisation_calendar
from drafts.services.publishing import load_files
from ledger.decisions.policy_files import Bundle, read_file
from ledger.decisions.sending import Malformed
from ledger.services.loading import Change, LoadRefused

ENDINGS = frozenset({".json", ".md"})
MOST_BYTES = 8 * 1024 * 1024
BAR = 30


class Command(BaseCommand):
    """Bring keys and policy versions in from JSON or Markdown files; a second run changes nothing."""

    help = "Load question keys and policy versions from .json and .md files or folders of them; all or nothing."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the files and what to do with them."""
        parser.add_argument("paths", nargs="+", type=Path, metavar="PATH")
        parser.add_argument("--dry-run", action="store_true", help="say what would change and change nothing")
        parser.add_argument(
            "--register-keys", action="store_true", help="register plainly what a passage names and nobody has"
        )
        parser.add_argument("--user", help="the user name under which the versions are published")
        parser.add_argument("--format", choices=("table", "json"), default="table")

    def handle(self, *_: object, **options: object) -> None:
        """Load the files and print what became of each key and version."""
        paths = options["paths"]
        files = list(_files(paths if isinstance(paths, list) else []))
        actor = _user(options["user"])
        bundles = {str(file): _read(file) for file in _with_bar(files)}
        try:
            changes = load_files(
                bundles,
                actor=actor,
                now=timezone.now(),
                calendar=organisation_calendar(),
                register_keys=bool(options["register_keys"]),
                dry_run=bool(options["dry_run"]),
            )
        except LoadRefused as refused:
            raise CommandError(f"{refused} Nothing was loaded.") from refused
        self._report(changes, dry_run=bool(options["dry_run"]), as_json=options["format"] == "json")

    def _report(self, changes: Iterable[Change], *, dry_run: bool, as_json: bool) -> None:
        for change in changes:
            if as_json:
                self.stdout.write(json.dumps(asdict(change), ensure_ascii=False))
                continue
            self.stdout.write(f"{change.outcome:<10} {change.what:<8} {change.name} {change.note}".rstrip())
            for line in change.lines:
                self.stdout.write(f"           {line}")
        if dry_run and not as_json:
            self.stdout.write("Nothing was changed: this was a dry run.")


def _files(paths: Iterable[Path]) -> Iterator[Path]:
    for path in paths:
        if path.is_dir():
            found = sorted(file for file in path.rglob("*") if file.suffix in ENDINGS and file.is_file())
            if not found:
                raise CommandError(f"{path}: no .md or .json found. Nothing was loaded.")
            yield from found
        elif path.is_file():
            yield path
        else:
            raise CommandError(f"There is no file or folder {path}. Nothing was loaded.")


def _read(file: Path) -> Bundle:
    if (size := file.stat().st_size) > MOST_BYTES:
        raise CommandError(
            f"{file}: the file has {size:,} bytes; at most {MOST_BYTES:,} are read. Split it. Nothing was loaded."
        )
    try:
        return read_file(file.name, file.read_bytes().decode("utf-8"))
    except UnicodeDecodeError as broken:
        line = file.read_bytes()[: broken.start].count(b"\n") + 1
        raise CommandError(f"{file}: line {line}: this is not UTF-8: {broken.reason}. Nothing was loaded.") from broken
    except Malformed as malformed:
        raise CommandError(f"{file}: {malformed} Nothing was loaded.") from malformed


def _with_bar(files: list[Path]) -> Iterator[Path]:
    """Yield the files; on a terminal draw how far the reading has come."""
    shown = sys.stderr.isatty()
    for done, file in enumerate(files):
        if shown:
            filled = BAR * done // len(files)
            sys.stderr.write(f"\r[{'#' * filled}{'.' * (BAR - filled)}] {done} of {len(files)}")
            sys.stderr.flush()
        yield file
    if shown:
        sys.stderr.write(f"\r[{'#' * BAR}] {len(files)} of {len(files)}\n")


def _user(name: object) -> User | None:
    if name is None:
        return None
    person = User.objects.filter(username=str(name), is_active=True).first()
    if person is None:
        raise CommandError(f"No active person {name!r} is known.")
    return person
