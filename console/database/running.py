"""Which `run` of a DATA_DIR came first: the one whose address the sample's replies go to."""

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from console.environment import SetupProblem

FIRST_RUN = "run"


@contextmanager
def first_address(directory: Path, own: str) -> Iterator[str]:
    """Yield the address of the run that came first and is still alive: `own`, unless another one came before.

    The first holds a lock on a file in DATA_DIR, which the kernel lets go of when it is killed. Raises SetupProblem.
    """
    try:
        directory.mkdir(parents=True, exist_ok=True)
        file = (directory / FIRST_RUN).open("a+", encoding="ascii")
    except OSError as error:
        raise SetupProblem(
            f"{directory} cannot be used ({error.strerror}): work as the user it belongs to, or set DATA_DIR."
        ) from error
    with file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            file.seek(0)
            yield file.read() or own
            return
        file.truncate(0)
        file.write(own)
        file.flush()
        yield own
