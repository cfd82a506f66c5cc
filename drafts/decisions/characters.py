"""Characters that make a reviewer read other words than are stored: invisible, reordering, stacked, look-alike.

The text itself is never changed: a finding names the code points, and `visible_pieces` cuts the text so that a page
can show each of them as a chip.
"""

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from itertools import groupby

from drafts.decisions.vocabulary import Finding

FINDINGS_LIMIT = 50
NAMED_IN_A_MESSAGE = 4
MARKS_ON_ONE_BASE = 4
ALLOWED_CONTROLS = "\n\r\t"

# Default_Ignorable_Code_Point of Unicode 16, with the Braille blank, which draws nothing either.
_IGNORABLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
_CONTROL_CATEGORIES = frozenset({"Cc", "Cs", "Co", "Zl", "Zp", "Cf"})
# Format characters that are drawn, and belong to the scripts they stand in.
_DRAWN_FORMATS = re.compile("[\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\U000110bd\U000110cd]")
_CONTROL_NAMES = {
    0x00: "NULL", 0x07: "BELL", 0x08: "BACKSPACE", 0x0B: "LINE TABULATION", 0x0C: "FORM FEED", 0x1B: "ESCAPE",
    0x7F: "DELETE", 0x85: "NEXT LINE",
}  # fmt: skip

_ZWNJ, _ZWJ = "\u200c", "\u200d"
_DIRECTION_MARKS = "\u200e\u200f\u061c"
_TEXT_STYLE, _EMOJI_STYLE = "\ufe0e", "\ufe0f"
_SKIN_TONES = re.compile("[\U0001f3fb-\U0001f3ff]")
# England, Scotland and Wales are the only flags that are written with tag characters.
_TAGGED_FLAGS = re.compile("\U0001f3f4(?:" + "|".join(
    "".join(chr(0xE0000 + ord(letter)) for letter in region) + "\U000e007f" for region in ("gbeng", "gbsct", "gbwls")
) + ")")  # fmt: skip
# Scripts in which joiners change how a word is written: Arabic and its kin, Indic, Myanmar, Khmer, Mongolian.
_JOINING = re.compile("[\u0600-\u08ff\u0900-\u0dff\u1000-\u109f\u1780-\u17ff\u1800-\u18af\ufb50-\ufdff\ufe70-\ufefc]")
_HAN = re.compile("[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")
_MONGOLIAN = re.compile("[\u1800-\u18af]")
_RIGHT_TO_LEFT = frozenset({"R", "AL"})


