"""Values that are said without a number: for life, free of charge, half the price, refundable or not."""

import re
from decimal import Decimal

from ledger.decisions.facts import Bound, Fact, FactKind
from ledger.decisions.passages import Passages
from ledger.decisions.vocabulary import Span

_LIFETIME = re.compile(
    r"\blife[- ]?time\b|\bfor (?:the )?(?:\w+ )?life\b|\bfor ever\b|\bforever\b|\blife-?long\b|\bindefinite(?:ly)?\b"
    r"|\bnever (?:expires?|expired?|ends?|lapses?|runs? out)\b"
    r"|\b(?:not|doesn't|don't|won't|will not|does not|do not) (?:ever )?(?:expire|lapse|run out)\b"
    r"|\b(?:no|without(?: a| any)?) (?:time limit|expiry|expiration|end date|limit in time)(?: date)?\b"
    r"|\bunlimited (?:warranty|guarantee|cover(?:age)?|time|period)\b|\bas long as you (?:own|have|keep)\b"
)
_FREE = re.compile(
    r"\b(?:completely |entirely |absolutely )?free of (?:any )?(?:charge|cost)s?\b"
    r"|(?<![-\w])(?<!feel )(?<!feels )(?<!hands )free\b(?!-| (?:to|up|from|of|time)\b)"
    r"|\b(?:at )?(?:no|without(?: an?y?)?|zero) "
    r"(?:additional |extra |further |such |cancellation |return |delivery |service )?"
    r"(?:charge|cost|fee|deposit|surcharge|payment)s?\b"
    r"|\b(?:costs?|charged?|pays?|owe) (?:you )?nothing\b|\bnothing (?:if|when|to pay)\b"
    r"|\bwaived\b|\bcomplimentary\b|\bon the house\b"
)
_SHARE = re.compile(
    r"\b(?P<half>half (?:of )?(?:the |its |your )?(?:price|amount|fee|cost|value|deposit|sum|money))\b"
    r"|\b(?P<none>interest[- ]free)\b"
    r"|\b(?P<all>full refund|refund(?:ed)? in full|(?:fully|completely) refund(?:ed|able)?"
    r"|full (?:amount|price|purchase price))\b"
)
_SHARES = {"half": Decimal(50), "none": Decimal(0), "all": Decimal(100)}
_STANCES = {
    "cover": r"warrant(?:y|ies|ed)|guarantees?d?|cover(?:s|ed|age)?",
    "refund": r"(?:non-?)?refund(?:s|ed|able|ing)?|money back",
    "return": r"(?:non-?)?return(?:s|ed|able|ing)?",
    "exchange": r"(?:non-?)?exchang(?:es?|ed|eable|ing)",
    "cancel": r"(?:non-?)?cancel(?:s|led|ed|lable|lation|lations)?",
    "match": r"(?:price[- ])?match(?:es|ed|ing)?",
    "transfer": r"(?:non-?)?transfer(?:s|red|able)?",
}
_STANCE = re.compile(r"\b(?:" + "|".join(f"(?P<{topic}>{stems})" for topic, stems in _STANCES.items()) + r")\b")
_NEGATION = re.compile(
    r"\b(?:no|not|never|cannot|neither|nor|without|unable|excluded from|excludes?|\w+n't)(?: (?!only\b)[\w'/-]+){0,4} $"
)
_NEGATED_AFTER = re.compile(
    r" (?:[\w'/-]+ ){0,2}(?:(?:is|are|was|were|do|does|can|will|has|have) (?:not|never)|cannot|\w+n't|never) "
    r"(?:\w+ ){0,2}"
    r"(?:available|possible|accepted|allowed|offered|included|apply|exist|permitted|valid|given|granted|provided)\b"
    r"| (?:is|are) excluded\b"
)
_AFFIRMED = re.compile(
    r"\b(?:can|may|eligible|entitled|get|receive|accept|accepts|accepted|offer|offers|issue|give|fully|is|are|we)"
    r"(?: [\w'-]+){0,3} $"
)
_AFFIRMED_AFTER = re.compile(r" (?:[\w'-]+ ){0,2}(?:is|are) (?:possible|accepted|available|allowed|fine|included)\b")
_DENIED = re.compile(
    r"\b(?:no|not|isn't|aren't|not a|not an|no longer|never a|rather than|instead of)(?: a| an| the)? $"
)
_REACH = 48


def read_phrases(folded: str) -> tuple[Fact, ...]:
    """Return the values said in words alone: lifetime, no charge, a share of the price."""
    lifetimes = (_phrase(folded, m, FactKind.LIFETIME, "lifetime") for m in _LIFETIME.finditer(folded))
    free = (_phrase(folded, m, FactKind.MONEY, "any", Decimal(0)) for m in _FREE.finditer(folded))
    shares = (
        _phrase(folded, m, FactKind.PERCENT, "percent", _SHARES[m.lastgroup or "all"]) for m in _SHARE.finditer(folded)
    )
    return (*lifetimes, *free, *shares)


def _phrase(folded: str, match: re.Match[str], kind: FactKind, unit: str, value: Decimal | None = None) -> Fact:
    denied = _DENIED.search(folded[max(0, match.start() - _REACH) : match.start()])
    return Fact(kind, unit, value, value, Bound.EXACTLY, polarity=denied is None, start=match.start(), end=match.end())


def read_stances(passages: Passages) -> tuple[Fact, ...]:
    """Return what a text grants or refuses without a number, one fact per mention that takes a side."""
    found = (_stance(passages, match) for match in _STANCE.finditer(passages.folded))
    return tuple(fact for fact in found if fact is not None)


def _stance(passages: Passages, match: re.Match[str]) -> Fact | None:
    folded, clause = passages.folded, passages.clause(Span(match.start(), match.end()))
    before = folded[max(clause.start, match.start() - _REACH) : match.start()]
    after = folded[match.end() : min(clause.end, match.end() + _REACH)]
    refused = match[0].startswith("non") or _NEGATION.search(before) or _NEGATED_AFTER.match(after)
    topic = match.lastgroup or "cover"
    granted = topic == "cover" or match[0].endswith("able") or _AFFIRMED.search(before) or _AFFIRMED_AFTER.match(after)
    if not (refused or granted):
        return None
    return Fact(FactKind.STANCE, topic, polarity=not refused, start=match.start(), end=match.end())
