"""The units that values come in, each with its normal form: a year is 12 months, a week 7 days, and so on."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from ledger.decisions.facts import FactKind
from ledger.decisions.numbers import Token, word_at

_DURATIONS = {
    "decade": ("months", 120),
    "year": ("months", 12),
    "yr": ("months", 12),
    "quarter": ("months", 3),
    "month": ("months", 1),
    "mth": ("months", 1),
    "mo": ("months", 1),
    "fortnight": ("days", 14),
    "week": ("days", 7),
    "wk": ("days", 7),
    "day": ("days", 1),
    "d": ("days", 1),
    "hour": ("hours", 1),
    "hr": ("hours", 1),
    "h": ("hours", 1),
    "minute": ("minutes", 1),
    "min": ("minutes", 1),
    "workday": ("business_days", 1),
    "weekday": ("business_days", 1),
}
_BUSINESS = frozenset({"business", "working", "work", "bank", "banking", "office", "trading"})
_BUSINESS_UNITS = {"day": "business_days", "hour": "business_hours", "hr": "business_hours"}
_FILLERS = frozenset({
    "calendar", "full", "whole", "entire", "consecutive", "complete", "straight", "clear", "natural",
    "additional", "extra", "more", "further", "long", "solid", "equal", "monthly", "interest", "free",
    "separate", "other", "different",
})  # fmt: skip
_MONEY_WORDS = {
    "$": "$", "dollar": "$", "buck": "$", "€": "EUR", "euro": "EUR", "£": "GBP", "pound": "GBP", "quid": "GBP",
    "¥": "JPY", "yen": "JPY", "₹": "INR", "rupee": "INR", "₩": "KRW", "zł": "PLN", "kr": "SEK",
}  # fmt: skip
_CODES = frozenset({
    "usd", "eur", "gbp", "jpy", "inr", "chf", "aud", "cad", "nzd", "sek", "nok", "dkk", "pln", "czk", "huf",
    "ron", "sgd", "hkd", "cny", "krw", "brl", "mxn", "zar", "try", "ils", "aed", "thb",
})  # fmt: skip
_CENTS = {"cent": ("$", 100), "pence": ("GBP", 100), "p": ("GBP", 100), "c": ("$", 100), "eurocent": ("EUR", 100)}
_COUNTED = frozenset({
    "instalment", "installment", "payment", "time", "attempt", "claim", "visit", "repair", "return", "exchange",
    "replacement", "service", "revision", "device", "user", "seat", "item", "licence", "license", "person",
    "people", "guest", "passenger", "car", "vehicle", "session", "lesson", "transfer",
})  # fmt: skip
_MEASURED = {
    "km": "km", "kilometre": "km", "kilometer": "km", "mile": "miles", "kg": "kg", "kilo": "kg", "kilogram": "kg",
    "lb": "lb", "gb": "gb", "mb": "mb", "tb": "tb", "metre": "m", "meter": "m", "litre": "l", "liter": "l",
}  # fmt: skip
_COUNT_NAMES = {"installment": "payments", "instalment": "payments", "payment": "payments", "license": "licences"}
_SHORT = {
    "yr": "year", "mth": "month", "mo": "month", "wk": "week", "d": "day", "hr": "hour", "h": "hour", "min": "minute",
}  # fmt: skip
_SIGNS = frozenset({"$", "€", "£", "¥", "₹", "₩"})
_COUNTRIES = {"us": "USD", "a": "AUD", "au": "AUD", "c": "CAD", "ca": "CAD", "nz": "NZD", "hk": "HKD", "s": "SGD"}
_GLUED_ONLY = frozenset({"d", "h", "p", "c", "mo", "kr"})


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit read from the text: what one of it is in the normal form, and where the reading stopped.

    `rank` orders calendar units by size, so that "two years and six months" adds up and "5 days and 5 days" does not.
    """

    kind: FactKind
    name: str
    factor: Decimal
    rank: int
    after: int


def singular(word: str) -> str:
    """Strip a plural ending or a possessive from a unit word."""
    for ending in ("s'", "'s", "s"):
        if word.endswith(ending) and len(word) > len(ending) + 1:
            return word.removesuffix(ending)
    return word


def read_unit(words: Sequence[Token], index: int) -> Unit | None:
    """Read the unit that follows a number at `index`, past a hyphen and words such as "calendar" or "full"."""
    at = index + 1 if word_at(words, index) == "-" else index
    while word_at(words, at) in _FILLERS and at < index + 4:
        at += 2 if word_at(words, at + 1) == "-" else 1
    word = word_at(words, at)
    if word in _BUSINESS:
        return _business(words, at)
    if word == "%" or word in {"percent", "pct"} or (word == "per" and word_at(words, at + 1) == "cent"):
        return Unit(FactKind.PERCENT, "percent", Decimal(1), 0, at + (2 if word == "per" else 1))
    return None if word in _GLUED_ONLY and not _glued(words, at) else _named(word, at)


def _glued(words: Sequence[Token], at: int) -> bool:
    return at > 0 and words[at - 1].end == words[at].start and words[at - 1].is_digits


def _business(words: Sequence[Token], at: int) -> Unit | None:
    behind = at + (2 if word_at(words, at + 1) == "-" else 1)
    name = _BUSINESS_UNITS.get(singular(word_at(words, behind)))
    return Unit(FactKind.DURATION, name, Decimal(1), 0, behind + 1) if name else None


def _named(word: str, at: int) -> Unit | None:
    one = singular(word)
    if one in _DURATIONS:
        name, factor = _DURATIONS[one]
        return Unit(FactKind.DURATION, name, Decimal(factor), _rank(one), at + 1)
    if one in _CENTS:
        name, hundred = _CENTS[one]
        return Unit(FactKind.MONEY, name, 1 / Decimal(hundred), 0, at + 1)
    if currency := currency_of(word):
        return Unit(FactKind.MONEY, currency, Decimal(1), 1, at + 1)
    if one in _COUNTED:
        return Unit(FactKind.COUNT, _COUNT_NAMES.get(one, one + "s"), Decimal(1), 0, at + 1)
    if one in _MEASURED:
        return Unit(FactKind.MEASURE, _MEASURED[one], Decimal(1), 0, at + 1)
    return None


def _rank(one: str) -> int:
    order = ("minute", "hour", "day", "week", "month", "year")
    name = _SHORT.get(one, one)
    return order.index(name) + 1 if name in order else 0


def currency_of(word: str) -> str | None:
    """Return the currency that a sign, code or word names; None for any other word."""
    if word in _CODES:
        return word.upper()
    return _MONEY_WORDS.get(word) or _MONEY_WORDS.get(singular(word))


def begins_currency(word: str) -> bool:
    """Say whether an amount of money could begin with this word, without reading it."""
    return word in _SIGNS or word in _CODES or word in _COUNTRIES


def read_currency(words: Sequence[Token], index: int) -> tuple[str, int] | None:
    """Read a currency in front of a number: a sign, a code, or a country's letters with a dollar sign (A$, US$)."""
    word = word_at(words, index)
    dollars = word_at(words, index + 1) == "$" and words[index].end == words[index + 1].start
    if dollars and word in _COUNTRIES:
        return _COUNTRIES[word], index + 2
    if word in _SIGNS or word in _CODES:
        return currency_of(word) or word, index + 1
    return None
