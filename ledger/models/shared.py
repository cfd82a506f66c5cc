"""What the models of the ledger share: the rule for a text that says something, and choices from enums."""

VISIBLE = (
    r"[^\s\u0001-\u0020\u007f-\u00a0\u00ad\u034f\u061c\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f\u2000-\u200f"
    r"\u2028-\u202f\u205f-\u206f\u2800\u3000\u3164\ufe00-\ufe0f\ufeff\uffa0\U000e0000-\U000e0fff]"
)
"""Matches a text that has something to see; PostgreSQL reads the escapes itself."""


def choices(enum: type) -> list[tuple[str, str]]:
    """Build Django choices from a StrEnum of the decisions."""
    return [(member.value, member.value) for member in enum]  # type: ignore[attr-defined]  # iterating a StrEnum class
