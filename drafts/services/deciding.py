"""Decide an item: everything is computed again on the final text and fresh ticket fields, in one transaction."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.contrib.auth.models import User
from django.db import transaction

from drafts import queries
from drafts.decisions.analysis import analyse, quote_of
from drafts.decisions.blockers import SETTLED_BY_A_PERSON
from drafts.decisions.given import Analysis, Blocker, Given
from drafts.decisions.transitions import LEADS_TO, DecisionKind, is_open
from drafts.decisions.vocabulary import ClaimClass
from drafts.models import (
    Conversation,
    Decision,
    Dismissal,
    DraftVersion,
    Escalation,
    Event,
    ReviewItem,
)
from drafts.services import analysing, closing, holding, outbox, parking, recording, threads
from drafts.services.correcting import CorrectionWanted, OutsideWords, correct_item
from drafts.services.outcomes import Decided, Outcome, Overtaken, Refused, Unusable
from ledger.decisions.calendar import BusinessCalendar
from ledger.decisions.text import is_blank
from ledger.services.entries import EntryRefused


@dataclass(frozen=True, slots=True)
class Dismiss:
    """A span of the final text that the reviewer marks as no claim, or a finding as looked at, with the reason."""

    start: int | None
    end: int | None
    subject: str
    reason: str


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the reviewer wants: which decision, on which version, with which final text.

    `outside` names what a correction withdraws where it was said past the desk.
    """

    kind: DecisionKind
    seen_version: int | None = None
    text: str | None = None
    reason: str | None = None
    owner: str | None = None
    answer_text: str | None = None
    dismissed: tuple[Dismiss, ...] = ()
    outside: OutsideWords | None = None


@transaction.atomic(durable=True)
def decide(*, item_id: UUID | str, wanted: Wanted, actor: User, now: datetime, calendar: BusinessCalendar) -> Outcome:
    """Approve, edit, correct, escalate or send back; ledger entry, decision and outbox row are written together.

    Raises Unusable when the decision itself is incomplete, ReviewItem.DoesNotExist when there is no such item;
    nothing is stored then. What is refused or overtaken changes nothing, but the reviewer's text is parked and their
    word on claims is kept. An escalated item is decided by a policy owner.
    """
    _check(wanted)
    threads.lock_conversation_of(item_id)
    item = locked_item(item_id)
    if hindered := in_the_way(item, wanted.seen_version, actor):
        park_hindered(item, wanted.text, actor, hindered, now)
        return hindered
    _dismiss(item, wanted, actor, now)
    match wanted.kind:
        case DecisionKind.ESCALATE:
            return _escalate(item, wanted, actor, now)
        case DecisionKind.SEND_BACK:
            if wanted.text is not None and not is_blank(wanted.text):
                keep_edit(item, wanted.text, actor, now)
            return _close(item, wanted, actor, now, text="", given=None, analysis=None)
        case DecisionKind.CORRECT:
            correction = CorrectionWanted(
                wanted.answer_text or "", wanted.reason or "", wanted.owner or "", wanted.text, wanted.outside
            )
            seen = wanted.seen_version or item.version
            outcome = correct_item(item, correction, seen_version=seen, actor=actor, now=now, calendar=calendar)
            if isinstance(outcome, Refused):
                because = "The correction could not be issued as it stood."
                parking.park(item, wanted.text, author=actor, because=because, now=now)
            return outcome
        case _:
            return _approve(item, wanted, actor, now, calendar)


def locked_item(item_id: UUID | str) -> ReviewItem:
    """Lock an item's conversation and then the item, in the order that intake does. Raises ReviewItem.DoesNotExist."""
    conversation = ReviewItem.objects.values_list("conversation_id", flat=True).get(pk=item_id)
    Conversation.objects.select_for_update().get(pk=conversation)
    return ReviewItem.objects.select_for_update(of=("self",)).get(pk=item_id)


