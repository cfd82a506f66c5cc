"""The gate before writing: what may be said, asked before a draft exists. A pure reading; nothing is written."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction

from drafts.decisions.analysis import analyse
from drafts.decisions.arriving import AskIn, MessageIn, check
from drafts.decisions.given import Analysis, Given
from drafts.decisions.saying import Say, say
from drafts.models import Conversation, Message
from drafts.services import intake
from ledger import queries as ledger
from ledger.decisions.calendar import BusinessCalendar


@dataclass(frozen=True, slots=True)
class Answered:
    """What an ask is told: the analysis without a draft, and what to say."""

    given: Given
    analysis: Analysis
    say: Say


@transaction.atomic(durable=True)
def ask(asked: AskIn, *, now: datetime, calendar: BusinessCalendar) -> Answered:
    """Say what may be said on this ask. Raises Unacceptable or BadDate; stores nothing either way."""
    registry = ledger.registry()
    check(asked, registry)
    known = Conversation.objects.filter(external_id=asked.conversation_id).first()
    thread = _thread(known, asked.messages)
    reply_to = intake.answered_message(asked, thread)
    given = intake.ask_given(
        asked,
        questions=intake.questions_for(asked, reply_to, registry),
        thread=thread,
        registry=registry,
        now=now,
        calendar=calendar,
        told_in=asked.conversation_id if known else None,
        reply_to=reply_to,
        channel=asked.channel or (known.channel if known else None),
        ticket=_ticket(asked, now),
    )
    analysis = analyse(given)
    return Answered(given, analysis, say(analysis))


def _ticket(asked: AskIn, now: datetime) -> Mapping[str, object] | None:
    if asked.ticket is None:
        return None
    return {**asked.ticket.fields, "id": asked.ticket.id, "as_of": asked.ticket.as_of or now}


def _thread(known: Conversation | None, arriving: Sequence[MessageIn]) -> list[Message]:
    """Join what we hold of the thread with what this ask brings, in memory only."""
    held = list(known.messages.all()) if known else []
    texts = {m.id: m.text for m in arriving}
    for message in held:
        message.text = texts.get(message.external_id, message.text)
    ids = {m.external_id for m in held}
    last = max((m.ordinal for m in held), default=0)
    fresh = (m for m in arriving if m.id not in ids)
    return held + [
        Message(external_id=m.id, ordinal=last + place, role=m.role, text=m.text, sent_at=m.sent_at)
        for place, m in enumerate(fresh, start=1)
    ]
