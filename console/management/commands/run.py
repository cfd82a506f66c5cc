"""Run everything on this machine."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from types import FrameType

from django.conf import settings
from django.core.management import get_commands
from django.core.management.base import BaseCommand, CommandError
from django.db import connection

from console.database.places import data_directory
from console.database.running import first_address
from console.database.sharing import SESSION_NAME, in_use, start_for_users
from console.management.commands.create_people import PEOPLE, SAMPLE_PASSWORD
from console.supervisor import Program, listening_address, supervise
from drafts.queries.destinations import destinations


class Command(BaseCommand):
    help = "Prepare the database, load the sample, and run everything until Ctrl-C. PORT and LOAD_SAMPLE are read."
    requires_system_checks = ()

    def handle(self, *_args: object, **_options: object) -> None:
        address = listening_address(os.environ.get("PORT", "8000"))
        os.environ["PGAPPNAME"] = SESSION_NAME
        with first_address(data_directory(os.environ), address) as first, in_use(settings.DATABASE_PLACE.cluster):
            _allow_replies_to(first)
            with _stopped_once():
                self._prepare()
                self._greet(address, first)
            status = supervise([_web(address), _worker(), _beat()], meanwhile=_revive_database)
        if status:
            raise CommandError("the web server ended by itself, so everything was stopped; its last lines are above.")

    def _prepare(self) -> None:
        _manage("prepare_database", COUNTERSIGN_DATABASE_ROLE="owner")
        _manage("collectstatic", "--noinput", "--verbosity=0")
        if os.environ.get("LOAD_SAMPLE") != "0" and "load_sample" in get_commands():
            _manage("load_sample")

    def _greet(self, address: str, first: str) -> None:
        self.stdout.write(f"\nCountersign: http://{address}/\n")
        for group in dict.fromkeys(group for group, _first, _last in PEOPLE.values()):
            names = ", ".join(name for name, person in PEOPLE.items() if person[0] == group)
            self.stdout.write(f"  {names:<13} {SAMPLE_PASSWORD}   {group.replace('_', ' ')}")
        if first != address:
            self.stdout.write(f"Another run of this folder serves http://{first}/; sample replies go there.")
        for line in _where_replies_go():
            self.stdout.write(line)
        self.stdout.write("Ctrl-C stops everything.\n")
        self.stdout.flush()


def _where_replies_go() -> list[str]:
    active = [one for one in destinations() if one.is_active]
    connection.close()
    if not active:
        return ["Replies wait: `manage.py put_destination NAME URL` says where they go."]
    return [f"Replies go to {one.url} ({', '.join(one.channels) or 'all channels'})." for one in active]


def _revive_database() -> None:
    """Start the embedded database again when it was killed; one that was stopped in order stays stopped."""
    cluster = settings.DATABASE_PLACE.cluster
    if cluster is not None and cluster.crashed():
        start_for_users(cluster)


def _allow_replies_to(address: str) -> None:
    """Let replies go to the sample's receiver, which the web server of the first run is."""
    allowed = filter(None, (os.environ.get("PRIVATE_DESTINATIONS"), address))
    os.environ["PRIVATE_DESTINATIONS"] = ",".join(allowed)


def _web(address: str) -> Program:
    options = ["--worker-class=gthread", "--workers=2", "--threads=8", "--no-control-socket", "--log-level=warning"]
    return Program("web server", [sys.executable, "-m", "gunicorn", f"--bind={address}", *options, "console.wsgi"])


def _worker() -> Program:
    # Threads: a task waits for the network, and a process for each would cost 80 MB.
    options = ["--pool=threads", "--concurrency=4", "--without-gossip", "--without-mingle", "--without-heartbeat"]
    return Program("worker", [*_celery(), "worker", *options], replaceable=True)


def _beat() -> Program:
    return Program("beat", [*_celery(), "beat", "--pidfile="], replaceable=True)


def _celery() -> list[str]:
    # Celery warns of the root account for the sake of pickled messages, which the settings refuse; and the checks are
    # of the web's addresses, which a worker does not serve.
    python = [sys.executable, "-W", "ignore:::celery.platforms"]
    return [*python, "-m", "celery", "--quiet", "--skip-checks", "--app=console"]


def _manage(*arguments: str, **environment: str) -> None:
    command = [sys.executable, str(settings.BASE_DIR / "manage.py"), *arguments]
    # A session of its own: Ctrl-C reaches it once, from here, however often it is pressed.
    with subprocess.Popen(command, env=_environment(environment), start_new_session=True) as process:  # noqa: S603 - our own commands
        try:
            status = process.wait()
        except KeyboardInterrupt:
            process.send_signal(signal.SIGINT)
            process.wait()
            raise
    if status != 0:
        raise CommandError(f"`manage.py {arguments[0]}` failed; its message is above.")


@contextmanager
def _stopped_once() -> Iterator[None]:
    """Let the first Ctrl-C interrupt the block, and no later one what comes after it, such as stopping the database."""

    def interrupt(_number: int, _frame: FrameType | None) -> None:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGINT, interrupt)
    yield
    signal.signal(signal.SIGINT, before)


def _environment(changes: Mapping[str, str]) -> dict[str, str]:
    return {**os.environ, **changes}
