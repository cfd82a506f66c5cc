"""Load keys and policies from files: all of them, or none."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import User

from ledger.decisions.policy_files import Bundle, key_for
from ledger.decisions.previewing import Preview, told
from ledger.decisions.vocabulary import KeyEntry, Version
from ledger.queries import managing, registry
from ledger.services import conflicts
from ledger.services.keys import KeyRefused, put_key
from ledger.services.policies import VersionRefused, put_version

type OpenConflicts = Mapping[str, tuple[tuple[str, str], ...]]
"""The open conflicts of each key, as (id, channel)."""


class LoadRefused(Exception):
    """A file cannot be loaded; nothing of any file is."""

    def __init__(self, file: str, message: str) -> None:
        super().__init__(f"{file}: {message}")
        self.file = file
        self.message = message


@dataclass(frozen=True, slots=True)
class Change:
    """What became of one key, version or conflict: created, changed, unchanged or opened.

    `note` says what else moved with it, `lines` what a version changes against its predecessor, in words.
    """

    what: str
    name: str
    outcome: str
    note: str = ""
    lines: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Loaded:
    """What became of everything in the files, and the keys whose sources that touched."""

    changes: tuple[Change, ...]
    touched: frozenset[str]


def load(
    bundles: Mapping[str, Bundle],
    *,
    actor: User | None,
    now: datetime,
    register_keys: bool = False,
    may_own: Collection[str] | None = None,
) -> Loaded:
    """Store every key and version of the files, named by path; loading the same files again changes nothing.

    A key that a passage names and nobody has registered is refused, or with `register_keys` registered plainly. A key
    is owned by one of `may_own`, where that is given. Open conflicts that ended with this are closed. Part of other
    services; needs an open transaction, which the caller gives up where this raises LoadRefused.
    """
    changes: list[Change] = []
    for file, bundle in bundles.items():
        try:
            plain = _unregistered(bundle) if register_keys else []
            changes += _keys((*_parents_first(bundle.keys), *plain), actor, now, may_own)
            _refuse_unregistered(file, bundle)
            changes += _versions(bundle, actor, now)
        except (KeyRefused, VersionRefused) as refused:
            raise LoadRefused(file, str(refused)) from refused
    conflicts.close_obsolete(now=now)
    return Loaded(tuple(changes), _touched(changes, bundles.values()))


def begun(before: OpenConflicts, after: OpenConflicts) -> tuple[Change, ...]:
    """Say which conflicts are open now and were not before."""
    known = {conflict_id for found in before.values() for conflict_id, _ in found}
    return tuple(
        Change(
            "conflict",
            f"{key} on {channel}",
            "opened",
            "more than one document answers; a policy owner has to settle it",
        )
        for key, found in sorted(after.items())
        for conflict_id, channel in found
        if conflict_id not in known
    )


def _touched(changes: Iterable[Change], bundles: Iterable[Bundle]) -> frozenset[str]:
    moved = {(change.what, change.name) for change in changes if change.outcome != "unchanged"}
    versions = [version for bundle in bundles for version in bundle.versions]
    documents = {version.doc_id for version in versions if ("version", _name(version)) in moved}
    return managing.document_keys(documents) | {name for what, name in moved if what == "key"}


def _parents_first(keys: Sequence[KeyEntry]) -> list[KeyEntry]:
    """Order keys so that a parent comes before those that belong to it; a circle is left for `put_key` to refuse."""
    waiting, ordered = list(keys), list[KeyEntry]()
    while waiting:
        names = {key.key for key in waiting}
        ready = [key for key in waiting if key.parent not in names] or waiting
        ordered += ready
        waiting = [key for key in waiting if key not in ready]
    return ordered


def _unregistered(bundle: Bundle) -> list[KeyEntry]:
    known = registry().keys() | {key.key for key in bundle.keys}
    plain = {
        statement.question_key: key_for(statement.question_key, version)
        for version in bundle.versions
        for statement in version.statements
        if statement.question_key not in known
    }
    return list(plain.values())


def _refuse_unregistered(file: str, bundle: Bundle) -> None:
    missing = sorted(_unregistered(bundle), key=lambda entry: bundle.lines.get(entry.key, 0))
    if not missing:
        return
    key = missing[0].key
    place = f"line {bundle.lines[key]}: " if key in bundle.lines else ""
    message = (
        f"{place}The key {key!r} is not in the registry. Create it on the page of the questions, with load_keys or "
        "with PUT /keys/{key}; or let --register-keys register it plainly."
    )
    raise LoadRefused(file, message)


def _keys(keys: Iterable[KeyEntry], actor: User | None, now: datetime, may_own: Collection[str] | None) -> list[Change]:
    changes = []
    for key in keys:
        put = put_key(key, actor=actor, now=now, may_own=may_own)
        changes.append(Change("key", key.key, _outcome(created=put.created, changed=put.changed)))
    return changes


def _versions(bundle: Bundle, actor: User | None, now: datetime) -> list[Change]:
    changes = []
    for version in bundle.versions:
        meant = managing.preview_of(version)
        put = put_version(version, actor=actor, now=now)
        note = f"ends {', '.join(put.closed)} on {version.effective_from}" if put.closed else ""
        lines = told(meant) if put.changed and isinstance(meant, Preview) else ()
        changes.append(
            Change("version", _name(version), _outcome(created=put.created, changed=put.changed), note, lines)
        )
    return changes


def _name(version: Version) -> str:
    return f"{version.doc_id}/{version.version}"


def _outcome(*, created: bool, changed: bool) -> str:
    if created:
        return "created"
    return "changed" if changed else "unchanged"
