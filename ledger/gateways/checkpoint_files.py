"""Checkpoints in a folder, one file each, written once: the copies that a change of the database cannot reach.

The folder is best on another machine's storage. A file that says something else than the database is left as it is.
"""

import errno
import os
import re
import secrets
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ledger.decisions.anchors import Copy
from ledger.decisions.checkpoints import NotACheckpoint, SignedCheckpoint, read

_NAME = re.compile(r"checkpoint-([0-9]{9,18})\.txt")
_NO_LINKS = {errno.EPERM, errno.ENOTSUP, errno.ENOSYS, errno.EMLINK}
_MOST_READ = 8192


class FolderUnusable(Exception):
    """Checkpoints cannot be put into the folder or read from it; the message says which file, and why."""


class CopyDiffers(FolderUnusable):
    """A file holds another checkpoint than the database under the same number: one of them was changed, or restored."""


@dataclass(frozen=True, slots=True)
class Folder:
    """A folder of checkpoints, which need not exist yet."""

    path: Path

    def newest(self) -> SignedCheckpoint | None:
        """Return the checkpoint with the greatest number, None of an empty folder. Raises FolderUnusable."""
        last = max(self.numbers(), default=None)
        if last is None:
            return None
        file = self._file(last)
        try:
            return read(_text(file))
        except NotACheckpoint as wrong:
            raise FolderUnusable(f"{file}: {wrong}.") from wrong

    def numbers(self) -> set[int]:
        """Return the numbers of the checkpoints that have a file. Raises FolderUnusable."""
        try:
            names = [entry.name for entry in os.scandir(self.path)]
        except FileNotFoundError:
            return set()
        except OSError as error:
            raise FolderUnusable(f"{self.path} cannot be read ({error.strerror}).") from error
        return {int(found[1]) for found in map(_NAME.fullmatch, names) if found}

    def put(self, checkpoint: SignedCheckpoint) -> bool:
        """Write one checkpoint into a file of its own, whole or not at all; return False where it stood there already.

        Raises CopyDiffers where the file holds another text, FolderUnusable where it cannot be written.
        """
        file = self._file(checkpoint.says.number)
        if file.exists() or not self._write(file, checkpoint.note):
            if _text(file) != checkpoint.note:
                raise CopyDiffers(
                    f"{file} is not the checkpoint {checkpoint.says.number} that the database holds: one of the two "
                    "was changed, or an older copy of the database is in use. Run `manage.py verify_ledger`."
                )
            return False
        return True

    def copies(self) -> Iterator[Copy]:
        """Yield every checkpoint in the folder, in order of their numbers. Raises FolderUnusable."""
        for number in sorted(self.numbers()):
            file = self._file(number)
            yield Copy(str(file), _text(file))

    def _file(self, number: int) -> Path:
        return self.path / f"checkpoint-{number:09}.txt"

    def _write(self, file: Path, note: str) -> bool:
        draft = file.with_name(f".{file.name}.{secrets.token_hex(4)}")
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o444), "wb") as opened:
                opened.write(note.encode())
                opened.flush()
                os.fsync(opened.fileno())
            try:
                return _appear(draft, file)
            finally:
                draft.unlink(missing_ok=True)
        except OSError as error:
            raise FolderUnusable(f"{file} cannot be written ({error.strerror}).") from error


def copies_at(path: Path) -> Iterator[Copy]:
    """Yield the checkpoints of a folder, or the one in a file. Raises FolderUnusable."""
    if path.is_dir():
        yield from Folder(path).copies()
    else:
        yield Copy(str(path), _text(path))


def _appear(draft: Path, file: Path) -> bool:
    """Give a finished file its name unless that is taken; return whether it got it."""
    try:
        file.hardlink_to(draft)
    except FileExistsError:
        return False
    except OSError as error:
        if error.errno not in _NO_LINKS or file.exists():  # some network storage knows no links
            raise
        draft.rename(file)
    return True


def _text(file: Path) -> str:
    try:
        with file.open("rb") as opened:
            return opened.read(_MOST_READ).decode("utf-8", errors="replace")
    except OSError as error:
        raise FolderUnusable(f"{file} cannot be read ({error.strerror}).") from error
