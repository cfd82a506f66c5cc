"""What the models share: choices built from the enums of the decisions, and what counts as written."""

from enum import StrEnum

NOT_BLANK = (
    r"[^\s\u00a0\u1680\u2000-\u200a\u205f\u3000\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f"
    r"\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0]"
)
"""A regular expression of PostgreSQL: at least one character that a person can see."""


def choices(enum: type[StrEnum]) -> list[tuple[str, str]]:
    """Build Django choices from an enum of the decisions."""
    return [(member.value, member.value) for member in enum]
