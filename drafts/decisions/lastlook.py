"""The last look before a reply leaves: whether what was approved may still be said."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from drafts.decisions.analysis import RELATIVE_DAY
from drafts.decisions.claims import detect
from drafts.decisions.vocabulary import ClaimClass, Tier

QUOTED = 200


@dataclass(frozen=True, slots=True)
class LastLook:
    """What is known at the moment of sending. The messages are the newest that were written after the decision.

    `answered_here` is another reply of this desk to the same message;
    `corrected` are the questions whose answer was replaced since, `retired` the policy versions that no longer hold;
    `decided_on` and `today` are days in the organisation's zone.
    """

    text: str
    newer_message: str | None
    outside_reply: str | None
    answered_here: str | None
    corrected: Sequence[str]
    retired: Sequence[str]
    decided_on: date
    today: date


def hindrances(look: LastLook) -> Iterator[str]:
    """Say in sentences why a decided reply may not leave any more; none means that it may."""
    if look.outside_reply is not None:
        yield f"A reply was already sent outside the desk: “{_beginning(look.outside_reply)}”"
    if look.answered_here is not None:
        yield f"Another reply to the same message was sent from here: “{_beginning(look.answered_here)}”"
    if look.newer_message is not None:
        yield f"The customer wrote again: “{_beginning(look.newer_message)}”"
    for key in look.corrected:
        yield f"The answer to {key} was corrected meanwhile."
    for version in look.retired:
        yield f"The policy version {version}, on which the answer rests, no longer holds."
    if look.today != look.decided_on:
        for words in _relative_days(look.text):
            yield f"It was decided on {look.decided_on:%Y-%m-%d}, and “{words}” now points at another day."


def _relative_days(text: str) -> Iterator[str]:
    for claim in detect(text):
        if claim.cls is ClaimClass.TIMING and claim.tier is Tier.CLAIM and RELATIVE_DAY.search(claim.text):
            yield claim.text


def _beginning(text: str) -> str:
    words = " ".join(text.split())
    return words if len(words) <= QUOTED else words[: QUOTED - 1] + "…"
