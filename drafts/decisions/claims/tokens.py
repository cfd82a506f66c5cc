"""Cut a folded text into sentences of tokens. Contractions come apart, time expressions stay whole."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from drafts.decisions.claims.lexicon import words
from drafts.decisions.claims.quoting import FILLER
from drafts.decisions.claims.times import TimeSpan

SENTENCE_LIMIT = 200
"""Tokens that are read together; a longer run without a full stop is cut."""


class Kind(StrEnum):
    """What a token is."""

    WORD = "word"
    TIME = "time"
    QUOTE = "quote"
    MARK = "mark"


@dataclass(frozen=True, slots=True)
class Token:
    """One word, mark, quotation or time expression by its place in the folded text; `low` is what rules compare."""

    low: str
    text: str
    start: int
    end: int
    kind: Kind
    time: TimeSpan | None = None


@dataclass(frozen=True, slots=True)
class Sentence:
    """The tokens of one sentence, and the mark that ends it."""

    tokens: tuple[Token, ...]
    end_mark: str

    @property
    def is_question(self) -> bool:
        """Say whether the sentence asks."""
        return "?" in self.end_mark


_PIECE = re.compile(
    rf"(?P<quote>{FILLER}+)|(?P<word>[^\W_]+(?:(?:[-'/#&@+_]|\.(?=\d|com\b|org\b|net\b|co\b|io\b"
    rf"|[a-z]\b))[^\W_]+)*+)|(?P<stop>[.!?\u2026]++[\"')\]]*+(?=\s|\Z|\n))|(?P<line>\n)|(?P<mark>[^\s])"
)
_ABBREVIATION = re.compile(
    r"(?:mr|mrs|ms|dr|no|nr|approx|vs|st|inc|ltd|co|e\.g|i\.e|a\.m|p\.m|ref|tel|dept|prof|sr|jr|est|jan|feb|aug|sept"
    r"|oct|nov|dec)",
    re.IGNORECASE,
)
_APART = {
    "cannot": (("can", 3), ("not", 3)),
    "won't": (("will", 3), ("not", 2)),
    "can't": (("can", 3), ("not", 2)),
    "shan't": (("shall", 3), ("not", 3)),
    "dont": (("do", 2), ("not", 2)),
    "cant": (("can", 3), ("not", 1)),
    "wont": (("will", 3), ("not", 1)),
    "hasnt": (("has", 3), ("not", 2)),
    "havent": (("have", 4), ("not", 2)),
    "isnt": (("is", 2), ("not", 2)),
    "didnt": (("did", 3), ("not", 2)),
    "youll": (("you", 3), ("will", 2)),
    "weve": (("we", 2), ("have", 2)),
    "youve": (("you", 3), ("have", 2)),
    "theyll": (("they", 4), ("will", 2)),
    "itll": (("it", 2), ("will", 2)),
    "ive": (("i", 1), ("have", 2)),
    "im": (("i", 1), ("am", 1)),
    "gonna": (("going", 3), ("to", 2)),
    "let's": (("let", 3), ("us", 2)),
    "lets": (("let", 3), ("us", 1)),
}
_ENDINGS = {"'ll": "will", "'ve": "have", "'re": "are", "'d": "would", "'m": "am", "n't": "not"}
_IS_NOT_ITS = words("it that this he she there here what who where everything someone nobody everyone which how")
_TYPOS = {
    "wil": "will",
    "recieved": "received",
    "recieve": "receive",
    "witin": "within",
    "shipd": "shipped",
    "u": "you",
    "ur": "your",
}


def sentences(text: str, times: Sequence[TimeSpan]) -> Iterator[Sentence]:
    """Yield the sentences of a folded text; a line break ends one as a full stop does."""
    held: list[Token] = []
    for token in _tokens(text, times):
        ends = token.kind is Kind.MARK and (token.low == "\n" or token.low[0] in ".!?\u2026")
        if ends and not (token.low == "." and held and _ABBREVIATION.fullmatch(held[-1].low)):
            if held:
                yield Sentence(tuple(held), token.low)
            held = []
        elif not ends:
            held.append(token)
            if len(held) >= SENTENCE_LIMIT:
                yield Sentence(tuple(held), "")
                held = []
    if held:
        yield Sentence(tuple(held), "")


def _tokens(text: str, times: Sequence[TimeSpan]) -> Iterator[Token]:
    position = 0
    for time in times:
        yield from _plain(text, position, time.start)
        yield Token(time.text.lower(), time.text, time.start, time.end, Kind.TIME, time)
        position = time.end
    yield from _plain(text, position, len(text))


def _plain(text: str, start: int, end: int) -> Iterator[Token]:
    for piece in _PIECE.finditer(text, start, end):
        if piece["word"]:
            yield from _words(piece[0], piece.start())
        elif piece["quote"]:
            yield Token(FILLER, piece[0], piece.start(), piece.end(), Kind.QUOTE)
        elif piece[0] not in "'\"":
            yield Token(piece[0], piece[0], piece.start(), piece.end(), Kind.MARK)


def _words(word: str, start: int) -> Iterator[Token]:
    low = _TYPOS.get(word.lower(), word.lower())
    if low in _APART:
        for part, length in _APART[low]:
            yield Token(part, word[:length], start, start + length, Kind.WORD)
            word, start = word[length:], start + length
        return
    cut = _ending(low)
    if cut:
        stem, ending, meaning = cut
        yield Token(stem, word[: len(stem)], start, start + len(stem), Kind.WORD)
        yield Token(meaning, word[len(stem) :], start + len(stem), start + len(stem) + len(ending), Kind.WORD)
        return
    yield Token(low, word, start, start + len(word), Kind.WORD)


def _ending(low: str) -> tuple[str, str, str] | None:
    if "'" not in low:
        return None
    for ending, meaning in _ENDINGS.items():
        if low.endswith(ending) and len(low) > len(ending):
            return low[: -len(ending)], ending, meaning
    if low.endswith("'s"):
        return low[:-2], "'s", "is" if low[:-2] in _IS_NOT_ITS else "'s"
    return None
