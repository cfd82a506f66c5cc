"""Read what the review workflow knows, as plain values or query sets."""

from drafts.queries.auditing import (
    FreshAnswer,
    audit,
    fresh_answers,
)
from drafts.queries.gathering import (
    current_version,
    given_for,
    is_overtaken,
    notes_of,
    organisation_calendar,
    original_text,
    questions_of,
    requested_on,
    sources,
    ticket_values,
)
from drafts.queries.visibility import (
    HELD_ROLES,
    ROLES,
    may_read,
    open_items,
    roles_of,
    visible_items,
)

__all__ = [
    "HELD_ROLES",
    "ROLES",
    "FreshAnswer",
    "audit",
    "current_version",
    "fresh_answers",
    "given_for",
    "is_overtaken",
    "may_read",
    "notes_of",
    "open_items",
    "organisation_calendar",
    "original_text",
    "questions_of",
    "requested_on",
    "roles_of",
    "sources",
    "ticket_values",
    "visible_items",
]
