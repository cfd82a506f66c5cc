"""What counts as blank or as a name, when a passage stands in a text, and how a day is written in a sentence."""

import unicodedata
from datetime import date

LONGEST = 64 * 1024
"""Bytes of the longest text that is kept."""
INVISIBLE = frozenset(
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180e\u180f\u3164\uffa0\ufeff"
) | frozenset(
    chr(point)
    for point in (*range(0x200B, 0x2010), *range(0x2028, 0x202F), *range(0x2060, 0x2070), *range(0xFE00, 0xFE10))
)


def is_blank(text: str) -> bool:
    """Say whether a text has no visible character."""
    return all(c.isspace() or c in INVISIBLE or unicodedata.category(c) in {"Cc", "Cf", "Cn"} for c in text)


def unfit(text: str) -> str | None:
    """Say in a sentence why a text cannot be stored to the letter; None where it can."""
    if "\x00" in text or any("\ud800" <= character <= "\udfff" for character in text):
        return "The text holds a NUL or half of a character. Remove it."
    if len(text) > LONGEST or len(text.encode()) > LONGEST:
        return f"The text is too long: at most {LONGEST:,} plain letters fit. Split the document."
    return None


def day_in_words(day: date) -> str:
    """Write a calendar date as the screens show it: “1 Jan 2027”."""
    return f"{day.day} {day:%b %Y}"


def unfit_name(name: str) -> str | None:
    """Say in a sentence why nothing may be called this; None where it can.

    A name stands in addresses, where a part that is `.` or `..` is dropped by every browser, and is told from others
    by the eye alone.
    """
    if any(part in {".", ".."} for part in name.split("/")):
        return "A name or a part of one cannot be . or .. alone, since no address leads there. Choose another."
    found = next((sign for sign in name if _hides(sign)), None)
    if found is None:
        return None
    known = unicodedata.name(found, "a control character").lower()
    return f"The name holds a character that cannot be seen (U+{ord(found):04X}, {known}). Write it without."


def _hides(sign: str) -> bool:
    """Say whether a character shows nothing, turns the direction of others, or is a space that looks like another."""
    unseen = sign in INVISIBLE or sign == "\u2800" or 0xE0000 <= ord(sign) < 0xE1000
    return unseen or unicodedata.category(sign) in {"Cc", "Cf", "Cn", "Zl", "Zp"} or (sign.isspace() and sign != " ")


def stands_in(passage: str, text: str) -> bool:
    """Say whether a passage stands in a text word for word, runs of white space aside."""
    return " ".join(passage.split()) in " ".join(text.split())
