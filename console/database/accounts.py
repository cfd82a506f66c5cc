"""The operating-system account that the embedded PostgreSQL runs as: never root."""

import os
import pwd
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import TypedDict

from console.environment import SetupProblem

ROOTS_HOME = Path("/var/lib/countersign")


class NoUnprivilegedAccount(SetupProblem):
    """Running as root, and no other account can be made or found."""


class Identity(TypedDict, total=False):
    """The parameters of `subprocess` that choose another account."""

    user: int
    group: int
    extra_groups: tuple[int, ...]


@dataclass(frozen=True)
class Account:
    name: str
    uid: int
    gid: int

    @property
    def is_current(self) -> bool:
        """Say whether this process already runs as the account."""
        return self.uid == os.geteuid()

    def can_enter(self, directory: Path) -> bool:
        """Say whether the account may reach files in an existing directory."""
        probe = self.run(["/bin/sh", "-c", 'test -x "$1"', "sh", str(directory)])
        return probe.returncode == 0

    def run(self, command: list[str]) -> subprocess.CompletedProcess[str]:
        """Run a command as the account, from a directory that it may enter."""
        return subprocess.run(  # noqa: S603 - fixed programs, arguments as a list, no shell expansion
            command, cwd="/", capture_output=True, text=True, check=False, **self.identity()
        )

    def identity(self) -> Identity:
        """Return what `subprocess` needs to become the account; empty when it is the current one."""
        return Identity() if self.is_current else Identity(user=self.uid, group=self.gid, extra_groups=())


def owner_of(path: Path) -> Account:
    """Return the account that owns an existing file."""
    return _account(pwd.getpwuid(path.stat().st_uid))


def server_account() -> Account:
    """Return who runs the server: the current user, or for root the account `countersign`, made when missing.

    Raises NoUnprivilegedAccount.
    """
    if os.geteuid() != 0:
        return _account(pwd.getpwuid(os.geteuid()))
    if not _exists("countersign") and shutil.which("useradd"):
        command = ["useradd", "--system", "--user-group", "--no-create-home", "--shell", "/usr/sbin/nologin"]
        subprocess.run(  # noqa: S603 - a fixed command; failing is noticed below, when the account is looked up
            [*command, "--home-dir", str(ROOTS_HOME), "countersign"], check=False, capture_output=True
        )
    for name in ("countersign", "postgres", "nobody"):
        if _exists(name):
            return _account(pwd.getpwnam(name))
    raise NoUnprivilegedAccount(
        "PostgreSQL refuses to run as root, and there is no other account for it: "
        "install `useradd` (Debian package passwd), or run as an ordinary user, or set DATABASE_URL."
    )


def _exists(name: str) -> bool:
    return any(entry.pw_name == name for entry in pwd.getpwall())


def _account(entry: pwd.struct_passwd) -> Account:
    return Account(entry.pw_name, entry.pw_uid, entry.pw_gid)
