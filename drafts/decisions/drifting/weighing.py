"""Whether a value of an agent's message answers anything, and whether it opens an answer of its own."""

import re

from drafts.decisions.claims.forms import Form
from drafts.decisions.drifting.matters import Matter
from drafts.decisions.drifting.places import Place
from ledger.decisions.values import FactKind

_AHEAD = frozenset({Form.FUTURE, Form.SOFT, Form.PROGRESS})
_TERMS = frozenset({
    Matter.WARRANTY, Matter.RETURN, Matter.EXCHANGE, Matter.CANCELLATION, Matter.VALIDITY, Matter.RENEWAL, Matter.TRIAL,
    Matter.NOTICE_PERIOD, Matter.MINIMUM_TERM,
})  # fmt: skip
_EXPECTED = re.compile(r"\b(?:expected|estimated|scheduled|planned|due|booked|anticipate\w*)\b")
_OUT_OF_PLACE = re.compile(
    r"\b(?:every|each|once (?:a|in)|per|at least"  # recurs
    r"|last|past|previous|delay(?:ed)? (?:of|by)|been|already|for (?:over|more than)|older than|ago|waited|waiting|took"
    r"|taken|since|again after|(?:been|has|have|had|was|were)\b[^.]*\bfor"  # is over
    r"|(?:it|that|this|which) (?:was|used to be)"
    r"|remaining|rest of the|left|outstanding)\s*$"  # is what is left of an answer
)
_OVER = re.compile(
    r"^[\s-]*(?:ago|away|earlier|late|remaining|left|to go|extension|membership|subscription"
    r"|ha(?:ve|s) (?:now |already )?(?:passed|gone|elapsed))\b"
)
_RESTATES = re.compile(
    r"\b(?:promised|stipulated|mentioned|stated|said|original|initial|aforementioned|same|usual)\s*$"
)
_IF = re.compile(
    r"(?:(?<!confirm )(?<!see )(?<!check )(?<!know )\bif|\bunless|\bin case|\bin the (?:unlikely )?event"
    r"|\bshould (?:you|it|they|the|this|there|your))\b"
)
_ASKS_CUSTOMER = re.compile(
    r"\b(?:please|kindly|you (?:can|may|should|could|must|need to)|feel free to) (?:do )?(?:\w+ )?"
    r"(?:contact|call|reach|write|reply|respond|get (?:back|in touch)|let|inform|notify|e-?mail|check|confirm"
    r"|provide|send|return|ship|upload|share|track)\b(?! (?:that|you|to you))"
)
_CONCEDES = re.compile(
    r"\b(?:while|although|though|even though|despite|whereas|instead of|rather than|compared (?:to|with)|reduce)\b"
)
_OFFERS = frozenset({"can", "could", "would", "might"})
_TAKING = re.compile(r"^(?:tak|expect|receiv|arriv|reach|appear|reflect|last|return|cancel|exchang|be\b|claim)")


def is_answer(place: Place, matter: Matter, *, asked: bool = False) -> bool:
    """Say whether a value commits to anything.

    It does not where it is asked, quoted, past, recurring, left over from an earlier answer, inside a condition, or
    what the customer is to keep to. `asked` says that it answers what was asked before, as a bare date only then does.
    """
    if place.unheard or not _suits(place, matter, asked=asked):
        return False
    if _OUT_OF_PLACE.search(place.before) or _OVER.search(place.after) or _still_open(_IF, place.lead):
        return False
    if place.statement is not None and place.statement.group.negated:
        return False
    return matter in _TERMS or not _ASKS_CUSTOMER.search(place.before)


def is_firm(place: Place, matter: Matter) -> bool:
    """Say whether a value opens an answer of its own; what concedes, offers, restates or hangs on an if does not."""
    if _still_open(_CONCEDES, place.lead) or _IF.search(place.said) or _RESTATES.search(place.lead):
        return False
    if place.statement is None or matter in _TERMS:
        return True
    group = place.statement.group
    return group.modal not in _OFFERS or _TAKING.match(group.verb) is not None


def _suits(place: Place, matter: Matter, *, asked: bool) -> bool:
    """Say whether this sort of value can answer: no vague span, no date of the past, no idle “lifetime”."""
    kind = place.fact.kind
    if kind is FactKind.DATE:
        form = place.statement.group.form if place.statement else None
        return asked or form in _AHEAD or _EXPECTED.search(place.before) is not None
    if kind is FactKind.LIFETIME:
        return matter is Matter.WARRANTY
    return kind is not FactKind.DURATION or place.fact.high is not None


def _still_open(opening: re.Pattern[str], lead: str) -> bool:
    """Say whether the value belongs to a clause that a word such as “if” opens: no comma has closed it."""
    opened = [match.end() for match in opening.finditer(lead)]
    return bool(opened) and "," not in lead[opened[-1] :]
