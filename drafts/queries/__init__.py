"""Read what the review workflow knows, as plain values or query sets."""

from drafts.queries.auditing import audit
from drafts.queries.conversations import ItemCounts, item_counts, newest_messages, visible_conversations
from drafts.queries.corrections import (
    LogChoices,
    Logged,
    Narrowing,
    corrections_page,
    every_correction,
    log_choices,
    messages_of_corrections,
)
from drafts.queries.gathering import (
    current_version,
    given_for,
    grace,
    is_overtaken,
    notes_of,
    original_text,
    questions_of,
    requested_on,
    sources,
    ticket_values,
)
from drafts.queries.lastlook import last_look, still_leaving
from drafts.queries.visibility import (
    CORRECTING_ROLES,
    HELD_ROLES,
    ROLES,
    correctors,
    may_read,
    open_items,
    roles_of,
    visible_items,
)
from ledger.queries import organisation_calendar

__all__ = [
    "CORRECTING_ROLES",
    "HELD_ROLES",
    "ROLES",
    "ItemCounts",
    "LogChoices",
    "Logged",
    "Narrowing",
    "audit",
    "corrections_page",
    "correctors",
    "current_version",
    "every_correction",
    "given_for",
    "grace",
    "is_overtaken",
    "item_counts",
    "last_look",
    "log_choices",
    "may_read",
    "messages_of_corrections",
    "newest_messages",
    "notes_of",
    "open_items",
    "organisation_calendar",
    "original_text",
    "questions_of",
    "requested_on",
    "roles_of",
    "sources",
    "still_leaving",
    "ticket_values",
    "visible_conversations",
    "visible_items",
]
