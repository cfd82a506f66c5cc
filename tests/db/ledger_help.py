"""What the tests of the ledger say over and over: keys, policy versions, and entries of a conversation of their own."""

import uuid
from dataclasses import replace
from datetime import UTC, date, datetime

from ledger.decisions.vocabulary import (
    CommitmentClass,
    DocumentKind,
    KeyEntry,
    KeyOrigin,
    Statement,
    Version,
    VersionStatus,
)
from ledger.services.keys import put_key
from ledger.services.policies import put_version

NOW = datetime(2026, 5, 4, 10, 0, tzinfo=UTC)
KEY = "guarantee_term::bicycle"
ADJACENT = "guarantee_term::bicycle_fork"
PASSAGE = "Every bicycle has a guarantee of 36 months from the day of purchase."
FIVE_YEARS = "Every bicycle has a guarantee of 60 months from the day of purchase."

BICYCLE = KeyEntry(KEY, "How long is the guarantee on a bicycle?", deciding_facts=("bought_on",))
FORK = KeyEntry(
    ADJACENT,
    "How long is the guarantee on the fork?",
    parent=KEY,
    boundary="The fork belongs to the bicycle; it has no term of its own.",
)
OPENING_HOURS = KeyEntry("opening_hours::shop", "When are you open?", CommitmentClass.INFORMATION)
TERMS = Version(
    doc_id="terms",
    version="T1",
    title="Terms of sale",
    kind=DocumentKind.OWN_POLICY,
    channels=frozenset({"chat", "mail"}),
    deciding_date="bought_on",
    effective_from=date(2026, 1, 1),
    effective_until=None,
    status=VersionStatus.ACTIVE,
    statements=(Statement(KEY, "§ 4", PASSAGE),),
)


def own_conversation() -> str:
    """Return a conversation id that nothing else uses: ledger rows outlive a test."""
    return f"c-{uuid.uuid4()}"


def own_document() -> str:
    """Return a document id that nothing else uses."""
    return f"d-{uuid.uuid4()}"


def store(*versions: Version) -> None:
    """Register the keys and publish the versions."""
    for key in (BICYCLE, FORK, OPENING_HOURS):
        put_key(key, actor=None, now=NOW)
    for version in versions:
        put_version(version, actor=None, now=NOW)


def published(**changes: object) -> Version:
    """Publish a version of a document of its own, changed as said."""
    version = replace(TERMS, **{"doc_id": own_document(), **changes})
    store(version)
    return version


def asking(conversation: str, **changes: object) -> dict[str, object]:
    """Return what every entry of a conversation says about its ask and decision."""
    return {
        "conversation_id": conversation,
        "customer_id": "customer-7",
        "channel": "chat",
        "question_key": KEY,
        "asked_key": KEY,
        "matched_by": KeyOrigin.FORM,
        "decided_by": "ana",
        "decision_id": str(uuid.uuid4()),
        "effective_at": NOW,
        **changes,
    }
