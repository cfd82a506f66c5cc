"""What a time phrase promises: from when, until when at the strictest, until when at the most generous reading."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Interval:
    """A promise about time, in UTC instants; None stands for an end that the phrase leaves open.

    What happens by `strict` keeps the promise, what happens after `lenient` breaks it, between the two nobody can say.
    `named_day` says that the phrase names its day, so that anything before `earliest` misses it as well.
    """

    earliest: datetime | None = None
    strict: datetime | None = None
    lenient: datetime | None = None
    named_day: bool = False
    on_effort: bool = False
    note: str = ""

    @property
    def is_bounded(self) -> bool:
        """Say whether the phrase sets a limit that a date can be held against."""
        return self.lenient is not None
