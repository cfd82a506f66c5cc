"""Issue an API token."""

from argparse import ArgumentParser

from django.contrib.auth.models import User
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from console import tokens
from console.permissions import out_of_reach
from console.scopes import Scope
from drafts.decisions.arriving import Unacceptable
from drafts.decisions.reading import instant, name


class Command(BaseCommand):
    help = "Issue an API token and print it; it is shown this once. It acts as its user, within their role."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name", help="what the token is for, such as chat-bot")
        parser.add_argument("--scopes", required=True, help=f"comma-separated: {', '.join(Scope)}")
        parser.add_argument("--user", required=True, help="the user whom the token acts as")
        parser.add_argument("--expires", help="an ISO 8601 instant after which the token is refused")

    def handle(self, *_args: object, **options: object) -> None:
        scopes = _scopes(str(options["scopes"]))
        user = User.objects.filter(username=str(options["user"]), is_active=True).first()
        if user is None:
            raise CommandError(f"No active user {options['user']!r} is known.")
        for scope in out_of_reach(user, scopes):
            self.stderr.write(f"Note: {user.username}'s role never allows what scope {scope} is for.")
        try:
            expires_at = instant("--expires", options["expires"]) if options["expires"] else None
            label = name("name", str(options["name"]))
        except Unacceptable as problem:
            raise CommandError(f"{problem.field}: {problem.message}") from problem
        secret = tokens.issue(name=label, user=user, scopes=scopes, expires_at=expires_at, now=timezone.now())
        self.stdout.write(secret)


def _scopes(text: str) -> frozenset[Scope]:
    words = [word.strip() for word in text.split(",") if word.strip()]
    unknown = sorted(set(words) - set(Scope))
    if unknown or not words:
        raise CommandError(f"--scopes {text!r}: name some of {', '.join(Scope)}, separated by commas.")
    return frozenset(Scope(word) for word in words)
