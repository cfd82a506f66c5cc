"""A customer's question as a line of the timeline.

It tells which question, how and by whom that was established, and what the consistency gate made of it.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, ClassVar
from uuid import UUID

from console.views import history, words
from console.views.highlight import plain
from drafts.decisions.structure import Piece
from drafts.decisions.transitions import ItemState
from ledger.decisions.vocabulary import KeyOrigin

if TYPE_CHECKING:
    from drafts.models import ReviewItem

EXCERPT = 600


@dataclass(frozen=True, slots=True)
class AskRow:
    """One question of one message; `root` is the key under which an answer to it is locked."""

    is_ask: ClassVar[bool] = True

    message: tuple[Piece, ...]
    is_cut: bool
    asked_at: datetime | None
    taken_in_at: datetime
    key: str
    root: str
    established: str
    branch: str
    told: str
    item: UUID
    item_name: str
    state: str
    state_style: str


def ask_rows(items: "Iterable[ReviewItem]", key: str = "") -> Iterator[AskRow]:
    """Yield a line for each question that was established; `key` narrows to one root key."""
    for item in items:
        for asked, origin, branch, root in _questions(item):
            if not key or key == root:
                yield _row(item, asked, origin, branch, root)


def _questions(item: "ReviewItem") -> Iterator[tuple[str, str, str, str]]:
    """Yield (key, origin, branch, root key) of each established question, the item's own first."""
    found = item.analysis or {}
    if item.question_key:
        yield item.question_key, item.question_by or KeyOrigin.CLASSIFIER, item.branch, _root(found, item.question_key)
    beside = {one["question_key"]["key"]: one for one in found.get("also", ())}
    for other in item.also_asked:
        one = beside.get(other["key"], {})
        yield other["key"], other["by"], one.get("gate", {}).get("branch", ""), _root(one, other["key"])


def _root(one: dict[str, dict[str, str]], key: str) -> str:
    return one.get("gate", {}).get("root_key") or key


def _row(item: "ReviewItem", key: str, origin: str, branch: str, root: str) -> AskRow:
    text = item.reply_to.text if item.reply_to else ""
    told = words.branch_told(branch)
    return AskRow(
        message=plain(text[:EXCERPT]),
        is_cut=len(text) > EXCERPT,
        asked_at=item.reply_to.sent_at if item.reply_to else None,
        taken_in_at=item.created_at,
        key=key,
        root=root,
        established=_established(item, key, origin),
        branch=told.short,
        told=told.sentence,
        item=item.pk,
        item_name=item.external_id,
        state=words.STATES[ItemState(item.state)],
        state_style=item.state,
    )


def _established(item: "ReviewItem", key: str, origin: str) -> str:
    """Say how the question is known, and by whom where a person of the desk chose it."""
    if key == item.question_key and item.question_set_by is not None:
        return f"chosen by {history.name_of(item.question_set_by)}"
    return words.ORIGINS[KeyOrigin(origin)]
