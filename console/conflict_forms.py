"""What the page of a conflict takes in: which version is kept, what becomes of each other one, and why."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date

from django.http import QueryDict

from console.views.insertion import unix_lines
from drafts.decisions.textgate import TextRefused, check_text
from ledger.decisions.settling import Narrowing
from ledger.decisions.text import is_blank
from ledger.queries import ConflictMember, ConflictView
from ledger.services.settling import Settlement

RETIRE, END, BEGIN, CHANNEL, LEAVE = "retire", "end", "begin", "channel", "leave"
WAYS = (RETIRE, END, BEGIN, CHANNEL, LEAVE)
_DATED = frozenset({END, BEGIN})
_NARROWING = _DATED | {CHANNEL}


@dataclass(frozen=True, slots=True)
class Way:
    """What is to become of a version that is not kept, with the days as typed."""

    then: str = LEAVE
    end: str = ""
    begin: str = ""

    @property
    def day(self) -> str:
        """Return the day that belongs to the way chosen, as typed."""
        return self.end if self.then == END else self.begin


@dataclass(frozen=True, slots=True)
class Typed:
    """How a conflict is to be settled, as typed; names are as the conflict lists them, `faults` by field."""

    keep: str = ""
    ways: Mapping[str, Way] = field(default_factory=dict)
    reason: str = ""
    seen: str = ""
    faults: Mapping[str, str] = field(default_factory=dict)


def read_settlement(sent: QueryDict, conflict: ConflictView) -> Typed:
    """Read a settlement of the versions that the conflict has; what was sent about others is left alone."""
    keep, reason = sent.get("keep", ""), unix_lines(sent.get("reason", ""))
    ways = {name: _way(sent, name) for name in conflict.versions}
    return Typed(keep, ways, reason, sent.get("seen", ""), dict(_faults(keep, ways, reason)))


def wanted(typed: Typed, conflict: ConflictView) -> Settlement:
    """Return what the service is asked for; the version that is kept stays as it is, whatever was chosen for it."""
    others = [member for member in conflict.members if member.name != typed.keep]
    chosen = [(member, typed.ways.get(member.name, Way())) for member in others]
    return Settlement(
        keep=typed.keep,
        retire=[member.name for member, way in chosen if way.then == RETIRE],
        narrow=[narrowing(member, way, conflict.channel) for member, way in chosen if way.then in _NARROWING],
        reason=typed.reason,
        seen=typed.seen,
    )


def narrowing(member: ConflictMember, way: Way, channel: str) -> Narrowing:
    """Return the narrowing that a choice means; its day has been read before."""
    return Narrowing(
        member.name,
        channels=frozenset(member.channels) - {channel} if way.then == CHANNEL else None,
        effective_from=date.fromisoformat(way.begin) if way.then == BEGIN else None,
        effective_until=date.fromisoformat(way.end) if way.then == END else None,
    )


def fault_of(refused: str, message: str, asked: Settlement) -> tuple[str, str]:
    """Return the field of the page that a refusal of the service is about, and the message."""
    place = refused.partition("[")
    lists: dict[str, Sequence[str]] = {"retire": asked.retire, "narrow": [one.version for one in asked.narrow]}
    number = place[2].partition("]")[0]
    if place[0] in lists and number.isdecimal() and int(number) < len(lists[place[0]]):
        return f"then:{lists[place[0]][int(number)]}", message
    return place[0], message


def _way(sent: QueryDict, name: str) -> Way:
    then = sent.get(f"then:{name}", LEAVE)
    return Way(then if then in WAYS else LEAVE, sent.get(f"end:{name}", ""), sent.get(f"begin:{name}", ""))


def _faults(keep: str, ways: Mapping[str, Way], reason: str) -> Iterator[tuple[str, str]]:
    if not keep:
        yield "keep", "Choose the version that answers from now on."
    for name, way in ways.items():
        if name != keep and way.then in _DATED and not _is_day(way.day):
            yield f"then:{name}", f"Give the day for {name} as YYYY-MM-DD, between 2000 and 2999."
    try:
        check_text("reason", reason)
    except TextRefused as refused:
        yield "reason", refused.message
    if is_blank(reason):
        yield "reason", "Say why, in a sentence that a colleague will understand."


def _is_day(typed: str) -> bool:
    try:
        day = date.fromisoformat(typed)
    except ValueError:
        return False
    return day.isoformat() == typed and 2000 <= day.year <= 2999
