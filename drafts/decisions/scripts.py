"""Which script a letter belongs to, and words whose letters come from two alphabets."""

import re
import unicodedata
from functools import lru_cache

from drafts.decisions.vocabulary import Finding

_WORD = re.compile(r"[^\W\d_]+(?:[\u0300-\u036f]+[^\W\d_]*)*")
# The alphabets whose letters pass for one another.
_ALPHABETS = frozenset({"LATIN", "CYRILLIC", "GREEK", "ARMENIAN", "CHEROKEE", "COPTIC", "GEORGIAN", "LISU", "TIFINAGH"})
# Greek letters of units and formulas; none of them looks like a Latin letter.
_FORMULA_LETTERS = frozenset("μΩπλΔΣσθφψωβγδ")
_FORMULA_LENGTH = 4
# Small and capital Cyrillic and Greek letters that are drawn like Latin ones.
_LOOK_ALIKES = frozenset("асеорхуіјѕԁһԛԝАВСЕНІЈКМОРЅТХУҮοναρτυικγΑΒΕΖΗΙΚΜΝΟΡΤΥΧ")
FINDINGS_LIMIT = 20


@lru_cache(maxsize=4096)
def script_of(letter: str) -> str:
    """Return the script of one letter by its Unicode name (`LATIN`, `CYRILLIC`, `CJK` …), empty where it has none."""
    name = unicodedata.name(letter, "")
    if not unicodedata.category(letter).startswith("L") or name.endswith(" SIGN"):
        return ""
    return name.removeprefix("FULLWIDTH ").removeprefix("HALFWIDTH ").split(" ", 1)[0].split("-", 1)[0]


def mixed_scripts(text: str) -> tuple[Finding, ...]:
    """Return a finding for each word that mixes look-alike alphabets, or imitates Latin between Latin words.

    Units and formulas with a Greek letter, and scripts that are written without spaces, raise nothing.
    """
    if text.isascii():
        return ()
    words = list(_WORD.finditer(text))
    found: list[Finding] = []
    for index, word in enumerate(words):
        if word[0].isascii():
            continue
        around = "".join(near[0] for near in (*words[max(index - 1, 0) : index], *words[index + 1 : index + 2]))
        if _mixes_alphabets(word[0]) or _imitates_latin(word[0], around):
            found.append(Finding("mixed_scripts", _message(word[0]), word.start(), word.end()))
    return tuple(found[:FINDINGS_LIMIT])


def _mixes_alphabets(word: str) -> bool:
    alphabets = {script_of(letter) for letter in word} & _ALPHABETS
    return len(alphabets) > 1 and not _is_formula(word)


def _is_formula(word: str) -> bool:
    greek = {letter for letter in word if script_of(letter) == "GREEK"}
    return len(word) <= _FORMULA_LENGTH and greek <= _FORMULA_LETTERS and word.replace("".join(greek), "").isascii()


def _imitates_latin(word: str, around: str) -> bool:
    if len(word) < 2 or not set(word) <= _LOOK_ALIKES or not around:
        return False
    return all(script_of(letter) == "LATIN" for letter in around)


def _message(word: str) -> str:
    foreign = [letter for letter in dict.fromkeys(word) if script_of(letter) not in {"LATIN", ""}]
    named = ", ".join(f"{letter} U+{ord(letter):04X} ({script_of(letter).title()})" for letter in foreign[:4])
    return f"“{word[:40]}” is written with look-alike letters of another alphabet: {named}. Type the word again."
