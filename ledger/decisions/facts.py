"""What a typed fact is: one value of a commitment, in the normal form in which two of them are compared."""

from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum

from ledger.decisions.vocabulary import Span


class FactKind(StrEnum):
    """What sort of value a fact holds; a `stance` is a yes or no without a number ("not refundable")."""

    DURATION = "duration"
    LIFETIME = "lifetime"
    MONEY = "money"
    PERCENT = "percent"
    COUNT = "count"
    MEASURE = "measure"
    DATE = "date"
    STANCE = "stance"


class Bound(StrEnum):
    """How the number limits: `within` is the end of a window and reads like the bare number."""

    EXACTLY = "exactly"
    WITHIN = "within"
    AT_MOST = "at_most"
    AT_LEAST = "at_least"
    RANGE = "range"
    ABOUT = "about"


class Sameness(StrEnum):
    """How two facts relate; `near` is for a person to decide (one month against 30 days)."""

    SAME = "same"
    DIFFERENT = "different"
    NEAR = "near"
    UNRELATED = "unrelated"


@dataclass(frozen=True, slots=True)
class Fact:
    """One value stated in a text, normalised; `start` and `end` are code points into the text as given.

    `unit` is months, days, hours, minutes, business_days, business_hours, a currency code (`$` when the country is not
    said, `any` for "free of charge"), percent, the thing counted or measured, date, day_of_year, ambiguous_date,
    lifetime, or the topic of a stance. A span of months and days that equals nothing simple is `months+N days`.
    A vague amount ("a few days") has neither `low` nor `high`. `applies_to` joins its scope words with `+`.
    """

    kind: FactKind
    unit: str
    low: Decimal | None = None
    high: Decimal | None = None
    bound: Bound = Bound.EXACTLY
    per: str | None = None
    anchor: str | None = None
    applies_to: str | None = None
    polarity: bool = True
    start: int = 0
    end: int = 0
    topics: frozenset[str] = frozenset()

    @property
    def span(self) -> Span:
        """Where in the text the value stands."""
        return Span(self.start, self.end)
