"""Seal the ledger now."""

from argparse import ArgumentParser

from django.core.management.base import BaseCommand, CommandError
from django.db import OperationalError
from django.utils import timezone

from ledger.gateways import signing
from ledger.gateways.checkpoint_files import FolderUnusable
from ledger.management.places import checkpoint_folder
from ledger.services import sealing


class Command(BaseCommand):
    """Sign a checkpoint over what is new, as workers do every minute; running it twice makes one."""

    help = "Sign a checkpoint over entries that none covers yet, and write it into CHECKPOINT_DIR."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the way out when the key is lost."""
        parser.add_argument(
            "--new-key",
            action="store_true",
            help="go on with a key that the last checkpoint does not announce, because the one before is lost; "
            "verify_ledger reports the change unless both public keys are given to it",
        )

    def handle(self, *_: object, **options: object) -> None:
        """Seal, and say what stands now."""
        folder = checkpoint_folder()
        try:
            signer = signing.load("checkpoints")
            key = sealing.Key(signer, signing.is_signed_by, begins_anew=bool(options["new_key"]))
            made = sealing.seal(key, folder, now=timezone.now())
        except (signing.KeyUnusable, sealing.SealRefused, FolderUnusable) as problem:
            raise CommandError(f"The ledger was not sealed: {problem}") from problem
        except OperationalError as error:
            raise CommandError(
                f"The ledger was not sealed ({str(error).strip()}): another sealer may be at work; run it again."
            ) from error
        if made is None:
            self.stdout.write("Nothing is new since the last checkpoint.")
            return
        self.stdout.write(
            f"Checkpoint {made.says.number} covers {made.says.size} entries; it is signed by key {made.says.key_id} "
            f"and stands in {folder.path}."
        )
