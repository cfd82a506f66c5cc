"""The policy changed in the middle of a thread: which version applies to this customer's date, and why (rule 3.7)."""

from dataclasses import dataclass
from datetime import date, timedelta

from drafts.decisions.correcting import in_words
from drafts.decisions.given import Asked, Given
from ledger.decisions.router import in_force, plain_date
from ledger.decisions.vocabulary import LockedAnswer, Version

DAYS = {
    "received_on": "the day of receipt",
    "delivered_on": "the day of delivery",
    "ordered_on": "the day of the order",
    "purchased_on": "the day of purchase",
    "service_on": "the day of the service",
    "cancelled_on": "the day of the cancellation",
}


@dataclass(frozen=True, slots=True)
class PolicyChange:
    """The version behind the locked answer, the one for new conversations, and the day that decides between them.

    `decides_on` is None where the day is not known; the answer was given all the same, and stays.
    """

    locked: LockedAnswer
    applies: Version
    newer: Version | None
    deciding: str
    decides_on: date | None

    @property
    def is_within(self) -> bool:
        """Say whether the day that decides lies in the time of the version that applies."""
        return self.decides_on is not None and in_force(self.applies, self.decides_on)


def change_of(given: Given, one: Asked) -> PolicyChange | None:
    """Return what changed under a locked answer; None where its version is unknown or still the one for everybody."""
    if one.locked is None:
        return None
    own = [v for v in given.sources.versions if v.doc_id == one.locked.doc_id]
    applies = next((v for v in own if v.version == one.locked.version), None)
    if applies is None:
        return None
    others = [v for v in own if v is not applies and v.channels & applies.channels]
    newer = next((v for v in others if in_force(v, given.requested_on)), None)
    if newer is None and in_force(applies, given.requested_on):
        return None
    day = given.facts.get(applies.deciding_date)
    decides_on = plain_date(f"facts.{applies.deciding_date}", day) if day is not None else None
    deciding = DAYS.get(applies.deciding_date, f"the ‘{applies.deciding_date.replace('_', ' ')}’ date")
    return PolicyChange(one.locked, applies, newer, deciding, decides_on)


def explanation(change: PolicyChange) -> str:
    """Say which version applies to the customer and why, in sentences for the customer.

    Days are told as the first and the last one of a version: “until” would read like the end of what was promised.
    """
    name = f"“{change.applies.title}”, version {change.applies.version}"
    if change.is_within and change.decides_on is not None:
        decides = f"What decides is {change.deciding}, {in_words(change.decides_on)}"
        why = f"{decides}, and that day lies in the time of this version. {_time(change.applies)}"
    else:
        why = "It is the version behind what you were told, and what you were told stays."
    newer = f" {_newer(change.newer)}" if change.newer is not None else ""
    return f"For you {name} applies. {why}{newer}"


def _time(version: Version) -> str:
    first = f"Its first day is {in_words(version.effective_from)}"
    if version.effective_until is None:
        return f"{first}."
    return f"{first} and its last day is {in_words(version.effective_until - timedelta(days=1))}."


def _newer(version: Version) -> str:
    first = in_words(version.effective_from)
    return f"Version {version.version}, whose first day is {first}, is for later cases and changes nothing for you."


def compose(change: PolicyChange, *, told_on: date | None) -> str:
    """Return the reply: the locked text to the letter, that it still holds, which policy applies, and why."""
    when = f"On {in_words(told_on)} we" if told_on else "We"
    told = f"{when} told you:\n\n“{change.locked.answer_text}”\n\nThat is still our answer to you."
    return f"{told} {explanation(change)}"
