"""An installation of its own, with the processes that `manage.py run` would start, each of which a test may kill."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import psycopg
from psycopg.conninfo import make_conninfo

from console.database.places import Place, place
from console.management.commands import run
from tests import builders
from tests.faults.helpdesk import Helpdesk, helpdesk

ROOT = Path(__file__).resolve().parent.parent.parent
PATIENCE = 90.0
COMMANDS = {"worker": run._worker, "beat": run._beat}
PASSES = "UPDATE drafts_delivery SET {column} = {column} - make_interval(secs => %s) WHERE {column} IS NOT NULL"


@dataclass
class Installation:
    """Its environment and database, the helpdesk that takes its replies, and its processes by name."""

    environment: Mapping[str, str]
    place: Place
    helpdesk: Helpdesk
    running: dict[str, subprocess.Popen[str]] = field(default_factory=dict)

    # Processes

    def start(self, name: str, command: Sequence[str] | None = None) -> subprocess.Popen[str]:
        """Start a worker or a beat, whose names begin so, or another command; one that runs already goes on."""
        if name not in self.running:
            given = command or COMMANDS[name.partition("-")[0]]().command
            self.running[name] = subprocess.Popen(
                given, cwd=ROOT, env=self.environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
            )
        return self.running[name]

    def end(self, name: str, how: signal.Signals = signal.SIGKILL) -> None:
        """Kill a process, or ask it to end, and wait until it is gone."""
        process = self.running.pop(name)
        process.send_signal(how)
        process.communicate(timeout=PATIENCE)

    def ask(self, *request: object) -> object:
        """Let the operating program do something in this installation, and return what it says."""
        program = self.running["operating"]
        program.stdin.write(f"{json.dumps(request)}\n")
        program.stdin.flush()
        return json.loads(program.stdout.readline())

    # The database and time

    def session(self) -> psycopg.Connection:
        """A session of the administering role."""
        return psycopg.connect(make_conninfo(**self.place.admin), autocommit=True)

    def time_passes(self, seconds: float, *columns: str) -> None:
        """Set these instants of every delivery back: for the outbox, so much time has passed."""
        with self.session() as session:
            for column in columns:
                session.execute(PASSES.format(column=column), [seconds])

    def a_lease_passes(self) -> None:
        """For the outbox, as much time has passed as no attempt may take. True only while no worker is at one."""
        self.time_passes(100, "leased_until", "offered_at")

    def kill_database(self) -> None:
        """Kill -9 the postmaster and every backend."""
        pid = self.place.cluster.running_pid()
        listed = subprocess.run(["pgrep", "-P", str(pid)], capture_output=True, text=True, check=False)
        for victim in [pid, *map(int, listed.stdout.split())]:
            with suppress(ProcessLookupError):
                os.kill(victim, signal.SIGKILL)

    # The broker

    @property
    def messages(self) -> Path:
        """The folder in which messages wait."""
        return Path(self.environment["DATA_DIR"]) / "broker"

    def empty_broker(self) -> int:
        """Remove every message and return how many there were."""
        waiting = list(self.messages.glob("*.msg"))
        for message in waiting:
            message.unlink(missing_ok=True)
        return len(waiting)

    def remove_broker(self) -> None:
        """Remove the whole folder."""
        shutil.rmtree(self.messages)

    # Waiting

    def arrives(self) -> None:
        """Let waits between attempts pass until every reply is sent."""

        def all_sent() -> bool:
            with self.session() as session:
                found = session.execute("SELECT count(*) FROM drafts_delivery WHERE state <> 'sent'").fetchone()
            if found[0]:
                self.time_passes(24 * 60 * 60, "due_at", "offered_at")
                self.ask("sweep")
            return not found[0]

        until(all_sent, "every reply is sent", every=0.5)

    def states(self) -> dict[str, str]:
        """The state of every reply, by its conversation."""
        with self.session() as session:
            return dict(
                session.execute(
                    "SELECT c.external_id, d.state FROM drafts_delivery d"
                    " JOIN drafts_conversation c ON c.id = d.conversation_id"
                ).fetchall()
            )


def until(reached: Callable[[], object], what: str, *, every: float = 0.1) -> None:
    """Wait until it is so, for as long as a test is worth waiting for."""
    deadline = time.monotonic() + PATIENCE
    while not reached():
        assert time.monotonic() < deadline, f"it never happened that {what}"
        time.sleep(every)


@contextmanager
def installed(directory: Path) -> Iterator[Installation]:
    """Prepare an installation whose replies leave at once; whatever runs of it ends with the block."""
    with helpdesk(builders.SECRET) as desk:
        given = {
            "DATA_DIR": str(directory), "UNDO_SECONDS": "0", "LOAD_SAMPLE": "0",
            "PRIVATE_DESTINATIONS": desk.address,
        }  # fmt: skip
        inherited = {k: v for k, v in os.environ.items() if not k.startswith(("DATABASE_", "CELERY_"))}
        environment = {**inherited, **given}
        manage(environment, "prepare_database")
        found = Installation(environment, place(environment), desk)
        try:
            found.start("operating", [sys.executable, "-m", "tests.faults.operating", desk.url])
            assert json.loads(found.running["operating"].stdout.readline()) == "ready"
            yield found
        finally:
            for name in list(found.running):
                found.end(name)
            found.place.cluster.stop()


def manage(environment: Mapping[str, str], *arguments: str) -> None:
    """Run a command of manage.py and see that it succeeds."""
    subprocess.run([sys.executable, "manage.py", *arguments], cwd=ROOT, env=environment, check=True, timeout=120)
