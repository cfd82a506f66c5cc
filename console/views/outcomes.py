"""Turn what a service came to into a notice for the page; None where it simply worked."""

from typing import TYPE_CHECKING

from django.contrib.auth.models import User

from console.forms import Sent
from console.views.history import name_of
from console.views.review_page import Notice
from drafts.services.holding import WAITS_FOR_OWNER
from drafts.services.outcomes import Overtaken, Refused

if TYPE_CHECKING:
    from drafts.models import ReviewItem


def notice_of(outcome: object, sent: Sent, actor: User) -> Notice | None:
    """Say what stood in the way of an action, and what to do."""
    match outcome:
        case Refused(item, blockers) if WAITS_FOR_OWNER in blockers:
            return _changed_nothing(item, "A policy owner decides this item", sent)
        case Refused():
            return Notice(
                "refused",
                "This cannot be approved yet. Nothing was decided.",
                tuple(blocker.message for blocker in outcome.blockers),
            )
        case Overtaken():
            return _changed_nothing(outcome.item, _heading(outcome, actor), sent)
        case _:
            return None


def _changed_nothing(item: "ReviewItem", heading: str, sent: Sent) -> Notice:
    kept = sent.text if sent.text and not item.draft_versions.filter(text=sent.text).exists() else None
    told = ("Your text is kept below; nothing you typed is lost.",) if kept else ()
    return Notice("overtaken", heading, ("Your action changed nothing.", *told), kept=kept)


def _heading(overtaken: Overtaken, actor: User) -> str:
    """Name people as the rest of the page does."""
    item = overtaken.item
    if item.decided_by is not None:
        return f"{name_of(item.decided_by)} already decided this item"
    if overtaken.who and item.holder is not None and item.holder != actor:
        return f"{name_of(item.holder)} has taken this item"
    return overtaken.message
