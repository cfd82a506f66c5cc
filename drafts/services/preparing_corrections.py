"""Prepare a correction, say what stands in its way, and write its entry. Part of other services.

What was said past the desk has no entry that a CORRECTION could supersede, and a CORRECTION that supersedes nothing is
refused by the database: it would claim that the ledger once held other words. So the ledger tells what is true of it:
the right answer is locked by an ANSWER, or, where it was locked before, told again by a REPLAY. The withdrawn words,
the message that names them, reason and owner stand in the Correction row (and in the Decision, where a draft waited),
which names that entry; so the log of corrections lists it like any other.
"""

from dataclasses import dataclass, replace
from datetime import datetime

from django.contrib.auth.models import User
from django.db import transaction

from drafts import queries
from drafts.decisions import outside
from drafts.decisions.analysis import analyse
from drafts.decisions.correcting import Correcting, compose, reference_of, refusals
from drafts.decisions.given import Asked, Blocker, Given
from drafts.decisions.vocabulary import Message as ThreadMessage
from drafts.models import Conversation, Correction, Decision, Message
from drafts.services import recording
from drafts.services.outcomes import Unusable
from ledger import queries as ledger
from ledger.decisions.calendar import BusinessCalendar
from ledger.decisions.keys import root_of
from ledger.decisions.vocabulary import Branch, KeyOrigin, KeyStatus, QuestionKey
from ledger.services.entries import EntryRefused, Recorded


@dataclass(frozen=True, slots=True)
class OutsideWords:
    """Words of one reply that did not come through the desk, by the message's own id."""

    message_id: str
    words: str


@dataclass(frozen=True, slots=True)
class CorrectionWanted:
    """The new answer, why and who answers for it; `message` replaces the composed words to the customer.

    `outside` names the words that are withdrawn where they were said past the desk; without it the locked answer is.
    """

    answer_text: str
    reason: str
    owner: str
    message: str | None = None
    outside: OutsideWords | None = None


class CorrectionRefused(Exception):
    """The correction cannot be issued; the blockers say why."""

    def __init__(self, blockers: tuple[Blocker, ...]) -> None:
        super().__init__("; ".join(b.message for b in blockers))
        self.blockers = blockers


@dataclass(frozen=True, slots=True)
class Prepared:
    """A correction that nothing stands in the way of."""

    one: Asked
    wanted: Correcting
    outside: OutsideWords | None


def prepare(
    given: Given, wanted: CorrectionWanted, *, now: datetime, calendar: BusinessCalendar
) -> Prepared | tuple[Blocker, ...]:
    """Return the correction as it would be issued, or every reason why it cannot be."""
    one = analyse(given).first
    if one.root is None:
        return (Blocker("key_not_established", "Choose the question first; a correction answers exactly one."),)
    composed = composed_message(given, one, wanted, now=now, calendar=calendar)
    if wanted.outside is not None:
        made = Correcting(wanted.outside.words, wanted.answer_text, wanted.message or composed, composed)
        found = outside.refusals(given, one, made, wanted.outside.message_id)
        return found or Prepared(one, made, wanted.outside)
    if one.locked is None:
        return (Blocker("nothing_to_correct", _nothing_to_correct(given, one)),)
    if queries.still_leaving(one.locked.entry_id):
        return (Blocker("answer_still_leaving", STILL_LEAVING),)
    made = Correcting(one.locked.answer_text, wanted.answer_text, wanted.message or composed, composed)
    found = tuple(_pointing(given, one, blocker) for blocker in refusals(given, one, made))
    return found or Prepared(one, made, None)


STILL_LEAVING = (
    "The answer has not reached the customer yet. Undo it, or take its reply back on the deliveries page, "
    "instead of correcting what nobody has read."
)


def _nothing_to_correct(given: Given, one: Asked) -> str:
    if elsewhere := _said_elsewhere(given, one):
        return f"This customer has no locked answer to this question. {elsewhere}"
    return "This customer has no locked answer to this question. Approve the right answer instead."


def _pointing(given: Given, one: Asked, blocker: Blocker) -> Blocker:
    """Add the way to where another answer was given, to a refusal that says that this one is what holds already."""
    elsewhere = _said_elsewhere(given, one) if blocker.code == "correction_changes_nothing" else ""
    return replace(blocker, message=f"{blocker.message} {elsewhere}") if elsewhere else blocker


