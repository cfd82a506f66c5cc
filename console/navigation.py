"""The links of the header, by role; a new page adds its line here."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import AnonymousUser, User
from django.urls import reverse

from console.permissions import Action, may
from console.receiving import sample_secret
from drafts.queries import roles_of
from drafts.queries.notices import COUNTED, Bell, bell


@dataclass(frozen=True, slots=True)
class Link:
    """One link of the header."""

    label: str
    url: str
    is_current: bool
    begins_group: bool
    is_personal: bool = False
    note: str = ""


@dataclass(frozen=True, slots=True)
class Place:
    """A page that the header offers to whoever may do something there; `is_there` where it is not always there.

    A personal one stands beside the person's name.
    """

    label: str
    route: str
    needs: Action
    query: str = ""
    is_there: Callable[[], bool] | None = None
    note: Callable[[Bell], str] | None = None
    is_personal: bool = False


def _overdue(told: Bell) -> str:
    return f"{_up_to(told.overdue)} overdue" if told.overdue else ""


def _unread(told: Bell) -> str:
    return f"{_up_to(told.unread)} new" if told.unread else ""


def _up_to(count: int) -> str:
    return f"{COUNTED}+" if count > COUNTED else str(count)


def _has_sample_receiver() -> bool:
    return sample_secret() is not None


NOTHING_TOLD = Bell(unread=0, overdue=0)
GROUPS = (
    (
        Place("Queue", "queue", Action.READ),
        Place("Conversations", "conversations", Action.READ),
        Place("Corrections", "corrections", Action.READ),
        Place("Audit", "audit", Action.READ),
        Place("Drift", "drift", Action.READ),
    ),
    (
        Place("Policies", "policies", Action.READ),
        Place("Keys", "keys", Action.READ),
        Place("Conflicts", "conflicts", Action.READ, note=_overdue),
    ),
    (
        Place("Deliveries", "deliveries", Action.READ),
        Place("Destinations", "destinations", Action.CONFIGURE),
        Place("Received", "sample-receiver", Action.READ, is_there=_has_sample_receiver),
    ),
    (Place("Notices", "notices", Action.READ, note=_unread, is_personal=True),),
)
"""What is said to customers, what it may rest on, how it leaves, and what the person was told."""


def links_for(user: User | AnonymousUser, current: str, *, now: datetime) -> tuple[Link, ...]:
    """Return the places this person may go to; `current` is the address of the page shown."""
    told = bell(user, now=now) if isinstance(user, User) and may(user, Action.READ) else NOTHING_TOLD
    return tuple(link for group in GROUPS for link in _links(group, user, current, told))


def _links(group: Iterable[Place], user: User | AnonymousUser, current: str, told: Bell) -> Iterator[Link]:
    offered = (place for place in group if may(user, place.needs) and (place.is_there is None or place.is_there()))
    for number, place in enumerate(offered):
        url = reverse(place.route) + place.query
        note = place.note(told) if place.note else ""
        yield Link(
            place.label,
            url,
            is_current=url == current,
            begins_group=number == 0,
            is_personal=place.is_personal,
            note=note,
        )


def role_names(user: User | AnonymousUser) -> str:
    """Return a person's roles in words."""
    return ", ".join(sorted(role.replace("_", " ") for role in roles_of(user)))
