"""Where replies go: administrators add, change and switch off destinations; a secret is shown once."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import wraps
from http import HTTPStatus
from typing import Concatenate

from django import forms
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from console.forms import KeptText
from console.http import ConsoleRequest, show
from console.permissions import Action, may
from console.receiving import SAMPLE_RECEIVER
from console.views.highlight import plain
from drafts.decisions.structure import Piece
from drafts.queries.deliveries import COUNTED
from drafts.queries.destinations import DestinationRow, destination_names, destinations, without_destination
from drafts.services.destinations import put_destination, rotate_secret, switch
from drafts.services.outcomes import Unusable

type Problems = Mapping[str, tuple[tuple[Piece, ...], ...]]
"""What cannot be used, by field: sentences that may quote what was typed."""

NAME_TAKEN = "There is already a destination of this name. Change it below, or choose another name."


class DestinationForm(forms.Form):
    """A destination as it was typed; the service judges it."""

    name = KeptText()
    url = KeptText()
    channels = KeptText()

    def typed(self) -> "Typed":
        """Return what was typed, also where a field cannot be used."""
        kept = {name: self.cleaned_data.get(name, self.data.get(name, "")) for name in self.fields}
        return Typed(**{name: str(value).strip() for name, value in kept.items()})


@dataclass(frozen=True, slots=True)
class Typed:
    """The fields of a destination; `channels` are separated by commas."""

    name: str = ""
    url: str = ""
    channels: str = ""

    @property
    def channel_list(self) -> tuple[str, ...]:
        """Return the channels, none for all."""
        return tuple(part.strip() for part in self.channels.replace("\n", ",").split(",") if part.strip())


@dataclass(frozen=True, slots=True)
class Card:
    """One destination of the list, with what was typed into its form."""

    row: DestinationRow
    typed: Typed
    problems: Problems
    is_sample: bool


@dataclass(frozen=True, slots=True)
class Revealed:
    """A secret that is shown this once."""

    destination: str
    secret: str
    is_new: bool


@dataclass(frozen=True, slots=True)
class Refused:
    """What cannot be used of a form; `destination` is the one it changes, None where it adds one."""

    destination: int | None
    typed: Typed
    problems: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class DestinationsPage:
    """Everything the page shows."""

    cards: tuple[Card, ...]
    adding: Typed
    problems: Problems
    revealed: Revealed | None
    waiting: str


def administrators_only[**P](
    view: Callable[Concatenate[ConsoleRequest, P], HttpResponse],
) -> Callable[Concatenate[ConsoleRequest, P], HttpResponse]:
    """Refuse whoever does not configure."""

    @wraps(view)
    def guarded(request: ConsoleRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        if not may(request.user, Action.CONFIGURE):
            raise PermissionDenied("Where replies go is for administrators to say.")
        return view(request, *args, **kwargs)

    return guarded


@require_safe
@administrators_only
def overview(request: ConsoleRequest) -> HttpResponse:
    """Show every destination, without its secret."""
    return _show(request)


@require_POST
@administrators_only
def add(request: ConsoleRequest) -> HttpResponse:
    """Add a destination and show its secret, this once."""
    typed, problems = _read(request)
    if not problems and typed.name in destination_names().values():
        problems = {"name": (NAME_TAKEN,)}
    secret = None if problems else _put(request, typed, problems)
    if problems:
        return _show(request, refused=Refused(None, typed, problems))
    return _show(request, revealed=Revealed(typed.name, secret, is_new=True) if secret else None)


@require_POST
@administrators_only
def change(request: ConsoleRequest, destination_id: int) -> HttpResponse:
    """Give a destination another address or other channels; its name and secret stay."""
    name = _name_of(destination_id)
    typed, problems = _read(request, name=name)
    if not problems:
        _put(request, typed, problems)
    if problems:
        return _show(request, refused=Refused(destination_id, typed, problems))
    messages.success(request, f"{name} is changed. Requests that are under way end where they began.")
    return redirect("destinations")


@require_POST
@administrators_only
def switch_it(request: ConsoleRequest, destination_id: int) -> HttpResponse:
    """Switch a destination on or off, as the button said."""
    name = _name_of(destination_id)
    on = request.POST.get("active") == "yes"
    switch(destination_id=destination_id, active=on, now=timezone.now())
    told = "on. Its waiting replies leave by themselves." if on else "off. Its replies wait until it is on again."
    messages.success(request, f"{name} is switched {told}")
    return redirect("destinations")


@require_POST
@administrators_only
def renew_secret(request: ConsoleRequest, destination_id: int) -> HttpResponse:
    """Give a destination a new secret and show it, this once."""
    name = _name_of(destination_id)
    secret = rotate_secret(destination_id=destination_id, now=timezone.now())
    return _show(request, revealed=Revealed(name, secret, is_new=False))


def _read(request: ConsoleRequest, *, name: str = "") -> tuple[Typed, dict[str, tuple[str, ...]]]:
    data = request.POST.copy()
    if name:
        data["name"] = name
    form = DestinationForm(data)
    form.is_valid()
    problems = {field: tuple(str(error) for error in errors) for field, errors in form.errors.items()}
    return form.typed(), problems


def _put(request: ConsoleRequest, typed: Typed, problems: dict[str, tuple[str, ...]]) -> str | None:
    """Store a destination and return its secret where it is new; what cannot be used joins the problems."""
    try:
        _destination, secret = put_destination(
            name=typed.name,
            url=typed.url,
            channels=typed.channel_list,
            actor_name=request.user.get_username(),
            now=timezone.now(),
        )
    except Unusable as unusable:
        problems[unusable.field] = (unusable.message,)
        return None
    return secret


def _name_of(destination_id: int) -> str:
    name = destination_names().get(destination_id)
    if name is None:
        raise Http404("There is no such destination.")
    return name


def _show(request: ConsoleRequest, *, refused: Refused | None = None, revealed: Revealed | None = None) -> HttpResponse:
    adding = refused if refused and refused.destination is None else None
    page = DestinationsPage(
        cards=tuple(_card(row, refused) for row in destinations()),
        adding=adding.typed if adding else Typed(),
        problems=_told(adding),
        revealed=revealed,
        waiting=_waiting(without_destination()),
    )
    status = HTTPStatus.UNPROCESSABLE_ENTITY if refused else HTTPStatus.OK
    return show(request, "destinations.html", {"page": page}, status=status)


def _card(row: DestinationRow, refused: Refused | None) -> Card:
    mine = refused if refused and refused.destination == row.id else None
    stored = Typed(row.name, row.url, ", ".join(row.channels))
    return Card(row, mine.typed if mine else stored, _told(mine), row.name == SAMPLE_RECEIVER)


def _told(refused: Refused | None) -> Problems:
    found = refused.problems if refused else {}
    return {field: tuple(plain(sentence) for sentence in sentences) for field, sentences in found.items()}


def _waiting(counted: int) -> str:
    if not counted:
        return ""
    return (
        "1 reply was" if counted == 1 else f"{f'More than {COUNTED:,}' if counted > COUNTED else counted} replies were"
    )