def _said_elsewhere(given: Given, one: Asked) -> str:
    """Return how words that differ and were said past the desk are withdrawn, empty where there are none."""
    said = next((said for said in outside.said_outside(given, one) if said.differs), None)
    if said is None:
        return ""
    return (
        f"Another answer was given outside the desk, in message {said.message_id}. Withdraw those words instead: name "
        f"that message and its words (over the API as `outside`, with message_id and words): “{said.words}”"
    )


def composed_message(
    given: Given, one: Asked, wanted: CorrectionWanted, *, now: datetime, calendar: BusinessCalendar
) -> str:
    """Return the message to the customer, from facts only; empty where there is nothing to be withdrawn."""
    if wanted.outside is not None:
        said_at = next((m.sent_at for m in given.messages if m.id == wanted.outside.message_id), None)
        old_text = wanted.outside.words
    else:
        said_at = one.locked.told_at if one.locked else None
        old_text = one.locked.answer_text if one.locked else ""
    if not old_text:
        return ""
    return compose(
        old_text=old_text,
        said_on=said_at.astimezone(calendar.zone).date() if said_at else None,
        new_text=wanted.answer_text,
        corrected_on=now.astimezone(calendar.zone).date(),
        reference=reference_of(one) or _locked_reference(one),
        facts_changed=one.gate.branch is Branch.NEW_FACTS,
    )


def _locked_reference(one: Asked) -> str:
    """Name the source of the locked answer where no version is selected any more."""
    if one.locked is None or one.locked.doc_id is None:
        return ""
    return ", ".join(filter(None, (one.locked.doc_id, one.locked.version, one.locked.section)))


def record(
    conversation: Conversation,
    given: Given,
    prepared: Prepared,
    wanted: CorrectionWanted,
    owner: User,
    *,
    decision: Decision | None,
    actor: User,
    now: datetime,
) -> Correction:
    """Write the entry and return its Correction, which the caller saves. Raises CorrectionRefused."""
    correction = Correction(
        conversation=conversation,
        question_key=prepared.one.root or "",
        outside_message=_message(conversation, prepared.outside),
        old_text=prepared.wanted.old_text,
        new_text=prepared.wanted.new_text,
        message=prepared.wanted.message,
        reason=wanted.reason,
        owner=owner,
        corrected_by=actor,
        corrected_at=now,
    )
    decision_id = str(decision.pk if decision else correction.pk)
    try:
        with transaction.atomic():
            recorded = _entry(correction, given, prepared, decision_id=decision_id)
    except EntryRefused as refused:
        moved_on = Blocker("moved_on_meanwhile", f"{refused} Nothing was decided; try again.")
        raise CorrectionRefused((moved_on,)) from refused
    correction.entry_id = recorded.entry_id
    version, locked = prepared.one.route.version, prepared.one.locked
    correction.source_document = (version.doc_id if version else locked.doc_id if locked else None) or ""
    return correction


def _entry(correction: Correction, given: Given, prepared: Prepared, *, decision_id: str) -> Recorded:
    one, text = prepared.one, prepared.wanted.new_text
    asking = recording.asking_of(
        correction.conversation,
        one,
        decided_by=correction.corrected_by.get_username(),
        decision_id=decision_id,
        effective_at=correction.corrected_at,
    )
    if prepared.outside is None:
        return recording.record_correction(
            asking, given, one, text, reason=correction.reason, owner=correction.owner.get_username()
        )
    if one.locked is None:
        return recording.record_first_answer(asking, given, one, text)
    return recording.record_replay(asking, given, one, one.locked.entry_id)


def _message(conversation: Conversation, said: OutsideWords | None) -> Message | None:
    return None if said is None else conversation.messages.get(external_id=said.message_id)


def given_of(conversation: Conversation, question_key: str, *, now: datetime, calendar: BusinessCalendar) -> Given:
    """Gather an analysis from the conversation itself: its thread, newest facts and ticket, and the locked facts.

    Raises Unusable for a key that is not in the registry.
    """
    registry = ledger.registry()
    if question_key not in registry:
        raise Unusable("question_key", f"The key {question_key!r} is not in the registry.")
    question = QuestionKey(KeyStatus.ESTABLISHED, question_key, KeyOrigin.PERSON)
    newest = conversation.items.select_related("ticket").order_by("-created_at").first()
    thread = list(conversation.messages.all())
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
        messages=tuple(ThreadMessage(m.external_id, m.role, m.text, m.sent_at) for m in thread),
        desk_messages=frozenset(m.external_id for m in thread if m.through_desk),
        sources=queries.withdrawn_left_out(sources, conversation.external_id, thread),
        facts=facts,
        channel=conversation.channel,
        ticket=queries.ticket_values(newest.ticket if newest else None),
        edited=True,
    )
