"""Print the newest checkpoint, to be kept elsewhere."""

from argparse import ArgumentParser

from django.core.management.base import BaseCommand, CommandError

from ledger import queries
from ledger.gateways import signing
from ledger.gateways.checkpoint_files import FolderUnusable
from ledger.management.places import checkpoint_folder
from ledger.services import sealing


class Command(BaseCommand):
    """Print the newest checkpoint as it was signed, so that it can be mailed, printed or kept by somebody else."""

    help = "Print the newest checkpoint; with --all, write those that CHECKPOINT_DIR lacks."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the other use."""
        parser.add_argument("--all", action="store_true", help="write every checkpoint that the folder lacks")

    def handle(self, *_: object, **options: object) -> None:
        """Print one, or write the missing ones."""
        if options["all"]:
            self._write_all()
            return
        newest = queries.newest_checkpoint()
        if newest is None:
            raise CommandError("Nothing was sealed yet: run `manage.py seal_ledger`.")
        self.stdout.write(newest.note, ending="")

    def _write_all(self) -> None:
        folder = checkpoint_folder()
        try:
            key = sealing.Key(signing.load("checkpoints"), signing.is_signed_by)
            brought = sealing.export(key, folder, every=True)
        except (signing.KeyUnusable, FolderUnusable) as problem:
            raise CommandError(str(problem)) from problem
        self.stdout.write(f"{brought} {'checkpoint' if brought == 1 else 'checkpoints'} written to {folder.path}.")
