"""What API tokens are issued for."""

from enum import StrEnum


class Scope(StrEnum):
    """What a token was issued for; it never reaches beyond its user's roles."""

    DRAFTS = "drafts"
    ASKS = "asks"
    TICKETS = "tickets"
    POLICIES = "policies"
    DECIDE = "decide"
    READ = "read"
