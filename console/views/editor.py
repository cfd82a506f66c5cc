"""The reviewer's own fields: which text stands in the editor, whether it is kept or saved, and what approving it is."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from console.forms import Sent
from console.views import history, words
from console.views.highlight import plain
from console.views.insertion import same_text
from console.views.shapes import AnalysisShape
from console.views.standing import Standing
from drafts.decisions.transitions import DecisionKind, approval_of, is_open

if TYPE_CHECKING:
    from drafts.models import ReviewItem, WorkingText


@dataclass(frozen=True, slots=True)
class ApproveLabels:
    """What the button that approves says: now, while the saved text stands in the editor, and for a changed one."""

    shown: str
    saved: str
    changed: str


@dataclass(frozen=True, slots=True)
class Editor:
    """The reviewer's fields, filled with what was typed; `kept_at` says since when the server keeps it."""

    text: str
    version: int
    unsaved: bool
    kept_at: datetime | None
    labels: ApproveLabels
    stored: str
    answer_text: str
    proposed: str
    locks: bool
    insertions: tuple[str, ...]
    sent: Sent


def text_shown(item: "ReviewItem", sent: Sent, typed: "WorkingText | None", standing: Standing, stored: str) -> str:
    """Return the text for the editor: what was sent, else what this person was typing, else the saved one."""
    if sent.text is not None and standing.may_type:
        return stored if same_text(sent.text, stored) else sent.text
    goes_on = typed is not None and standing.workable and typed.seen_version == item.version
    return typed.text if typed is not None and goes_on else stored


def typed_beside(item: "ReviewItem", typed: "WorkingText | None", text: str) -> tuple[history.ParkedRow, ...]:
    """Show what this person was typing where it does not stand in the editor, with the reason."""
    if typed is None or typed.text == text:
        return ()
    if not is_open(item.state):
        because = "You were typing this when the item was closed."
    elif typed.seen_version != item.version:
        because = f"You were typing this on version {typed.seen_version}."
    else:
        because = "You were typing this; it is not saved."
    return (
        history.ParkedRow("typed:0", history.name_of(typed.author) or "", typed.typed_at, because, plain(typed.text)),
    )


def editor_of(
    item: "ReviewItem",
    text: str,
    typed: "WorkingText | None",
    *,
    stored: str,
    original: str,
    sent: Sent,
    analysis: AnalysisShape,
    hindered: Sequence[str],
) -> Editor:
    """Fill the reviewer's fields; `hindered` is what stands in the way of approving beside what the text says."""
    proposed = analysis["answer_text"] or ""
    confirmed = sent.answer_text if sent.answer_text and sent.answer_text != sent.proposed else proposed
    things = len(analysis["blocked_by"]) + len(hindered)
    codes = {b["code"] for b in analysis["blocked_by"]}
    return Editor(
        text=text,
        version=item.version,
        unsaved=text != stored,
        kept_at=typed.typed_at if typed and typed.text == text else None,
        labels=ApproveLabels(
            shown=_approves(approval_of(text, saved=stored, original=original), things),
            saved=words.APPROVES[approval_of(stored, saved=stored, original=original)],
            changed=words.APPROVES[DecisionKind.EDIT],
        ),
        stored=stored,
        answer_text=confirmed,
        proposed=proposed,
        locks=bool(proposed),
        insertions=_passages(analysis) if "answer_not_found" in codes else (),
        sent=sent,
    )


def _approves(kind: DecisionKind, things: int) -> str:
    return f"Approve ({words.held_up(things)})" if things else words.APPROVES[kind]


def _passages(analysis: AnalysisShape) -> tuple[str, ...]:
    """Return the passages that would answer what this customer is told for the first time."""
    first_asks = (one for one in (analysis, *analysis["also"]) if one["locked"] is None)
    return tuple(dict.fromkeys(p for one in first_asks if (p := one["router"]["passage"])))
