"""One conflict as its page shows it: the passages, what they say differently, what waits, and who may settle it."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from uuid import UUID

from django.contrib.auth.models import User

from console.permissions import POLICY_OWNER, Action, may
from console.source_forms import Settlement
from console.views import waiting
from console.views.highlight import Mark, Slice, marked, plain
from console.views.history import name_of
from console.views.source_words import AGREEMENTS, CONFLICT_STATES, KINDS, STATUSES, VALUES, due_in_words
from drafts.decisions.structure import Piece
from ledger import queries as ledger
from ledger.decisions.differences import Agreement, ValueRow, differences, in_words
from ledger.decisions.facts import Fact
from ledger.decisions.vocabulary import DocumentKind, VersionStatus
from ledger.queries import ConflictMember, ConflictView

OPEN = "open"
HELD_SHOWN = 20
SETTLERS_SHOWN = 20
VALUES_SHOWN = 30
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
    keep: bool
    retire: bool


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
    settlers: tuple[str, ...]
    reason: tuple[Piece, ...]
    sent: Settlement
    notice: Notice | None


def page_of(
    conflict: ConflictView, user: User, *, sent: Settlement, notice: Notice | None, now: datetime
) -> ConflictPage:
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
        settlers=() if may_settle or not is_open else _settlers(),
        reason=plain(conflict.reason or ""),
        sent=sent,
        notice=notice,
    )


def _proposed(conflict: ConflictView, sent: Settlement) -> Settlement:
    """Tick every version to be retired, before anything is typed, where each is of another document.

    Versions of one document follow each other, so which of those go too is for the owner alone to say.
    """
    documents = {member.doc_id for member in conflict.members}
    if sent != Settlement() or len(documents) < len(conflict.members):
        return sent
    return Settlement(retire=conflict.versions)


def _members(conflict: ConflictView, rows: Sequence[ValueRow], chosen: Settlement) -> tuple[MemberCard, ...]:
    return tuple(
        MemberCard(
            number=place + 1,
            name=member.name,
            doc_id=member.doc_id,
            title=plain(member.title),
            kind=KINDS[DocumentKind(member.kind)],
            status=STATUSES[VersionStatus(member.status)],
            is_active=member.status == VersionStatus.ACTIVE,
            is_kept=member.is_kept,
            section=plain(member.section),
            slices=marked(member.text, _marks(rows, place)),
            channels=member.channels,
            effective_from=member.effective_from,
            effective_until=member.effective_until,
            answers=member.answers,
            keep=member.name == chosen.keep,
            retire=member.name in chosen.retire,
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
    waits = waiting.held_by_conflict(conflict.question_key, conflict.channel, ledger.registry())
    items = waiting.open_items(user)
    first = items.filter(waits).order_by("created_at", "id")
    names = first.values_list("id", "external_id", "conversation__external_id", "created_at")
    return waiting.counts(items, [waits])[0], tuple(HeldItem(*values) for values in names[:HELD_SHOWN])


def _settlers() -> tuple[str, ...]:
    people = User.objects.filter(is_active=True, groups__name=POLICY_OWNER).order_by("username")[:SETTLERS_SHOWN]
    return tuple(name_of(person) or "" for person in people)
