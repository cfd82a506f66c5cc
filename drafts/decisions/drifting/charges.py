"""What an amount of money is charged for, where a statement says what something costs."""

import re

from drafts.decisions.claims.lexicon import words
from drafts.decisions.drifting.matters import Matter

_COSTS = re.compile(
    r"\b(?:fees?|charges?|surcharges?|costs?|deposits?|penalt(?:y|ies)|free|no extra|price of (?:delivery|shipping))\b"
)
_NOT_ASKED_FOR = re.compile(
    r"\b(?:refund\w*|waiv\w*|reimburs\w*|credit\w*|compensat\w*|gesture|paid|charged you|(?:were|was|been) charged"
    r"|over|above|more than|minimum order|orders? (?:of|from)|spend|worth|value[ds]?|discount\w*|voucher|coupon"
    r"|membership)\b"
)
_KINDS = (
    (Matter.CANCELLATION_FEE, re.compile(r"\b(?:cancel\w*|terminat\w*|leav(?:e|ing) early|early exit)\b")),
    (Matter.DEPOSIT, re.compile(r"\bdeposits?\b")),
    (Matter.DELIVERY_COST, re.compile(r"\b(?:deliver\w*|shipping|postage)\b")),
)
_NAMED = re.compile(r"\b(?P<name>[a-z]+)(?:[ -]fees?|[ -]charges?|[ -]surcharges?|[ -]costs?)\b")
_NO_NAMES = words(
    "a an the our your this that no any extra additional one-time small such of total flat same standard applicable"
)


def charge_of(sentence: str, before: str) -> tuple[Matter, frozenset[str]] | None:
    """Return what a sentence charges for, with the name of the fee; None where it tells no price of ours.

    What was paid, what is given back, and the amount from which something is free are no prices. `before` are the
    words in front of the amount.
    """
    if not _COSTS.search(sentence) or _NOT_ASKED_FOR.search(sentence):
        return None
    for matter, pattern in _KINDS:
        if pattern.search(sentence):
            return matter, frozenset()
    names = [match["name"] for match in _NAMED.finditer(sentence) if match["name"] not in _NO_NAMES]
    if not names or before.rstrip().endswith(("+", "-")):
        return None
    return Matter.FEE, frozenset({names[-1]})
