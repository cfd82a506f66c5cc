"""What a customer was told past the desk, which no ledger holds: finding it, and withdrawing it (rules 3.3 and 3.7)."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from drafts.decisions import commitments, comparison, correcting
from drafts.decisions.comparison import Comparison, Sameness
from drafts.decisions.correcting import Correcting
from drafts.decisions.given import Asked, Blocker, Given
from ledger.decisions.passages import sentences
from ledger.decisions.vocabulary import REPLAY_BRANCHES, Branch

DIFFERS = frozenset({Sameness.DIFFERENT, Sameness.UNSURE})


@dataclass(frozen=True, slots=True)
class SaidOutside:
    """A reply that did not come through the desk; `words` are those of it that answer the question."""

    message_id: str
    text: str
    said_at: datetime | None
    words: str
    differs: bool


def said_outside(given: Given, one: Asked) -> tuple[SaidOutside, ...]:
    """Return the replies that answered a question past the desk and are not withdrawn, in the order of the thread."""
    return tuple(
        SaidOutside(
            message.id, message.text, message.sent_at, _words(message.text, seen), differs=seen.sameness in DIFFERS
        )
        for message, seen in commitments.unrecorded(given, one)
    )


def _words(text: str, seen: Comparison) -> str:
    """Return the unbroken run of sentences that holds every value that differs; the whole text where none is known."""
    spans = (*seen.differing, *seen.unclear)
    if not spans:
        return text.strip()
    first, last = min(s.start for s in spans), max(s.end for s in spans)
    touched = [s for s in sentences(text) if s.start < last and first < s.end]
    return text[touched[0].start : touched[-1].end] if touched else text.strip()


def refusals(given: Given, one: Asked, wanted: Correcting, message_id: str) -> tuple[Blocker, ...]:
    """Return every reason why words said past the desk cannot be withdrawn so; empty means that they may.

    Where an answer is locked, it is what holds, to the letter; where none is, the selected version's passage backs the
    new one, as it backs any first answer.
    """
    return (
        *_place(given, wanted, message_id),
        *_difference(one, wanted),
        *(_holds(one, wanted) if one.locked else correcting.first_answer_refusals(given, one, wanted)),
        *correcting.message_refusals(given, wanted),
    )


def _place(given: Given, wanted: Correcting, message_id: str) -> Iterator[Blocker]:
    said = next((m for m in given.messages if m.id == message_id and m.role == "agent"), None)
    if said is None or said.id in given.desk_messages:
        yield Blocker(
            "no_reply_from_outside",
            "This conversation has no such reply from outside the desk. An answer that was given here is corrected "
            "from the ledger.",
        )
    elif comparison.contains_verbatim(said.text, wanted.old_text) is None:
        yield Blocker("withdrawn_words_not_said", "The words to be withdrawn do not stand in that reply. Copy them.")


def _difference(one: Asked, wanted: Correcting) -> Iterator[Blocker]:
    reference = commitments.reference_of(one)
    if reference is not None and comparison.compare(wanted.old_text, reference).sameness not in DIFFERS:
        yield Blocker(
            "withdrawn_words_do_not_differ",
            f"These words do not differ from what is on record, so there is nothing to withdraw: “{reference}”",
        )


def _holds(one: Asked, wanted: Correcting) -> Iterator[Blocker]:
    if one.gate.branch is Branch.NEW_FACTS or one.gate.branch not in REPLAY_BRANCHES or one.locked is None:
        yield Blocker(
            "correction_required",
            "The locked answer itself no longer holds for this customer. Correct that one first.",
        )
    elif comparison.contains_verbatim(wanted.new_text, one.locked.answer_text) is None or (
        len(wanted.new_text.split()) != len(one.locked.answer_text.split())
    ):
        yield Blocker(
            "locked_text_missing",
            f"This customer has a locked answer, and it is the one that holds, to the letter: "
            f"“{one.locked.answer_text}”",
        )
