"""A conversation as the pages show it: bounded, with what edited messages said before."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from console.views import words
from console.views.highlight import plain
from drafts.decisions.structure import Piece

if TYPE_CHECKING:
    from drafts.models import Conversation, Message, ReviewItem

SHOWN_AT_ONCE = 12
"""Few enough that the message a draft answers, which stands last, is not far below the draft."""


@dataclass(frozen=True, slots=True)
class Earlier:
    """What a message said before it was edited."""

    pieces: tuple[Piece, ...]
    replaced_at: datetime


@dataclass(frozen=True, slots=True)
class MessageRow:
    """One turn of the thread."""

    name: str
    role: str
    who: str
    at: datetime | None
    pieces: tuple[Piece, ...]
    earlier: tuple[Earlier, ...]
    answered: bool
    newer: bool
    ours: bool


@dataclass(frozen=True, slots=True)
class Thread:
    """The messages shown, oldest first; `before` is the ordinal from which earlier ones can be asked for."""

    rows: tuple[MessageRow, ...]
    before: int | None
    is_newest: bool


def thread_of(item: "ReviewItem", before: int | None = None) -> Thread:
    """Return the newest messages of an item's conversation, or those that stand before an ordinal."""
    return part_of(item.conversation, before, at_once=SHOWN_AT_ONCE, item=item)


def part_of(
    conversation: "Conversation", before: int | None, *, at_once: int, item: "ReviewItem | None" = None
) -> Thread:
    """Return the newest messages, or those before an ordinal; an item marks the one it answers and what came after."""
    found = conversation.messages.order_by("-ordinal").prefetch_related("revisions")
    if before is not None:
        found = found.filter(ordinal__lt=before)
    newest_first = list(found[: at_once + 1])
    shown = newest_first[:at_once][::-1]
    more = shown[0].ordinal if len(newest_first) > at_once else None
    return Thread(tuple(_rows(item, shown)), more, before is None)


def _rows(item: "ReviewItem | None", messages: "Iterable[Message]") -> Iterable[MessageRow]:
    for message in messages:
        revisions = sorted(message.revisions.all(), key=lambda r: r.replaced_at)
        yield MessageRow(
            name=message.external_id,
            role=message.role,
            who=words.ROLES[message.role],
            at=message.sent_at,
            pieces=plain(message.text),
            earlier=tuple(Earlier(plain(r.text), r.replaced_at) for r in revisions),
            answered=item is not None and message.pk == item.reply_to_id,
            newer=item is not None and message.role == "customer" and message.ordinal > item.seen_ordinal,
            ours=message.through_desk,
        )
