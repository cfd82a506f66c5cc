"""The addresses of commitment topics: their grammar, and which key an adjacent one belongs to."""

import re
from collections.abc import Mapping

from ledger.decisions.vocabulary import KeyEntry

KEY_GRAMMAR = r"^[a-z0-9_]+::[a-z0-9_]+$"
_KEY = re.compile(r"[a-z0-9_]+::[a-z0-9_]+")


def valid_key(key: str) -> bool:
    """Say whether a text is a question key, `topic::scope`; look-alike characters, case and spaces are refused."""
    return _KEY.fullmatch(key) is not None


def topic_of(key: str) -> str:
    """Return the part of a key before the two colons."""
    return key.partition("::")[0]


def root_of(key: str, registry: Mapping[str, KeyEntry]) -> str:
    """Return the key that answers for `key`: itself, or the last of its parents.

    A key outside the registry is its own root. Parents that run in a circle have the smallest of them as root, so
    that every member of the circle agrees.
    """
    path = [key]
    while (entry := registry.get(path[-1])) is not None and entry.parent is not None:
        if entry.parent in path:
            return min(path[path.index(entry.parent) :])
        path.append(entry.parent)
    return path[-1]


def boundary_of(key: str, registry: Mapping[str, KeyEntry]) -> str | None:
    """Return the sentence that sets an adjacent key off from its parent; None for a key of its own."""
    entry = registry.get(key)
    return entry.boundary if entry is not None and entry.parent is not None else None
