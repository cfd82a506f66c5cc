"""Which answers of a conversation are the same: by matter, by who promises it, and by the normal form of the value."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from decimal import Decimal

from drafts.decisions.drifting.matters import Matter
from drafts.decisions.drifting.parties import may_be_same
from drafts.decisions.drifting.promises import Promise
from ledger.decisions.differences import in_words
from ledger.decisions.values import Fact, FactKind, Sameness, same_value

_MINUTES = {"minutes": 1, "hours": 60, "days": 1440}
_GOODS = frozenset({Matter.DELIVERY, Matter.DISPATCH})
_APART = (
    frozenset({"labour", "parts"}),
    frozenset({"express", "standard"}),
    frozenset({"domestic", "international"}),
    frozenset({"opened", "unopened"}),
    frozenset({"used", "new"}),
    frozenset({"business", "private"}),
    frozenset({"weekdays", "weekends"}),
)


@dataclass(frozen=True, slots=True)
class Given:
    """A promise with the place of its message in the conversation."""

    turn: int
    text: str
    promise: Promise


@dataclass(slots=True)
class Distinct:
    """One distinct answer: the values that opened it, and everywhere it was given."""

    turn: int
    opened: list[Promise] = field(default_factory=list)
    given: list[Given] = field(default_factory=list)

    @property
    def words(self) -> str:
        """The answer in normal form; two values of one message, for two cases, are one answer."""
        return " or ".join(dict.fromkeys(_in_words(promise.fact) for promise in self.opened))


@dataclass(slots=True)
class Line:
    """One promise followed through a conversation: the same matter, by the same party, about the same thing."""

    first: Promise
    answers: list[Distinct] = field(default_factory=list)

    def takes(self, promise: Promise) -> bool:
        """Say whether a promise belongs to this line."""
        one = self.first
        if one.matter is not promise.matter or not may_be_same(one.actor, promise.actor):
            return False
        if one.matter in _GOODS and one.replaces is not promise.replaces:
            return False
        if one.named != promise.named or _sort(one.fact) is not _sort(promise.fact):
            return False
        both = one.about | promise.about
        return not any(pair <= both and not pair <= one.about and not pair <= promise.about for pair in _APART)

    def add(self, given: Given) -> None:
        """Put a promise to the answer that it repeats; what repeats none opens one, if it is firm."""
        promise = given.promise
        same = next((one for one in self.answers if any(is_same(promise, other) for other in one.opened)), None)
        if same is None:
            if not promise.firm:
                return
            last = self.answers[-1] if self.answers else None
            if last is None or last.turn != given.turn:
                last = Distinct(given.turn)
                self.answers.append(last)
            last.opened.append(promise)
            same = last
        same.given.append(given)


def lines_of(given: Iterable[Given]) -> tuple[Line, ...]:
    """Sort the promises of a conversation into lines, in the order in which they begin."""
    lines: list[Line] = []
    for one in given:
        line = next((line for line in lines if line.takes(one.promise)), None)
        if line is None:
            if not one.promise.firm:
                continue
            line = Line(one.promise)
            lines.append(line)
        line.add(one)
    return tuple(lines)


def is_same(one: Promise, other: Promise) -> bool:
    """Say whether two promises give the same answer.

    Equal amounts are the same whatever they count from. A range and its upper end are the same where both count from
    the same moment: “2 to 3 days after the pick-up” promises less than “within 3 days”.
    """
    a, b = one.fact, other.fact
    if a.kind is not b.kind:
        return False
    if a.kind in {FactKind.LIFETIME, FactKind.DATE}:
        return same_value(a, b) is not Sameness.DIFFERENT
    first, second = _amount(a), _amount(b)
    if first == second:
        return not (a.per and b.per) or a.per == b.per
    if a.kind is not FactKind.DURATION:
        return False
    return first[0] == second[0] and first[2] == second[2] and one.anchored is other.anchored


def states(fact: Fact, answer: Distinct) -> bool:
    """Say whether a value of a document is one of the values of an answer."""
    return any(
        fact.kind is promise.fact.kind and (fact.kind is FactKind.LIFETIME or _amount(fact) == _amount(promise.fact))
        for promise in answer.opened
    )


def _sort(fact: Fact) -> FactKind:
    """Return what sort of value a fact is; a lifetime is a span of time, and a date or a price is none."""
    return FactKind.DURATION if fact.kind is FactKind.LIFETIME else fact.kind


def _in_words(fact: Fact) -> str:
    return in_words(fact).removesuffix(" of any year")


def _amount(fact: Fact) -> tuple[str, Decimal | None, Decimal | None]:
    """Return unit, lower and upper end; minutes, hours and calendar days are one unit."""
    scale = _MINUTES.get(fact.unit)
    if scale is None or fact.low is None or fact.high is None:
        return fact.unit, fact.low, fact.high
    return "minutes", fact.low * scale, fact.high * scale
