"""The shape of a rule: an id, a class, what it is for, when it applies, and samples that are its tests."""

from collections.abc import Callable
from dataclasses import dataclass

from drafts.decisions.claims.reading import Reading
from drafts.decisions.vocabulary import ClaimClass

RULESET_VERSION = "2026-11-30"


@dataclass(frozen=True, slots=True)
class Rule:
    """One reason to see a claim. `failing` samples raise it where the brackets stand, `good` and `ignored` do not.

    `good` says the thing honestly or says something else; `ignored` has the wording behind a guard.
    """

    id: str
    cls: ClaimClass
    sub: str | None
    about: str
    applies: Callable[[Reading], bool]
    failing: tuple[str, ...]
    good: tuple[str, ...]
    ignored: tuple[str, ...]
