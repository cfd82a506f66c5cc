"""Where an item stands for one person: whether they may work on it now, or what became of it, and what comes next."""

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING
from uuid import UUID

from django.contrib.auth.models import User

from console.permissions import Action, may
from console.views import history, words
from console.views.highlight import plain
from drafts import queries
from drafts.decisions.structure import Piece
from drafts.decisions.transitions import DecisionKind, ItemState, is_open, states_open_to
from drafts.queries import waiting

if TYPE_CHECKING:
    from drafts.models import ReviewItem


@dataclass(frozen=True, slots=True)
class Standing:
    """Whether this person may work on the item now; where not, the sentence that says why.

    `may_type` says that nothing but a colleague's lease can stand in the way, so that what is typed is looked at.
    """

    state: str
    workable: bool
    may_type: bool
    why_not: str
    handed_on: tuple[Piece, ...]
    held_by_me: bool
    held_by: str | None
    held_until: datetime | None
    happened: str
    happened_at: datetime | None
    reason: str | None
    told: tuple[Piece, ...]


def standing_of(item: "ReviewItem", user: User, now: datetime) -> Standing:
    """Say whether this person may work on the item now, or what became of it."""
    held = item.holder is not None and item.lease_until is not None and item.lease_until > now
    mine = held and item.holder == user
    why_not = _why_not(item, user, held_by_other=held and not mine)
    happened, at, reason = _happened(item)
    decision = item.decision
    return Standing(
        state=words.STATES[ItemState(item.state)],
        workable=not why_not,
        may_type=not _why_not(item, user, held_by_other=False),
        why_not=why_not,
        handed_on=_handed_on(item),
        held_by_me=mine,
        held_by=history.name_of(item.holder) if held else None,
        held_until=item.lease_until if held else None,
        happened=happened,
        happened_at=at,
        reason=reason,
        told=plain(decision.text) if decision else (),
    )


def _why_not(item: "ReviewItem", user: User, *, held_by_other: bool) -> str:
    if not is_open(item.state):
        return "This item is closed; nothing more can be decided here."
    if not may(user, Action.DECIDE):
        return "You can read this item. Deciding is for support agents and policy owners."
    if item.state not in states_open_to(queries.roles_of(user)):
        return "A policy owner decides it."
    if held_by_other:
        return (
            f"{history.name_of(item.holder)} has taken this item. You can read it, and decide it once it is free again."
        )
    return ""


def _handed_on(item: "ReviewItem") -> tuple[Piece, ...]:
    """Say who escalated an item that still waits, and why, as one sentence."""
    if item.state != ItemState.ESCALATED:
        return ()
    newest = item.escalations.select_related("escalated_by").latest("escalated_at", "id")
    return plain(f"Handed to a policy owner by {history.name_of(newest.escalated_by)} because “{newest.reason}”.")


def _happened(item: "ReviewItem") -> tuple[str, datetime | None, str | None]:
    decision = item.decision
    if decision is not None:
        return (
            f"{history.name_of(item.decided_by)} {words.DECIDED[DecisionKind(decision.kind)]}",
            item.decided_at,
            decision.reason,
        )
    if item.retired_at:
        return "This draft was retired", item.retired_at, item.retired_because
    return "", None, None


def next_id(item: "ReviewItem", user: User, now: datetime) -> UUID | None:
    """Return what waits for this person first, as the queue lists it; who can still decide this item has no next."""
    if item.state in states_open_to(queries.roles_of(user)):
        return None
    found = waiting.waiting_for(user, now).order_by("deadline_at", "created_at", "id")
    return found.values_list("pk", flat=True).first()
