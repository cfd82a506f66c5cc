"""Say that an answer was corrected, where people meet it. Part of a correction's transaction."""

from datetime import datetime

from drafts import queries
from drafts.decisions.comparison import contains_verbatim
from drafts.models import Correction, Event, ReviewItem
from drafts.services import notices, threads

CORRECTED = "item:answer:corrected"


def announce(correction: Correction, *, now: datetime) -> None:
    """Tell the owner, where another person issued it, and put a line on each open draft that the new answer concerns.

    Those are the drafts that ask its question, and those that still hold the words it withdraws.
    """
    _tell_owner(correction, now)
    for item in threads.open_items_of(correction.conversation):
        reuses = contains_verbatim(queries.current_version(item).text, correction.old_text) is not None
        if reuses or _asks(item, correction.question_key):
            Event.objects.create(
                item=item,
                kind=CORRECTED,
                actor=correction.corrected_by,
                happened_at=now,
                detail={"key": correction.question_key, "reuses": reuses, "correction": str(correction.pk)},
            )


def _asks(item: ReviewItem, root: str) -> bool:
    """Say whether an item asks a question, by the root keys that its newest analysis found."""
    asked = (item.analysis, *item.analysis.get("also", ()))
    return any(one.get("gate", {}).get("root_key") == root for one in asked)


def _tell_owner(correction: Correction, now: datetime) -> None:
    if correction.owner == correction.corrected_by:
        return
    who = correction.corrected_by.get_full_name() or correction.corrected_by.get_username()
    notices.tell(
        person=correction.owner,
        kind="correction_owned",
        about=f"correction:{correction.pk}:owner",
        subject="A correction names you as its owner",
        text=f"{who} corrected what a customer was told and named you as the person who answers for it. "
        f"The reason given: “{correction.reason}”",
        path=f"/corrections/{correction.pk}/",
        now=now,
    )
