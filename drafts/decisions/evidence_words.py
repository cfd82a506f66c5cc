"""The plain words of the evidence pack, for readers who have never seen this product."""

from collections.abc import Mapping

from drafts.decisions.delivering import DeliveryState, Outcome
from drafts.decisions.transitions import DecisionKind
from ledger.decisions.facts import Bound
from ledger.decisions.vocabulary import EntryKind, KeyOrigin

PROVES = (
    "The pack is what the holder of the named key signed; not one byte of it was changed since.",
    "Each answer, repeat, correction and withdrawal stands here with the very bytes that were hashed when it was made.",
    "What can be read of an entry is what those bytes say.",
    "No entry was changed, left out between two others or put in later, unless the whole chain was computed anew.",
    "The passage behind each answer is the text that the policy version held when the answer was given.",
)
DOES_NOT_PROVE = (
    "That the person named with an action was at the keyboard: the pack knows the account that was signed in.",
    "That everything said was recorded: a telephone call, or a program that reported nothing, leaves no trace here.",
    "That the thread is complete and unaltered: it came from the helpdesk. What is chained is what was promised.",
    "That the clocks were right: every time comes from the clock that is named beside it.",
)
HOW_TO_VERIFY = (
    "Get verify_evidence.py (the organisation hands it out; it needs Python 3.9 or later and nothing else).",
    "Run: python3 verify_evidence.py THIS_FILE --key KEY, where KEY is the key that the organisation names to you.",
)

KINDS: Mapping[str, str] = {
    EntryKind.ANSWER: "Answer",
    EntryKind.REPLAY: "Answer repeated",
    EntryKind.CORRECTION: "Correction",
    EntryKind.WITHDRAWAL: "Withdrawal",
}
KIND_SENTENCES: Mapping[str, str] = {
    EntryKind.ANSWER: "answered, and the answer was locked.",
    EntryKind.REPLAY: "repeated the locked answer word for word.",
    EntryKind.CORRECTION: "replaced an earlier answer by this one.",
    EntryKind.WITHDRAWAL: "took an entry back before its reply left.",
}
ORIGINS: Mapping[str, str] = {
    KeyOrigin.FORM: "given by a form",
    KeyOrigin.CLASSIFIER: "recognised in the message by a program",
    KeyOrigin.PERSON: "chosen by a person",
}
ROLES: Mapping[str, str] = {"customer": "Customer", "agent": "Agent", "note": "Internal note"}
DECISIONS: Mapping[str, str] = {
    DecisionKind.APPROVE: "approved the draft as it stood",
    DecisionKind.EDIT: "approved an edited text",
    DecisionKind.CORRECT: "issued a correction",
    DecisionKind.SEND_BACK: "sent the draft back; nothing left",
}
DELIVERIES: Mapping[str, str] = {
    DeliveryState.NO_DESTINATION: "has not left: no destination is set up",
    DeliveryState.SCHEDULED: "has not left yet",
    DeliveryState.SENDING: "is being sent",
    DeliveryState.RETRYING: "was tried and not taken; it is tried again",
    DeliveryState.UNKNOWN: "may have arrived; it is not known",
    DeliveryState.SENT: "reached its receiver",
    DeliveryState.DEAD: "was given up and did not reach its receiver as far as is known",
    DeliveryState.UNDONE: "was taken back before it left",
    DeliveryState.RETURNED: "was stopped before it left",
}
OUTCOMES: Mapping[str, str] = {
    Outcome.TAKEN: "the receiver took it",
    Outcome.REFUSED: "the receiver refused it",
    Outcome.FAILED: "the receiver failed; it may have taken it",
    Outcome.NOT_REACHED: "the receiver was not reached",
    Outcome.NO_ANSWER: "no answer came back",
    Outcome.INTERRUPTED: "interrupted",
}
DOCUMENT_KINDS: Mapping[str, str] = {
    "own_policy": "our own policy",
    "promotion": "a promotion page",
    "third_party": "a third party's document",
}


BOUNDS: Mapping[str, str] = {
    Bound.EXACTLY: "",
    Bound.WITHIN: "within",
    Bound.AT_MOST: "at most",
    Bound.AT_LEAST: "at least",
    Bound.RANGE: "",
    Bound.ABOUT: "about",
}
FACT_PARTS = (("per", "per"), ("anchor", "from"), ("applies_to", "for"))


def fact(typed: Mapping[str, object]) -> str:
    """Put one typed fact of an answer in words, as in “duration: within 14 days, from receipt”."""
    numbers = dict.fromkeys(str(typed[end]) for end in ("low", "high") if typed.get(end) is not None)
    amount = (BOUNDS[str(typed["bound"])], " to ".join(numbers), str(typed["unit"]).replace("_", " "))
    more = [f"{label} {str(typed[name]).replace('_', ' ')}" for name, label in FACT_PARTS if typed.get(name)]
    denied = [] if typed["polarity"] else ["denied"]
    return f"{typed['kind']}: {', '.join([' '.join(filter(None, amount)), *more, *denied])}"


def name_of(field: str) -> str:
    """Put the name of a fact in words: `received_on` becomes “received on”."""
    return field.rpartition(".")[2].replace("_", " ")
