"""Make an evidence pack of one conversation, signed and ready to be handed on."""

from argparse import ArgumentParser
from pathlib import Path
from uuid import UUID

from django.contrib.auth.models import User
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from drafts import evidence_verifier
from drafts.decisions.evidence import TooLarge
from drafts.models import Conversation, EvidencePack
from drafts.services import evidence
from drafts.services.evidence import FORMS, Made, NotTheSame
from ledger.decisions.checkpoints import SignedCheckpoint
from ledger.gateways.checkpoint_files import FolderUnusable
from ledger.gateways.signing import KeyUnusable
from ledger.management import outside
from ledger.management.outside import NotOurs

VERIFIER = "verify_evidence.py"


class Command(BaseCommand):
    """Write the pack in both forms, with the program that checks them, into a folder."""

    help = (
        "Write the signed evidence pack of a conversation (JSON and readable HTML) and the program that checks it into "
        "a folder. With --again a pack that was made before is made once more, byte for byte."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the conversation, the folder, and who has it made."""
        parser.add_argument("conversation", nargs="?", help="the conversation's id, as the bot or helpdesk names it")
        parser.add_argument("--out", type=Path, required=True, help="the folder; it is made where it is missing")
        parser.add_argument("--user", help="the person who has it made; otherwise the command line")
        parser.add_argument("--checkpoint", type=Path, help="a checkpoint kept outside, to tie the pack to")
        parser.add_argument("--again", metavar="SHA256", help="make the pack with this digest again")

    def handle(self, *_: object, **options: object) -> None:
        """Make, write, and print the name and digest of each file."""
        folder = Path(str(options["out"]))
        try:
            kept = _checkpoint(options["checkpoint"])
            packs = (
                _again(str(options["again"]), kept)
                if options["again"]
                else _new(options["conversation"], options["user"], kept)
            )
            folder.mkdir(parents=True, exist_ok=True)
            for made in packs:
                path = folder / made.file_name
                path.write_bytes(made.data)
                self.stdout.write(f"{path}  SHA-256 {made.sha256}")
            program = Path(evidence_verifier.__file__).with_name(VERIFIER).read_bytes()
            (folder / VERIFIER).write_bytes(program)
        except (TooLarge, KeyUnusable, NotTheSame, NotOurs, FolderUnusable) as refused:
            raise CommandError(str(refused)) from refused
        except OSError as problem:
            raise CommandError(f"{problem.filename} cannot be written: {problem.strerror}.") from problem
        self.stdout.write(f"Signed with key {packs[0].key_id}. Check with: python3 {folder / VERIFIER} FILE")


def _checkpoint(file: object) -> SignedCheckpoint | None:
    return None if file is None else outside.kept(Path(str(file)), now=timezone.now())


def _new(conversation: object, user: object, kept: SignedCheckpoint | None) -> list[Made]:
    found = Conversation.objects.filter(external_id=str(conversation or "")).first()
    if found is None:
        raise CommandError(f"No conversation {conversation!r} is known." if conversation else "Name a conversation.")
    actor = User.objects.filter(username=str(user), is_active=True).first() if user else None
    if user and actor is None:
        raise CommandError(f"No active user {user!r} is known.")
    now = timezone.now()
    return [evidence.make(conversation_id=found.pk, form=form, actor=actor, now=now, kept=kept) for form in FORMS]


def _again(digest: str, kept: SignedCheckpoint | None) -> list[Made]:
    found = EvidencePack.objects.filter(sha256=digest.lower()).values_list("pk", flat=True).first()
    if found is None:
        raise CommandError(f"No pack with the digest {digest} was made.")
    return [evidence.make_again(UUID(str(found)), kept)]
