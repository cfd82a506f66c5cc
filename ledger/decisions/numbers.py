"""Reading numbers out of running text: folding, tokens, digits in both decimal styles, number words, fractions.

Everything here keeps offsets: folding is one character for one, so a token's place holds in the text as given.
"""

import re
import unicodedata
from collections.abc import Sequence
from decimal import Decimal
from functools import lru_cache
from typing import NamedTuple

DATE_FILLER = "\N{WHITE SQUARE}"
_HYPHENS = "\N{HYPHEN}\N{NON-BREAKING HYPHEN}\N{FIGURE DASH}\N{EN DASH}\N{MINUS SIGN}"
_QUOTES = "\N{LEFT SINGLE QUOTATION MARK}\N{RIGHT SINGLE QUOTATION MARK}\N{MODIFIER LETTER APOSTROPHE}"
_TOKEN = re.compile(
    rf"{DATE_FILLER}+|\d{{1,2}}:\d\d(?::\d\d)?|\d+(?:[.,']\d+)*|[^\W\d_]\w*(?:'[^\W\d_]+)?|\S",
)
_FRACTIONS = {"½": Decimal("0.5"), "¼": Decimal("0.25"), "¾": Decimal("0.75"), "⅓": Decimal(1) / 3, "⅔": Decimal(2) / 3}
_ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
    "seventeen eighteen nineteen"
)
_SMALL = {word: value for value, word in enumerate(_ONES.split())}
_TENS = {
    "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90,
}  # fmt: skip
_BEGINNINGS = frozenset({*_FRACTIONS, *_SMALL, *_TENS, "hundred", "thousand", "a", "an"})
_LONGEST_NUMBER = 15
_ASCII_SPACES = str.maketrans({**dict.fromkeys("\t\v\f\x1c\x1d\x1e\x1f", " "), "\r": "\n"})


class Token(NamedTuple):
    """One word, number or sign of the folded text."""

    text: str
    start: int
    end: int

    @property
    def is_digits(self) -> bool:
        """Whether this is a number in digits (a clock time is not)."""
        return self.text[0].isdecimal() and ":" not in self.text


@lru_cache(maxsize=4096)
def _folded(char: str) -> str:
    if char.isspace():
        return "\n" if char in "\n\r\u2028\u2029" else " "
    if char in _HYPHENS:
        return "-"
    if char in _QUOTES:
        return "'"
    plain = unicodedata.normalize("NFKC", char)
    if len(plain) != 1:
        return char
    digit = unicodedata.decimal(plain, None)
    lower = plain.lower()
    if digit is not None:
        return str(digit)
    return lower if len(lower) == 1 else plain


def fold(text: str) -> str:
    """Lower-case `text` and make its digits, spaces, hyphens and quotes plain, one character for one."""
    if text.isascii():
        return text.lower().translate(_ASCII_SPACES)
    return "".join(map(_folded, text))


def tokens(folded: str) -> tuple[Token, ...]:
    """Split folded text into words, numbers and single signs."""
    return tuple(Token(m[0], m.start(), m.end()) for m in _TOKEN.finditer(folded))


def word_at(words: Sequence[Token], index: int) -> str:
    """Return the text of the token at `index`, or nothing beyond either end."""
    return words[index].text if 0 <= index < len(words) else ""


def digits(text: str) -> Decimal | None:
    """Read digits in either decimal style: 1,000.50 and 1.000,50 and 2,5; None when they are no number."""
    if len(text) > _LONGEST_NUMBER:
        return None
    text = text.replace("'", "")
    marks = [char for char in text if char in ".,"]
    if not marks:
        return Decimal(text)
    groups = re.split(r"[.,]", text)
    if len(set(marks)) == 1 and _reads_as_thousands(groups):
        return Decimal("".join(groups))
    if len(marks) > 1 and (len(set(marks)) == 1 or not _reads_as_thousands(groups[:-1]) or marks[-1] in marks[:-1]):
        return None
    return Decimal("".join(groups[:-1]) + "." + groups[-1])


def _reads_as_thousands(groups: Sequence[str]) -> bool:
    first, *rest = groups
    return 0 < len(first) <= 3 and first[0] != "0" and all(len(group) == 3 for group in rest)


def begins_number(text: str) -> bool:
    """Say whether a number could begin with this token's text, without reading it."""
    return text[0].isdecimal() or text in _BEGINNINGS


