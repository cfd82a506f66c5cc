"""Splitting a text into sentences and clauses, with offsets into the text as given."""

import re
from bisect import bisect_left, bisect_right

from ledger.decisions.numbers import fold
from ledger.decisions.vocabulary import Span

_END = re.compile(
    r"(?<![.!?…])[.!?…]+[\"')\]”’»]*(?=\s)|\n(?=[ \t]*\n)|\n(?=[ \t]*(?:[-*•>]|\d{1,2}[.)]) )|:(?=[ \t]*\n)"
)
_ABBREVIATION = re.compile(
    r"(?:\b(?:e\.g|i\.e|mr|mrs|ms|dr|no|nr|approx|incl|excl|etc|max|min|vs|st|art|sec|p)|\b[a-z])$"
)
_CLAUSE = re.compile(r"[;:()\n]|,(?!\d)| - | ?\u2014 ?| (?:but|while|whereas|although|because|since|so) ")
_REACH = 8
_LONGEST_CLAUSE = 240


class Passages:
    """The sentences and clauses of one text, split once and then looked up."""

    def __init__(self, text: str) -> None:
        self.folded = fold(text)
        self.sentences = _sentences(self.folded)
        self._starts = [span.start for span in self.sentences]
        breaks = list(_CLAUSE.finditer(self.folded))
        self._opens = [match.end() for match in breaks]
        self._closes = [match.start() for match in breaks]

    def sentence(self, span: Span) -> Span:
        """Return the sentence in which `span` begins."""
        return self.sentences[max(0, bisect_right(self._starts, span.start) - 1)]

    def clause(self, span: Span) -> Span:
        """Return the clause around `span`, never beyond its sentence and no longer than a reader would look."""
        sentence = self.sentence(span)
        left = bisect_right(self._opens, span.start) - 1
        right = bisect_left(self._closes, span.end)
        opens = self._opens[left] if left >= 0 else 0
        closes = self._closes[right] if right < len(self._closes) else len(self.folded)
        start = max(sentence.start, opens, span.start - _LONGEST_CLAUSE)
        return Span(start, min(max(sentence.end, span.end), closes, span.end + _LONGEST_CLAUSE))

    def text(self, span: Span) -> str:
        """Return the folded text of `span`."""
        return self.folded[span.start : span.end]


def sentences(text: str) -> tuple[Span, ...]:
    """Return the sentences of `text` in order, without the white space around them; a lone line break ends none."""
    return _sentences(fold(text))


def _sentences(folded: str) -> tuple[Span, ...]:
    cuts, start = [], 0
    for match in _END.finditer(folded):
        if _ends_sentence(folded, match):
            cuts.append((start, match.end()))
            start = match.end()
    cuts.append((start, len(folded)))
    return tuple(span for begin, end in cuts if (span := _trimmed(folded, begin, end)).start < span.end)


def _ends_sentence(folded: str, match: re.Match[str]) -> bool:
    if match[0] != "." or not _ABBREVIATION.search(folded, max(0, match.start() - _REACH), match.start()):
        return True
    return folded[match.end() : match.end() + 3].strip(" ").startswith("\n")


def _trimmed(folded: str, begin: int, end: int) -> Span:
    piece = folded[begin:end]
    return Span(begin + len(piece) - len(piece.lstrip()), begin + len(piece.rstrip()))
