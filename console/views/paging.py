"""Lists in parts, by the number of the part in the address."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.http import QueryDict

LAST = 100_000


@dataclass(frozen=True, slots=True)
class Paging:
    """Where the parts before and after this one are."""

    preceding: str | None
    following: str | None


def number_of(asked: QueryDict) -> int:
    """Return the number of the part asked for, counted from one; what is not understood is the first."""
    given = asked.get("page", "")
    return min(int(given), LAST) if given.isascii() and given.isdecimal() and len(given) < 10 and int(given) else 1


def cut[T](asked: QueryDict, found: Sequence[T], per_page: int) -> tuple[Sequence[T], Paging]:
    """Return one part and its neighbours; `found` holds one row more than a part where more follow."""
    number = number_of(asked)
    more = len(found) > per_page and number < LAST
    return found[:per_page], Paging(
        _link(asked, number - 1) if number > 1 else None, _link(asked, number + 1) if more else None
    )


def start_of(asked: QueryDict, per_page: int) -> int:
    """Return how many rows lie before the part asked for."""
    return (number_of(asked) - 1) * per_page


def _link(asked: QueryDict, number: int) -> str:
    kept = asked.copy()
    kept["page"] = str(number)
    return f"?{kept.urlencode()}"
