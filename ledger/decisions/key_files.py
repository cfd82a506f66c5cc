"""Question keys kept in a file: JSON, each key in the shape in which the API takes it, with its name.

{"keys": [{"key": "warranty_duration::general", "question_canonical": "How long is the warranty?", …}]}
"""

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NoReturn

from ledger.decisions.fields import KEY_FIELDS
from ledger.decisions.sending import Malformed, read_key
from ledger.decisions.text import is_blank
from ledger.decisions.vocabulary import KeyEntry

MOST_FAULTS = 20


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that is wrong in a file: the line where its key stands (None where unknown), the field, and why.

    `key` is the name of the key that it is about, where it has one.
    """

    line: int | None
    field: str
    message: str
    key: str = ""

    def __str__(self) -> str:
        name = f" ({self.key})" if self.key else ""
        return f"{f'line {self.line}, ' if self.line else ''}{self.field}{name}: {self.message}"


class KeysUnusable(ValueError):
    """A file of keys cannot be used; `faults` names every place."""

    def __init__(self, faults: Sequence[Fault]) -> None:
        super().__init__("; ".join(map(str, faults)))
        self.faults = tuple(faults)


def read_keys(text: str) -> tuple[KeyEntry, ...]:
    """Read a file of keys, parents before those that belong to them. Raises KeysUnusable with everything found."""
    if is_blank(text):
        raise KeysUnusable([Fault(None, "file", "The file is empty.")])
    try:
        content = json.loads(text.removeprefix("\ufeff"), object_pairs_hook=_object, parse_constant=_refuse_constant)
    except json.JSONDecodeError as broken:
        raise KeysUnusable([Fault(broken.lineno, "file", f"This is no JSON: {broken.msg}.")]) from broken
    except RecursionError as broken:
        raise KeysUnusable([Fault(None, "file", "This is nested too deeply.")]) from broken
    sent = content.get("keys") if isinstance(content, Mapping) else content
    if not isinstance(sent, list) or not sent:
        raise KeysUnusable([Fault(None, "keys", "Send an object with a list named keys that is not empty.")])
    lines = list(_lines(text, sent))
    read = [_entry(place, body, line) for place, (body, line) in enumerate(zip(sent, lines, strict=True))]
    faults = [one for one in read if isinstance(one, Fault)]
    entries = [one for one in read if isinstance(one, KeyEntry)]
    faults += _together(entries, lines) if not faults else []
    if faults:
        raise KeysUnusable(faults[:MOST_FAULTS])
    return parents_first(entries)


def written(entries: Iterable[KeyEntry]) -> str:
    """Return keys as such a file; reading it gives the same keys."""
    keys = [as_json(entry) for entry in entries]
    return json.dumps({"keys": keys}, ensure_ascii=False, indent=2) + "\n"


def as_json(entry: KeyEntry) -> dict[str, object]:
    """Return a key in the shape in which it is sent, with its name."""
    return {
        "key": entry.key,
        "question_canonical": entry.question_canonical,
        "commitment_class": entry.commitment_class.value,
        "deciding_facts": list(entry.deciding_facts),
        "parent": entry.parent,
        "boundary": entry.boundary,
        "examples": list(entry.examples),
        "owner": entry.owner,
    }


def changed_fields(before: KeyEntry | None, after: KeyEntry) -> tuple[str, ...]:
    """Return the names of the fields in which a key differs from how it stood; all of them for a new one."""
    if before is None:
        return KEY_FIELDS
    old, new = as_json(before), as_json(after)
    return tuple(field for field in KEY_FIELDS if old[field] != new[field])


def parents_first(entries: Iterable[KeyEntry]) -> tuple[KeyEntry, ...]:
    """Order keys so that those of their own come before those that belong to another."""
    return tuple(sorted(entries, key=lambda entry: (entry.parent is not None, entry.key)))


def _refuse_constant(literal: str) -> NoReturn:
    raise KeysUnusable([Fault(None, "file", f"{literal} is no JSON. Write a number or null.")])


class _Twice(dict[str, object]):
    """An object in which some names stand more than once; the last value is the one it holds."""

    names: tuple[str, ...] = ()


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = _Twice(pairs)
    found.names = tuple(name for name, count in Counter(name for name, _ in pairs).items() if count > 1)
    return found


def _entry(place: int, body: object, line: int | None) -> KeyEntry | Fault:
    where = f"keys[{place}]"
    if not isinstance(body, _Twice):
        return Fault(line, where, "Send an object.")
    try:
        _check_members(body)
        return read_key(str(body["key"]), body)
    except Malformed as malformed:
        named = body.get("key")
        return Fault(line, f"{where}.{malformed.field}", malformed.message, named if isinstance(named, str) else "")


def _check_members(body: _Twice) -> None:
    if body.names:
        raise Malformed(body.names[0], "This stands twice. Say it once.")
    if not isinstance(body.get("key"), str):
        raise Malformed("key", "Send a text.")
    if isinstance(body.get("owner"), list):
        raise Malformed("owner", "A key has one owner. Name one person, or null for any policy owner.")


def _together(entries: Sequence[KeyEntry], lines: Sequence[int | None]) -> Iterator[Fault]:
    """Yield what is wrong between the keys of one file: a name twice, parents that run in a circle or a chain."""
    first: dict[str, int] = {}
    for place, (entry, line) in enumerate(zip(entries, lines, strict=True)):
        if entry.key in first:
            yield Fault(line, f"keys[{place}].key", f"It stands at keys[{first[entry.key]}] already.", entry.key)
        first.setdefault(entry.key, place)
    parents = {entry.key: entry.parent for entry in entries}
    for place, (entry, line) in enumerate(zip(entries, lines, strict=True)):
        above = parents.get(entry.parent or "")
        if above is None:
            continue
        if entry.key in _above(entry.key, parents):
            message = f"Parents run in a circle: {' → '.join((entry.key, *_above(entry.key, parents)))}."
        elif entry.parent in _above(entry.parent or "", parents):
            continue  # the parent runs in a circle, which is told at its own place
        else:
            message = f"{entry.parent} itself belongs to {above}. Choose {above} as the parent."
        yield Fault(line, f"keys[{place}].parent", message, entry.key)


def _above(key: str, parents: Mapping[str, str | None]) -> list[str]:
    """Return the parents of a key in their order, as far as the first one that was met before."""
    path: list[str] = []
    above = parents.get(key)
    while above is not None and above not in path:
        path.append(above)
        above = parents.get(above)
    return path


def _lines(text: str, sent: Sequence[object]) -> Iterator[int | None]:
    """Yield the line on which each key is named; the n-th of the same name is the n-th such line."""
    met: Counter[str] = Counter()
    for body in sent:
        name = body.get("key") if isinstance(body, Mapping) else None
        if not isinstance(name, str):
            yield None
            continue
        found = [
            m.start() for m in re.finditer(rf'"key"\s*:\s*{re.escape(json.dumps(name, ensure_ascii=False))}', text)
        ]
        yield text.count("\n", 0, found[met[name]]) + 1 if met[name] < len(found) else None
        met[name] += 1
