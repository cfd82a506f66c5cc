"""Whether what one customer was told in several conversations agrees: typed facts decide, never similar wording."""

from collections.abc import Sequence

from drafts.decisions import comparison
from drafts.decisions.comparison import Sameness

OTHERWISE = frozenset({Sameness.DIFFERENT, Sameness.UNSURE})


def camps(answers: Sequence[str]) -> tuple[int, ...]:
    """Return for each answer the number of its camp, counted from one; answers of one camp state no other values.

    The same text is compared once. Two answers that leave something out agree as far as they speak of the same.
    """
    numbers: dict[str, int] = {}
    heads: list[str] = []
    for text in answers:
        if text in numbers:
            continue
        known = next((place for place, head in enumerate(heads, start=1) if not differ(text, head)), None)
        if known is None:
            heads.append(text)
        numbers[text] = known or len(heads)
    return tuple(numbers[text] for text in answers)


def differ(one: str, other: str) -> bool:
    """Say whether two answers to one question state different values, or values that only a person can tell apart."""
    if comparison.compare(one, other).sameness in OTHERWISE:
        return True
    return comparison.compare(other, one).sameness in OTHERWISE
