"""Write policy versions into Markdown files."""

from argparse import ArgumentParser
from pathlib import Path

from django.core.management.base import BaseCommand, CommandError

from ledger import queries
from ledger.decisions.policy_writing import file_name, write_markdown
from ledger.decisions.vocabulary import Version


class Command(BaseCommand):
    """Write every version as the Markdown file that `load_policies` reads back to the letter."""

    help = "Write policy versions into a folder, one Markdown file each; files of the same name are replaced."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the folder and which documents go there."""
        parser.add_argument("folder", type=Path, metavar="DIR")
        parser.add_argument("--document", action="append", default=[], metavar="DOC_ID", help="only this document's")

    def handle(self, *_: object, **options: object) -> None:
        """Write the files and name them."""
        folder, wanted = Path(str(options["folder"])), options["document"]
        names = [str(name) for name in wanted] if isinstance(wanted, list) else []
        versions = queries.versions_of(names or [document.doc_id for document in queries.documents()])
        if unknown := set(names) - {version.doc_id for version in versions}:
            raise CommandError(f"There is no document {min(unknown)!r}. Nothing was written.")
        folder.mkdir(parents=True, exist_ok=True)
        for name, version in _named(versions).items():
            with (folder / name).open("w", encoding="utf-8", newline="") as file:
                file.write(write_markdown(version))
            self.stdout.write(str(folder / name))


def _named(versions: tuple[Version, ...]) -> dict[str, Version]:
    """Give every version a file of its own, also where two names differ in signs that no file name can have."""
    named: dict[str, Version] = {}
    for version in versions:
        name, number = file_name(version), 2
        while name.lower() in {known.lower() for known in named}:
            name, number = file_name(version).replace(".md", f"-{number}.md"), number + 1
        named[name] = version
    return named
