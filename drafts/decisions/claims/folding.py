"""Read a text as its reader does: markup, invisible characters and look-alike letters folded away, places remembered.

Every folded character knows the stretch of the raw text it came from, so that a claim found in the folded text is
quoted from the raw one.
"""

import html
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

from drafts.decisions.claims.lexicon import words

TEXT_LIMIT = 65_536
"""Characters that are read; intake refuses longer texts."""

_MARK = re.compile(
    r"(?P<comment><!--)"
    r"|<(?P<close>/?)(?P<tag>[A-Za-z][A-Za-z0-9-]{0,20})(?:\s[^<>]{0,2000})?+/?>"
    r"|&(?:[A-Za-z]{2,20}|\#[0-9]{1,7}|\#[xX][0-9A-Fa-f]{1,6});"
    r"|\*\*|__|`+|~~|(?<=\w)\*|\*(?=\w)"
)
LONGEST_COMMENT = 4_000
_CLOSING = {tag: re.compile(f"</{tag}", re.IGNORECASE) for tag in ("blockquote", "script", "style")}
_PLAIN = re.compile(r"[\n !-%'-),-;=?-^a-z{-}]*\Z")
_RUN = re.compile(r"\s+|\S+")
_INLINE = words("a abbr b big del em font i ins mark s small span strong sub sup u")
_QUOTES = str.maketrans(
    {
        "“": '"',
        "”": '"',
        "„": '"',
        "‟": '"',
        "«": '"',
        "»": '"',
        "‘": "'",
        "’": "'",
        "‚": "'",
        "‛": "'",
        "ʼ": "'",
        "´": "'",
        "`": "'",
        "–": "-",
        "‑": "-",
        "‐": "-",
        "‒": "-",
        "−": "-",
        "—": "\u2014",
    }
)
_LOOK_ALIKES = str.maketrans(
    "асеорхуіјѕԁһԛԝкмтвнгпьАВСЕНІЈКМОРЅТХУҮοναρτυικγεηΑΒΕΖΗΙΚΜΝΟΡΤΥΧ",
    "aceopxyijsdhqwkmtbhrnbABCEHIJKMOPSTXYYovaptuikyenABEZHIKMNOPTYX",
)
_WORD = re.compile(r"[^\W\d_]+")
_FUNCTION_WORDS = words(
    "a an and are as at be been being by can could for from has have in into is it its may of on or our shall should "
    "that the "
    "their this to was we were will with within would you your next than about not"
)
_SPACE = re.compile(r"\s+")
_LAST_WORD = re.compile(r"([A-Za-z]{1,12})\Z")


@dataclass(frozen=True, slots=True)
class Folded:
    """The text as it reads, and for each of its characters the raw stretch `starts[i]` to `ends[i]`."""

    text: str
    starts: tuple[int, ...]
    ends: tuple[int, ...]

    def raw(self, start: int, end: int) -> tuple[int, int]:
        """Return the raw span of a folded span that is not empty."""
        return self.starts[start], self.ends[end - 1]


Piece = tuple[str, int, int]


def fold(text: str) -> Folded:
    """Fold the first 64 kB of a text; nothing in it raises."""
    text = text[:TEXT_LIMIT]
    if _PLAIN.match(text):
        return _fold_plain(text)
    pieces = list(_spaced(_pieces(text)))
    plain = _unmixed("".join(char for char, _, _ in pieces))
    return Folded(plain, tuple(start for _, start, _ in pieces), tuple(end for _, _, end in pieces))


def _fold_plain(text: str) -> Folded:
    """Fold a text in which only white space needs it, by runs instead of characters."""
    held: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    runs = list(_RUN.finditer(text.strip()))
    shift = len(text) - len(text.lstrip())
    for at, run in enumerate(runs):
        start, end = run.start() + shift, run.end() + shift
        if run[0].isspace():
            breaks = run[0].count("\n")
            wrapped = breaks == 0 or (breaks == 1 and _continues(runs[at - 1][0][-12:], runs[at + 1][0][0]))
            held.append(" " if wrapped else "\n")
            starts.append(start)
            ends.append(end)
        else:
            held.append(run[0])
            starts.extend(range(start, end))
            ends.extend(range(start + 1, end + 1))
    return Folded("".join(held), tuple(starts), tuple(ends))


