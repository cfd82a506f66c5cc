"""Commitments made past the desk: those of a thread, as an analysis takes them, and one by one for a page."""

from collections.abc import Iterable

from django.db.models import Exists, OuterRef, Q

from drafts.decisions.given import SaidPastTheDesk
from drafts.models import Correction, Message, OutsideCommitment


def said_past_the_desk(messages: Iterable[Message]) -> tuple[SaidPastTheDesk, ...]:
    """Return what these messages commit us to, in the order in which it was found, with what has been settled since.

    Settled means by a person, or by a correction of that reply or on that key that came after it and was not undone:
    the same rule as that of audit check 3 (`drafts.queries.auditing`).
    """
    since = Correction.objects.filter(
        Q(question_key=OuterRef("question_key")) | Q(outside_message=OuterRef("message")),
        conversation=OuterRef("conversation"),
        withdrawn_at=None,
        corrected_at__gt=OuterRef("found_at"),
    )
    rows = OutsideCommitment.objects.filter(message__in=[m.pk for m in messages])
    found = rows.annotate(is_settled=Q(settled_at__isnull=False) | Exists(since)).order_by("found_at", "pk")
    columns = ("message__external_id", "question_key", "sentence", "differs", "is_settled")
    return tuple(SaidPastTheDesk(*values) for values in found.values_list(*columns))


def outside_commitment(commitment_id: int) -> OutsideCommitment | None:
    """Return one commitment with its message and conversation, or None."""
    rows = OutsideCommitment.objects.select_related("message", "conversation", "settled_by")
    return rows.filter(pk=commitment_id).first()
