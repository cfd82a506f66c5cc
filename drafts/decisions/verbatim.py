"""Finding a locked text to the letter, and names of policy versions, in a draft."""

import re
from bisect import bisect_right
from collections.abc import Collection
from itertools import accumulate

from ledger.decisions.numbers import fold
from ledger.decisions.vocabulary import Span

_WORD = re.compile(r"\S+")
_PARTS = re.compile(r"[^\W\d_]+|\d+")


def contains_verbatim(text: str, locked: str) -> Span | None:
    """Return where `text` holds `locked` to the letter, runs of white space aside; None when it does not."""
    pieces = locked.split()
    if not pieces or any(piece not in text for piece in pieces[:3]):
        return None  # most texts do not hold it, and need no closer look
    words = list(_WORD.finditer(text))
    wanted = " ".join(pieces)
    joined = " ".join(word[0] for word in words)
    offsets = list(accumulate((len(word[0]) + 1 for word in words), initial=0))
    at = joined.find(wanted)
    while at >= 0:
        if _stands_alone(joined, at, at + len(wanted)):
            return Span(_origin(words, offsets, at), _origin(words, offsets, at + len(wanted) - 1) + 1)
        at = joined.find(wanted, at + 1)
    return None


def _stands_alone(joined: str, start: int, end: int) -> bool:
    inside_before = start > 0 and joined[start - 1].isalnum() and joined[start].isalnum()
    inside_after = end < len(joined) and joined[end].isalnum() and joined[end - 1].isalnum()
    return not inside_before and not inside_after


def _origin(words: list[re.Match[str]], offsets: list[int], at: int) -> int:
    index = bisect_right(offsets, at) - 1
    return words[index].start() + at - offsets[index]


def names_version(text: str, names: Collection[str]) -> tuple[Span, ...]:
    """Return where `text` names one of the policy versions, whatever the case and the signs between the parts.

    A name made of digits alone counts only behind "version" or "policy", since 2024 is also a year.
    """
    folded = fold(text)
    spans = {Span(m.start(), m.end()) for name in names if (rule := _rule(name)) for m in rule.finditer(folded)}
    return tuple(sorted(spans))


def _rule(name: str) -> re.Pattern[str] | None:
    parts = _PARTS.findall(fold(name))
    if not parts:
        return None
    body = r"[\s_.-]{0,3}".join(map(re.escape, parts))
    lead = r"(?:version|policy)[\s_.-]{1,3}" if all(part.isdecimal() for part in parts) else ""
    return re.compile(rf"(?<!\w){lead}{body}(?!\w)")
