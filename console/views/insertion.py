"""Put a required text into a draft."""

import re

_GREETING = re.compile(
    r"\s*(?:(?:hi|hello|hey|dear|good (?:morning|afternoon|evening))\b[^\n.!?]{0,60}[,.!:]?)[ \t]*\n+", re.IGNORECASE
)


def insert(text: str, required: str) -> str:
    """Return the text with the required words as a paragraph of their own: after the greeting, else at the top."""
    greeting = _GREETING.match(text)
    before, after = (text[: greeting.end()].rstrip(), text[greeting.end() :]) if greeting else ("", text)
    return "\n\n".join(part for part in (before, required, after.lstrip("\n")) if part)


def same_text(typed: str, stored: str) -> bool:
    """Say whether two texts differ in nothing but how a browser writes line ends."""
    return unix_lines(typed) == unix_lines(stored)


def unix_lines(text: str) -> str:
    """Write every line end as a single line feed."""
    return text.replace("\r\n", "\n").replace("\r", "\n")
