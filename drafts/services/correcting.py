"""Issue corrections: from a draft, from a conversation's ledger, or over the API without a draft waiting."""

from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import User
from django.db import transaction

from drafts import queries
from drafts.decisions.analysis import analyse
from drafts.decisions.correcting import Correcting, compose, reference_of, refusals
from drafts.decisions.given import Asked, Blocker, Given
from drafts.decisions.transitions import DecisionKind
from drafts.models import Conversation, Correction, Decision, ReviewItem
from drafts.services import analysing, closing, outbox, recording
from drafts.services.outcomes import Decided, Outcome, Refused, Unusable
from ledger import queries as ledger
from ledger.decisions.calendar import BusinessCalendar
from ledger.decisions.keys import root_of
from ledger.decisions.text import is_blank
from ledger.decisions.vocabulary import Branch, KeyOrigin, KeyStatus, QuestionKey
from ledger.services.entries import EntryRefused


@dataclass(frozen=True, slots=True)
class CorrectionWanted:
    """The new answer, why and who answers for it; `message` replaces the composed words to the customer."""

    answer_text: str
    reason: str
    owner: str
    message: str | None = None


@dataclass(frozen=True, slots=True)
class Previewed:
    """What a correction would replace (`one.locked`) and send (`composed`), and what stands in its way."""

    one: Asked
    composed: str
    blockers: tuple[Blocker, ...]


class CorrectionRefused(Exception):
    """The correction cannot be issued; the blockers say why."""

    def __init__(self, blockers: tuple[Blocker, ...]) -> None:
        super().__init__("; ".join(b.message for b in blockers))
        self.blockers = blockers


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
    prepared = _prepare(given, wanted, now, calendar)
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
        correction = _record(
            item.conversation, given, prepared, wanted.reason, owner, decision=decision, actor=actor, now=now
        )
    except CorrectionRefused as refused:
        return Refused(item, refused.blockers)
    decision.entry_ids = [str(correction.entry_id)]
    closing.finish(item, decision)
    correction.decision = decision
    correction.save(force_insert=True)
    outbox.enqueue(decision, now=now)
    analysing.refresh_others(item, now=now, calendar=calendar)
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
    given = _given(conversation, question_key, now, calendar)
    prepared = _prepare(given, wanted, now, calendar)
    if isinstance(prepared, tuple):
        raise CorrectionRefused(prepared)
    correction = _record(conversation, given, prepared, wanted.reason, owner, decision=None, actor=actor, now=now)
    correction.save(force_insert=True)
    outbox.enqueue(correction, now=now)
    analysing.refresh_open_of(conversation, now=now, calendar=calendar)
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
    return None if one.locked is None else _composed(one, answer_text, now, calendar)


def preview_from_ledger(
    *, conversation_id: str, question_key: str, wanted: CorrectionWanted, now: datetime, calendar: BusinessCalendar
) -> Previewed:
    """Show what `correct` would send and refuse; nothing is stored, and reason and owner are not looked at.

    Raises Unusable for an unknown conversation or key.
    """
    conversation = Conversation.objects.filter(external_id=conversation_id).first()
    if conversation is None:
        raise Unusable("conversation_id", f"No conversation {conversation_id!r} is known.")
    given = _given(conversation, question_key, now, calendar)
    prepared = _prepare(given, wanted, now, calendar)
    one = analyse(given).first
    composed = _composed(one, wanted.answer_text, now, calendar) if one.locked else ""
    return Previewed(one, composed, prepared if isinstance(prepared, tuple) else ())


def _check(wanted: CorrectionWanted) -> None:
    for field in ("answer_text", "reason", "owner"):
        if is_blank(getattr(wanted, field)):
            raise Unusable(field, f"A correction needs {field.replace('_', ' ')}.")


@dataclass(frozen=True, slots=True)
class _Prepared:
    one: Asked
    wanted: Correcting


def _prepare(
    given: Given, wanted: CorrectionWanted, now: datetime, calendar: BusinessCalendar
) -> _Prepared | tuple[Blocker, ...]:
    one = analyse(given).first
    if one.root is None:
        return (Blocker("key_not_established", "Choose the question first; a correction answers exactly one."),)
    if one.locked is None:
        return (
            Blocker(
                "nothing_to_correct",
                "This customer has no locked answer to this question. Approve the right answer instead.",
            ),
        )
    if queries.still_leaving(one.locked.entry_id):
        return (
            Blocker(
                "answer_still_leaving",
                "The answer has not reached the customer yet. Undo it, or take its reply back on the deliveries page, "
                "instead of correcting what nobody has read.",
            ),
        )
    composed = _composed(one, wanted.answer_text, now, calendar)
    correcting = Correcting(one.locked.answer_text, wanted.answer_text, wanted.message or composed, composed)
    found = refusals(given, one, correcting)
    return found or _Prepared(one, correcting)


def _composed(one: Asked, answer_text: str, now: datetime, calendar: BusinessCalendar) -> str:
    said_at = one.locked.told_at if one.locked else None
    return compose(
        old_text=one.locked.answer_text if one.locked else "",
        said_on=said_at.astimezone(calendar.zone).date() if said_at else None,
        new_text=answer_text,
        corrected_on=now.astimezone(calendar.zone).date(),
        reference=reference_of(one),
        facts_changed=one.gate.branch is Branch.NEW_FACTS,
    )


def _record(
    conversation: Conversation,
    given: Given,
    prepared: _Prepared,
    reason: str,
    owner: User,
    *,
    decision: Decision | None,
    actor: User,
    now: datetime,
) -> Correction:
    correction = Correction(
        conversation=conversation,
        question_key=prepared.one.root or "",
        old_text=prepared.wanted.old_text,
        new_text=prepared.wanted.new_text,
        message=prepared.wanted.message,
        reason=reason,
        owner=owner,
        corrected_by=actor,
        corrected_at=now,
    )
    try:
        with transaction.atomic():
            recorded = recording.record_correction(
                conversation,
                given,
                prepared.one,
                prepared.wanted.new_text,
                reason=reason,
                owner=owner.get_username(),
                decided_by=actor.get_username(),
                decision_id=str(decision.pk if decision else correction.pk),
                now=now,
            )
    except EntryRefused as refused:
        moved_on = Blocker("moved_on_meanwhile", f"{refused} Nothing was decided; try again.")
        raise CorrectionRefused((moved_on,)) from refused
    correction.entry_id = recorded.entry_id
    return correction


def _given(conversation: Conversation, question_key: str, now: datetime, calendar: BusinessCalendar) -> Given:
    """Gather an analysis from the conversation itself: newest facts and ticket of its items, and the locked facts."""
    registry = ledger.registry()
    if question_key not in registry:
        raise Unusable("question_key", f"The key {question_key!r} is not in the registry.")
    question = QuestionKey(KeyStatus.ESTABLISHED, question_key, KeyOrigin.PERSON)
    newest = conversation.items.order_by("-created_at").first()
    sources = queries.sources(conversation.external_id, (question,), registry)
    locked = sources.locked.get(root_of(question_key, registry))
    facts = {
        **(locked.facts if locked else {}),
        **{k: v for k, v in (newest.facts if newest else {}).items() if v is not None},
    }
    return Given(
        text="",
        questions=(question,),
        now=now,
        requested_on=queries.requested_on(facts, None, now, calendar.zone),
        written_on=now.astimezone(calendar.zone).date(),
        calendar=calendar,
        sources=sources,
        facts=facts,
        channel=conversation.channel,
        ticket=queries.ticket_values(newest.ticket if newest else None),
        edited=True,
    )
