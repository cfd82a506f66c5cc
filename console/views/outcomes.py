"""Turn what a service came to into a notice for the page; None where it simply worked."""

from console.forms import Sent
from console.views.review_page import Notice
from drafts.services.outcomes import Overtaken, Refused


def notice_of(outcome: object, sent: Sent) -> Notice | None:
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
            return Notice("overtaken", outcome.message, ("Your action changed nothing.", *told), kept=kept)
        case _:
            return None
