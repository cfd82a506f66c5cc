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

_UNITS = ((86_400, "day"), (3_600, "hour"), (60, "minute"))


def due_in_words(due_at: datetime, now: datetime) -> str:
    """Say how far a deadline is away, or for how long it has passed: “overdue by 2 days”, “due in 3 hours”."""
    seconds = int((due_at - now).total_seconds())
    length, unit = next(((n, unit) for n, unit in _UNITS if abs(seconds) >= n), (60, "minute"))
    number = max(1, abs(seconds) // length)
    span = f"{number} {unit}{'' if number == 1 else 's'}"
    return f"overdue by {span}" if seconds < 0 else f"due in {span}"


def in_a_list(count: int, most: int, one: str, several: str) -> str:
    """Say a number that was counted up to a bound: “1 draft”, “7 drafts”, “more than 100 drafts”."""
    if count > most:
        return f"more than {most:,} {several}"
    return f"{count:,} {one if count == 1 else several}"
