"""A customer quotes an answer: looking for it by its values, and what is said where it is not found (rule 3.7)."""

from dataclasses import dataclass

from drafts.decisions import comparison
from ledger.decisions.differences import in_words
from ledger.decisions.values import Fact, FactKind, Sameness, extract, same_value

SHORTEST_QUOTE = 3
"""Words that a quotation must have to be looked for to the letter; fewer stand in half of all messages."""


@dataclass(frozen=True, slots=True)
class Match:
    """Why a text may be what the customer quotes: to the letter, or by the values that both state."""

    to_the_letter: bool
    values: tuple[str, ...]


def match(quoted: str, text: str) -> Match | None:
    """Return how a text meets a customer's words, or None where it does not."""
    to_the_letter = len(quoted.split()) >= SHORTEST_QUOTE and comparison.contains_verbatim(text, quoted) is not None
    shared = _shared(extract(quoted), extract(text))
    if not to_the_letter and not shared:
        return None
    return Match(to_the_letter, tuple(dict.fromkeys(in_words(fact) for fact in shared)))


def values_of(quoted: str) -> tuple[str, ...]:
    """Return in words by which values a quotation is looked for."""
    return tuple(dict.fromkeys(in_words(fact) for fact in _telling(extract(quoted))))


def _shared(quoted: tuple[Fact, ...], said: tuple[Fact, ...]) -> list[Fact]:
    return [
        fact
        for fact in _telling(quoted)
        if any(same_value(fact, other) in {Sameness.SAME, Sameness.NEAR} for other in _telling(said))
    ]


def _telling(facts: tuple[Fact, ...]) -> list[Fact]:
    """Leave out what half of all messages state: dates, and a bare yes or no."""
    return [fact for fact in facts if fact.kind not in {FactKind.DATE, FactKind.STANCE}]


def compose(locked_text: str | None = None) -> str:
    """Return the reply where nothing was found: asks for the date, and offers an answer in writing either way."""
    looked = (
        "Thank you for telling us. In this conversation and in our records we do not find the answer that you describe."
    )
    asks = "On which day were you given it, and was that in a message, in a letter or on the telephone?"
    offer = "Whatever we find, we can give you our answer in writing; please tell us if you would like that."
    holds = f"What our records say is:\n\n“{locked_text}”\n\n" if locked_text else ""
    return f"{looked} {asks}\n\n{holds}{offer}"
