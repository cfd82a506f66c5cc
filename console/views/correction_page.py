"""What the form of a correction shows, and beside which field each refusal stands."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from console.correction_forms import Typed
from console.views import history
from console.views.highlight import plain
from console.views.situations import Case
from drafts import queries
from drafts.decisions import commitments
from drafts.decisions.correcting import STRUCTURAL
from drafts.decisions.given import Blocker
from drafts.decisions.outside import SaidOutside
from drafts.decisions.structure import Piece
from drafts.services.correcting import Previewed
from ledger import queries as ledger

if TYPE_CHECKING:
    from drafts.models import Conversation

WHOLE = "whole"
ABOUT_WHOLE = frozenset(
    {
        "no_source_for_correction",
        "key_not_established",
        "nothing_to_correct",
        "moved_on_meanwhile",
        "answer_still_leaving",
        "no_reply_from_outside",
        "correction_required",
    }
)
ABOUT_MESSAGE = frozenset({"withdrawn_answer_not_named", "new_answer_not_named", "value_differs_from_correction"})
ABOUT_WITHDRAWN = frozenset({"withdrawn_words_not_said", "withdrawn_words_do_not_differ"})
type Problems = Mapping[str, tuple[tuple[Piece, ...], ...]]


@dataclass(frozen=True, slots=True)
class SaidRow:
    """A reply that was sent past the desk and answers the question."""

    message_id: str
    text: tuple[Piece, ...]
    said_at: datetime | None
    differs: bool
    chosen: bool


@dataclass(frozen=True, slots=True)
class CorrectionPage:
    """The form with what was typed; `problems` stand beside their fields, those of the whole at the top.

    `outside` says that words said past the desk are withdrawn; then `said` are the replies to choose from, and `told`
    is the locked answer, which holds where there is one.
    """

    conversation: "Conversation"
    case: Case
    key: str
    question: tuple[Piece, ...]
    told: tuple[Piece, ...]
    told_at: datetime | None
    told_passage: bool
    entry_id: str
    source: str
    passage: tuple[Piece, ...]
    typed: Typed
    owners: tuple[tuple[str, str], ...]
    problems: Problems
    outside: bool
    said: tuple[SaidRow, ...]

    @property
    def has_something(self) -> bool:
        """Say whether there is anything that could be withdrawn."""
        return bool(self.said) if self.outside else bool(self.told)


def page_of(case: Case, preview: Previewed, typed: Typed, problems: Problems, *, outside: bool) -> CorrectionPage:
    """Build the form from what a preview found."""
    one = preview.one
    statement, version, locked = commitments.statement_of(one), one.route.version, one.locked
    entry = ledger.registry().get(case.key)
    return CorrectionPage(
        conversation=case.conversation,
        case=case,
        key=one.root or case.key,
        question=plain(entry.question_canonical if entry else ""),
        told=plain(locked.answer_text if locked else ""),
        told_at=locked.told_at if locked else None,
        told_passage=locked is not None and statement is not None and locked.answer_text == statement.text,
        entry_id=locked.entry_id if locked else "",
        source=f"{version.title}, version {version.version}, section {statement.section}"
        if version and statement
        else "",
        passage=plain(statement.text if statement else ""),
        typed=typed,
        owners=tuple((p.get_username(), history.name_of(p) or "") for p in queries.correctors()),
        problems=problems,
        outside=outside,
        said=tuple(_said_row(said, typed) for said in preview.said_outside) if outside else (),
    )


def _said_row(said: SaidOutside, typed: Typed) -> SaidRow:
    chosen = said.message_id == typed.outside_message
    return SaidRow(said.message_id, plain(said.text), said.said_at, said.differs, chosen)


def by_field(blockers: Iterable[Blocker]) -> Problems:
    """Put each refusal beside the field that can meet it."""
    found: dict[str, tuple[tuple[Piece, ...], ...]] = {}
    for blocker in blockers:
        field = _field_of(blocker)
        found[field] = (*found.get(field, ()), plain(blocker.message))
    return found


def _field_of(blocker: Blocker) -> str:
    if blocker.code in ABOUT_WITHDRAWN:
        return "withdrawn"
    if blocker.code in ABOUT_WHOLE or (blocker.code in STRUCTURAL and blocker.start is None):
        return WHOLE
    return "message" if blocker.code in ABOUT_MESSAGE or blocker.start is not None else "new_answer"


def lines(told: Iterable[str]) -> tuple[tuple[Piece, ...], ...]:
    """Cut messages so that their hidden characters are shown."""
    return tuple(plain(line) for line in told)
