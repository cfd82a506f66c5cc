"""Create and change question keys. Part of other services; needs an open transaction."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import User
from django.db.models import Q

from ledger.decisions.sending import Malformed, check_key
from ledger.decisions.vocabulary import KeyEntry
from ledger.models import Conflict, Entry, PolicyStatement, QuestionKey
from ledger.queries import registry

type KeyIn = KeyEntry

NAMED = 5
"""How many of the things that rest on a key are named."""


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


def put_key(key: KeyIn, *, actor: User | None, now: datetime, may_own: Collection[str] | None = None) -> PutKey:
    """Create or change a question key; sending the same again changes nothing. `now` is an instant.

    `may_own` holds the user names of those who may settle what the key brings; None leaves that open.
    Raises KeyRefused for a key that breaks the grammar or another rule, whose parent or owner is not known, whose
    owner could not settle its conflicts, or whose parent would change although something was already promised under it.
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
            "owner": _owner(key.owner, may_own),
            "changed_at": now,
            "changed_by": actor,
        },
    )
    return PutKey(key, created=stored is None, changed=True)


def delete_key(key: str, *, rests: Sequence[str] = ()) -> None:
    """Remove a key that nothing rests on; `rests` is what the caller knows to rest on it, in words.

    Raises QuestionKey.DoesNotExist, KeyRefused with everything that rests on it.
    """
    _lock_registry()
    row = QuestionKey.objects.get(pk=key)
    found = [*rests, *_resting_on(key)]
    if found:
        raise KeyRefused("key", f"{key} cannot be deleted: {'; '.join(found)}.")
    row.delete()


def _resting_on(key: str) -> Iterator[str]:
    if Entry.objects.filter(Q(question_key=key) | Q(asked_key=key)).exists():
        yield "customers were told something about it"
    passages = PolicyStatement.objects.filter(question_key=key).order_by("version__document", "version__version")
    if found := list(passages.values_list("version__document", "version__version")[:NAMED]):
        yield f"passages answer it ({', '.join(f'{version} of {doc_id}' for doc_id, version in found)})"
    if below := list(QuestionKey.objects.filter(parent=key).order_by("key").values_list("key", flat=True)[:NAMED]):
        yield f"other keys belong to it ({', '.join(below)})"
    if Conflict.objects.filter(question_key=key).exists():
        yield "conflicts about it are on record"


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
    if key.parent is not None:
        _refuse_chain(key, known)
    stored = known.get(key.key)
    moved = key.parent != (stored.parent if stored else None)
    if moved and Entry.objects.filter(Q(question_key=key.key) | Q(asked_key=key.key)).exists():
        message = f"Customers were already told something about {key.key}, so it keeps its place. Use a new key."
        raise KeyRefused("parent", message)


def _refuse_chain(key: KeyEntry, known: Mapping[str, KeyEntry]) -> None:
    """A key belongs to a key of its own, never to an adjacent one; so parents cannot run in a circle either."""
    above = known[str(key.parent)].parent
    if above == key.key:
        raise KeyRefused("parent", f"{key.parent} already belongs to {key.key}; parents cannot run in a circle.")
    if above is not None:
        raise KeyRefused("parent", f"{key.parent} itself belongs to {above}. Choose {above} as the parent.")
    if below := sorted(one.key for one in known.values() if one.parent == key.key):
        message = f"{', '.join(below)} belong to {key.key}, so it cannot belong to another key. Move those first."
        raise KeyRefused("parent", message)


def _owner(name: str | None, may_own: Collection[str] | None) -> User | None:
    if name is None:
        return None
    person = User.objects.filter(username=name, is_active=True).first()
    if person is None:
        raise KeyRefused("owner", f"No active person {name!r} is known. Name a user, or null for any policy owner.")
    if may_own is not None and name not in may_own:
        known = ", ".join(sorted(may_own)[:NAMED]) or "nobody yet"
        message = f"{name!r} is no policy owner and could settle no conflict. Policy owners are: {known}; or send null."
        raise KeyRefused("owner", message)
    return person
