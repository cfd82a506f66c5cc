"""Write what a decided reply commits to into the ledger. Part of a decision's transaction."""

from collections.abc import Iterator
from datetime import datetime

from drafts.decisions import commitments, comparison
from drafts.decisions.comparison import Sameness
from drafts.decisions.given import Analysis, Asked, Blocker, Given
from drafts.models import Conversation, Decision, ReviewItem
from ledger.services import entries
from ledger.services.entries import Asking, Recorded


def answer_blockers(analysis: Analysis, given: Given, answer_text: str | None) -> Iterator[Blocker]:
    """Say why a confirmed answer text cannot be locked: it must stand in the reply and agree with the passage."""
    if answer_text is None:
        return
    if comparison.contains_verbatim(given.text, answer_text) is None:
        yield Blocker(
            "answer_text_not_in_reply",
            "The answer to be locked does not stand in the reply word for word. Copy it from the reply.",
        )
    one = next((a for a in analysis.asked if commitments.locks_an_answer(a)), None)
    statement = commitments.statement_of(one) if one else None
    if statement and comparison.compare(answer_text, statement.text).sameness is Sameness.SILENT:
        yield Blocker(
            "answer_text_states_nothing",
            f"The answer to be locked does not carry what the passage says: “{statement.text}”",
        )


def record(
    item: ReviewItem, analysis: Analysis, given: Given, decision: Decision, answer_text: str | None
) -> list[Recorded]:
    """Write one ANSWER for each question answered for the first time and one REPLAY for each answer repeated.

    Raises EntryRefused where the ledger or the sources have moved on meanwhile.
    """
    written = []
    confirmed = answer_text
    for one in analysis.asked:
        if commitments.locks_an_answer(one):
            statement = commitments.statement_of(one)
            text = confirmed or comparison.propose_answer(given.text, statement.text if statement else "")
            confirmed = None
            if text is not None:
                written.append(record_first_answer(_asked_by(item, one, decision), given, one, text))
        elif commitments.repeats_locked(one, given.text) and one.locked is not None:
            written.append(record_replay(_asked_by(item, one, decision), given, one, one.locked.entry_id))
    return written


def record_correction(asking: Asking, given: Given, one: Asked, new_text: str, *, reason: str, owner: str) -> Recorded:
    """Write the CORRECTION that supersedes the live answer."""
    return entries.record_correction(
        **asking,
        supersedes=one.locked.entry_id if one.locked else "",
        answer_text=new_text,
        version=one.route.version,
        statement=commitments.statement_of(one),
        reason=reason,
        owner=owner,
        facts=deciding_facts(one, given),
        typed_facts=comparison.typed_facts(new_text),
    )


def record_first_answer(asking: Asking, given: Given, one: Asked, text: str) -> Recorded:
    """Lock a first answer."""
    return entries.record_answer(
        **asking,
        answer_text=text,
        version=one.route.version,
        statement=commitments.statement_of(one),
        retrieved_score=score_of(given, one),
        facts=deciding_facts(one, given),
        typed_facts=comparison.typed_facts(text),
    )


def record_replay(asking: Asking, given: Given, one: Asked, told_before: str) -> Recorded:
    """Write that the live answer, named by its entry, was told again."""
    return entries.record_replay(**asking, replays=told_before, facts=deciding_facts(one, given))


def asking_of(
    conversation: Conversation, one: Asked, *, decided_by: str, decision_id: str, effective_at: datetime
) -> Asking:
    """Return what every entry says about the ask and the decision behind it."""
    return {
        "conversation_id": conversation.external_id,
        "customer_id": conversation.customer_id,
        "channel": conversation.channel,
        "question_key": one.root or "",
        "asked_key": one.question.key,
        "matched_by": one.question.by,
        "decided_by": decided_by,
        "decision_id": decision_id,
        "effective_at": effective_at,
    }


def _asked_by(item: ReviewItem, one: Asked, decision: Decision) -> Asking:
    return asking_of(
        item.conversation,
        one,
        decided_by=decision.decided_by.get_username(),
        decision_id=str(decision.pk),
        effective_at=decision.decided_at,
    )


def deciding_facts(one: Asked, given: Given) -> dict[str, object]:
    """Return the facts an answer rests on: the document's deciding date, the key's own facts, and the channel's day."""
    names: set[str] = set()
    for key in (one.root, one.question.key):
        if key is not None and key in given.sources.registry:
            names.update(given.sources.registry[key].deciding_facts)
    if one.route.version is not None:
        names.add(one.route.version.deciding_date)
    elif one.locked is not None:
        names.update(one.locked.facts)
    return {name: given.facts[name] for name in sorted(names) if given.facts.get(name) is not None}


def score_of(given: Given, one: Asked) -> float | None:
    """Return the retrieval score of the selected document, kept with the answer although it decides nothing."""
    if one.route.version is None:
        return None
    scores = [r.score for r in given.notes.retrieved if r.doc_id == one.route.version.doc_id and r.score is not None]
    return max(scores, default=None)
