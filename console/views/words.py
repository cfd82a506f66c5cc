"""The plain words in which the screens tell states, branches, refusals, verdicts and events."""

from collections.abc import Mapping
from dataclasses import dataclass

from drafts.decisions.delivering import DeliveryState
from drafts.decisions.transitions import DecisionKind, ItemState
from drafts.decisions.vocabulary import Verdict
from ledger.decisions.vocabulary import Branch, EntryKind, Handler, KeyOrigin, KeyStatus, Refusal


@dataclass(frozen=True, slots=True)
class Told:
    """A branch in a few words for a list, and in a sentence for the page."""

    short: str
    sentence: str


BRANCHES = {
    Branch.NOT_A_COMMITMENT_QUESTION: Told(
        "No commitment asked", "Nothing is promised here. Any reply that passes the claims check may go out."
    ),
    Branch.KEY_NOT_ESTABLISHED: Told(
        "Question not known", "Choose which question this is; until then nothing goes out."
    ),
    Branch.NEW_FACTS: Told(
        "New facts since the answer",
        "A fact that decides the answer has changed since this customer was answered. Only a correction can go out.",
    ),
    Branch.ASSERTS_OTHER: Told(
        "Customer was told otherwise",
        "The customer says they were told something else. Quote the locked answer word for word, offer a written copy, "
        "and do not argue. Where the thread shows that we did say it, start a correction.",
    ),
    Branch.ADJACENT_KEY: Told(
        "Repeat from another side",
        "The customer asks a neighbouring form of a question that is already answered. Repeat the locked answer word "
        "for word, then the boundary sentence.",
    ),
    Branch.POLICY_CHANGED: Told(
        "Policy changed since",
        "Another policy version is in force now. For this customer the locked answer still holds: repeat it word for "
        "word and say which policy applies to their date, and why.",
    ),
    Branch.REPEAT: Told(
        "Asked before", "This customer already has an answer to this question. Repeat it word for word."
    ),
    Branch.DECIDING_FACT_MISSING: Told(
        "A fact is missing",
        "The fact that decides which policy applies is missing. Ask the customer for it; name no version and no value.",
    ),
    Branch.SOURCES_CONFLICT: Told(
        "Sources conflict",
        "More than one document answers this question. A policy owner has to settle it; until then nothing goes out.",
    ),
    Branch.NO_SOURCE: Told(
        "No source",
        "No document answers this question here. Say that it is not known and offer a call back by a person.",
    ),
    Branch.SINGLE_SOURCE: Told(
        "One source answers", "Exactly one policy version answers. On approval the answer is recorded and locked."
    ),
}

REFUSALS = {
    Refusal.SUBJECT_NOT_COVERED: "No document covers this question",
    Refusal.CHANNEL_MISSING: "It is not known through which channel the customer bought or wrote",
    Refusal.CHANNEL_UNSUPPORTED: "No document that answers this question covers this channel",
    Refusal.DATE_MISSING: "The date that decides which version applies is missing",
    Refusal.DATE_AFTER_REQUEST: "The date that decides lies after the day of the request",
    Refusal.OUTSIDE_EVERY_VERSION: "The date that decides lies outside every version",
}

HANDLERS = {Handler.REVIEWER: "Reviewer", Handler.POLICY_OWNER: "Policy owner", Handler.CORRECTION: "Correction"}

STATES = {
    ItemState.PENDING: "Waiting",
    ItemState.ESCALATED: "Escalated",
    ItemState.APPROVED: "Approved",
    ItemState.CORRECTED: "Corrected",
    ItemState.SENT_BACK: "Sent back",
    ItemState.RETIRED: "Retired",
}

DECIDED = {
    DecisionKind.APPROVE: "approved the text as it stood",
    DecisionKind.EDIT: "approved an edited text",
    DecisionKind.CORRECT: "issued a correction",
    DecisionKind.SEND_BACK: "sent the draft back",
}

APPROVES = {DecisionKind.APPROVE: "Approve as it is", DecisionKind.EDIT: "Approve this text"}


