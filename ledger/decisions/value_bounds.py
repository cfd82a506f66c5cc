"""The words around an amount that bound it, deny it, or make it an age or a rate."""

from collections.abc import Sequence
from decimal import Decimal

from ledger.decisions.facts import Bound
from ledger.decisions.numbers import DATE_FILLER, Token, word_at
from ledger.decisions.units import singular

VAGUE = {"few": None, "several": None, "couple": Decimal(2)}
_BEFORE = {
    Bound.AT_MOST: (
        "no more than", "not more than", "no longer than", "not exceeding", "not exceed", "up to", "at most",
        "maximum of", "maximum", "max", "less than", "fewer than", "under", "as much as", "as long as",
    ),
    Bound.WITHIN: ("no later than", "within", "inside", "until"),
    Bound.AT_LEAST: (
        "no less than", "not less than", "no fewer than", "at least", "minimum of", "minimum", "min", "more than",
        "longer than", "older than", "over", "exceeding", "as little as",
    ),
    Bound.ABOUT: ("about", "around", "approximately", "approx", "roughly", "circa", "nearly", "almost"),
}  # fmt: skip
_BEHIND = {
    Bound.AT_LEAST: ("or more", "or longer", "minimum", "at least"),
    Bound.AT_MOST: ("or less", "or fewer", "maximum", "max", "at most", "tops"),
    Bound.ABOUT: ("or so", "or thereabouts"),
}
_PREFIXES = sorted(
    ((phrase, bound) for bound, phrases in _BEFORE.items() for phrase in phrases), key=lambda p: -len(p[0])
)
_POSTFIXES = tuple((phrase, bound) for bound, phrases in _BEHIND.items() for phrase in phrases)
_SKIPPED = frozenset({"the", "a", "an", "of", "first", "next", "your", "our", "any", "for", "only", "just", "full"})
_DENIALS = ("not", "no", "isn't", "never", "nor", "rather than", "instead", "wasn't", "aren't")
_PER = frozenset({
    "month", "year", "week", "day", "hour", "night", "item", "order", "person", "user", "visit", "device", "seat",
    "instalment", "transaction", "use",
})  # fmt: skip
_OFTEN = {"monthly": "month", "yearly": "year", "annually": "year", "weekly": "week", "daily": "day", "hourly": "hour"}


def bound_of(words: Sequence[Token], first: int, after: int) -> Bound:
    """Return how the words around the amount at tokens `first` up to `after` bound it."""
    if words[first].text in VAGUE or word_at(words, first + 1) in VAGUE:
        return Bound.ABOUT
    before = _words_before(words, first)
    behind = f"{word_at(words, after)} {word_at(words, after + 1)} "
    prefix = next((bound for phrase, bound in _PREFIXES if before.endswith(f" {phrase}")), None)
    postfix = next((bound for phrase, bound in _POSTFIXES if behind.startswith(f"{phrase} ")), None)
    return prefix or postfix or Bound.EXACTLY


def is_denied(words: Sequence[Token], first: int) -> bool:
    """Say whether the amount is denied: "not 24 months", "instead of 24 months"."""
    before = _words_before(words, first)
    bounding = next((phrase for phrase, _ in _PREFIXES if before.endswith(f" {phrase}")), "")
    return before.removesuffix(f" {bounding}").endswith(tuple(f" {phrase}" for phrase in _DENIALS))


def _words_before(words: Sequence[Token], first: int) -> str:
    """Return the few words in front of an amount, without articles at their end."""
    text = [word.text for word in words[max(0, first - 5) : first] if word.text != "."]
    while text and text[-1] in _SKIPPED and text[-2:] not in (["maximum", "of"], ["minimum", "of"]):
        text.pop()
    return " " + " ".join(text)


def is_past(words: Sequence[Token], first: int, after: int) -> bool:
    """Say whether a stretch of time only tells how long ago or how old something is; a bounded one is a condition."""
    behind, following = word_at(words, after), word_at(words, after + 1)
    ago = behind in {"ago", "old", "earlier"} or (behind, following) == ("-", "old")
    if ago and bound_of(words, first, after) in {Bound.EXACTLY, Bound.ABOUT}:
        return True
    waited = behind in {"delay", "wait", "late", "overdue"} or _words_before(words, first).endswith(" been")
    return waited or (behind == "of" and following in {"experience", "age"})


def is_schedule(words: Sequence[Token], after: int) -> bool:
    """Say whether a stretch of time recurs, as opening hours do: "24 hours a day"."""
    return word_at(words, after) in {"a", "per"} and singular(word_at(words, after + 1)) in {"day", "week", "year"}


def rate_of(words: Sequence[Token], after: int) -> tuple[str | None, int]:
    """Read "per month", "a year" or "monthly" behind an amount; returns the period and the token behind it."""
    word, following = word_at(words, after), singular(word_at(words, after + 1))
    if word in {"per", "a", "an", "each", "every", "/"} and following in _PER and words[after].text != DATE_FILLER:
        return following, after + 2
    return (_OFTEN[word], after + 1) if word in _OFTEN else (None, after)
