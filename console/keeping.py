"""Small files that are written once and then only read: the secret key, the place of the database, a password."""

import os
import secrets
from collections.abc import Callable
from pathlib import Path

from console.environment import SetupProblem


class NotKept(SetupProblem):
    """The file cannot be written or read, often because it belongs to another user."""


def keep_once(path: Path, make: Callable[[], str]) -> str:
    """Return the text kept in `path`, which is made on the first call; only its owner may read the file.

    Two processes that start at once agree on one text: the file appears whole or not at all. Raises NotKept.
    """
    try:
        if not path.exists():
            _make(path, make())
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise NotKept(
            f"{path} cannot be used ({error.strerror}): work as the user it belongs to, or set DATA_DIR."
        ) from error


def _make(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f"{path.name}.{secrets.token_hex(4)}")
    with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    try:
        path.hardlink_to(draft)
    except FileExistsError:
        pass  # another process was quicker; its text counts
    finally:
        draft.unlink()