def _pieces(text: str) -> Iterator[Piece]:
    position = 0
    while mark := _MARK.search(text, position):
        yield from _plain(text, position, mark.start())
        position = mark.end()
        if mark["comment"]:
            end = text.find("-->", position, position + LONGEST_COMMENT)
            position = end + 3 if end >= 0 else position
        elif mark["tag"]:
            tag = mark["tag"].lower()
            if tag in _CLOSING and not mark["close"]:
                position = _end_of_element(text, tag, position)
            if tag not in _INLINE:
                yield "\n", mark.start(), position
        elif mark[0].startswith("&"):
            yield from ((char, mark.start(), mark.end()) for char in _folded(html.unescape(mark[0])))
    yield from _plain(text, position, len(text))


def _end_of_element(text: str, tag: str, position: int) -> int:
    """Return where a quotation or a script ends: at its closing tag, else with the text."""
    closing = _CLOSING[tag].search(text, position)
    return closing.start() if closing else len(text)


def _plain(text: str, start: int, end: int) -> Iterator[Piece]:
    run = text[start:end]
    if run.isascii() and run.isprintable():
        yield from zip(run, range(start, end), range(start + 1, end + 1), strict=True)
        return
    for place, raw in enumerate(run, start):
        for char in _folded(raw):
            yield char, place, place + 1


def _folded(raw: str) -> str:
    """Return what is read where these characters stand; nothing for invisible ones, marks and controls."""
    if raw.isascii() and raw.isprintable():
        return raw
    kept = []
    for char in unicodedata.normalize("NFKD", raw.translate(_QUOTES)):
        category = unicodedata.category(char)
        if char in "\n\u2028\u2029\x0b\x0c\x85":
            kept.append("\n")
        elif char.isspace():
            kept.append(" ")
        elif (
            category not in {"Cc", "Cf", "Mn", "Me", "Cn", "Cs", "Co"} and char not in "\u2800\u3164\u115f\u1160\uffa0"
        ):
            kept.append(char)
    return "".join(kept).translate(_QUOTES)


def _spaced(pieces: Iterator[Piece]) -> Iterator[Piece]:
    """Collapse white space: one space inside a line or a wrapped sentence, one line break between lines."""
    waiting: list[Piece] = []
    before: list[str] = []
    for piece in pieces:
        if piece[0].isspace():
            waiting.append(piece)
            continue
        if waiting and before:
            breaks = sum(char == "\n" for char, _, _ in waiting)
            wrapped = breaks == 0 or (breaks == 1 and _continues("".join(before[-12:]), piece[0]))
            yield " " if wrapped else "\n", waiting[0][1], waiting[-1][2]
            before.append(" ")
        waiting = []
        before.append(piece[0])
        yield piece


def _continues(before: str, following: str) -> bool:
    """Say whether a line break falls inside a sentence."""
    if following.islower():
        return before[-1] not in ".!?:;"
    last = _LAST_WORD.search(before)
    return following.isalnum() and last is not None and last[1].lower() in _FUNCTION_WORDS


def _unmixed(text: str) -> str:
    """Write look-alike letters as the Latin ones they imitate, where a word mixes them or stands among Latin words."""
    if text.isascii():
        return text
    latin = sum(char.isascii() and char.isalpha() for char in text)
    foreign = sum(not char.isascii() and char.isalpha() for char in text)
    mostly_latin = latin > 2 * foreign

    def latinised(word: re.Match[str]) -> str:
        translated = word[0].translate(_LOOK_ALIKES)
        mixed = any(char.isascii() for char in word[0])
        return translated if mixed or (mostly_latin and translated.isascii()) else word[0]

    return _WORD.sub(latinised, text)
