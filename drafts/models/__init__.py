"""What the review workflow remembers. What must never happen is refused by constraints and triggers.

Whole replies and customers' words live in these tables, which can be erased; what was promised lives in the ledger.
"""

from drafts.models.deciding import Correction, Decision, Delivery, Dismissal, Escalation, Event, ParkedText
from drafts.models.items import Claim, DraftVersion, Finding, ReviewItem
from drafts.models.threads import Conversation, Message, MessageRevision, Ticket, TicketSnapshot

__all__ = [
    "Claim",
    "Conversation",
    "Correction",
    "Decision",
    "Delivery",
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
]
