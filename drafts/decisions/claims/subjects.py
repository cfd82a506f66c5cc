"""Say who or what a verb group speaks of: us, a named person, the customer's matter, the customer, or something else."""

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


def subject_of(tokens: Sequence[Token], *, singular: bool = False) -> Subject:
    """Type the tokens between the start of a clause, or the group before, and a verb group; `singular` is the verb's."""
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
    if last.low in US_PRONOUNS:
        return Subject(Who.US, last.start, last.low, first=True)
    if last.low == "you":
        return Subject(Who.CUSTOMER, last.start, "you")
    if last.low == "there":
        return Subject(Who.THERE, last.start, "there")
    if last.low in PEOPLE_PRONOUNS:
        return Subject(Who.US, last.start, last.low, weak=last.low in {"they", "everyone"})
    if last.low in NOBODY:
        return Subject(Who.US, last.start, last.low, negated=True)
    if last.low in CASE_PRONOUNS and (len(nouns) == 1 or last.low in {"it", "which", "these", "this", "they", "both"}):
        return Subject(Who.CASE, last.start, last.low, weak=True)
    return None


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
    start, first = phrase[0].start, lows[0]
    negated = first in {"no", "neither"} or core[0] in NOBODY
    if (not negated and core[0] in NOBODY) or lows[:2] in (["none", "of"], ["no", "one"]):
        return Subject(Who.US, start, head, negated=True)
    if "of" in lows and _is_role(lows):
        return Subject(Who.US, start, head, negated=negated)
    yours = "your" in lows
    if (
        head in ROLE_NOUNS
        and not (yours and head in {"bank", "company", "office", "system"})
        and head not in {"systems"}
    ):
        generic = first in QUANTIFIERS and not negated
        return Subject(Who.US, start, head, negated=negated, generic=generic)
    if yours:
        return _your(phrase, lows, head, negated)
    if head in POLICY_NOUNS and not _is_case(core):
        return Subject(Who.POLICY, start, head, negated=negated)
    plural = not singular and (_is_plural(head) or _is_plural(first))
    generic = (first in QUANTIFIERS and not negated) or (first not in DETERMINERS and plural)
    if first not in DETERMINERS and phrase[0].text[:1].isupper():
        named = _named(phrase, cut, singular=singular)
        if named and head not in CASE_NOUNS:
            return Subject(Who.PERSON, start, head, name=named)
    if head in CASE_NOUNS or any(word in CASE_NOUNS for word in core):
        bare = first in {"a", "an"} or (
            first not in DETERMINERS and not any(char.isdigit() for low in lows for char in low)
        )
        return Subject(Who.CASE, start, head, negated=negated, generic=generic, bare=bare)
    if first == "our":
        return Subject(Who.US, start, head, negated=negated)
    if any(low.startswith("$") or low[:1].isdigit() for low in core):
        return Subject(Who.CASE, start, head, weak=True)
    return Subject(Who.OTHER, start, head, negated=negated, generic=generic or first in {"a", "an"}, weak=True)


def _your(phrase: Sequence[Token], lows: Sequence[str], head: str, negated: bool) -> Subject:  # noqa: FBT001 - a private step
    possessor = lows[0] == "your" or (len(lows) > 1 and lows[1] == "your")
    if possessor and head in CUSTOMERS_OWN:
        return Subject(Who.OTHER, phrase[0].start, head, negated=negated)
    if head in {"warranty", "guarantee", "coverage", "policy", "plan"} and possessor:
        return Subject(Who.POLICY, phrase[0].start, head, negated=negated, yours=True)
    return Subject(Who.CASE, phrase[0].start, head, negated=negated, yours=True)


def _is_role(lows: Sequence[str]) -> bool:
    return lows[0] in {
        "a",
        "one",
        "another",
        "someone",
        "somebody",
        "some",
        "member",
        "members",
        "any",
        "none",
        "no",
    } and any(low in ROLE_NOUNS for low in lows)


def _is_case(core: Sequence[str]) -> bool:
    return core[-1] in CASE_NOUNS


def _is_plural(word: str) -> bool:
    return (word.endswith("s") and not word.endswith(("ss", "us"))) or word == "people"


_PLURAL_THING = re.compile(r"(?:ies|ers|ons|ings|ments|ors|ents|ees|als|ees|ages|ures|ests|ates|ions)\Z")


def _is_plural_thing(word: str) -> bool:
    """Say whether a capitalised word in -s is no name: “Refunds”, “Customers”, not “Jonas”."""
    known = word[:-1] in CASE_NOUNS or word[:-1] in POLICY_NOUNS or word[:-1] in ROLE_NOUNS
    return _is_plural(word) and (known or bool(_PLURAL_THING.search(word)))


def _named(phrase: Sequence[Token], cut: int, *, singular: bool) -> str:
    """Return the person's name a phrase begins with: one to three capitalised words, alone or “from the workshop”."""
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