def read_number(words: Sequence[Token], index: int) -> tuple[Decimal, int] | None:
    """Read a number that begins at `index`; returns it with the index behind it, or None."""
    found = _plain_number(words, index)
    if found is None:
        return None
    value, after = found
    if [word_at(words, after + n) for n in (0, 1)] == ["and", "a"] and word_at(words, after + 2) in {"half", "quarter"}:
        value, after = value + (Decimal("0.5") if word_at(words, after + 2) == "half" else Decimal("0.25")), after + 3
    if word_at(words, after) == "(":
        again = _plain_number(words, after + 1)
        if again and again[0] == value and word_at(words, again[1]) == ")":
            after = again[1] + 1
    return value, after


def _plain_number(words: Sequence[Token], index: int) -> tuple[Decimal, int] | None:
    if not 0 <= index < len(words):
        return None
    word = words[index]
    if word.text in _FRACTIONS:
        return _FRACTIONS[word.text], index + 1
    if word.is_digits:
        return _in_digits(words, index)
    return _in_words(words, index)


def _in_digits(words: Sequence[Token], index: int) -> tuple[Decimal, int] | None:
    value = digits(words[index].text)
    if value is None or _part_of_a_code(words, index):
        return None
    following = word_at(words, index + 1)
    if following == "/" and word_at(words, index + 2).isdecimal():
        return _fraction(words, index)
    if following in _FRACTIONS:
        return value + _FRACTIONS[following], index + 2
    if (whole := _spaced_thousands(words, index)) is not None:
        return value * 1000 + whole, index + 2
    if word_at(words, index + 2) == "/" and (part := _fraction(words, index + 1)):
        return value + part[0], part[1]
    return value, index + 1


def _spaced_thousands(words: Sequence[Token], index: int) -> Decimal | None:
    """Return the second group of a number written as "36 000"."""
    first, second = words[index].text, word_at(words, index + 1)
    if not re.fullmatch(r"\d{1,3}", first) or not re.fullmatch(r"\d{3}(?:[.,]\d\d?)?", second):
        return None
    return digits(second) if words[index + 1].start - words[index].end == 1 else None


def _part_of_a_code(words: Sequence[Token], index: int) -> bool:
    """Digits glued behind a letter and a hyphen, a hash or an underscore belong to a name such as PO-12."""
    before, here = word_at(words, index - 1), words[index]
    if before not in {"-", "#", "_", "/", "."} or words[index - 1].end != here.start:
        return False
    if before != "-":
        return before != "/" or word_at(words, index - 2).isdecimal()
    earlier = word_at(words, index - 2)
    glued = index >= 2 and words[index - 2].end == words[index - 1].start
    return glued and earlier[:1].isalpha() and earlier not in _SMALL and earlier not in _TENS


def _fraction(words: Sequence[Token], index: int) -> tuple[Decimal, int] | None:
    above, below = word_at(words, index), word_at(words, index + 2)
    if not (above.isdecimal() and below.isdecimal()) or len(below) > 2 or int(below) <= int(above):
        return None
    return Decimal(above) / Decimal(below), index + 3


def _in_words(words: Sequence[Token], index: int) -> tuple[Decimal, int] | None:
    total, current, at, read = 0, 0, index, False
    while at - index < _LONGEST_NUMBER and (step := _number_word(words, at, read=read)) is not None:
        value, at = step
        if value in {100, 1000}:
            current = max(current, 1) * value
            if value == 1000:
                total, current = total + current, 0
        elif read and current % 10 == 0 and current % 100 in range(20, 100, 10) and value < 10:
            current += value
        elif read and current % 100:
            break
        else:
            current += value
        read, last = True, at
    return (Decimal(total + current), last) if read else None


def _number_word(words: Sequence[Token], at: int, *, read: bool) -> tuple[int, int] | None:
    word = word_at(words, at)
    if read and word in {"-", "and"} and word_at(words, at + 1) in (_SMALL | _TENS):
        hyphen_after_tens = word == "-" and word_at(words, at - 1) in _TENS
        and_after_hundred = word == "and" and word_at(words, at - 1) in {"hundred", "thousand"}
        if not (hyphen_after_tens or and_after_hundred):
            return None
        at, word = at + 1, word_at(words, at + 1)
    if word in {"a", "an"} and not read and word_at(words, at + 1) in {"hundred", "thousand"}:
        at, word = at + 1, word_at(words, at + 1)
    value = {**_SMALL, **_TENS, "hundred": 100, "thousand": 1000}.get(word)
    return None if value is None else (value, at + 1)