def held_up(things: int) -> str:
    """Say how many blockers there are."""
    return "1 thing in the way" if things == 1 else f"{things} things in the way"


VERDICTS = {
    Verdict.SUPPORTED: ("Supported", "✓"),
    Verdict.CONTRADICTED: ("Contradicted", "✕"),
    Verdict.UNSUPPORTED: ("No record", "?"),
}

CLASSES = {"STATUS": "Status", "ACTION": "Action", "TIMING": "Timing", "OUTCOME": "Outcome"}

FINDINGS = {
    "value_differs_from_locked_answer": "Differs from the locked answer",
    "value_differs_from_selected_version": "Differs from the policy",
    "second_source_for_locked_key": "Another source for a locked answer",
    "value_stated_but_none_selected": "Value stated, but no version applies",
    "version_named_but_none_selected": "Version named, but none applies",
    "selected_version_differs_from_router": "The model chose another version",
    "selected_version_despite_missing_field": "The model chose a version although a fact is missing",
    "missing_field_not_asked": "Does not ask for the missing fact",
    "locked_text_missing": "The locked answer is not in it",
    "several_drafts_in_output": "More than one draft in the text",
    "markup_in_draft": "Markup in the text",
    "language_not_checked": "A language that is not checked",
    "unrecorded_answer_in_thread": "Answered in the thread, not on record",
    "thread_answer_differs": "Told otherwise outside the desk",
}

ORIGINS = {
    KeyOrigin.FORM: "given by the form",
    KeyOrigin.CLASSIFIER: "recognised in the message",
    KeyOrigin.PERSON: "chosen by a person",
}

ENTRY_KINDS = {
    EntryKind.ANSWER: "Answer",
    EntryKind.REPLAY: "Replay",
    EntryKind.CORRECTION: "Correction",
    EntryKind.WITHDRAWAL: "Withdrawal",
}

ENTERS = {
    EntryKind.ANSWER: "answered, and the answer was locked",
    EntryKind.REPLAY: "repeated the locked answer word for word",
    EntryKind.CORRECTION: "corrected the answer",
    EntryKind.WITHDRAWAL: "took an entry back before it left",
}

UNDOES = {
    EntryKind.ANSWER: "took the answer back before it left",
    EntryKind.REPLAY: "took a repeat back before it left",
    EntryKind.CORRECTION: "took the correction back before it left",
    EntryKind.WITHDRAWAL: "took an entry back before it left",
}

SUPERSEDES = {
    EntryKind.ANSWER: "Follows",
    EntryKind.REPLAY: "Follows",
    EntryKind.CORRECTION: "Replaces",
    EntryKind.WITHDRAWAL: "Takes back",
}

SUPERSEDED_BY = {
    EntryKind.ANSWER: "Followed by",
    EntryKind.REPLAY: "Followed by",
    EntryKind.CORRECTION: "Replaced by",
    EntryKind.WITHDRAWAL: "Taken back by",
}

NO_QUESTION = {
    KeyStatus.NONE: "The customer asks for no commitment",
    KeyStatus.UNCERTAIN: "It is not known what the customer asks",
    KeyStatus.ESTABLISHED: "This question is no longer in the registry",
}

ROLES = {"customer": "Customer", "agent": "Agent", "note": "Internal note"}

STANDINGS = {
    "own_policy": "our own policy",
    "promotion": "a promotion page",
    "third_party": "a third party's document",
    "retired": "retired",
    "not_among_the_documents_for_this_question": "not among the documents for this question",
}

DELIVERIES = {
    DeliveryState.NO_DESTINATION: "waiting: no destination is set up yet",
    DeliveryState.SCHEDULED: "waiting to leave",
    DeliveryState.SENDING: "being sent now",
    DeliveryState.RETRYING: "tried and not confirmed yet; it is tried again by itself",
    DeliveryState.UNKNOWN: "it may have arrived, and nobody can say yet",
    DeliveryState.SENT: "sent",
    DeliveryState.DEAD: "given up; a person has to say what becomes of it",
    DeliveryState.UNDONE: "undone before it left",
    DeliveryState.RETURNED: "stopped before it left",
}
NOTHING_LEAVES = "nothing leaves"


