"""Write the registry of question keys into a file that load_keys reads."""

from argparse import ArgumentParser
from pathlib import Path

from django.core.management.base import BaseCommand

from ledger import queries as ledger
from ledger.decisions.key_files import written


class Command(BaseCommand):
    """Write every question key as JSON."""

    help = "Write every question key as JSON into FILE, or on standard output; load_keys reads it back."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the file."""
        parser.add_argument("file", nargs="?", type=Path, metavar="FILE")

    def handle(self, *_: object, **options: object) -> None:
        """Write the keys by name."""
        text = written(ledger.registry().values())
        file = options["file"]
        if isinstance(file, Path):
            file.write_text(text, encoding="utf-8")
            self.stderr.write(f"{len(ledger.registry())} keys were written into {file}.")
        else:
            self.stdout.write(text, ending="")
