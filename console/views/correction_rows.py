"""A correction as the log, its own page and paper show it."""

from dataclasses import dataclass
from datetime import datetime
from typing import cast
from uuid import UUID

from console.views import history
from console.views.highlight import plain
from console.views.shapes import SourceShape
from console.views.source_rows import SourceRow, source_row
from drafts.decisions.structure import Piece
from drafts.queries import Logged
from ledger.decisions.vocabulary import EntryKind


@dataclass(frozen=True, slots=True)
class Row:
    """One correction; `said_outside` says that the withdrawn words never were in the ledger."""

    id: UUID
    at: datetime
    conversation: int
    conversation_name: str
    customer: str | None
    question: tuple[Piece, ...]
    key: str
    changes: tuple[history.Change, ...]
    old: tuple[Piece, ...]
    new: tuple[Piece, ...]
    reason: tuple[Piece, ...]
    owner: str
    issued_by: str
    message: tuple[Piece, ...]
    source: SourceRow | None
    said_outside: bool
    said_at: datetime | None
    told_again: bool
    item: UUID | None
    entry_id: UUID
    withdrawn_at: datetime | None
    withdrawn_because: tuple[Piece, ...]


def row_of(logged: Logged) -> Row:
    """Tell one correction."""
    made = logged.correction
    return Row(
        id=made.pk,
        at=made.corrected_at,
        conversation=made.conversation_id,
        conversation_name=made.conversation.external_id,
        customer=made.conversation.customer_id,
        question=plain(logged.question or made.question_key),
        key=made.question_key,
        changes=history.changes(made.old_text, made.new_text),
        old=plain(made.old_text),
        new=plain(made.new_text),
        reason=plain(made.reason),
        owner=history.name_of(made.owner) or "",
        issued_by=history.name_of(made.corrected_by) or "",
        message=plain(made.message),
        source=source_row(cast("SourceShape", logged.source) if logged.source else None),
        said_outside=made.outside_message is not None,
        said_at=made.outside_message.sent_at if made.outside_message else None,
        told_again=logged.kind == EntryKind.REPLAY,
        item=made.decision.item_id if made.decision else None,
        entry_id=made.entry_id,
        withdrawn_at=made.withdrawn_at,
        withdrawn_because=plain(made.withdrawn_because or ""),
    )
