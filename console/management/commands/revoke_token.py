"""Revoke an API token."""

from argparse import ArgumentParser

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from console import tokens


class Command(BaseCommand):
    help = "Revoke an API token at once."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("token", help="its name, or its number as list_tokens shows it")

    def handle(self, *_args: object, **options: object) -> None:
        wanted = str(options["token"])
        found = tokens.named(wanted)
        if not found:
            raise CommandError(f"No token {wanted!r} is in use; list_tokens shows them.")
        if len(found) > 1:
            raise CommandError(f"{len(found)} tokens are called {wanted!r}: name one by its number, see list_tokens.")
        tokens.revoke(found[0], now=timezone.now())
        self.stdout.write(f"Revoked: {found[0].name} of {found[0].user.get_username()}.")
