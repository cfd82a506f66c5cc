"""Replies that the desk itself composes for a conversation, in the form in which any draft comes in."""

import hashlib
import json
from dataclasses import replace

from django.contrib.auth.models import AnonymousUser, User

from drafts.decisions.arriving import AskIn, DraftIn, MessageIn, QuestionIn, TicketIn
from drafts.decisions.transitions import OPEN_STATES
from drafts.models import Conversation, Message, ReviewItem
from drafts.queries.visibility import visible_items
from ledger import queries as ledger
from ledger.decisions.vocabulary import KeyOrigin

COMPOSED = "composed at the desk"
"""What stands where other drafts name their model."""


class NothingToAnswer(Exception):
    """The conversation has no message yet that a reply could answer."""


def composed_draft(conversation: Conversation, *, text: str, question_key: str | None, external_id: str) -> DraftIn:
    """Return a reply as a draft of the desk's own: to the customer's newest message, with the facts known last.

    It is taken in, checked, decided and delivered like every other. Raises NothingToAnswer.
    """
    newest = conversation.messages.filter(role="customer").order_by("-ordinal").first() or _any_message(conversation)
    if newest is None:
        raise NothingToAnswer
    item = conversation.items.select_related("ticket").order_by("-created_at", "-id").first()
    ask = AskIn(
        conversation_id=conversation.external_id,
        messages=(MessageIn(newest.external_id, newest.role, newest.text, newest.sent_at),),
        in_reply_to=newest.external_id,
        question=QuestionIn(question_key, KeyOrigin.PERSON) if question_key else None,
        facts=dict(item.facts) if item else {},
    )
    if item is not None and item.ticket is not None:
        ask = replace(ask, ticket=TicketIn(item.ticket.external_id, item.ticket.fields, item.ticket.as_of))
    content = json.dumps([conversation.external_id, question_key, external_id, text], ensure_ascii=False).encode()
    digest = hashlib.sha256(content).hexdigest()
    return DraftIn(external_id=external_id, ask=ask, text=text, digest=digest, model_name=COMPOSED)


def _any_message(conversation: Conversation) -> Message | None:
    return conversation.messages.order_by("-ordinal").first()


def keys_of(user: User | AnonymousUser, conversation: Conversation) -> tuple[str, ...]:
    """Return the questions of a conversation: those that it was answered, then those that were asked, newest first."""
    answered = ledger.live_answers(conversation.external_id)
    found = visible_items(user).filter(conversation=conversation, question_key__isnull=False)
    asked = found.order_by("-created_at").values_list("question_key", flat=True)[:200]
    return tuple(dict.fromkeys((*answered, *(key for key in asked if key))))


def open_items_asking(user: User | AnonymousUser, conversation: Conversation, key: str) -> list[ReviewItem]:
    """Return the drafts of a conversation that wait and ask one question, oldest first."""
    found = visible_items(user).filter(conversation=conversation, question_key=key, state__in=OPEN_STATES)
    return list(found.defer("analysis", "raw_output").order_by("created_at", "id")[:20])
