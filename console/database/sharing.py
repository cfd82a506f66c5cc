"""Who uses the embedded PostgreSQL: every command that needs it, for as long as it runs; the last one out stops it.

A user holds a shared lock on a file in the cluster's home. The kernel lets go of it when the user is killed, so that
the next user to leave finds out that it is the last. What `database start` started is nobody's to stop on leaving.
"""

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager

from console.database.embedded import Cluster

USERS = "users"  # the file that is locked; it holds the process of the server that goes with its last user
SESSION_NAME = "countersign"  # users call their sessions so, and those of the processes they start


@contextmanager
def in_use(cluster: Cluster | None) -> Iterator[None]:
    """Keep the server running during the block, and stop it afterwards if nobody else needs it.

    None means a server that is somebody else's to start and stop. Waits while another process is stopping the server.
    The process names its sessions SESSION_NAME, or a lingering one keeps the server running. Raises DatabaseNotStarted.
    """
    if cluster is None:
        yield
        return
    with cluster.lock_file(USERS) as users:
        fcntl.flock(users, fcntl.LOCK_SH)
        try:
            start_for_users(cluster)
            yield
        finally:
            fcntl.flock(users, fcntl.LOCK_UN)  # two that leave at once and kept their shares would each see the other
            _stop_after_last(cluster)


def start_for_users(cluster: Cluster) -> None:
    """Start the server unless it runs, to be stopped after its last user. Raises DatabaseNotStarted."""
    if cluster.start():
        (cluster.home / USERS).write_text(str(cluster.running_pid()), encoding="ascii")


def _stop_after_last(cluster: Cluster) -> None:
    with cluster.lock_file(USERS) as users:
        try:
            fcntl.flock(users, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return
        # No user is left, so a session that is named like theirs is one that the server has not yet seen the end of.
        if (cluster.home / USERS).read_text(encoding="ascii") == str(cluster.running_pid()):
            cluster.stop_when_unused(ended=SESSION_NAME)
