"""The links of the header, by role; a new page adds its line here."""

from dataclasses import dataclass

from django.contrib.auth.models import AnonymousUser, User
from django.urls import reverse

from console.permissions import Action, may
from drafts.queries import roles_of


@dataclass(frozen=True, slots=True)
class Link:
    """One link of the header."""

    label: str
    url: str
    is_current: bool


@dataclass(frozen=True, slots=True)
class Place:
    """A page that the header offers to whoever may do something there."""

    label: str
    route: str
    needs: Action
    query: str = ""


PLACES = (
    Place("Queue", "queue", Action.READ),
    Place("Escalated", "queue", Action.READ, "?state=escalated"),
    Place("Decided", "queue", Action.READ, "?state=decided"),
    Place("Conversations", "conversations", Action.READ),
    Place("Corrections", "corrections", Action.READ),
)


def links_for(user: User | AnonymousUser, current: str) -> tuple[Link, ...]:
    """Return the places this person may go to; `current` is the address of the page shown."""
    urls = ((place.label, reverse(place.route) + place.query) for place in PLACES if may(user, place.needs))
    return tuple(Link(label, url, url == current) for label, url in urls)


def role_names(user: User | AnonymousUser) -> str:
    """Return a person's roles in words."""
    return ", ".join(sorted(role.replace("_", " ") for role in roles_of(user)))
