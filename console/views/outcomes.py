"""Turn what a service came to into a notice for the page; None where it simply worked."""

from django.contrib.auth.models import User

from console.forms import Sent
from console.views.history import name_of
from console.views.review_page import Notice
from drafts.services.outcomes import Overtaken, Refused


def notice_of(outcome: object, sent: Sent, actor: User) -> Notice | None:
    """Say what stood in the way of an action, and what to do."""
    match outcome:
        case Refused():
            return Notice(
                "refused",
                "This cannot be approved yet. Nothing was decided.",
                tuple(blocker.message for blocker in outcome.blockers),
            )
        case Overtaken():
            kept = sent.text if sent.text and not outcome.item.draft_versions.filter(text=sent.text).exists() else None
            told = ("Your text is kept below; nothing you typed is lost.",) if kept else ()
            return Notice("overtaken", _heading(outcome, actor), ("Your action changed nothing.", *told), kept=kept)
        case _:
            return None


def _heading(overtaken: Overtaken, actor: User) -> str:
    """Name people as the rest of the page does."""
    item = overtaken.item
    if item.decided_by is not None:
        return f"{name_of(item.decided_by)} already decided this item"
    if overtaken.who and item.holder is not None and item.holder != actor:
        return f"{name_of(item.holder)} has taken this item"
    return overtaken.message
