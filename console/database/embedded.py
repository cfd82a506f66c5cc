"""The life of the embedded PostgreSQL: set up, start, stop, and recover from whatever the last process left behind.

Only the programs of a PostgreSQL package are used. The server listens on a Unix socket in a private directory, knows
people by their operating-system account alone, and outlives the process that started it.
"""

import fcntl
import hashlib
import os
import pwd
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

import psycopg

from console.database.accounts import Account
from console.database.binaries import major_version, reachable_binaries
from console.environment import SetupProblem

ADMIN = "countersign_admin"
PORT = 5432  # part of the socket's file name only; nothing listens on the network
LONGEST_SOCKET_PATH = 100
RETRY_FOR = 15.0
ANSWER_WITHIN = 60.0  # the recovery after a crash may take a while
STOP_WITHIN = 30.0
_started_here: list[subprocess.Popen[bytes]] = []  # kept, so that an ended server is reaped when it is asked about


class DatabaseNotStarted(SetupProblem):
    """PostgreSQL did not come up; the message says what it wrote last."""


@dataclass(frozen=True)
class Cluster:
    """One directory with one database server in it."""

    home: Path
    binaries: Path
    account: Account

    @property
    def data(self) -> Path:
        """Return the server's data directory."""
        return self.home / "data"

    @property
    def socket_directory(self) -> Path:
        """Return where the socket lies: beside the data, or below /tmp where that path cannot name a socket."""
        beside = self.home / "socket"
        path = os.fsencode(beside / f".s.PGSQL.{PORT}.lock")
        if len(path) <= LONGEST_SOCKET_PATH and b"," not in path:  # a comma separates hosts for libpq
            return beside
        return Path("/tmp", f"countersign-{_digest(self.home)}")  # noqa: S108 - made 0700 and its owner is checked

    def start(self) -> bool:
        """Start the server unless it runs; return whether this call started it. Raises DatabaseNotStarted."""
        with self._alone():
            if self.answers():
                return False
            self._set_up()
            deadline = time.monotonic() + RETRY_FOR
            while not self._try_to_start():
                if time.monotonic() > deadline:
                    raise DatabaseNotStarted(f"PostgreSQL in {self.home} did not start:\n{self._last_words()}")
                time.sleep(0.25)  # an old server, killed a moment ago, may still be letting go of its memory
            return True

    def stop(self) -> bool:
        """Stop the server, ending its sessions in order; return whether there was one to stop."""
        with self._alone():
            pid = self.running_pid()
            if pid is None:
                return False
            os.kill(pid, signal.SIGINT)
            deadline = time.monotonic() + STOP_WITHIN
            while self.running_pid() is not None:
                if time.monotonic() > deadline:
                    os.kill(pid, signal.SIGQUIT)  # recovers at the next start
                    break
                time.sleep(0.05)
            for server in (one for one in _started_here if one.pid == pid):
                server.wait(STOP_WITHIN)  # it removes its pid file a moment before it is gone
            with suppress(OSError):  # not empty after a crash; the next start uses it again
                self.socket_directory.rmdir()
            return True

    def stop_when_unused(self, *, ended: str | None = None) -> bool:
        """Stop the server unless somebody else is connected; return whether it was stopped.

        `ended` names sessions (libpq's application_name) of processes that are gone, which count no more.
        """
        return self.answers() and self.other_sessions(ended=ended) == 0 and self.stop()

    def crashed(self) -> bool:
        """Say whether the server ended without tidying up after itself: killed, or the machine ran out of memory."""
        return self._pid_file.exists() and self.running_pid() is None

    def answers(self) -> bool:
        """Say whether this server answers a query now."""
        try:
            with psycopg.connect(self.conninfo(), connect_timeout=5) as connection:
                row = connection.execute("SHOW data_directory").fetchone()
        except psycopg.OperationalError:
            return False
        return row is not None and Path(str(row[0])).resolve() == self.data.resolve()

    def other_sessions(self, *, ended: str | None = None) -> int:
        """Count the sessions that somebody has open on the running server, without those named `ended`."""
        with psycopg.connect(self.conninfo()) as connection:
            row = connection.execute(
                "SELECT count(*) FROM pg_stat_activity"
                " WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()"
                " AND application_name IS DISTINCT FROM %s",
                [ended],
            ).fetchone()
        return int(row[0]) if row else 0

    def conninfo(self, *, user: str = ADMIN, dbname: str = "postgres") -> str:
        """Return how libpq reaches the server as one of its roles."""
        return psycopg.conninfo.make_conninfo(host=str(self.socket_directory), port=PORT, user=user, dbname=dbname)

    def running_pid(self) -> int | None:
        """Return the server's process, or None when `postmaster.pid` is missing, garbage or about something else."""
        try:
            pid = int(self._pid_file.read_bytes().split(b"\n", 1)[0])
        except (FileNotFoundError, ValueError):
            return None
        return pid if self._is_our_server(pid) else None

    def lock_file(self, name: str) -> TextIO:
        """Open a file of the home that processes lock, made where it is missing. Raises DatabaseNotStarted."""
        try:
            self.home.mkdir(parents=True, exist_ok=True)
            return (self.home / name).open("a", encoding="ascii")
        except OSError as error:
            raise DatabaseNotStarted(
                f"{self.home} cannot be used ({error.strerror}): work as the user it belongs to, or set DATA_DIR."
            ) from error

    @property
    def _pid_file(self) -> Path:
        return self.data / "postmaster.pid"

    @property
    def _log(self) -> Path:
        return self.home / "server.log"

    def _is_our_server(self, pid: int) -> bool:
        for process in _started_here:
            process.poll()
        command = _command_line(pid)
        return "postgres" in command and f" -D {self.data} " in command

    @contextmanager
    def _alone(self) -> Iterator[None]:
        with self.lock_file("lock") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield

    def _set_up(self) -> None:
        if not self.account.is_current:
            self.home.chmod(0o711)
        self._private_directory(self.socket_directory)
        programs = reachable_binaries(self.binaries, self.account)
        if not self.data.exists():
            self._initialise(programs)
        written_by = int((self.data / "PG_VERSION").read_text(encoding="ascii").split(".")[0])
        if written_by != major_version(programs):
            raise DatabaseNotStarted(
                f"{self.data} was written by PostgreSQL {written_by}, and {programs} holds {major_version(programs)}: "
                f"set POSTGRES_BIN to the programs of version {written_by}, or choose another DATA_DIR."
            )
        self._write_access_rules()

    def _initialise(self, programs: Path) -> None:
        draft = self.home / "data.new"
        shutil.rmtree(draft, ignore_errors=True)
        self._private_directory(draft)
        locale = ["--locale=C.UTF-8"]
        if major_version(programs) >= 17:
            locale = ["--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"]
        options = ["--data-checksums", "--auth=peer", "--encoding=UTF8", f"--username={ADMIN}", *locale]
        made = self.account.run([str(programs / "initdb"), "-D", str(draft), *options])
        if made.returncode != 0:
            raise DatabaseNotStarted(f"initdb failed:\n{made.stdout}{made.stderr}")
        draft.rename(self.data)

    def _write_access_rules(self) -> None:
        people = {self.account.name, pwd.getpwuid(os.geteuid()).pw_name, "root"}
        roles = (ADMIN, "countersign_web")
        names = [f'countersign "{person}" {role}' for person in sorted(people) for role in roles]
        (self.data / "pg_ident.conf").write_text("\n".join(names) + "\n", encoding="utf-8")
        (self.data / "pg_hba.conf").write_text("local all all peer map=countersign\n", encoding="utf-8")

    def _try_to_start(self) -> bool:
        if self.crashed():
            self._pid_file.unlink(missing_ok=True)
        server = self._launch()
        deadline = time.monotonic() + ANSWER_WITHIN
        while server.poll() is None and time.monotonic() < deadline:
            if self.answers():
                return True
            time.sleep(0.05)
        return False

    def _launch(self) -> subprocess.Popen[bytes]:
        settings = {
            "listen_addresses": "",
            "port": str(PORT),
            "unix_socket_directories": '"' + str(self.socket_directory).replace('"', '""') + '"',
            "unix_socket_permissions": "0700",
            "timezone": "UTC",
            "log_timezone": "UTC",
            "log_statement": "ddl",
            "max_connections": "100",
        }
        options = [part for name, value in settings.items() for part in ("-c", f"{name}={value}")]
        program = reachable_binaries(self.binaries, self.account) / "postgres"
        with self._log.open("ab") as log:
            server = subprocess.Popen(  # noqa: S603 - our own program, arguments as a list
                [program, "-D", str(self.data), *options],
                cwd="/",
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,  # Ctrl-C on the terminal is not for the database
                **self.account.identity(),
            )
        _started_here.append(server)
        return server

    def _private_directory(self, directory: Path) -> None:
        directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        found = directory.lstat()
        if not directory.is_dir() or directory.is_symlink() or found.st_uid not in {self.account.uid, os.geteuid()}:
            raise DatabaseNotStarted(f"{directory} belongs to somebody else: remove it.")
        if found.st_uid != self.account.uid:
            os.chown(directory, self.account.uid, self.account.gid)
        directory.chmod(0o700)

    def _last_words(self) -> str:
        lines = self._log.read_text(encoding="utf-8", errors="replace").splitlines() if self._log.exists() else []
        return "\n".join(lines[-8:])


def _command_line(pid: int) -> str:
    """Return a live process's words; empty for a dead one and for one that only waits to be reaped."""
    if Path("/proc/self/cmdline").exists():
        try:
            return os.fsdecode(Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" "))
        except OSError:
            return ""
    shown = subprocess.run(  # noqa: S603 - systems without /proc
        ["/bin/ps", "-o", "command=", "-p", str(pid)], capture_output=True, text=True, check=False
    )
    return shown.stdout


def _digest(path: Path) -> str:
    return hashlib.sha256(os.fsencode(path)).hexdigest()[:12]
