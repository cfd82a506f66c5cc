"""What counts as blank: nothing, white space, or characters that nobody can see."""

import unicodedata

INVISIBLE = frozenset(
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180e\u180f\u3164\uffa0\ufeff"
) | frozenset(
    chr(point)
    for point in (*range(0x200B, 0x2010), *range(0x2028, 0x202F), *range(0x2060, 0x2070), *range(0xFE00, 0xFE10))
)


def is_blank(text: str) -> bool:
    """Say whether a text has no visible character."""
    return all(c.isspace() or c in INVISIBLE or unicodedata.category(c) in {"Cc", "Cf", "Cn"} for c in text)
