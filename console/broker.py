"""What each kind of broker is told, and the broker that needs no server: messages as files in a folder.

A message names a delivery and is no more than a wake-up call: the folder may lose one, and may be full.
"""

import json
import time
import uuid
from collections.abc import Mapping
from pathlib import Path
from queue import Empty

from kombu.transport import filesystem

FOLDER_SCHEME = "filesystem"
RABBITMQ_SCHEMES = frozenset({"amqp", "amqps", "pyamqp"})
REDIS_SCHEMES = frozenset({"redis", "rediss", "sentinel"})
MOST_WAITING = 1000
"""Messages in the folder beyond which new ones are dropped: no worker runs, and its sweep will find what is due."""
LOOKED_AT_EVERY = 0.25
VISIBLE_AGAIN_AFTER = 15 * 60
"""Seconds after which Redis hands out again what nobody acknowledged: ten times the longest task."""


class FolderChannel(filesystem.Channel):
    """Messages as files: each is whole before a reader can see it, and one reader takes it.

    A queue gets what is sent under its name. Nothing else is kept, so the folder may vanish at any time.
    """

    @property
    def _folder(self) -> Path:
        return Path(self.data_folder_in)

    def _lookup(self, exchange: str, routing_key: str, default: str | None = None) -> list[str]:  # noqa: ARG002
        return [routing_key]

    def _queue_bind(self, *_names: str) -> None:
        """Need no table of who gets what."""

    def _put(self, queue: str, payload: object, **_options: object) -> None:  # type: ignore[override] # as kombu's own
        if self._size(queue) >= MOST_WAITING:
            return
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        name = f"{time.monotonic_ns():020d}_{uuid.uuid4()}"  # read in this order
        part = self._folder / f"{name}.part"
        part.write_text(json.dumps(payload), encoding="utf-8")
        part.replace(part.with_name(f"{name}.{queue}.msg"))

    def _get(self, queue: str, timeout: float | None = None) -> object:  # noqa: ARG002 - it never waits
        for path in self._waiting(queue):
            taken = path.with_suffix(".taken")
            try:
                path.rename(taken)
            except FileNotFoundError:  # another reader was quicker
                continue
            payload: object = json.loads(taken.read_text(encoding="utf-8"))
            taken.unlink()
            return payload
        raise Empty

    def _size(self, queue: str) -> int:
        return len(self._waiting(queue))

    def _purge(self, queue: str) -> int:
        found = self._waiting(queue)
        for path in found:
            path.unlink(missing_ok=True)
        return len(found)

    def _waiting(self, queue: str) -> list[Path]:
        return sorted(self._folder.glob(f"*.{queue}.msg"))


class FolderTransport(filesystem.Transport):
    """Hands messages over within this machine."""

    Channel = FolderChannel


def transport_of(url: str) -> str | None:
    """Return the transport that serves a broker's address, where it is one of our own."""
    return "console.broker:FolderTransport" if _scheme(url) == FOLDER_SCHEME else None


def transport_options(url: str, folder: Path) -> Mapping[str, object]:
    """Return what a broker must be told so that it loses as little as it can; `folder` is for one that is a folder."""
    if _scheme(url) == FOLDER_SCHEME:
        return {"data_folder_in": str(folder), "data_folder_out": str(folder), "polling_interval": LOOKED_AT_EVERY}
    if _scheme(url) in RABBITMQ_SCHEMES:
        return {"confirm_publish": True}
    if _scheme(url) in REDIS_SCHEMES:
        return {"visibility_timeout": VISIBLE_AGAIN_AFTER, "socket_keepalive": True, "socket_connect_timeout": 2}
    return {}


def queue_options(url: str) -> tuple[str, str]:
    """Return the types of queue and exchange: on RabbitMQ a replicated queue, and an exchange that can delay."""
    return ("quorum", "topic") if _scheme(url) in RABBITMQ_SCHEMES else ("classic", "direct")


def _scheme(url: str) -> str:
    return url.partition("://")[0]
