"""Who settles conflicts between sources."""

from collections.abc import Iterable

from django.contrib.auth.models import User
from django.db.models import QuerySet

POLICY_OWNERS = "policy_owner"
"""The group whose members change keys, policies and conflicts."""


def policy_owners() -> QuerySet[User]:
    """Return the active policy owners by the name they sign in with."""
    return User.objects.filter(is_active=True, groups__name=POLICY_OWNERS).order_by("username")


def names_of_policy_owners() -> frozenset[str]:
    """Return the names with which the active policy owners sign in: who may own a question key."""
    return frozenset(policy_owners().values_list("username", flat=True))


def responsible(owner: str | None, owners: Iterable[User]) -> tuple[User, ...]:
    """Return who is told of a conflict: its owner while they are a policy owner, else all of `owners`."""
    known = tuple(owners)
    return tuple(person for person in known if person.username == owner) or known
