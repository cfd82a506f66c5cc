"""Let another key sign checkpoints from now on."""

from argparse import ArgumentParser
from pathlib import Path

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from ledger import queries
from ledger.decisions.checkpoints import NotACheckpoint, read
from ledger.gateways import signing
from ledger.gateways.checkpoint_files import FolderUnusable
from ledger.gateways.signing import Signer
from ledger.management.places import checkpoint_folder
from ledger.services import sealing


class Command(BaseCommand):
    """Have the key in use sign one last checkpoint, which names the next key; verification follows it from there."""

    help = (
        "Change the key that signs checkpoints. The present key signs a last checkpoint that announces the next one. "
        "May be interrupted and run again."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the next key, where the operator keeps keys."""
        parser.add_argument(
            "--to", type=Path, metavar="FILE", help="the next key's file; needed where CHECKPOINT_KEY_FILE is set"
        )

    def handle(self, *_: object, **options: object) -> None:
        """Announce the next key and let it take over."""
        to = options["to"]
        if signing.is_ours("checkpoints") == isinstance(to, Path):
            raise CommandError(
                "--to FILE names the next key where CHECKPOINT_KEY_FILE names the present one, and only there."
            )
        try:
            successor = self._successor(to if isinstance(to, Path) else None)
            present = signing.load("checkpoints")
            signing.keep_public("checkpoints", present)
            self._announce(present, successor)
            if signing.is_ours("checkpoints"):
                signing.succeed("checkpoints")
        except (signing.KeyUnusable, sealing.SealRefused, FolderUnusable) as problem:
            raise CommandError(f"The key stays as it was: {problem}") from problem
        after = "" if to is None else f" Set CHECKPOINT_KEY_FILE={to} and start the workers again."
        self.stdout.write(f"From now on key {successor.key_id} signs checkpoints.{after}")

    def _successor(self, file: Path | None) -> Signer:
        if file is not None:
            return signing.read(file, "--to")
        file = signing.next_key_file("checkpoints")
        if not file.exists():
            signing.create(file)
        return signing.read(file, "--to")

    def _announce(self, present: Signer, successor: Signer) -> None:
        if present.public_key == successor.public_key:
            raise CommandError("The next key is the one in use.")
        if _announced() == successor.public_key:
            return
        key = sealing.Key(present, signing.is_signed_by)
        sealing.seal(key, checkpoint_folder(), now=timezone.now(), next_key=successor.public_key)


def _announced() -> bytes | None:
    """Return the key that the newest checkpoint names, where an earlier run was interrupted after it."""
    newest = queries.newest_checkpoint()
    try:
        return read(newest.note).says.next_key if newest else None
    except NotACheckpoint:
        return None
