"""A conversation's timeline: what was asked and what was said, in the order in which it was written down."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, cast
from uuid import UUID

from console.http import ConsoleRequest
from console.views.ask_rows import AskRow, ask_rows
from console.views.entry_rows import Beside, EntryRow, LiveRow, Teller
from console.views.shapes import EntryShape
from console.views.source_rows import versions_behind
from drafts import queries
from ledger import queries as ledger

if TYPE_CHECKING:
    from drafts.models import Conversation, ReviewItem

SHOWN_AT_ONCE = 40
ASKS_AT_ONCE = 60


@dataclass(frozen=True, slots=True)
class Timeline:
    """The lines shown, oldest first; `before` is the place from which earlier entries can be asked for.

    `first` is the place of the first entry shown, `keys` are the questions that the ledger holds, `zone` is that of
    every time. `more_asks` says that not every question of this stretch is shown.
    """

    rows: tuple[AskRow | EntryRow, ...]
    live: tuple[LiveRow, ...]
    count: int
    first: int
    before: int | None
    is_newest: bool
    keys: tuple[str, ...]
    key: str
    zone: str
    more_asks: bool


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which part of a timeline: the entries before a place, those of one root key, or everything at once."""

    before: int | None = None
    key: str = ""
    whole: bool = False


def wanted_by(request: ConsoleRequest) -> Wanted:
    """Read which part is asked for; what is not understood asks for the newest part."""
    asked = request.GET.get("entries_before", "")
    before = int(asked) if asked.isascii() and asked.isdecimal() and len(asked) < 10 else None
    return Wanted(before, request.GET.get("key", ""))


def timeline_of(request: ConsoleRequest, conversation: "Conversation", wanted: Wanted) -> Timeline:
    """Return a part of a conversation's timeline."""
    every = entries_of(conversation.external_id)
    known = tuple(sorted({entry["question_key"] for entry in every}))
    key = wanted.key if wanted.key in known else ""
    line = [entry for entry in every if not key or entry["question_key"] == key]
    reached = [entry for entry in line if wanted.before is None or entry["position"] < wanted.before]
    shown = reached if wanted.whole else reached[-SHOWN_AT_ONCE:]
    asks, more_asks = _asks(request, conversation, line, shown, wanted)
    live = [entry for entry in every if entry["locked"]]
    tell = Teller(every, _beside(request, conversation, [*shown, *live]))
    return Timeline(
        rows=tuple(_merged([*ask_rows(asks, key)], [tell.row(entry) for entry in shown])),
        live=tuple(tell.live(entry) for entry in live),
        count=len(line),
        first=shown[0]["position"] if shown else 1,
        before=shown[0]["position"] if len(reached) > len(shown) else None,
        is_newest=wanted.before is None,
        keys=known,
        key=key,
        zone=queries.organisation_calendar().zone.key,
        more_asks=more_asks,
    )


def entries_of(conversation_id: str) -> Sequence[EntryShape]:
    """Return every entry of a conversation in order."""
    return cast("Sequence[EntryShape]", ledger.entries(conversation_id))


def _beside(request: ConsoleRequest, conversation: "Conversation", shown: Iterable[EntryShape]) -> Beside:
    told = list(shown)
    return Beside(
        corrections=queries.corrections_of(request.user, conversation.pk),
        items=queries.items_of_decisions(request.user, _ids(entry["decision_id"] for entry in told)),
        versions=versions_behind(told),
    )


def _ids(names: Iterable[str]) -> set[UUID]:
    """Return the names that can be ids of decisions; the ledger keeps any text."""
    found = set()
    for name in names:
        try:
            found.add(UUID(name))
        except ValueError:
            continue
    return found


def _asks(
    request: ConsoleRequest,
    conversation: "Conversation",
    line: Sequence[EntryShape],
    shown: Sequence[EntryShape],
    wanted: Wanted,
) -> "tuple[list[ReviewItem], bool]":
    """Return the questions that were asked in the stretch of time which the shown entries cover."""
    at = [entry["position"] for entry in line].index(shown[0]["position"]) if shown else 0
    after = line[at - 1]["effective_at"] if at else None
    until = shown[-1]["effective_at"] if shown and wanted.before is not None else None
    limit = None if wanted.whole else ASKS_AT_ONCE + 1
    found = queries.asked_items(request.user, conversation.pk, after=after, until=until, limit=limit)
    return (found, False) if wanted.whole else (found[-ASKS_AT_ONCE:], len(found) > ASKS_AT_ONCE)


def _merged(asks: Sequence[AskRow], entries: Sequence[EntryRow]) -> Iterable[AskRow | EntryRow]:
    """Put each question before the first entry that counts from a later time; entries keep their places."""
    waiting = sorted(asks, key=_taken_in)
    for entry in entries:
        while waiting and waiting[0].taken_in_at <= entry.effective_at:
            yield waiting.pop(0)
        yield entry
    yield from waiting


def _taken_in(ask: AskRow) -> datetime:
    return ask.taken_in_at
