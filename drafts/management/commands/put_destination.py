"""Say where replies go."""

from argparse import ArgumentParser

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from drafts.queries.destinations import destinations
from drafts.services.destinations import put_destination, rotate_secret, switch
from drafts.services.outcomes import Unusable

ACTOR = "manage.py"


class Command(BaseCommand):
    """Create or change a destination; its secret is printed when it is made, and never again."""

    help = "Say where replies go. A new destination's secret is printed this once; its receiver needs it."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the destination and what is to become of it."""
        parser.add_argument("name", help="what people call it, such as helpdesk")
        parser.add_argument("url", nargs="?", help="where signed requests go; left out, the address stays as it is")
        parser.add_argument(
            "--channel", action="append", default=[], help="a channel it serves, once for each; none means all"
        )
        what = parser.add_mutually_exclusive_group()
        what.add_argument("--on", action="store_true", help="switch it on again")
        what.add_argument("--off", action="store_true", help="switch it off: replies to it wait")
        what.add_argument("--new-secret", action="store_true", help="replace its secret and print the new one")

    def handle(self, *_: object, **options: object) -> None:
        """Do it, and say how things stand."""
        name, url, channels = str(options["name"]), options["url"], options["channel"]
        acting = [flag for flag in ("on", "off", "new_secret") if options[flag]]
        if url is None and not acting:
            raise CommandError("Name an address, or what is to become of the destination; see --help.")
        if url is None and channels:
            raise CommandError("Name the address along with its channels.")
        if url is not None:
            self._put(name, str(url), channels if isinstance(channels, list) else [])
        for flag in acting:
            self._act(_id_of(name), flag)
        self._show(name)

    def _put(self, name: str, url: str, channels: list[str]) -> None:
        try:
            _, secret = put_destination(name=name, url=url, channels=channels, actor_name=ACTOR, now=timezone.now())
        except Unusable as problem:
            raise CommandError(f"{problem.field}: {problem.message}") from problem
        if secret:
            self.stdout.write(secret)

    def _act(self, destination_id: int, flag: str) -> None:
        if flag == "new_secret":
            self.stdout.write(rotate_secret(destination_id=destination_id, now=timezone.now()))
        else:
            switch(destination_id=destination_id, active=flag == "on", now=timezone.now())

    def _show(self, name: str) -> None:
        # Beside the output, which then holds nothing but a secret that was made.
        one = next(one for one in destinations() if one.name == name)
        serves = ", ".join(one.channels) or "all channels"
        self.stderr.write(f"{one.name}: {one.url}, {serves}, {'on' if one.is_active else 'off'}.")


def _id_of(name: str) -> int:
    found = next((one.id for one in destinations() if one.name == name), None)
    if found is None:
        raise CommandError(f"No destination {name!r} is known; name its address to create it.")
    return found
