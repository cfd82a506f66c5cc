"""What the review workflow remembers. What must never happen is refused by constraints and triggers.

Whole replies and customers' words live in these tables, which can be erased; what was promised lives in the ledger.
"""

from drafts.models.deciding import Correction, Decision, Dismissal, Escalation, Event, ParkedText, WorkingText
from drafts.models.delivering import Attempt, Delivery, Destination
from drafts.models.items import Claim, DraftVersion, Finding, ReviewItem
from drafts.models.threads import Conversation, Message, MessageRevision, Ticket, TicketSnapshot

__all__ = [
    "Attempt",
    "Claim",
    "Conversation",
    "Correction",
    "Decision",
    "Delivery",
    "Destination",
    "Dismissal",
    "DraftVersion",
    "Escalation",
    "Event",
    "Finding",
    "Message",
    "MessageRevision",
    "ParkedText",
    "ReviewItem",
    "Ticket",
    "TicketSnapshot",
    "WorkingText",
]
