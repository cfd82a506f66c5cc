"""Load keys and policies from files: all of them, or none."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import User
from django.db import transaction

from ledger.decisions.calendar import BusinessCalendar
from ledger.decisions.policy_files import Bundle, key_for
from ledger.decisions.vocabulary import KeyEntry
from ledger.queries import registry
from ledger.services import conflicts
from ledger.services.keys import KeyRefused, put_key
from ledger.services.policies import VersionRefused, put_version


class LoadRefused(Exception):
    """A file cannot be loaded; nothing of any file is."""

    def __init__(self, file: str, message: str) -> None:
        super().__init__(f"{file}: {message}")
        self.file = file
        self.message = message


@dataclass(frozen=True, slots=True)
class Change:
    """What became of one key or version: created, changed or unchanged; `note` says what else moved with it."""

    what: str
    name: str
    outcome: str
    note: str = ""


@transaction.atomic(durable=True)
def load(
    bundles: Mapping[str, Bundle],
    *,
    actor: User | None,
    now: datetime,
    calendar: BusinessCalendar | None = None,
    dry_run: bool = False,
) -> tuple[Change, ...]:
    """Store every key and version of the files, named by path; loading the same files again changes nothing.

    A key that a passage names and nobody has registered is registered plainly. Open conflicts that ended with this
    are closed, and those that it began are opened where there is a calendar to say when they are due. With `dry_run`
    the changes are worked out and not kept. Raises LoadRefused.
    """
    changes: list[Change] = []
    for file, bundle in bundles.items():
        try:
            changes += _keys((*_parents_first(bundle.keys), *_unregistered(bundle)), actor, now)
            changes += _versions(bundle, actor, now)
        except (KeyRefused, VersionRefused) as refused:
            raise LoadRefused(file, str(refused)) from refused
    conflicts.close_obsolete(now=now)
    if calendar is not None:
        conflicts.find_conflicts(_keys_of(tuple(bundles.values())), found_by="publishing", now=now, calendar=calendar)
    transaction.set_rollback(dry_run)
    return tuple(changes)


def _keys_of(bundles: Sequence[Bundle]) -> set[str]:
    keys = {key.key for bundle in bundles for key in bundle.keys}
    answered = {s.question_key for bundle in bundles for version in bundle.versions for s in version.statements}
    return keys | answered


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


def _keys(keys: Iterable[KeyEntry], actor: User | None, now: datetime) -> list[Change]:
    changes = []
    for key in keys:
        put = put_key(key, actor=actor, now=now)
        changes.append(Change("key", key.key, _outcome(created=put.created, changed=put.changed)))
    return changes


def _versions(bundle: Bundle, actor: User | None, now: datetime) -> list[Change]:
    changes = []
    for version in bundle.versions:
        put = put_version(version, actor=actor, now=now)
        name = f"{version.doc_id}/{version.version}"
        note = f"ends {', '.join(put.closed)} on {version.effective_from}" if put.closed else ""
        changes.append(Change("version", name, _outcome(created=put.created, changed=put.changed), note))
    return changes


def _outcome(*, created: bool, changed: bool) -> str:
    if created:
        return "created"
    return "changed" if changed else "unchanged"
