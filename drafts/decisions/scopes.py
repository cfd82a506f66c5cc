"""From a topic to one key of the registry: which scope of it the message speaks of."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from drafts.decisions.sentences import fold
from drafts.decisions.similarity import stem, words_of
from ledger.decisions.keys import topic_of
from ledger.decisions.vocabulary import KeyEntry

# Words of a canonical question that tell no scope from another.
_PLAIN = frozenset(
    stem(word)
    for line in (
        "a an the is are be do does did can could may will would i we you my our your it its this that these",
        "those there of for to in on at by from with and or not no any all general default what which how when",
        "where why who long many much until after before get have has one completed separate kind had if than as",
        "under within about",
    )
    for word in line.split()
)
_SCOPE_WORD = re.compile(r"[a-z]+")


@dataclass(frozen=True, slots=True)
class Scope:
    """The key that a message names within a topic, or none, and the keys it may have meant."""

    key: str | None
    candidates: tuple[str, ...]


def scope_of(topic: str, folded: str, registry: Mapping[str, KeyEntry]) -> Scope:
    """Return the one key of `topic` that the message means.

    A key with a parent is meant only when a word of its own stands in the message. Several roots are told apart by
    words of their own; where none of them, or more than one, is named, no key is chosen.
    """
    entries = _same_topic(f"{topic}::", registry)
    roots = [entry for entry in entries if entry.parent is None or entry.parent not in registry]
    adjacent = [entry for entry in entries if entry not in roots]
    words = {stem(word) for word in words_of(folded)}
    named = [entry.key for entry in adjacent if words & _own_words(entry, entries)]
    named_roots = [entry.key for entry in roots if words & _own_words(entry, entries)]
    order = dict.fromkeys([*named, *named_roots, *(entry.key for entry in roots), *(entry.key for entry in adjacent)])
    return Scope(_only(named) if named else _only_root(named_roots, roots), tuple(order))


def keys_named(folded: str, registry: Mapping[str, KeyEntry]) -> tuple[str, ...]:
    """Return the adjacent keys of which a word of its own stands in the message, whatever the message asks."""
    words = {stem(word) for word in words_of(folded)}
    return tuple(
        key
        for key, entry in sorted(registry.items())
        if entry.parent is not None and words & _own_words(entry, _same_topic(key, registry))
    )


def _same_topic(key: str, registry: Mapping[str, KeyEntry]) -> list[KeyEntry]:
    return [entry for other, entry in sorted(registry.items()) if topic_of(other) == topic_of(key)]


def _only(keys: Sequence[str]) -> str | None:
    return keys[0] if len(keys) == 1 else None


def _only_root(named: Sequence[str], roots: Sequence[KeyEntry]) -> str | None:
    if len(roots) == 1:
        return roots[0].key
    return _only(named)


def _own_words(entry: KeyEntry, entries: Sequence[KeyEntry]) -> frozenset[str]:
    shared = {word for other in entries if other.key != entry.key for word in _description(other)}
    return _description(entry) - shared - _PLAIN


@lru_cache(maxsize=4096)
def _description(entry: KeyEntry) -> frozenset[str]:
    """Return the stems of the scope, of the canonical question, and of what more than half of the examples share."""
    topic, _, scope = entry.key.partition("::")
    words = [*_SCOPE_WORD.findall(scope), *words_of(fold(entry.question_canonical))]
    stems = {stem(word) for word in words if len(word) > 2}
    if entry.parent is not None:
        spoken = Counter(word for text in entry.examples for word in {stem(one) for one in words_of(fold(text))})
        stems |= {word for word, times in spoken.items() if len(word) > 2 and times * 2 > len(entry.examples)}
    return frozenset(stems - {stem(word) for word in topic.split("_")})
