"""Stretches of a draft that are not English, where the detection of claims cannot be relied on.

Evidence is the script, or small words of another language that outnumber English ones. Names, addresses and single
foreign words are no stretch: a stretch needs at least one word that carries a sentence.
"""

import re
from collections.abc import Iterator

from drafts.decisions.language_words import BORROWED, ENGLISH, OTHER_SCRIPTS, STRONG, WEAK
from drafts.decisions.scripts import script_of
from drafts.decisions.vocabulary import Finding

FINDINGS_LIMIT = 20
UNKNOWN_LENGTH = 8

_SENTENCE = re.compile(r"[^\n.!?…:;。！？।؟]+[.!?…。！？।؟]*")
_CLAUSE = re.compile(r"[^,(){}\[\]\"“”«»–—]+")
_WORD = re.compile(r"[^\W\d_](?:[^\W\d_]|[\u0300-\u036f\u0900-\u0dff\u0e00-\u0eff]|['’](?=[^\W\d_]))*")
_CODE = re.compile(r"`[^`\n]{1,200}`")
_TOKEN = re.compile(r"\S+")
_NOT_PROSE = re.compile(r"[\d_/\\@]|^www\.")
_UNSPACED = frozenset({"CJK", "HIRAGANA", "KATAKANA"})
_UNSPACED_GRAMMAR = frozenset("的了是我你您们們请請在吗嗎会會将將为為这這已不您")
_KOREAN_ENDINGS = ("다", "요", "까", "세요", "니다")
_LONG_WITHOUT_SPACES = {"CJK": 18, "HIRAGANA": 18, "KATAKANA": 18, "THAI": 15, "LAO": 15, "KHMER": 15, "MYANMAR": 15}
_CASED = frozenset({"CYRILLIC", "GREEK", "ARMENIAN", "GEORGIAN"})
_NAMES: dict[str, str] = {
    "CJK": "Chinese or Japanese",
    "HIRAGANA": "Japanese",
    "KATAKANA": "Japanese",
    "HANGUL": "Korean",
}


def language(text: str) -> tuple[Finding, ...]:
    """Return a finding for each stretch in another language than English; what it promises has not been checked."""
    merged: list[tuple[int, int, str]] = []
    for start, end, name in _foreign_stretches(text):
        if merged and merged[-1][2] == name and not any(c.isalnum() for c in text[merged[-1][1] : start]):
            merged[-1] = (merged[-1][0], end, name)
        else:
            merged.append((start, end, name))
    return tuple(
        Finding(
            "language_not_checked",
            f"This stretch reads as {name}. Claims are found in English text only: write it in English, "
            "or confirm that you have read it and that it promises nothing.",
            start,
            end,
        )
        for start, end, name in merged[:FINDINGS_LIMIT]
    )


def _foreign_stretches(text: str) -> Iterator[tuple[int, int, str]]:
    plain = _TOKEN.sub(_blank_unless_prose, _CODE.sub(_blanked, text))
    for sentence in _SENTENCE.finditer(plain):
        if name := _language_of(sentence[0]):
            yield *_trimmed(text, sentence.start(), sentence.end()), name
            continue
        for clause in _CLAUSE.finditer(plain, sentence.start(), sentence.end()):
            if name := _language_of(clause[0], is_clause=True):
                yield *_trimmed(text, clause.start(), clause.end()), name


def _blank_unless_prose(token: re.Match[str]) -> str:
    """Blank addresses, numbers and codes, but keep the punctuation that ends a sentence."""
    if not _NOT_PROSE.search(token[0]):
        return token[0]
    return " " * (len(token[0]) - 1) + (token[0][-1] if token[0][-1] in ".!?,;:" else " ")


def _blanked(found: re.Match[str]) -> str:
    return " " * len(found[0])


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    stretch = text[start:end]
    return start + len(stretch) - len(stretch.lstrip()), end - (len(stretch) - len(stretch.rstrip()))


def _language_of(stretch: str, *, is_clause: bool = False) -> str | None:
    words = _WORD.findall(stretch)
    by_script: dict[str, list[str]] = {}
    for word in words:
        by_script.setdefault(script_of(word[0]), []).append(word)
    for script, foreign in by_script.items():
        if script not in {"LATIN", ""} and _carries_a_sentence(script, foreign):
            return _NAMES.get(script, f"a language in {script.title()} script")
    latin = by_script.get("LATIN", [])
    lowered = [word.lower().replace("’", "'") for word in latin]
    if name := _known_latin_language(lowered, needed=3 if is_clause else 2):
        return name
    unknown = not is_clause and stretch.count(",") < 3 and _shows_no_english(lowered)
    return "a language that is not English" if unknown and sum(map(str.islower, latin)) >= UNKNOWN_LENGTH else None


def _carries_a_sentence(script: str, words: list[str]) -> bool:
    letters = "".join(words)
    if script in _UNSPACED:
        grammar = sum(letter in _UNSPACED_GRAMMAR or script_of(letter) == "HIRAGANA" for letter in letters)
        return grammar >= 2 or len(letters) >= _LONG_WITHOUT_SPACES[script]
    if script in _LONG_WITHOUT_SPACES:
        return len(letters) >= _LONG_WITHOUT_SPACES[script]
    if script == "HANGUL":
        return len(words) >= 5 or (len(words) > 1 and any(word.endswith(_KOREAN_ENDINGS) for word in words))
    if script in _CASED:
        return len(words) > 1 and any(len(word) >= 4 and word.islower() for word in words)
    known = OTHER_SCRIPTS.get(script, frozenset())
    return len(words) >= 5 or (len(words) > 1 and any(word in known for word in words))


def _known_latin_language(words: list[str], needed: int) -> str | None:
    """Return the language whose small words make up a sixth of `words` and are twice as many as the English ones."""
    if len(words) < needed:
        return None
    name, strong, weak = max((_evidence(words, name) for name in STRONG), key=lambda found: found[1:])
    english = sum(word in ENGLISH and word not in STRONG[name] and word not in WEAK[name] for word in words)
    hits = strong + weak
    return name if strong and hits >= needed and hits > 2 * english and hits * 6 >= len(words) else None


def _evidence(words: list[str], name: str) -> tuple[str, int, int]:
    distinct = set(words)
    strong = distinct & STRONG[name]
    return name, len(strong), len((distinct & WEAK[name]) - strong)


def _shows_no_english(words: list[str]) -> bool:
    return len(words) >= UNKNOWN_LENGTH and not any(word in ENGLISH or word in BORROWED for word in words)
