"""The plain words in which the screens tell documents, versions, questions and conflicts."""

from datetime import datetime

from ledger.decisions.differences import Agreement
from ledger.decisions.facts import FactKind
from ledger.decisions.vocabulary import CommitmentClass, DocumentKind, VersionStatus

KINDS = {
    DocumentKind.OWN_POLICY: "Own policy",
    DocumentKind.PROMOTION: "Promotion",
    DocumentKind.THIRD_PARTY: "Third party; never answers for us",
}
PERMITTED = "Third party; answers for us by permission"

ORIGINS = {
    DocumentKind.OWN_POLICY: "Our own policy",
    DocumentKind.PROMOTION: "A promotion of ours",
    DocumentKind.THIRD_PARTY: "A third party, for example a manufacturer; never answers for us unless permitted",
}

STATUSES = {
    VersionStatus.DRAFT: "Draft, not published",
    VersionStatus.ACTIVE: "Active",
    VersionStatus.RETIRED: "Retired",
}

CLASSES = {
    CommitmentClass.BINDING_POLICY: "Binding: an answer is recorded and locked",
    CommitmentClass.ESTIMATE: "Estimate: an answer is recorded as an estimate",
    CommitmentClass.INFORMATION: "Information: an answer commits to nothing",
}

CONFLICT_STATES = {"open": "Open", "resolved": "Resolved", "obsolete": "Obsolete"}

VALUES = {
    FactKind.DURATION: "Time",
    FactKind.LIFETIME: "Time",
    FactKind.MONEY: "Money",
    FactKind.PERCENT: "Share",
    FactKind.COUNT: "Number",
    FactKind.MEASURE: "Measure",
    FactKind.DATE: "Date",
    FactKind.STANCE: "Yes or no",
}

AGREEMENTS = {
    Agreement.DIFFERENT: "they differ",
    Agreement.NEAR: "close; a person has to judge",
    Agreement.MISSING: "not all of them say it",
    Agreement.SAME: "they agree",
}

FIELDS = {
    "title": "Title",
    "channels": "Channels",
    "effective_from": "In force from",
    "effective_until": "In force until before",
}

_UNITS = ((86_400, "day"), (3_600, "hour"), (60, "minute"))


def due_in_words(due_at: datetime, now: datetime) -> str:
    """Say how far a deadline is away, or for how long it has passed: “overdue by 2 days”, “due in 3 hours”."""
    seconds = int((due_at - now).total_seconds())
    length, unit = next(((n, unit) for n, unit in _UNITS if abs(seconds) >= n), (60, "minute"))
    number = max(1, abs(seconds) // length)
    span = f"{number} {unit}{'' if number == 1 else 's'}"
    return f"overdue by {span}" if seconds < 0 else f"due in {span}"


def kind_in_words(kind: DocumentKind, *, permitted: bool) -> str:
    """Say where a document comes from, and whether a third party's may answer."""
    return PERMITTED if permitted and kind is DocumentKind.THIRD_PARTY else KINDS[kind]


def in_a_list(count: int, most: int, one: str, several: str) -> str:
    """Say a number that was counted up to a bound: “1 draft”, “7 drafts”, “more than 100 drafts”."""
    if count > most:
        return f"more than {most:,} {several}"
    return f"{count:,} {one if count == 1 else several}"
