"""What a reviewer does to an open item before deciding: choose the question, save text, settle findings, catch up.

An escalated item is changed by nobody but a policy owner; anybody else is refused.
"""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Max

from drafts import queries
from drafts.decisions.analysis import analyse
from drafts.decisions.given import Analysis
from drafts.models import Event, ReviewItem
from drafts.services import analysing, deciding, parking
from drafts.services.deciding import Dismiss
from drafts.services.outcomes import Overtaken, Refused, Unusable
from ledger import queries as ledger
from ledger.decisions.calendar import BusinessCalendar
from ledger.decisions.text import is_blank
from ledger.decisions.vocabulary import KeyOrigin, KeyStatus


@transaction.atomic(durable=True)
def save_text(
    *, item_id: UUID | str, text: str, seen_version: int, actor: User, now: datetime, calendar: BusinessCalendar
) -> ReviewItem | Refused | Overtaken:
    """Save an edited text as the next draft version and analyse it.

    What was overtaken is parked, never lost. An edit made after the customer's newest message answers it.
    Raises Unusable for a blank text, ReviewItem.DoesNotExist.
    """
    if is_blank(text):
        raise Unusable("text", "The text is empty. Write the reply, or send the draft back.")
    item = deciding.locked_item(item_id)
    if hindered := deciding.in_the_way(item, seen_version, actor):
        deciding.park_hindered(item, text, actor, hindered, now)
        return hindered
    if deciding.keep_edit(item, text, actor, now):
        _catch_up(item)
        item.save(update_fields=["version", "seen_ordinal"])
        _note(item, "item:draft:edited", actor, now, version=item.version)
        analysing.refresh(item, now=now, calendar=calendar)
    parking.forget_typed(item, actor)
    return item


@transaction.atomic(durable=True)
def choose_key(
    *, item_id: UUID | str, key: str | None, actor: User, now: datetime, calendar: BusinessCalendar
) -> ReviewItem | Refused | Overtaken:
    """Establish an item's question by a person; None says that it asks for no commitment.

    Raises Unusable for a key that is not in the registry, ReviewItem.DoesNotExist.
    """
    if key is not None and key not in ledger.registry():
        raise Unusable("question.key", f"The key {key!r} is not in the registry.")
    item = deciding.locked_item(item_id)
    if hindered := deciding.in_the_way(item, item.version, actor):
        return hindered
    item.question_status = KeyStatus.NONE if key is None else KeyStatus.ESTABLISHED
    item.question_key, item.question_score = key, None
    item.question_by, item.question_set_by = KeyOrigin.PERSON, actor
    item.also_asked = [other for other in item.also_asked if other["key"] != key]
    item.save(
        update_fields=[
            "question_status",
            "question_key",
            "question_by",
            "question_score",
            "question_set_by",
            "also_asked",
        ]
    )
    _note(item, "item:question:chosen", actor, now, key=key)
    analysing.refresh(item, now=now, calendar=calendar)
    return item


@transaction.atomic(durable=True)
def settle(
    *, item_id: UUID | str, dismissed: Sequence[Dismiss], actor: User, now: datetime, calendar: BusinessCalendar
) -> ReviewItem | Refused | Overtaken:
    """Mark claims as none, or findings as looked at, with reasons that managers can count. Raises Unusable."""
    item = deciding.locked_item(item_id)
    if hindered := deciding.in_the_way(item, item.version, actor):
        return hindered
    deciding.dismiss_all(item, dismissed, queries.current_version(item).text, actor, now)
    for one in dismissed:
        _note(item, "item:claim:dismissed", actor, now, subject=one.subject, reason=one.reason)
    analysing.refresh(item, now=now, calendar=calendar)
    return item


@transaction.atomic(durable=True)
def confirm_still_fits(
    *, item_id: UUID | str, actor: User, now: datetime, calendar: BusinessCalendar
) -> ReviewItem | Refused | Overtaken:
    """Record that the reviewer has read the customer's newer message and the draft still answers."""
    item = deciding.locked_item(item_id)
    if hindered := deciding.in_the_way(item, item.version, actor):
        return hindered
    _catch_up(item)
    item.save(update_fields=["seen_ordinal"])
    _note(item, "item:thread:read", actor, now)
    analysing.refresh(item, now=now, calendar=calendar)
    return item


def check_live(item: ReviewItem, text: str, *, now: datetime, calendar: BusinessCalendar) -> Analysis:
    """Analyse a text that is still being typed, without storing anything: the same analysis as everywhere."""
    return analyse(queries.given_for(item, now=now, text=text, calendar=calendar))


def _catch_up(item: ReviewItem) -> None:
    item.seen_ordinal = item.conversation.messages.aggregate(last=Max("ordinal"))["last"] or 0


def _note(item: ReviewItem, kind: str, actor: User, now: datetime, **detail: object) -> None:
    Event.objects.create(item=item, kind=kind, actor=actor, happened_at=now, detail=detail)
