"""Change the registry of question keys, and say beforehand what that means for open drafts. Each is one transaction."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Q

from drafts.decisions.transitions import OPEN_STATES
from drafts.models import ReviewItem
from drafts.queries.policy_owners import names_of_policy_owners
from drafts.services import conflicts
from ledger import queries as ledger
from ledger.decisions.calendar import BusinessCalendar
from ledger.decisions.default_keys import default_registry
from ledger.decisions.key_files import changed_fields
from ledger.decisions.keys import root_of
from ledger.decisions.vocabulary import KeyEntry
from ledger.services import keys
from ledger.services.keys import KeyRefused

AT_ONCE = 500
"""Open drafts that a preview compares; a change analyses no more of them at once either."""


class RegistryRefused(Exception):
    """One of the keys cannot be stored, so none is; `key` names it, `field` the place, the message what to do."""

    def __init__(self, key: str, field: str, message: str) -> None:
        super().__init__(f"{key}, {field}: {message}")
        self.key = key
        self.field = field
        self.message = message


@dataclass(frozen=True, slots=True)
class KeyChange:
    """What becomes of one key: created, changed or unchanged, and in which fields."""

    key: str
    outcome: str
    fields: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DraftChange:
    """An open draft for which something else may be said than before; both are branches of the gate."""

    item_id: UUID
    external_id: str
    question_key: str
    before: str
    after: str
    blockers_before: int
    blockers_after: int


@dataclass(frozen=True, slots=True)
class Registered:
    """What a change of the registry means; `conflicts` are the keys and channels on which one is open only after it."""

    keys: tuple[KeyChange, ...]
    drafts: tuple[DraftChange, ...]
    conflicts: tuple[tuple[str, str], ...]

    @property
    def changes_nothing(self) -> bool:
        """Say whether every key stands as it was sent."""
        return all(one.outcome == "unchanged" for one in self.keys)


@transaction.atomic(durable=True)
def register(
    entries: Iterable[KeyEntry],
    *,
    actor: User | None,
    now: datetime,
    calendar: BusinessCalendar,
    seen: Mapping[str, KeyEntry | None] | None = None,
    dry_run: bool = False,
) -> Registered:
    """Create or change keys, parents first, all or none, and analyse the open drafts that ask them again.

    `seen` says how keys stood when somebody began to change them (None: not there). With `dry_run` everything is
    worked out and nothing kept. Raises RegistryRefused.
    """
    wanted = tuple(entries)
    known = ledger.registry()
    _refuse_overtaken(known, seen or {})
    roots = {root_of(one.key, known) for one in wanted} | {one.parent or one.key for one in wanted}
    before, open_before = _standing(roots), _open_conflicts()
    changes = tuple(_put(entry, known.get(entry.key), actor, now) for entry in wanted)
    if any(one.outcome != "unchanged" for one in changes):
        conflicts.published(roots, now=now, calendar=calendar)
    told = Registered(changes, _compared(before), tuple(sorted(_open_conflicts() - open_before)))
    transaction.set_rollback(dry_run)
    return told


def missing_defaults() -> tuple[KeyEntry, ...]:
    """Return the keys of the default registry that are not registered; those that are stay as they were curated."""
    known = ledger.registry()
    return tuple(entry for key, entry in default_registry().items() if key not in known)


@transaction.atomic(durable=True)
def delete_key(*, key: str) -> None:
    """Remove a key that nothing rests on. Raises KeyRefused naming what does, QuestionKey.DoesNotExist."""
    asking = ReviewItem.objects.filter(Q(question_key=key) | Q(also_asked__contains=[{"key": key}]))
    rests = ["drafts ask it, open or decided ones"] if asking.exists() else []
    keys.delete_key(key, rests=rests)


def _refuse_overtaken(known: Mapping[str, KeyEntry], seen: Mapping[str, KeyEntry | None]) -> None:
    for key, entry in seen.items():
        if known.get(key) != entry:
            message = "Somebody changed this key meanwhile. Look at how it stands now, then change it."
            raise RegistryRefused(key, "seen", message)


def _put(entry: KeyEntry, before: KeyEntry | None, actor: User | None, now: datetime) -> KeyChange:
    try:
        put = keys.put_key(entry, actor=actor, now=now, may_own=names_of_policy_owners())
    except KeyRefused as refused:
        raise RegistryRefused(entry.key, refused.field, refused.message) from refused
    if not put.changed:
        return KeyChange(entry.key, "unchanged", ())
    return KeyChange(entry.key, "created" if put.created else "changed", changed_fields(before, entry))


def _standing(roots: Iterable[str]) -> Sequence[ReviewItem]:
    known, wanted = ledger.registry(), set(roots)
    family = [key for key in known if root_of(key, known) in wanted]
    asking = ReviewItem.objects.filter(question_key__in=family, state__in=OPEN_STATES)
    return list(asking.order_by("created_at", "id")[:AT_ONCE])


def _compared(before: Sequence[ReviewItem]) -> tuple[DraftChange, ...]:
    after = ReviewItem.objects.in_bulk([item.pk for item in before])
    pairs = [(old, after[old.pk]) for old in before if old.pk in after]
    return tuple(
        DraftChange(
            old.pk, old.external_id, old.question_key or "", old.branch, new.branch, old.blocker_count,
            new.blocker_count,
        )
        for old, new in pairs
        if (old.branch, old.blocker_count) != (new.branch, new.blocker_count)
    )  # fmt: skip


def _open_conflicts() -> set[tuple[str, str]]:
    return {(view.question_key, view.channel) for view in ledger.conflicts(state="open")}
