"""Issue corrections: from a draft, from a conversation's ledger, or over the API without a draft waiting."""

from dataclasses import dataclass, replace
from datetime import datetime

from django.contrib.auth.models import User
from django.db import transaction

from drafts import queries
from drafts.decisions import outside
from drafts.decisions.analysis import analyse
from drafts.decisions.given import Asked, Blocker
from drafts.decisions.outside import SaidOutside
from drafts.decisions.policy_change import PolicyChange, change_of
from drafts.decisions.transitions import DecisionKind
from drafts.models import Conversation, Correction, Decision, ReviewItem
from drafts.services import analysing, closing, outbox
from drafts.services.announcing import announce
from drafts.services.outcomes import Decided, Outcome, Refused, Unusable
from drafts.services.preparing_corrections import (
    CorrectionRefused,
    CorrectionWanted,
    OutsideWords,
    composed_message,
    given_of,
    prepare,
    record,
)
from ledger.decisions.calendar import BusinessCalendar
from ledger.decisions.text import is_blank

__all__ = [
    "CorrectionRefused",
    "CorrectionWanted",
    "OutsideWords",
    "Previewed",
    "check_reply",
    "correct",
    "correct_item",
    "owner_named",
    "policy_change",
    "preview",
    "preview_from_ledger",
]


@dataclass(frozen=True, slots=True)
class Previewed:
    """What a correction would replace (`one.locked`) and send (`composed`), and what stands in its way.

    `said_outside` are the replies past the desk that answer this question and have not been withdrawn.
    """

    one: Asked
    composed: str
    blockers: tuple[Blocker, ...]
    said_outside: tuple[SaidOutside, ...]


def correct_item(
    item: ReviewItem,
    wanted: CorrectionWanted,
    *,
    seen_version: int,
    actor: User,
    now: datetime,
    calendar: BusinessCalendar,
) -> Outcome:
    """Close an item by a correction. Part of a decision's transaction; raises Unusable."""
    owner = owner_named(wanted.owner)
    given = queries.given_for(item, now=now, calendar=calendar)
    prepared = prepare(given, wanted, now=now, calendar=calendar)
    if isinstance(prepared, tuple):
        return Refused(item, prepared)
    decision = Decision(
        item=item,
        kind=DecisionKind.CORRECT,
        seen_version=seen_version,
        text=prepared.wanted.message,
        answer_text=wanted.answer_text,
        reason=wanted.reason,
        owner=owner,
        branch=prepared.one.gate.branch,
        root_key=prepared.one.root,
        decided_by=actor,
        decided_at=now,
    )
    try:
        correction = record(item.conversation, given, prepared, wanted, owner, decision=decision, actor=actor, now=now)
    except CorrectionRefused as refused:
        return Refused(item, refused.blockers)
    decision.entry_ids = [str(correction.entry_id)]
    closing.finish(item, decision)
    correction.decision = decision
    correction.save(force_insert=True)
    outbox.enqueue(decision, now=now)
    analysing.refresh_others(item, now=now, calendar=calendar)
    announce(correction, now=now)
    return Decided(item, decision)


@transaction.atomic(durable=True)
def correct(
    *,
    conversation_id: str,
    question_key: str,
    wanted: CorrectionWanted,
    actor: User,
    now: datetime,
    calendar: BusinessCalendar,
) -> Correction:
    """Correct what a customer was told, without a draft waiting.

    Raises Unusable for an unknown conversation, key or owner or a missing reason, CorrectionRefused where the rules
    forbid it; nothing is stored then.
    """
    _check(wanted)
    owner = owner_named(wanted.owner)
    conversation = Conversation.objects.select_for_update(no_key=True).filter(external_id=conversation_id).first()
    if conversation is None:
        raise Unusable("conversation_id", f"No conversation {conversation_id!r} is known.")
    given = given_of(conversation, question_key, now=now, calendar=calendar)
    prepared = prepare(given, wanted, now=now, calendar=calendar)
    if isinstance(prepared, tuple):
        raise CorrectionRefused(prepared)
    correction = record(conversation, given, prepared, wanted, owner, decision=None, actor=actor, now=now)
    correction.save(force_insert=True)
    outbox.enqueue(correction, now=now)
    analysing.refresh_open_of(conversation, now=now, calendar=calendar)
    announce(correction, now=now)
    return correction


def owner_named(name: str) -> User:
    """Return the person who will own a correction, one who may correct. Raises Unusable."""
    person = queries.correctors().filter(username=name).first()
    if person is None:
        raise Unusable(
            "owner", f"No active person {name!r} may correct here. Name the user who answers for the correction."
        )
    return person


def preview(item: ReviewItem, answer_text: str, *, now: datetime, calendar: BusinessCalendar) -> str | None:
    """Return the message a correction with this answer would send, or None where nothing could be corrected."""
    given = queries.given_for(item, now=now, calendar=calendar)
    one = analyse(given).first
    wanted = CorrectionWanted(answer_text, "", "")
    return None if one.locked is None else composed_message(given, one, wanted, now=now, calendar=calendar)


def preview_from_ledger(
    *, conversation_id: str, question_key: str, wanted: CorrectionWanted, now: datetime, calendar: BusinessCalendar
) -> Previewed:
    """Show what `correct` would send and refuse; nothing is stored, and reason and owner are not looked at.

    Raises Unusable for an unknown conversation or key.
    """
    given = given_of(_conversation(conversation_id), question_key, now=now, calendar=calendar)
    prepared = prepare(given, wanted, now=now, calendar=calendar)
    one = analyse(given).first
    return Previewed(
        one=one,
        composed=composed_message(given, one, wanted, now=now, calendar=calendar),
        blockers=prepared if isinstance(prepared, tuple) else (),
        said_outside=outside.said_outside(given, one),
    )


def _check(wanted: CorrectionWanted) -> None:
    for field in ("answer_text", "reason", "owner"):
        if is_blank(getattr(wanted, field)):
            raise Unusable(field, f"A correction needs {field.replace('_', ' ')}.")


def check_reply(
    *, conversation_id: str, question_key: str, text: str, now: datetime, calendar: BusinessCalendar
) -> tuple[Blocker, ...]:
    """Return what would stand in the way of a reply that the desk itself composes; nothing is stored.

    Raises Unusable for an unknown conversation or key.
    """
    given = given_of(_conversation(conversation_id), question_key, now=now, calendar=calendar)
    return analyse(replace(given, text=text)).blockers


def policy_change(
    *, conversation_id: str, question_key: str, now: datetime, calendar: BusinessCalendar
) -> PolicyChange | None:
    """Return what changed under a customer's locked answer, or None; raises Unusable like `check_reply`."""
    given = given_of(_conversation(conversation_id), question_key, now=now, calendar=calendar)
    return change_of(given, analyse(given).first)


def _conversation(conversation_id: str) -> Conversation:
    conversation = Conversation.objects.filter(external_id=conversation_id).first()
    if conversation is None:
        raise Unusable("conversation_id", f"No conversation {conversation_id!r} is known.")
    return conversation