def branch_told(branch: str) -> Told:
    """Return the words for a branch; an item that was never analysed has none."""
    return BRANCHES[Branch(branch)] if branch else Told("Not analysed", "This draft has not been analysed.")


def field_name(field: str) -> str:
    """Put a fact's name in words: `received_on` becomes “received on”."""
    return field.rpartition(".")[2].replace("_", " ")


def claim_in_the_way(claim: str, record: str | None) -> str:
    """Say in one sentence what is wrong with a claim; what would support it is told beside the text."""
    return f"“{claim}” is contradicted by the record: {record}." if record else f"“{claim}” has no record behind it."


def ticket_field(path: str) -> str:
    """Put a ticket's field in words: `first_response_due_at` becomes “first response due”; its group stays named."""
    return path.removeprefix("fields.").removesuffix("_at").replace(".", ": ").replace("_", " ").strip() or path


def finding_name(code: str) -> str:
    """Name a finding or blocker in a few words."""
    return FINDINGS.get(code) or field_name(code).capitalize()


def _kept(detail: Mapping[str, object]) -> str:
    return f": {detail['kept']} answers" if detail.get("kept") else ""


def _reused(detail: Mapping[str, object]) -> str:
    return " This draft still holds the withdrawn words." if detail.get("reuses") else ""


def event_sentence(kind: str, who: str | None, detail: Mapping[str, object]) -> str:
    """Tell one line of an item's history as a sentence."""
    someone = who or "The system"
    reason = f" Reason: “{detail['reason']}”" if detail.get("reason") else ""
    told = {
        "item:intake:arrived": f"The draft arrived{_from_model(detail)}.",
        "item:draft:edited": f"{someone} saved version {detail.get('version')} of the text.",
        "item:question:chosen": f"{someone} {_question_chosen(detail)}.",
        "item:claim:dismissed": f"{someone} {_settled(str(detail.get('subject')))}.{reason}",
        "item:thread:read": f"{someone} read the newer message and found that the draft still fits.",
        "item:thread:retired": "The draft was retired, because a public reply was already sent in the thread.",
        "item:ticket:changed": f"The ticket changed: {_names(detail.get('fields'))}.",
        "item:decision:approve": f"{someone} approved the text as it stood.",
        "item:decision:edit": f"{someone} approved an edited text.",
        "item:decision:correct": f"{someone} issued a correction.{reason}",
        "item:decision:send_back": f"{someone} sent the draft back.{reason}",
        "item:decision:undone": f"{someone} undid the decision before its reply left.",
        "item:conflict:settled": f"The conflict between its sources was settled{_kept(detail)}.",
        "item:answer:corrected": f"{someone} corrected the answer to {detail.get('key')}.{_reused(detail)}",
        "item:delivery:sent": "The reply was delivered.",
        "item:delivery:returned": f"The reply was stopped before it left, and the item came back.{reason}",
        "item:decision:escalated": f"{someone} escalated the item to a policy owner.{reason}",
    }
    return told.get(kind, f"{someone}: {kind.rpartition(':')[2].replace('_', ' ')}.{reason}")


def _settled(subject: str) -> str:
    claim = CLASSES.get(subject)
    return f"marked a claim as none ({claim.lower()})" if claim else f"looked at a finding: {finding_name(subject)}"


def _from_model(detail: Mapping[str, object]) -> str:
    return f" from {detail['model']}" if detail.get("model") else ""


def _question_chosen(detail: Mapping[str, object]) -> str:
    key = detail.get("key")
    return f"chose the question {key}" if key else "said that the customer asks for no commitment"


def _names(fields: object) -> str:
    return ", ".join(field_name(str(name)) for name in fields) if isinstance(fields, list) and fields else "its fields"
