"""Hand two documents that compete for a conversation's question to their policy owner, without a draft waiting."""

from datetime import datetime

from django.db import transaction

from drafts.decisions.analysis import analyse
from drafts.models import Conversation
from drafts.services import conflict_news
from drafts.services.outcomes import Unusable
from drafts.services.preparing_corrections import given_of
from ledger.decisions.calendar import BusinessCalendar
from ledger.services import conflicts


@transaction.atomic(durable=True)
def open_conflict(*, conversation_id: str, question_key: str, now: datetime, calendar: BusinessCalendar) -> str:
    """Open the conflict of a question on the conversation's channel, or find the one that is open; return its id.

    Raises Unusable for an unknown conversation or key, and where no two documents compete.
    """
    conversation = Conversation.objects.filter(external_id=conversation_id).first()
    if conversation is None:
        raise Unusable("conversation_id", f"No conversation {conversation_id!r} is known.")
    one = analyse(given_of(conversation, question_key, now=now, calendar=calendar)).first
    if one.root is None or conversation.channel is None or not one.route.candidates:
        raise Unusable("question_key", "No two documents compete for this question here, so there is no conflict.")
    met = conflicts.meet(
        key=one.root,
        channel=conversation.channel,
        versions=one.route.candidates,
        found_by="ask",
        now=now,
        calendar=calendar,
    )
    if met.is_new:
        conflict_news.tell_of_open(now=now, calendar=calendar, only={str(met.conflict.pk)})
    return str(met.conflict.pk)
