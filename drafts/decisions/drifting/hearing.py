"""One conversation heard through: which questions the customer asks, and what the agent's replies promise."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from drafts.decisions.classifier import established_topics
from drafts.decisions.drifting.answers import Given
from drafts.decisions.drifting.matters import TOPICS, Matter, matter_asked, price_asked
from drafts.decisions.drifting.parties import US, last_party
from drafts.decisions.drifting.promises import WORD_OF, Promise, Thread, promises
from drafts.decisions.drifting.transcripts import AGENT, CUSTOMER, Transcript, Unread, known_role
from ledger.decisions.default_keys import default_registry

TURN_LIMIT = 65_536
"""Characters of one message that are read."""

_NEAR = 500
"""Characters at the end of a question in which it names who is to do it."""

_REGISTRY = default_registry()
_TIMES = frozenset({
    "refund_timing", "delivery_time", "response_sla", "repair_turnaround", "warranty_duration", "return_window",
    "cancellation_window",
})  # fmt: skip
_HOW_LONG = re.compile(
    r"\b(?:how (?:long|soon)|how (?:much|many) (?:more |longer )?(?:time|days|hours|weeks)|how much longer|by when"
    r"|until when|when (?:will|can|do|should|is|are|exactly|then)|(?:so|and|but) when|which day|what day"
    r"|what(?:'s| is) the (?:eta|timeline|time ?frame))\b|\bwhen ?\?",
    re.IGNORECASE,
)
_HOW_MUCH = re.compile(
    r"\bhow much\b(?! (?:more |longer )?(?:time|longer))"
    r"|\bwhat(?:'s| is| are| would be) the (?:costs?|price|fees?|charges?)\b",
    re.IGNORECASE,
)


@dataclass(slots=True)
class Heard:
    """What was asked how often, what was promised where, and by topic the replies that were not understood."""

    asked: Counter[str] = field(default_factory=Counter)
    given: list[Given] = field(default_factory=list)
    unread: dict[str, list[Unread]] = field(default_factory=dict)


@dataclass(slots=True)
class _Ear:
    """What is remembered from message to message: `time` and `price` are what was asked last, by sort."""

    heard: Heard = field(default_factory=Heard)
    thread: Thread = field(default_factory=Thread)
    time: Matter | None = None
    price: Matter | None = None
    nameless: bool = False
    how_much: bool = False
    told: Sequence[Promise] = ()

    def customer(self, text: str) -> None:
        """Count what a customer's message asks, and open it for the reply."""
        topics = established_topics(text, _REGISTRY)
        self.heard.asked.update(topics)
        times, prices = _matters(map(matter_asked, topics)), _matters(map(price_asked, topics))
        self.nameless = _TIMES.isdisjoint(topics) and _HOW_LONG.search(text) is not None
        self.how_much = not prices and _HOW_MUCH.search(text) is not None
        self.thread.asked = times[0] if times else self.thread.asked
        taken_up = (self._taken_up() if self.nameless and not times else None, self.price if self.how_much else None)
        self.thread.open = frozenset((*times, *prices, *_matters(taken_up)))
        self.thread.open_party = (last_party(text[-_NEAR:].lower()) if self.thread.open else None) or US
        self.time, self.price = self.thread.asked, prices[0] if prices else self.price

    def agent(self, at: int, text: str) -> None:
        """Collect what an agent's message promises."""
        said = promises(text, self.thread)
        self.told = said.promises
        self.heard.given += [Given(at, text, promise) for promise in said.promises]
        # “How long will that take?” names no topic; the answer tells which question it was.
        stated = [promise.matter for promise in said.promises] or [matter for matter, _ in said.unread]
        if self.nameless and stated:
            self.heard.asked[TOPICS[stated[0]]] += 1
        elif self.how_much and self.price in stated:
            self.heard.asked[TOPICS[self.price]] += 1
        self.nameless = self.how_much = False
        answered = {TOPICS[promise.matter] for promise in said.promises}
        for topic, span in {TOPICS[matter]: span for matter, span in reversed(said.unread)}.items():
            if topic not in answered:
                self.heard.unread.setdefault(topic, []).append(Unread(text[span.start : span.end], at))

    def _taken_up(self) -> Matter | None:
        """Return what a “how long?” asks again: what was asked last, unless the reply was about other things only."""
        promised = [promise.matter for promise in self.told]
        same = self.time is not None and any(TOPICS[one] == TOPICS[self.time] for one in promised)
        if promised:
            return self.time if same else promised[-1]
        spoken = self.thread.spoken
        return spoken if spoken is not None and spoken not in WORD_OF else self.time


def heard_in(transcript: Transcript) -> Heard:
    """Count the questions of the customer's messages and collect what the agent's promise."""
    ear = _Ear()
    for at, turn in enumerate(transcript.turns):
        role, text = known_role(turn.role), turn.text[:TURN_LIMIT]
        if role == CUSTOMER:
            ear.customer(text)
        elif role == AGENT:
            ear.agent(at, text)
    return ear.heard


def _matters(found: Iterable[Matter | None]) -> tuple[Matter, ...]:
    return tuple(one for one in found if one is not None)
