"""What the review workflow remembers. What must never happen is refused by constraints and triggers.

Whole replies and customers' words live in these tables, which can be erased; what was promised lives in the ledger.
"""

from drafts.models.auditing import AuditResult, AuditRun, OutsideCommitment
from drafts.models.deciding import Correction, Decision, Dismissal, Escalation, Event, ParkedText, WorkingText
from drafts.models.delivering import Attempt, Delivery, Destination
from drafts.models.drifting import DriftPart, DriftReport, DriftRow
from drafts.models.exporting import EvidencePack
from drafts.models.items import Claim, DraftVersion, Finding, ReviewItem
from drafts.models.notices import Notice
from drafts.models.threads import Conversation, Message, MessageRevision, Ticket, TicketSnapshot

__all__ = [
    "Attempt",
    "AuditResult",
    "AuditRun",
    "Claim",
    "Conversation",
    "Correction",
    "Decision",
    "Delivery",
    "Destination",
    "Dismissal",
    "DraftVersion",
    "DriftPart",
    "DriftReport",
    "DriftRow",
    "Escalation",
    "Event",
    "EvidencePack",
    "Finding",
    "Message",
    "MessageRevision",
    "Notice",
    "OutsideCommitment",
    "ParkedText",
    "ReviewItem",
    "Ticket",
    "TicketSnapshot",
    "WorkingText",
]
