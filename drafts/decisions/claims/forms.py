"""Verb groups: the forms they come in, and how to step through the words of one."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from drafts.decisions.claims.lexicon import (
    NEGATIONS,
    is_adverb,
    words,
)
from drafts.decisions.claims.tokens import Kind, Token


class Form(StrEnum):
    """What a finite verb group says about time and mood."""

    FUTURE = "future"
    SOFT = "soft"
    PROGRESS = "progress"
    PERFECT = "perfect"
    PAST = "past"
    PAST_STATE = "past state"
    STATE = "state"
    PRESENT = "present"
    MODAL = "modal"
    NEED = "need"


@dataclass(frozen=True, slots=True)
class Group:
    """One verb group by token positions: `verb` at `at` carries the meaning, `end` is the first position after it."""

    form: Form
    verb: str
    start: int
    at: int
    end: int
    passive: bool = False
    negated: bool = False
    modal: str = ""


NOT_A_VERB = words(
    "and or but to the a an your our my of for in on with at as by via from about into over after before if than "
    "because while "
    "any all some more directly back regarding through during until once when under up down off out us me them him "
    "her sir madam"
)


def low(tokens: Sequence[Token], at: int) -> str:
    """Return the word at a place in lower case, empty where there is none."""
    return tokens[at].low if 0 <= at < len(tokens) and tokens[at].kind is Kind.WORD else ""


def skip(tokens: Sequence[Token], at: int) -> tuple[int, bool]:
    """Step over adverbs, negations and times inside a verb group; say whether it is denied."""
    negated = False
    while at < len(tokens):
        token = tokens[at]
        if token.kind is Kind.WORD and not is_adverb(token.low) and token.low not in NEGATIONS:
            break
        if token.kind in {Kind.QUOTE, Kind.MARK}:
            break
        negated = negated or (token.kind is Kind.WORD and token.low in NEGATIONS)
        at += 1
    return at, negated