def _check(wanted: Wanted) -> None:
    needs_reason = wanted.kind in {DecisionKind.SEND_BACK, DecisionKind.ESCALATE, DecisionKind.CORRECT}
    if needs_reason and is_blank(wanted.reason or ""):
        raise Unusable("reason", "Say why, in a sentence that a colleague will understand.")
    if wanted.kind in {DecisionKind.APPROVE, DecisionKind.EDIT} and wanted.seen_version is None:
        raise Unusable("seen_version", "Name the version you have read; it stands in the item as `version`.")
    if wanted.kind is DecisionKind.EDIT and is_blank(wanted.text or ""):
        raise Unusable("text", "An edit needs the text that should go out.")
    sends_text = wanted.kind in {DecisionKind.APPROVE, DecisionKind.ESCALATE} and wanted.text is not None
    if sends_text and is_blank(wanted.text or ""):
        raise Unusable("text", "The text is empty. Write the reply, or send the draft back.")
    if wanted.kind is DecisionKind.CORRECT and is_blank(wanted.answer_text or ""):
        raise Unusable("answer_text", "A correction needs the answer that holds from now on.")
    if wanted.kind is DecisionKind.CORRECT and is_blank(wanted.owner or ""):
        raise Unusable("owner", "A correction needs an owner: the user name of the person who answers for it.")


def in_the_way(item: ReviewItem, seen_version: int | None, actor: User) -> Refused | Overtaken | None:
    """Say why this person cannot work on an item: a policy owner decides it, or something came in between.

    What can come in between is a decision, another version, another holder. Otherwise the item is now the actor's.
    """
    return holding.left_to_owner(item, actor) or _overtaken(item, seen_version, actor)


def _overtaken(item: ReviewItem, seen_version: int | None, actor: User) -> Overtaken | None:
    if not is_open(item.state):
        return closed(item)
    if seen_version is not None and seen_version != item.version:
        newest = queries.current_version(item)
        who = newest.author.get_username() if newest.author else None
        message = f"The draft moved on to version {item.version}; you have seen version {seen_version}."
        return Overtaken(item, message, who, newest.created_at)
    if not holding.try_take(item.pk, actor):
        item.refresh_from_db(fields=["holder", "lease_until"])
        who = item.holder.get_username() if item.holder else None
        return Overtaken(
            item, f"{who} has taken this item.", who, item.lease_until and item.lease_until - holding.LEASE
        )
    return None


def closed(item: ReviewItem) -> Overtaken:
    """Say who decided an item, or why it was retired."""
    if item.decided_by is None or item.decision is None:
        return Overtaken(item, item.retired_because or "This item is closed.", None, item.retired_at)
    who = item.decided_by.get_username()
    return Overtaken(
        item, f"{who} already decided this item ({item.decision.kind}).", who, item.decided_at, item.decision.kind
    )


def park_hindered(
    item: ReviewItem, text: str | None, actor: User, hindered: Refused | Overtaken, now: datetime
) -> None:
    """Keep the text of somebody who could not work on the item, with the reason why not."""
    because = hindered.message if isinstance(hindered, Overtaken) else hindered.blockers[0].message
    parking.park(item, text, author=actor, because=because, now=now)
    if text is not None:
        parking.forget_typed(item, actor, text=text)


def _dismiss(item: ReviewItem, wanted: Wanted, actor: User, now: datetime) -> None:
    if not wanted.dismissed:
        return
    text = wanted.text if wanted.text is not None else queries.current_version(item).text
    dismiss_all(item, wanted.dismissed, text, actor, now)


