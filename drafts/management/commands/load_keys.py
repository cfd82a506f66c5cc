"""Load question keys from a file, or the default registry."""

import json
from argparse import ArgumentParser
from dataclasses import asdict
from pathlib import Path

from django.contrib.auth.models import User
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from drafts import queries
from drafts.services.registering import Registered, RegistryRefused, missing_defaults, register
from ledger.decisions.key_files import KeysUnusable, read_keys
from ledger.decisions.vocabulary import KeyEntry


class Command(BaseCommand):
    """Bring question keys in; a second run changes nothing."""

    help = (
        "Load question keys from a JSON file as export_keys writes it, all or nothing; "
        "without a FILE, those of the default registry that are not there yet."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the file and what to do with it."""
        parser.add_argument("file", nargs="?", type=Path, metavar="FILE")
        parser.add_argument("--dry-run", action="store_true", help="say what would change and change nothing")
        parser.add_argument("--user", help="the user name under which the keys are changed")
        parser.add_argument("--format", choices=("table", "json"), default="table")

    def handle(self, *_: object, **options: object) -> None:
        """Load the keys and print what became of each, and which open drafts that touches."""
        file = options["file"]
        entries = _read(file) if isinstance(file, Path) else missing_defaults()
        try:
            told = register(
                entries,
                actor=_user(options["user"]),
                now=timezone.now(),
                calendar=queries.organisation_calendar(),
                dry_run=bool(options["dry_run"]),
            )
        except RegistryRefused as refused:
            raise CommandError(f"{file}: {refused} Nothing was loaded.") from refused
        self._report(told, dry_run=bool(options["dry_run"]), as_json=options["format"] == "json")

    def _report(self, told: Registered, *, dry_run: bool, as_json: bool) -> None:
        if as_json:
            self.stdout.write(json.dumps(asdict(told), ensure_ascii=False, default=str))
            return
        for one in told.keys:
            fields = f" ({', '.join(one.fields)})" if one.outcome == "changed" else ""
            self.stdout.write(f"{one.outcome:<10} {one.key}{fields}")
        for draft in told.drafts:
            self.stdout.write(f"draft      {draft.external_id}: {draft.before} → {draft.after}")
        for key, channel in told.conflicts:
            self.stdout.write(f"conflict   {key} on {channel}")
        if not told.keys:
            self.stdout.write("Every key of the default registry is there already.")
        if dry_run:
            self.stdout.write("Nothing was changed: this was a dry run.")


def _read(file: Path) -> tuple[KeyEntry, ...]:
    try:
        return read_keys(file.read_bytes().decode("utf-8"))
    except OSError as missing:
        raise CommandError(f"{file} cannot be read: {missing.strerror}") from missing
    except UnicodeDecodeError as broken:
        raise CommandError(f"{file}: this is not UTF-8: {broken}") from broken
    except KeysUnusable as unusable:
        faults = "\n".join(f"{file}, {fault}" for fault in unusable.faults)
        raise CommandError(f"{faults}\nNothing was loaded.") from unusable


def _user(name: object) -> User | None:
    if name is None:
        return None
    person = User.objects.filter(username=str(name), is_active=True).first()
    if person is None:
        raise CommandError(f"No active person {name!r} is known.")
    return person
