"""Who has which role, and who sees which items; `visible_items` alone decides it."""

from django.contrib.auth.models import AnonymousUser, User
from django.db.models import QuerySet

from drafts.decisions.transitions import OPEN_STATES
from drafts.models import ReviewItem


def visible_items(user: User | AnonymousUser) -> QuerySet[ReviewItem]:
    """Return the items a person may see. The one rule for list, detail, count, search, export and API.

    Whoever has one of the four roles sees all items; anybody else sees none.
    """
    if not may_read(user):
        return ReviewItem.objects.none()
    return ReviewItem.objects.all()


HELD_ROLES = "_held_roles"
"""Where a person object keeps its roles; such an object lives for one request, so a change counts from the next."""
ROLES = frozenset({"agent", "policy_owner", "manager", "administrator"})
CORRECTING_ROLES = ROLES - {"administrator"}
"""Who may correct, and so answer for a correction: whoever configures does neither."""


def roles_of(user: User | AnonymousUser) -> frozenset[str]:
    """Return the roles of an active person; nobody else has any."""
    if not user.is_active or user.is_anonymous:
        return frozenset()
    held: frozenset[str] | None = user.__dict__.get(HELD_ROLES)
    if held is None:
        held = frozenset(user.groups.values_list("name", flat=True)) & ROLES
        user.__dict__[HELD_ROLES] = held
    return held


def may_read(user: User | AnonymousUser) -> bool:
    """Say whether this person may read items, ledger, policies and corrections."""
    return bool(roles_of(user))


def correctors() -> QuerySet[User]:
    """Return the active people who may answer for a correction, by the name they sign in with."""
    return User.objects.filter(is_active=True, groups__name__in=CORRECTING_ROLES).distinct().order_by("username")


def open_items() -> QuerySet[ReviewItem]:
    """Return the items that wait for a decision, oldest first."""
    return ReviewItem.objects.filter(state__in=OPEN_STATES).order_by("created_at", "id")