def dismiss_all(item: ReviewItem, dismissed: Sequence[Dismiss], text: str, actor: User, now: datetime) -> None:
    """Keep the reviewer's word on claims and findings. Raises Unusable for a span or subject that fits nothing."""
    known = {c.value for c in ClaimClass} | SETTLED_BY_A_PERSON
    for place, one in enumerate(dismissed):
        if one.subject not in known:
            raise Unusable(f"dismissed[{place}].class", f"{one.subject!r} is no claim class and no finding to settle.")
        if is_blank(one.reason):
            raise Unusable(f"dismissed[{place}].reason", "Say why this is no claim; managers read these reasons.")
        if one.start is not None and not 0 <= one.start < (one.end or 0) <= len(text):
            raise Unusable(f"dismissed[{place}]", "The span lies outside the text.")
        Dismissal.objects.get_or_create(
            item=item,
            subject=one.subject,
            quote=quote_of(text, one.start, one.end),
            defaults={"reason": one.reason, "dismissed_by": actor, "dismissed_at": now},
        )


def _escalate(item: ReviewItem, wanted: Wanted, actor: User, now: datetime) -> Decided:
    if wanted.text is not None:
        keep_edit(item, wanted.text, actor, now)
    Escalation.objects.create(item=item, reason=wanted.reason or "", escalated_by=actor, escalated_at=now)
    item.state = LEADS_TO[DecisionKind.ESCALATE]
    item.handler = "policy_owner"
    item.holder, item.lease_until = None, None
    item.save(update_fields=["state", "handler", "holder", "lease_until", "version"])
    Event.objects.create(
        item=item, kind="item:decision:escalated", actor=actor, happened_at=now, detail={"reason": wanted.reason}
    )
    return Decided(item, None)


def _approve(item: ReviewItem, wanted: Wanted, actor: User, now: datetime, calendar: BusinessCalendar) -> Outcome:
    text = wanted.text if wanted.text is not None else queries.current_version(item).text
    given = queries.given_for(item, now=now, text=text, calendar=calendar)
    analysis = analyse(given)
    found = (*analysis.blockers, *recording.answer_blockers(analysis, given, wanted.answer_text))
    if found:
        parking.park(item, wanted.text, author=actor, because="It could not be approved as it stood.", now=now)
        return Refused(item, found)
    return _close(item, wanted, actor, now, text=text, given=given, analysis=analysis)


def keep_edit(item: ReviewItem, text: str, actor: User, now: datetime) -> bool:
    """Make a changed text the newest draft version, and park what others were typing; say whether it differed."""
    if text == queries.current_version(item).text:
        return False
    item.version += 1
    DraftVersion.objects.create(item=item, number=item.version, text=text, author=actor, created_at=now)
    because = f"{parking.called(actor)} saved version {item.version} while this was being typed."
    parking.park_all_typed(item, because=because, now=now, apart_from=actor)
    return True


def _close(
    item: ReviewItem,
    wanted: Wanted,
    actor: User,
    now: datetime,
    *,
    text: str,
    given: Given | None,
    analysis: Analysis | None,
) -> Outcome:
    decision = Decision(
        item=item,
        kind=wanted.kind,
        seen_version=wanted.seen_version or item.version,
        text=text,
        answer_text=wanted.answer_text,
        reason=wanted.reason,
        branch=item.branch,
        decided_by=actor,
        decided_at=now,
    )
    if given is not None and analysis is not None:
        try:
            with transaction.atomic():
                recorded = recording.record(item, analysis, given, decision, wanted.answer_text)
        except EntryRefused as refused:
            parking.park(item, wanted.text, author=actor, because=str(refused), now=now)
            return Refused(item, (Blocker("moved_on_meanwhile", f"{refused} Nothing was decided; try again."),))
        decision.entry_ids = [str(r.entry_id) for r in recorded]
        keep_edit(item, text, actor, now)  # only now: a refused text is parked and makes no version
        analysing.keep(item, analysis, given)
        decision.branch = analysis.first.gate.branch
        decision.root_key = analysis.first.root
        decision.answer_text = wanted.answer_text or analysis.answer_text
    closing.finish(item, decision)
    if text:
        outbox.enqueue(decision, now=now)
    if decision.entry_ids and given is not None:
        analysing.refresh_others(item, now=now, calendar=given.calendar)
    return Decided(item, decision)
