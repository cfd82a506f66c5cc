"""Who or what a verb group speaks of: us, a named person, the customer's matter, the customer, or something else."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from drafts.decisions.claims.lexicon import (
    CASE_NOUNS,
    CASE_PRONOUNS,
    CUSTOMERS_OWN,
    DETERMINERS,
    NOBODY,
    PEOPLE_PRONOUNS,
    PERSON_TITLES,
    POLICY_NOUNS,
    QUANTIFIERS,
    ROLE_NOUNS,
    US_PRONOUNS,
    is_adverb,
    words,
)
from drafts.decisions.claims.tokens import Kind, Token


class Who(StrEnum):
    """The types of subject that rules tell apart."""

    US = "us"
    PERSON = "named person"
    CASE = "case"
    CUSTOMER = "customer"
    THERE = "there"
    POLICY = "policy"
    OTHER = "other"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Subject:
    """A subject by type. `first` tells we from they, `generic` what speaks of all cases, `name` a person named."""

    who: Who
    start: int
    head: str = ""
    negated: bool = False
    generic: bool = False
    first: bool = False
    name: str = ""
    yours: bool = False
    weak: bool = False
    bare: bool = False


_PREPOSITIONS = words(
    "of for in with to from on at by about regarding concerning under via using between against within into associated"
)
_POSSESSIVE = "'s"
_ONE_OF = words("a one another someone somebody some member members any none no")
_BY_PRONOUN = {
    **dict.fromkeys(CASE_PRONOUNS, Who.CASE),
    **dict.fromkeys(US_PRONOUNS | PEOPLE_PRONOUNS | NOBODY, Who.US),
    "you": Who.CUSTOMER,
    "there": Who.THERE,
}


@dataclass(frozen=True, slots=True)
class _Phrase:
    """A noun phrase: its words, where its first preposition stands, the words before that, and its head noun."""

    phrase: Sequence[Token]
    lows: tuple[str, ...]
    cut: int
    core: tuple[str, ...]
    head: str


def subject_of(tokens: Sequence[Token], *, singular: bool = False) -> Subject:
    """Type the tokens that stand before a verb group; `singular` is what the verb says of them."""
    nouns = [
        t
        for t in tokens
        if t.kind is not Kind.TIME and not (is_adverb(t.low) and t.low not in {"all", "both", "each", "no"})
    ]
    if not nouns:
        return Subject(Who.NONE, tokens[0].start if tokens else -1)
    pronoun = _pronoun(nouns)
    return pronoun or _noun_phrase(_last_phrase(nouns), singular=singular)


def _pronoun(nouns: Sequence[Token]) -> Subject | None:
    last = nouns[-1]
    who = _BY_PRONOUN.get(last.low)
    if who is None or (last.low in {"that", "those", "everything", "neither", "all"} and len(nouns) > 1):
        return None
    return Subject(
        who,
        last.start,
        last.low,
        negated=last.low in NOBODY,
        first=last.low in US_PRONOUNS,
        weak=who is Who.CASE or last.low in {"they", "everyone"},
    )


def _last_phrase(nouns: Sequence[Token]) -> Sequence[Token]:
    """Return the noun phrase next to the verb: what follows the last determiner that no preposition leads."""
    start = 0
    for at, token in enumerate(nouns):
        if (
            token.low in DETERMINERS
            and at
            and nouns[at - 1].low not in _PREPOSITIONS
            and nouns[at - 1].low not in DETERMINERS
        ):
            start = at
    return nouns[start:]


def _noun_phrase(phrase: Sequence[Token], *, singular: bool) -> Subject:
    lows = [token.low for token in phrase]
    cut = next((at for at, low in enumerate(lows) if at and low in _PREPOSITIONS), len(lows))
    core = [low for low in lows[:cut] if low != _POSSESSIVE] or lows
    head = next((low for low in reversed(core) if low.replace("-", "").isalpha()), core[-1])
    words_of = _Phrase(phrase, tuple(lows), cut, tuple(core), head)
    return _people(words_of) or _thing(words_of, singular=singular)


def _people(words_of: "_Phrase") -> Subject | None:
    """Type a phrase that names us or our people, “nobody” included."""
    start, first, head = words_of.phrase[0].start, words_of.lows[0], words_of.head
    negated = first in {"no", "neither"}
    if words_of.core[0] in NOBODY or words_of.lows[:2] == ("no", "one"):
        return Subject(Who.US, start, head, negated=True)
    if "of" in words_of.lows and _is_role(words_of.lows):
        return Subject(Who.US, start, head, negated=negated)
    theirs = "your" in words_of.lows and head in {"bank", "company", "office", "system"}
    if head in ROLE_NOUNS and not theirs and head != "systems":
        return Subject(Who.US, start, head, negated=negated, generic=first in QUANTIFIERS and not negated)
    return None


def _thing(words_of: "_Phrase", *, singular: bool) -> Subject:
    start, first, head, lows = words_of.phrase[0].start, words_of.lows[0], words_of.head, words_of.lows
    negated, unmarked = first in {"no", "neither"}, first not in DETERMINERS
    if "your" in lows:
        return _your(words_of.phrase, lows, head, negated=negated)
    if head in POLICY_NOUNS and words_of.core[-1] not in CASE_NOUNS:
        return Subject(Who.POLICY, start, head, negated=negated)
    if unmarked and head not in CASE_NOUNS and (name := _named(words_of.phrase, words_of.cut, singular=singular)):
        return Subject(Who.PERSON, start, head, name=name)
    plural = not singular and (_is_plural(head) or _is_plural(first))
    generic = (first in QUANTIFIERS and not negated) or (unmarked and plural)
    if CASE_NOUNS & set(words_of.core):
        bare = first in {"a", "an"} or (unmarked and not any(char.isdecimal() for low in lows for char in low))
        return Subject(Who.CASE, start, head, negated=negated, generic=generic, bare=bare)
    if first == "our" or any(low[:1].isdecimal() for low in words_of.core):
        ours = first == "our"
        return Subject(Who.US if ours else Who.CASE, start, head, negated=negated, weak=not ours)
    return Subject(Who.OTHER, start, head, negated=negated, generic=generic or first in {"a", "an"}, weak=True)


def _your(phrase: Sequence[Token], lows: Sequence[str], head: str, *, negated: bool) -> Subject:
    possessor = lows[0] == "your" or (len(lows) > 1 and lows[1] == "your")
    if possessor and head in CUSTOMERS_OWN:
        return Subject(Who.OTHER, phrase[0].start, head, negated=negated)
    if head in {"warranty", "guarantee", "coverage", "policy", "plan"} and possessor:
        return Subject(Who.POLICY, phrase[0].start, head, negated=negated, yours=True)
    return Subject(Who.CASE, phrase[0].start, head, negated=negated, yours=True)


def _is_role(lows: Sequence[str]) -> bool:
    return lows[0] in _ONE_OF and not ROLE_NOUNS.isdisjoint(lows)


def _is_plural(word: str) -> bool:
    return (word.endswith("s") and not word.endswith(("ss", "us"))) or word == "people"


_PLURAL_THING = re.compile(r"(?:ies|ers|ons|ings|ments|ors|ents|ees|als|ees|ages|ures|ests|ates|ions)\Z")


def _is_plural_thing(word: str) -> bool:
    """Say whether a capitalised word in -s is no name: “Refunds”, “Customers”, not “Jonas”."""
    known = word[:-1] in CASE_NOUNS or word[:-1] in POLICY_NOUNS or word[:-1] in ROLE_NOUNS
    return _is_plural(word) and (known or bool(_PLURAL_THING.search(word)))


def _named(phrase: Sequence[Token], cut: int, *, singular: bool) -> str:
    """Return the person's name a phrase begins with: one to three capitalised words, alone or “from the workshop”."""
    if not phrase[0].text[:1].isupper():
        return ""
    name = [t for t in phrase[:cut] if t.low not in PERSON_TITLES]
    if not 1 <= len(name) <= 3 or not all(t.text[:1].isupper() and t.text[1:].islower() for t in name):
        return ""
    tail = phrase[cut:]
    if tail and tail[0].low not in {"from", "in", "at", "of"}:
        return ""
    single = name[0].low
    if len(name) == 1 and (
        single.endswith("ing")
        or (_is_plural_thing(single) and not singular)
        or single in POLICY_NOUNS
        or single in CASE_NOUNS
        or len(single) < 3
    ):
        return ""
    return " ".join(t.text for t in name)
