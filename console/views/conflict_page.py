"""One conflict as its page shows it: the passages, what they say differently, what waits, and who may settle it."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from uuid import UUID

from django.contrib.auth.models import User

from console.conflict_forms import BEGIN, CHANNEL, END, LEAVE, RETIRE, Typed, Way
from console.permissions import Action, may
from console.views import waiting
from console.views.highlight import Mark, Slice, marked, plain
from console.views.history import name_of
from console.views.source_words import AGREEMENTS, CONFLICT_STATES, STATUSES, VALUES, due_in_words, kind_in_words
from drafts.decisions.structure import Piece
from drafts.queries.affected import held_by_conflict
from drafts.queries.policy_owners import policy_owners
from ledger import queries as ledger
from ledger.decisions.differences import Agreement, ValueRow, differences, in_words
from ledger.decisions.facts import Fact
from ledger.decisions.text import day_in_words
from ledger.decisions.vocabulary import DocumentKind, VersionStatus
from ledger.queries import ConflictMember, ConflictView

OPEN = "open"
HELD_SHOWN = 20
SETTLERS_SHOWN = 100
VALUES_SHOWN = 30
FOUND = {
    "publishing": "found when sources changed",
    "nightly": "found by the nightly search",
    "ask": "found when a customer asked",
}
_LOOKS = {Agreement.DIFFERENT: "finding", Agreement.NEAR: "advice", Agreement.MISSING: "advice"}


@dataclass(frozen=True, slots=True)
class Notice:
    """What stood in the way of a settlement."""

    kind: str
    heading: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class MemberCard:
    """One version that takes part, with its passage and how it stands in the form."""

    number: int
    name: str
    doc_id: str
    title: tuple[Piece, ...]
    kind: str
    status: str
    is_active: bool
    is_kept: bool
    section: tuple[Piece, ...]
    slices: tuple[Slice, ...]
    channels: tuple[str, ...]
    effective_from: date
    effective_until: date | None
    answers: tuple[str, ...]
    outcome: str
    keep: bool
    way: Way
    ways: tuple[tuple[str, str], ...]
    in_use: bool
    fault: str


@dataclass(frozen=True, slots=True)
class Cell:
    """What one version says to a value; no `words` where it says nothing. `quote` are its own words."""

    name: str
    words: str
    quote: tuple[Piece, ...]
    counted_from: str


@dataclass(frozen=True, slots=True)
class ValueTold:
    """One value that the passages state."""

    what: str
    agreement: str
    style: str
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class HeldItem:
    """An item that waits for the settlement."""

    id: UUID
    external_id: str
    conversation: str
    since: datetime


@dataclass(frozen=True, slots=True)
class ConflictPage:
    """Everything that the page shows."""

    conflict: ConflictView
    question: tuple[Piece, ...]
    state: str
    is_open: bool
    due: str
    late: bool
    members: tuple[MemberCard, ...]
    values: tuple[ValueTold, ...]
    more_values: int
    held: tuple[HeldItem, ...]
    held_count: str
    may_settle: bool
    settlers: tuple[tuple[str, str], ...]
    found: str
    reason: tuple[Piece, ...]
    sent: Typed
    notice: Notice | None


def page_of(conflict: ConflictView, user: User, *, sent: Typed, notice: Notice | None, now: datetime) -> ConflictPage:
    """Gather the page of one conflict in a fixed number of queries."""
    is_open = conflict.state == OPEN
    rows = differences([member.text for member in conflict.members])
    may_settle = may(user, Action.CHANGE_SOURCES)
    count, held = _held(conflict, user) if is_open else ("", ())
    return ConflictPage(
        conflict=conflict,
        question=plain(conflict.question_canonical),
        state=CONFLICT_STATES[conflict.state],
        is_open=is_open,
        due=due_in_words(conflict.due_at, now),
        late=is_open and conflict.due_at < now,
        members=_members(conflict, rows, _proposed(conflict, sent)),
        values=tuple(_value(row, conflict.members) for row in rows[:VALUES_SHOWN]),
        more_values=max(0, len(rows) - VALUES_SHOWN),
        held=held,
        held_count=count,
        may_settle=may_settle,
        settlers=_settlers() if is_open else (),
        found=FOUND[conflict.found_by],
        reason=plain(conflict.reason or ""),
        sent=sent,
        notice=notice,
    )


def _proposed(conflict: ConflictView, sent: Typed) -> Typed:
    """Propose, before anything is typed, to retire each version that is the only one of its document.

    Versions of one document follow each other, so which of those go too is for the owner alone to say.
    """
    if sent.ways:
        return sent
    several = Counter(member.doc_id for member in conflict.members)
    ways = {member.name: Way(LEAVE if several[member.doc_id] > 1 else RETIRE) for member in conflict.members}
    return replace(sent, ways=ways)


def _has_successors(conflict: ConflictView) -> bool:
    return len({member.doc_id for member in conflict.members}) < len(conflict.members)


def _ways(conflict: ConflictView, member: ConflictMember, *, in_use: bool) -> tuple[tuple[str, str], ...]:
    """Return what can become of a version that is not kept: of one in use only what the database allows."""
    offered = [(RETIRE, "Retire it"), (END, "End it on a day, the first on which it no longer holds")]
    if not in_use:
        offered.append((BEGIN, "Let it begin later, on a day"))
    if not in_use and len(member.channels) > 1:
        offered.append((CHANNEL, f"Take the channel {conflict.channel} away from it"))
    if _has_successors(conflict):
        offered.append((LEAVE, "Leave it as it is"))
    return tuple(offered)


def _outcome(member: ConflictMember) -> str:
    """Say what became of a version when its conflict was settled."""
    if member.outcome != "narrowed" or member.left is None:
        return {"kept": "Kept", "retired": "Retired with it"}.get(member.outcome or "", "")
    channels, until = member.left.get("channels"), member.left.get("effective_until")
    named = ", ".join(map(str, channels)) if isinstance(channels, list) else ""
    end = f"until before {_day(until)}" if until else "with no end"
    return f"Narrowed: left on {named} from {_day(member.left.get('effective_from'))} {end}"


def _day(written: object) -> str:
    return day_in_words(date.fromisoformat(str(written)))


def _members(conflict: ConflictView, rows: Sequence[ValueRow], chosen: Typed) -> tuple[MemberCard, ...]:
    used = ledger.used_versions({member.doc_id for member in conflict.members}) if conflict.state == OPEN else ()
    return tuple(
        MemberCard(
            number=place + 1,
            name=member.name,
            doc_id=member.doc_id,
            title=plain(member.title),
            kind=kind_in_words(DocumentKind(member.kind), permitted=True),  # nobody else's takes part
            status=STATUSES[VersionStatus(member.status)],
            is_active=member.status == VersionStatus.ACTIVE,
            is_kept=member.is_kept,
            section=plain(member.section),
            slices=marked(member.text, _marks(rows, place)),
            channels=member.channels,
            effective_from=member.effective_from,
            effective_until=member.effective_until,
            answers=member.answers,
            outcome=_outcome(member),
            keep=member.name == chosen.keep,
            way=chosen.ways.get(member.name, Way()),
            ways=_ways(conflict, member, in_use=(member.doc_id, member.version) in used),
            in_use=(member.doc_id, member.version) in used,
            fault=chosen.faults.get(f"then:{member.name}", ""),
        )
        for place, member in enumerate(conflict.members)
    )


def _marks(rows: Sequence[ValueRow], place: int) -> list[Mark]:
    stated = ((row.agreement, row.facts[place]) for row in rows)
    return [
        Mark(fact.start, fact.end, _LOOKS[agreement], 0, "", "")
        for agreement, fact in stated
        if fact is not None and agreement in _LOOKS
    ]


def _value(row: ValueRow, members: Sequence[ConflictMember]) -> ValueTold:
    cells = tuple(_cell(fact, member) for fact, member in zip(row.facts, members, strict=True))
    return ValueTold(VALUES[row.kind], AGREEMENTS[row.agreement], row.agreement, cells)


def _cell(fact: Fact | None, member: ConflictMember) -> Cell:
    if fact is None:
        return Cell(member.name, "", (), "")
    words, quoted = in_words(fact), member.text[fact.start : fact.end]
    return Cell(
        member.name, words, plain(quoted) if quoted.lower() not in words else (), (fact.anchor or "").replace("_", " ")
    )


def _held(conflict: ConflictView, user: User) -> tuple[str, tuple[HeldItem, ...]]:
    waits = held_by_conflict(conflict.question_key, conflict.channel, ledger.registry())
    items = waiting.open_items(user)
    first = items.filter(waits).order_by("created_at", "id")
    names = first.values_list("id", "external_id", "conversation__external_id", "created_at")
    return waiting.counts(items, [waits])[0], tuple(HeldItem(*values) for values in names[:HELD_SHOWN])


def _settlers() -> tuple[tuple[str, str], ...]:
    return tuple((person.username, name_of(person) or "") for person in policy_owners()[:SETTLERS_SHOWN])
