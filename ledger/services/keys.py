"""Create and change question keys. Part of other services; needs an open transaction."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from django.contrib.auth.models import User
from django.db.models import Q

from ledger.decisions.keys import root_of
from ledger.decisions.sending import Malformed, check_key
from ledger.decisions.vocabulary import KeyEntry
from ledger.models import Entry, QuestionKey
from ledger.queries import registry

type KeyIn = KeyEntry


class KeyRefused(Exception):
    """The key cannot be stored; `field` names the place, the message says what to do."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(f"{field}: {message}")
        self.field = field
        self.message = message


@dataclass(frozen=True, slots=True)
class PutKey:
    """A key as it stands now, whether this call made it, and whether anything changed."""

    key: KeyEntry
    created: bool
    changed: bool


def put_key(key: KeyIn, *, actor: User | None, now: datetime) -> PutKey:
    """Create or change a question key; sending the same again changes nothing. `now` is an instant.

    Raises KeyRefused for a key that breaks the grammar or another rule, whose parent or owner is not known, or whose
    parent would change although something was already promised under it.
    """
    _lock_registry()
    known = registry()
    stored = known.get(key.key)
    if stored == key:
        return PutKey(key, created=False, changed=False)
    _check(key, known)
    QuestionKey.objects.update_or_create(
        pk=key.key,
        defaults={
            "question_canonical": key.question_canonical,
            "commitment_class": key.commitment_class.value,
            "deciding_facts": list(key.deciding_facts),
            "parent_id": key.parent,
            "boundary": key.boundary,
            "examples": list(key.examples),
            "owner": _owner(key.owner),
            "changed_at": now,
            "changed_by": actor,
        },
    )
    return PutKey(key, created=stored is None, changed=True)


def _lock_registry() -> None:
    """Let one change of the registry happen at a time, so that no two of them close a circle of parents."""
    for _ in QuestionKey.objects.select_for_update(no_key=True).order_by("key").values_list("key"):
        pass


def _check(key: KeyEntry, known: Mapping[str, KeyEntry]) -> None:
    try:
        check_key(key)
    except Malformed as malformed:
        raise KeyRefused(malformed.field, malformed.message) from None
    if key.parent is not None and key.parent not in known:
        raise KeyRefused("parent", f"The key {key.parent!r} is not in the registry. Create it first.")
    if key.parent is not None and root_of(key.parent, {**known, key.key: replace(key, parent=None)}) == key.key:
        raise KeyRefused("parent", f"{key.parent} already belongs to {key.key}; a key cannot be its own parent.")
    stored = known.get(key.key)
    moved = key.parent != (stored.parent if stored else None)
    if moved and Entry.objects.filter(Q(question_key=key.key) | Q(asked_key=key.key)).exists():
        message = f"Customers were already told something about {key.key}, so it keeps its place. Use a new key."
        raise KeyRefused("parent", message)


def _owner(name: str | None) -> User | None:
    if name is None:
        return None
    person = User.objects.filter(username=name, is_active=True).first()
    if person is None:
        raise KeyRefused("owner", f"No active person {name!r} is known. Name a user, or null for any policy owner.")
    return person