class PieceKind(StrEnum):
    """Whether a piece of text is shown as it is or as a chip."""

    TEXT = "text"
    HIDDEN = "hidden"


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of text for the screen. `name` is what the chip of a hidden piece says; `start` counts code points."""

    kind: PieceKind
    text: str
    start: int
    name: str = ""


@dataclass(frozen=True, slots=True)
class _Spot:
    """One position in a text, with what stands before and after it."""

    text: str
    at: int

    @property
    def sign(self) -> str:
        return self.text[self.at]

    @property
    def before(self) -> str:
        return self.text[self.at - 1] if self.at else ""

    @property
    def after(self) -> str:
        return self.text[self.at + 1] if self.at + 1 < len(self.text) else ""


def hidden_characters(text: str) -> tuple[Finding, ...]:
    """Return one finding for each run of characters that are not drawn, reorder others, or pile up on one letter.

    Joiners inside emoji and inside words of joining scripts, the emoji style selector, direction marks beside
    right-to-left letters and the tagged flags are ordinary writing and raise nothing.
    """
    runs = _runs(_hidden_positions(text))
    found = [_hidden_finding(text, start, end) for start, end in runs[:FINDINGS_LIMIT]]
    if len(runs) > FINDINGS_LIMIT:
        rest = f"{len(runs) - FINDINGS_LIMIT} more places hold characters that are not drawn. Delete them all."
        found.append(Finding("hidden_characters", rest, runs[FINDINGS_LIMIT][0], runs[-1][1]))
    return tuple(found)


def visible_pieces(text: str, start: int = 0, end: int | None = None) -> tuple[Piece, ...]:
    """Cut `text[start:end]` into plain pieces and hidden ones; joined again they give the same text to the letter.

    What counts as hidden is judged in the whole text, so that a cut beside an emoji or a word changes nothing.
    A character repeated in a run is one piece whose name says how often it stands there.
    """
    stop = len(text) if end is None else min(end, len(text))
    hidden = {position for position in _hidden_positions(text) if start <= position < stop}
    pieces: list[Piece] = []
    for sign, group in groupby(range(max(start, 0), stop), key=lambda at: text[at] if at in hidden else None):
        positions = list(group)
        stretch = text[positions[0] : positions[-1] + 1]
        if sign is None:
            pieces.append(Piece(PieceKind.TEXT, stretch, positions[0]))
        else:
            times = f" × {len(positions)}" if len(positions) > 1 else ""
            pieces.append(Piece(PieceKind.HIDDEN, stretch, positions[0], code_point_name(sign) + times))
    return tuple(pieces)


@lru_cache(maxsize=2048)
def code_point_name(sign: str) -> str:
    """Return the code point and the name of one character, as in `U+202E RIGHT-TO-LEFT OVERRIDE`."""
    point = ord(sign)
    return f"U+{point:04X} {unicodedata.name(sign, None) or _CONTROL_NAMES.get(point) or _nameless(sign)}"


def _nameless(sign: str) -> str:
    names = {"Co": "PRIVATE USE", "Cs": "LONE SURROGATE", "Cc": "CONTROL CHARACTER"}
    return names.get(unicodedata.category(sign), "UNASSIGNED CHARACTER")


def _hidden_finding(text: str, start: int, end: int) -> Finding:
    names = list(dict.fromkeys(code_point_name(sign) for sign in text[start : min(end, start + 1000)]))
    more = f" and {len(names) - NAMED_IN_A_MESSAGE} more" if len(names) > NAMED_IN_A_MESSAGE else ""
    shown = ", ".join(names[:NAMED_IN_A_MESSAGE]) + more
    fault = "piled up on one letter" if _is_mark(text[start]) else "which a reader cannot see"
    message = f"The text holds {shown}, {fault}. Delete it, or confirm that it belongs there."
    return Finding("hidden_characters", message, start, end)


def _is_mark(sign: str) -> bool:
    return unicodedata.category(sign) in {"Mn", "Me"} and not _IGNORABLE.match(sign)


def _runs(positions: list[int]) -> list[tuple[int, int]]:
    runs: list[tuple[int, int]] = []
    for position in positions:
        if runs and runs[-1][1] == position:
            runs[-1] = (runs[-1][0], position + 1)
        else:
            runs.append((position, position + 1))
    return runs


@lru_cache(maxsize=64)
def _hidden_positions_of(text: str) -> tuple[int, ...]:
    flags = {match.start() + i for match in _TAGGED_FLAGS.finditer(text) for i in range(len(match[0]))}
    marks = 0
    hidden: list[int] = []
    for at, sign in enumerate(text):
        if " " <= sign <= "~":
            marks = 0
            continue
        category = unicodedata.category(sign)
        marks = marks + 1 if category in {"Mn", "Me"} else 0
        stray = _is_suspect(sign, category) and at not in flags and not _belongs(_Spot(text, at))
        if stray or marks > MARKS_ON_ONE_BASE:
            hidden.append(at)
    return tuple(hidden)


def _hidden_positions(text: str) -> list[int]:
    if text.isascii() and text.isprintable():
        return []
    return list(_hidden_positions_of(text))


def _is_suspect(sign: str, category: str) -> bool:
    if sign in ALLOWED_CONTROLS or _DRAWN_FORMATS.match(sign):
        return False
    is_noncharacter = (ord(sign) & 0xFFFE) == 0xFFFE or "\ufdd0" <= sign <= "\ufdef"
    return is_noncharacter or category in _CONTROL_CATEGORIES or bool(_IGNORABLE.match(sign))


def _belongs(spot: _Spot) -> bool:
    if rule := _EXCEPTIONS.get(spot.sign):
        return rule(spot)
    if "\U000e0100" <= spot.sign <= "\U000e01ef":
        return bool(_HAN.match(spot.before))
    return "\u180b" <= spot.sign <= "\u180f" and bool(_MONGOLIAN.match(spot.before))


def _joins_emoji_or_letters(spot: _Spot) -> bool:
    return _joins_emoji(spot) or _joins_letters(spot)


def _joins_emoji(spot: _Spot) -> bool:
    base = spot.at - 1
    while base > 0 and (spot.text[base] == _EMOJI_STYLE or _SKIN_TONES.match(spot.text[base])):
        base -= 1
    return base >= 0 and _is_pictograph(spot.text[base]) and _is_pictograph(spot.after)


def _joins_letters(spot: _Spot) -> bool:
    if not _JOINING.match(spot.before) or not unicodedata.category(spot.before).startswith(("L", "M")):
        return False
    return bool(_JOINING.match(spot.after)) or unicodedata.combining(spot.before) == 9


def _marks_direction(spot: _Spot) -> bool:
    beside = (sign for sign in (spot.before, spot.after) if sign)
    return any(unicodedata.bidirectional(sign) in _RIGHT_TO_LEFT and sign not in _DIRECTION_MARKS for sign in beside)


def _styles_a_pictograph(spot: _Spot) -> bool:
    if spot.before in "0123456789#*" and spot.before:
        return spot.after == "\u20e3"
    return _is_pictograph(spot.before) or bool(_SKIN_TONES.match(spot.before))


def _is_pictograph(sign: str) -> bool:
    return bool(sign) and (unicodedata.category(sign) in {"So", "Sm"} or sign in "‼⁉〰〽") and not sign.isascii()


_EXCEPTIONS: dict[str, Callable[[_Spot], bool]] = {
    _ZWJ: _joins_emoji_or_letters,
    _ZWNJ: _joins_letters,
    _TEXT_STYLE: _styles_a_pictograph,
    _EMOJI_STYLE: _styles_a_pictograph,
    **dict.fromkeys(_DIRECTION_MARKS, _marks_direction),
}
