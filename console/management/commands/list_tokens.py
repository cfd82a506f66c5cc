"""Show the API tokens."""

import json
from argparse import ArgumentParser
from datetime import datetime

from django.core.management.base import BaseCommand
from django.utils import timezone

from console import tokens
from console.models import ApiToken


class Command(BaseCommand):
    help = "Show every API token with its user, scopes and last use; secrets are kept nowhere."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--format", choices=("table", "json"), default="table")

    def handle(self, *_args: object, **options: object) -> None:
        rows = [_row(token, timezone.now()) for token in tokens.every_token()]
        if options["format"] == "json":
            for row in rows:
                self.stdout.write(json.dumps(row))
            return
        for row in rows:
            self.stdout.write(
                f"{row['id']:>5}  {row['name']:<24} {row['user']:<16} {row['state']:<8} "
                f"last used {row['last_used_at'] or 'never'}  {row['scopes']}"
            )


def _row(token: ApiToken, now: datetime) -> dict[str, object]:
    state = "revoked" if token.revoked_at else "active" if tokens.is_usable(token, now=now) else "expired"
    return {
        "id": token.pk,
        "name": token.name,
        "user": token.user.get_username(),
        "scopes": ",".join(token.scopes),
        "state": state,
        "created_at": token.created_at.isoformat(),
        "last_used_at": token.last_used_at.isoformat() if token.last_used_at else None,
    }
