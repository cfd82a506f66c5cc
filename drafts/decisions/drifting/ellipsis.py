"""Short replies that leave out what they answer, “within 30 days of receipt”: the question before gives them sense."""

import re

from drafts.decisions.claims.lexicon import words
from drafts.decisions.drifting.matters import Frame, Matter, matter_of
from drafts.decisions.drifting.places import Place, unanchored
from ledger.decisions.values import FactKind

LEAD_WORDS = 8
LINE_LENGTH = 160
"""Characters of a line that still counts as a short reply."""

PRICES = frozenset({FactKind.MONEY, FactKind.PERCENT})
_PRICED = frozenset({Matter.CANCELLATION_FEE, Matter.DELIVERY_COST, Matter.DEPOSIT})
# Words that name nothing: what stands before the value of such a reply consists of them alone.
_EMPTY = words(
    "yes yeah yep no nope sure ok okay well hi hello hey thanks thank sorry right certainly of course so then and "
    "again it it's it'll it'd that that's that'll that'd this is be will would should can may take takes last lasts "
    "run runs you have you've you'll get got we we'll give offer grant allow need "
    "within in up to until till by for about around approximately approx roughly circa at most the a an full total "
    "whole maximum max only just usually normally typically generally still now currently always exactly next on"
)
_WORD = re.compile(r"[a-z']+")
_NAMES_NOTHING = re.compile(r"[\s,.!:;\u2013\u2014~<\u2264*(-]*(?:[a-z']+[\s,.!:;\u2013\u2014~<\u2264*(-]+)*")
_CLOSES = re.compile(
    r"^[\s)*]*(?:$|[,.;:!\u2013\u2014(-]"
    r"|(?:then|now|only|max|maximum|tops|please|sir|madam|if|unless|provided|and|but|or|with|without|including|as|at|by"
    r"|in|on|for|of|from|after|since|following|upon|once|when|starting|counting|under|per|each)\b)"
)
_PROMISES = re.compile(r"\b(?:will|i'll|we'll|let me|going to)\b")
_COUNTED_FROM = re.compile(r"\b(?:from|after|since|following|upon|once|when|starting|counting)\b[^,;.()]*")


def is_short(place: Place, before: str) -> bool:
    """Say whether a value's line says little more than the value: no subject and no action of its own.

    `before` is the message up to the sentence; what it promises may be what the value is for.
    """
    lead, after = _line(place)
    if _PROMISES.search(before) or " more " in place.said[len(place.lead) : len(place.said) - len(after)]:
        return False
    if len(lead) + len(after) > LINE_LENGTH or not _NAMES_NOTHING.fullmatch(lead) or not _CLOSES.search(after):
        return False
    said = _WORD.findall(lead)
    return len(said) <= LEAD_WORDS and all(word in _EMPTY for word in said)


def answered(place: Place, asked: frozenset[Matter]) -> Matter | None:
    """Return which of the matters asked for a short reply answers; a matter that it names itself goes before.

    None where the value is of another sort than what was asked for, and where several were that it could answer.
    """
    fits = fitting(place, asked)
    if fits is None or place.fact.kind in PRICES:
        return fits
    _, after = _line(place)
    named = matter_of(Frame(_COUNTED_FROM.sub(" ", unanchored(after))))
    # A warranty “on all repairs” names what it covers.
    return fits if named is None or (fits, named) == (Matter.WARRANTY, Matter.REPAIR) else named


def fitting(place: Place, asked: frozenset[Matter]) -> Matter | None:
    """Return the one matter asked for that a value of this sort can answer."""
    is_price = place.fact.kind in PRICES
    fits = [one for one in asked if one is Matter.DEPOSIT or (one in _PRICED) is is_price]
    return fits[0] if len(fits) == 1 else None


def _line(place: Place) -> tuple[str, str]:
    """Return the words of the value's line before and after it, in its sentence."""
    end = len(place.lead) + place.fact.end - place.fact.start
    return place.lead.rpartition("\n")[2], place.said[end:].partition("\n")[0]
