"""The replies on their way out: what needs a person, what is on its way, what left and what was taken back."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from urllib.parse import urlencode
from uuid import UUID

from django import forms
from django.http import HttpResponse
from django.utils import timezone
from django.views.decorators.http import require_safe

from console.http import ConsoleRequest, show
from console.permissions import Action, may
from console.views.access import readers_only
from console.views.delivery_words import GROUPS, NONE_THERE, Standing, in_words, standing_of
from console.views.highlight import plain
from drafts.decisions.structure import Piece
from drafts.queries.deliveries import (
    COUNTED,
    OVERDUE_AFTER,
    Group,
    Listed,
    Narrowing,
    Place,
    counts,
    deliveries_page,
    overdue,
)
from drafts.queries.destinations import any_active_destination, destination_names

PER_PAGE = 50


class Filters(forms.Form):
    """Which deliveries are shown; anything that is not understood is left out."""

    tab = forms.ChoiceField(choices=list(GROUPS.items()), required=False, widget=forms.HiddenInput)
    q = forms.CharField(required=False, max_length=256, label="Conversation id, or its beginning")

    def __init__(self, asked: Mapping[str, str], names: Mapping[int, str]) -> None:
        super().__init__(asked, label_suffix="")
        choices = [("", "Any"), *((str(pk), name) for pk, name in names.items())]
        self.fields["destination"] = forms.TypedChoiceField(
            choices=choices, coerce=int, empty_value=None, required=False, label="Destination"
        )

    def narrowing(self) -> Narrowing:
        """Return what was asked for."""
        self.is_valid()
        given = self.cleaned_data
        return Narrowing(Group(given.get("tab") or Group.ALL), given.get("destination"), given.get("q", ""))

    def kept(self) -> dict[str, str]:
        """Return the filters that are set and valid, for links that keep them."""
        return {name: str(value) for name, value in self.cleaned_data.items() if value}


@dataclass(frozen=True, slots=True)
class Tab:
    """One group of deliveries, and how many there are."""

    label: str
    url: str
    count: str
    is_current: bool
    is_pressing: bool


@dataclass(frozen=True, slots=True)
class Row:
    """One delivery of the list."""

    reply: Listed
    standing: Standing
    text: tuple[Piece, ...]


@dataclass(frozen=True, slots=True)
class DeliveriesPage:
    """One page of the list, and where the pages before and after it begin."""

    rows: tuple[Row, ...]
    tabs: tuple[Tab, ...]
    warning: str
    has_destination: bool
    may_configure: bool
    any_at_all: bool
    nothing: str
    narrowed: bool
    following: str | None
    preceding: str | None


@require_safe
@readers_only
def deliveries(request: ConsoleRequest) -> HttpResponse:
    """List deliveries by the filters asked for, the newest first."""
    filters = Filters(request.GET, destination_names())
    narrowing = filters.narrowing()
    place = _place(request.GET.get("after"), request.GET.get("before"))
    page = _page(request, narrowing, filters.kept(), place)
    return show(request, "deliveries.html", {"page": page, "filters": filters}, fragment="list")


def _page(request: ConsoleRequest, narrowing: Narrowing, kept: dict[str, str], place: Place | None) -> DeliveriesPage:
    now = timezone.now()
    found, more = deliveries_page(request.user, narrowing, place=place, limit=PER_PAGE)
    backwards = place is not None and place.backwards
    has_next, has_previous = (True, more) if backwards else (more, place is not None)
    counted = counts(request.user, narrowing)
    return DeliveriesPage(
        rows=tuple(Row(reply, standing_of(reply, now), plain(" ".join(reply.text.split()))) for reply in found),
        tabs=tuple(_tab(group, counted[group], narrowing, kept) for group in GROUPS),
        warning=_warning(overdue(request.user, now)),
        has_destination=any_active_destination(),
        may_configure=may(request.user, Action.CONFIGURE),
        any_at_all=bool(counted[Group.ALL]),
        nothing=NONE_THERE[narrowing.group],
        narrowed=bool(narrowing.destination or narrowing.conversation),
        following=_link(kept, "after", found[-1]) if found and has_next else None,
        preceding=_link(kept, "before", found[0]) if found and has_previous else None,
    )


def _tab(group: Group, counted: int, narrowing: Narrowing, kept: dict[str, str]) -> Tab:
    pressing = group is Group.NEEDS_A_PERSON and counted > 0
    url = "?" + urlencode({**kept, "tab": group.value})
    return Tab(GROUPS[group], url, _bounded(counted), group is narrowing.group, pressing)


def _warning(late: int) -> str:
    """Say the truth when replies are due and nobody takes them."""
    if not late:
        return ""
    replies = "1 reply is" if late == 1 else f"{_bounded(late).capitalize()} replies are"
    return f"{replies} overdue by more than {in_words(OVERDUE_AFTER)}; is the worker running?"


def _bounded(counted: int) -> str:
    return f"more than {COUNTED:,}" if counted > COUNTED else f"{counted:,}"


def _link(kept: dict[str, str], direction: str, reply: Listed) -> str:
    return "?" + urlencode({**kept, direction: f"{reply.created_at.isoformat()}_{reply.id}"})


def _place(after: str | None, before: str | None) -> Place | None:
    """Read where a page begins; what is not understood begins at the beginning."""
    at, _, pk = (after or before or "").partition("_")
    try:
        moment, identity = datetime.fromisoformat(at), UUID(pk)
    except ValueError:
        return None
    return Place(moment, identity, backwards=not after) if moment.tzinfo else None
