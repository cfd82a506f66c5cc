"""Run everything on this machine."""

import os
import subprocess
import sys
from collections.abc import Mapping

from django.conf import settings
from django.core.management import get_commands
from django.core.management.base import BaseCommand, CommandError

from console.database.sharing import SESSION_NAME, in_use, start_for_users
from console.management.commands.create_people import PEOPLE, SAMPLE_PASSWORD
from console.supervisor import listening_address, supervise


class Command(BaseCommand):
    help = "Prepare the database, load the sample, and run the web server until Ctrl-C. PORT and LOAD_SAMPLE are read."
    requires_system_checks = ()

    def handle(self, *_args: object, **_options: object) -> None:
        address = listening_address(os.environ.get("PORT", "8000"))
        os.environ["PGAPPNAME"] = SESSION_NAME
        with in_use(settings.DATABASE_PLACE.cluster):
            self._prepare()
            self._greet(address)
            status = supervise([_web_server(address)], meanwhile=_revive_database)
        if status:
            raise CommandError("a process ended by itself, so everything was stopped; its last lines are above.")

    def _prepare(self) -> None:
        _manage("prepare_database", COUNTERSIGN_DATABASE_ROLE="owner")
        _manage("collectstatic", "--noinput", "--verbosity=0")
        if os.environ.get("LOAD_SAMPLE") != "0" and "load_sample" in get_commands():
            _manage("load_sample")

    def _greet(self, address: str) -> None:
        self.stdout.write(f"\nCountersign: http://{address}/\n")
        for name, (group, _first, _last) in PEOPLE.items():
            self.stdout.write(f"  {name:<8} {SAMPLE_PASSWORD}   {group.replace('_', ' ')}")
        self.stdout.write("Ctrl-C stops everything.\n")
        self.stdout.flush()


def _revive_database() -> None:
    """Start the embedded database again when it was killed; one that was stopped in order stays stopped."""
    cluster = settings.DATABASE_PLACE.cluster
    if cluster is not None and cluster.crashed():
        start_for_users(cluster)


def _web_server(address: str) -> list[str]:
    options = ["--worker-class=gthread", "--workers=2", "--threads=8", "--no-control-socket", "--log-level=warning"]
    return [sys.executable, "-m", "gunicorn", f"--bind={address}", *options, "console.wsgi"]


def _manage(*arguments: str, **environment: str) -> None:
    command = [sys.executable, str(settings.BASE_DIR / "manage.py"), *arguments]
    ended = subprocess.run(command, env=_environment(environment), check=False)  # noqa: S603 - our own commands
    if ended.returncode != 0:
        raise CommandError(f"`manage.py {arguments[0]}` failed; its message is above.")


def _environment(changes: Mapping[str, str]) -> dict[str, str]:
    return {**os.environ, **changes}
