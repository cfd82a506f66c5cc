"""Commitments made past the desk: written down when they arrive, settled by a person.

What counts as one stands in `drafts.decisions.outside_commitments`. What is written stays, also when the message is
edited afterwards: the customer may have read it.
"""

from collections.abc import Collection, Iterable
from datetime import datetime

from django.contrib.auth.models import User
from django.db import transaction

from drafts.decisions.outside_commitments import stated_outside
from drafts.models import Conversation, Message, OutsideCommitment
from drafts.services import analysing
from ledger import queries as ledger
from ledger.decisions.calendar import BusinessCalendar
from ledger.decisions.keys import root_of
from ledger.decisions.text import is_blank
from ledger.decisions.values import extract
from ledger.queries.passages import active_passages


class NotSettled(Exception):
    """The commitment cannot be settled so; the message says why."""


def note(
    conversation: Conversation, messages: Iterable[Message], *, now: datetime, asking: Collection[str] = ()
) -> int:
    """Write down what agents' messages from outside the desk commit us to, and return how many sentences are new.

    `asking` holds the keys that arrive with them. The same sentence of the same message is written once. Part of other
    services; needs an open transaction.
    """
    stating = [m for m in messages if m.role == "agent" and extract(m.text)]
    if not stating:
        return 0
    live, passages = ledger.live_answers(conversation.external_id), active_passages()
    locked = {key: answer.answer_text for key, answer in live.items()}
    asked = _asked(conversation, asking)
    rows = [
        OutsideCommitment(
            message=message,
            conversation=conversation,
            question_key=found.question_key,
            sentence=found.sentence,
            entry_id=live[found.question_key].entry_id if found.question_key in live else None,
            differs=found.differs,
            found_at=now,
        )
        for message in stating
        for found in stated_outside(message.text, locked=locked, passages=passages, asked=asked)
    ]
    earlier = OutsideCommitment.objects.filter(message__in=stating)
    known = set(earlier.values_list("message", "question_key", "sentence"))
    fresh = [row for row in rows if (row.message_id, row.question_key, row.sentence) not in known]
    OutsideCommitment.objects.bulk_create(fresh)
    return len(fresh)


def _asked(conversation: Conversation, asking: Iterable[str]) -> frozenset[str]:
    """Return the root keys that were asked in a conversation, and those that are asked now."""
    registry = ledger.registry()
    rows = conversation.items.values_list("question_key", "also_asked")
    keys = {key for first, others in rows for key in (first, *(other["key"] for other in others)) if key}
    return frozenset(root_of(key, registry) for key in (*keys, *asking) if key in registry)


@transaction.atomic(durable=True)
def settle(
    *, commitment_id: int, reason: str, actor: User, now: datetime, calendar: BusinessCalendar
) -> OutsideCommitment:
    """Settle a commitment by a person's word, and analyse the conversation's open drafts again.

    Raises NotSettled where it is not known, was settled before, or no reason is given.
    """
    found = OutsideCommitment.objects.select_for_update(of=("self",)).filter(pk=commitment_id).first()
    if found is None:
        raise NotSettled("This commitment is not known.")
    if found.settled_at is not None:
        raise NotSettled("A colleague has settled this meanwhile.")
    if is_blank(reason):
        raise NotSettled("Say why this is settled: what the customer holds now, and who made sure of it.")
    found.settled_at, found.settled_by, found.settled_because = now, actor, reason
    found.save(update_fields=["settled_at", "settled_by", "settled_because"])
    analysing.refresh_open_of(found.conversation, now=now, calendar=calendar)
    return found
