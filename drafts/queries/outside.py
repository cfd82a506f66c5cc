"""What was said to customers past the desk, and what of it has been withdrawn."""

from collections.abc import Iterable
from dataclasses import replace

from drafts.decisions.given import Sources
from drafts.models import Correction, Message
from drafts.queries.outside_commitments import said_past_the_desk


def withdrawn_left_out(known: Sources, told_in: str | None, thread: Iterable[Message]) -> Sources:
    """Add what was found to commit us of what was said past the desk, and what corrections withdrew of it.

    `told_in` names the conversation, None where it is new. Where nobody spoke past the desk, nothing is looked up.
    """
    outside = [m for m in thread if m.role == "agent" and not m.through_desk]
    if not outside:
        return known
    known = replace(known, outside=said_past_the_desk(outside))
    if told_in is None:
        return known
    rows = Correction.objects.filter(
        conversation__external_id=told_in, outside_message__isnull=False, withdrawn_at=None
    )
    withdrawn: dict[str, tuple[str, ...]] = {}
    for key, words in rows.order_by("corrected_at", "id").values_list("question_key", "old_text"):
        withdrawn[key] = (*withdrawn.get(key, ()), words)
    return replace(known, withdrawn=withdrawn)
