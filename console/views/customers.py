"""One customer: what they were told in all of their conversations, question by question, and where it differs."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from http import HTTPStatus
from typing import TYPE_CHECKING, cast

from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_safe

from console.customer_address import customer_address
from console.http import ConsoleRequest, show
from console.views import paging, words
from console.views.access import readers_only
from console.views.fact_words import deciding_in_words, facts_in_words
from console.views.highlight import plain
from console.views.shapes import FactShape, SourceShape
from console.views.source_rows import SourceRow, source_row
from drafts import queries
from drafts.decisions.customers import camps
from drafts.decisions.structure import Piece
from drafts.queries.customers import MOST, customer_record
from ledger.decisions.vocabulary import EntryKind
from ledger.queries.customers import Said

if TYPE_CHECKING:
    from drafts.models import Conversation

PER_PAGE = 30
EARLIER_SHOWN = 20


@dataclass(frozen=True, slots=True)
class SaidRow:
    """One answer in one conversation; answers of one `camp` state no other values than each other."""

    conversation: int
    conversation_name: str
    position: int
    kind: str
    style: str
    text: tuple[Piece, ...]
    values: tuple[str, ...]
    facts: tuple[tuple[str, str], ...]
    source: SourceRow | None
    said_at: datetime
    is_live: bool
    replay_count: int
    camp: int


@dataclass(frozen=True, slots=True)
class KeyGroup:
    """What was said on one question: what counts now, what was replaced, and how many answers differ."""

    key: str
    question: tuple[Piece, ...]
    live: tuple[SaidRow, ...]
    earlier: tuple[SaidRow, ...]
    more_earlier: int
    answers: int

    @property
    def differs(self) -> bool:
        """Say whether the answers that count now state different values."""
        return self.answers > 1


@dataclass(frozen=True, slots=True)
class ConversationRow:
    """One conversation of the customer."""

    id: int
    name: str
    channel: str | None
    since: datetime
    items: int
    waiting: int


@dataclass(frozen=True, slots=True)
class CustomerPage:
    """Everything the page shows; `most` is how many conversations are compared where there are more."""

    customer: str
    groups: tuple[KeyGroup, ...]
    conversations: tuple[ConversationRow, ...]
    count: int
    most: int | None
    zone: str

    @property
    def differing(self) -> tuple[KeyGroup, ...]:
        """Return the questions on which the customer holds different answers."""
        return tuple(group for group in self.groups if group.differs)


@require_safe
@readers_only
def customers(request: ConsoleRequest) -> HttpResponse:
    """Look a customer up by their id; one whose id no path can hold is shown here."""
    customer_id = request.GET.get("id", "")
    if not customer_id:
        return show(request, "customers.html", {})
    address = customer_address(customer_id)
    if "?" not in address:
        return redirect(address)
    return _answer(request, customer_id)


@require_safe
@readers_only
def customer(request: ConsoleRequest, customer_id: str) -> HttpResponse:
    """Show one customer."""
    return _answer(request, customer_id)


def _answer(request: ConsoleRequest, customer_id: str) -> HttpResponse:
    known = "\x00" not in customer_id
    record = customer_record(request.user, customer_id) if known else None
    if record is None or not record.conversations:
        return show(request, "customers.html", {"wanted": plain(customer_id)}, status=HTTPStatus.NOT_FOUND)
    ids = {one.external_id: one.pk for one in record.conversations}
    start = paging.start_of(request.GET, PER_PAGE)
    listed, pages = paging.cut(request.GET, record.conversations[start : start + PER_PAGE + 1], PER_PAGE)
    page = CustomerPage(
        customer=customer_id,
        groups=tuple(_groups(record.said, ids)),
        conversations=tuple(_conversation_rows(request, listed)),
        count=len(record.conversations),
        most=MOST if record.more else None,
        zone=queries.organisation_calendar().zone.key,
    )
    return show(request, "customer.html", {"page": page, "pages": pages})


def _groups(said: Sequence[Said], ids: Mapping[str, int]) -> Iterable[KeyGroup]:
    """Group by question, those on which answers differ first, then those that were spoken of last."""
    by_key: dict[str, list[Said]] = {}
    for one in said:
        by_key.setdefault(one.question_key, []).append(one)
    groups = [_group(key, found, ids) for key, found in by_key.items()]
    return sorted(groups, key=lambda group: (not group.differs, group.key))


def _group(key: str, said: list[Said], ids: Mapping[str, int]) -> KeyGroup:
    newest_first = sorted(said, key=lambda one: one.said_at, reverse=True)
    live = [one for one in newest_first if one.is_live]
    earlier = [one for one in newest_first if not one.is_live]
    numbers = camps([one.text for one in live])
    return KeyGroup(
        key=key,
        question=plain(newest_first[0].question_canonical),
        live=tuple(_row(one, ids, camp) for one, camp in zip(live, numbers, strict=True)),
        earlier=tuple(_row(one, ids, 0) for one in earlier[:EARLIER_SHOWN]),
        more_earlier=max(0, len(earlier) - EARLIER_SHOWN),
        answers=max(numbers, default=0),
    )


def _row(one: Said, ids: Mapping[str, int], camp: int) -> SaidRow:
    return SaidRow(
        conversation=ids[one.conversation_id],
        conversation_name=one.conversation_id,
        position=one.position,
        kind=words.ENTRY_KINDS[EntryKind(one.kind)],
        style=one.kind.lower(),
        text=plain(one.text),
        values=facts_in_words(cast("Sequence[FactShape]", one.typed_facts)),
        facts=deciding_in_words(one.deciding_facts),
        source=source_row(cast("SourceShape | None", one.source)),
        said_at=one.said_at,
        is_live=one.is_live,
        replay_count=one.replay_count,
        camp=camp,
    )


def _conversation_rows(request: ConsoleRequest, listed: "Sequence[Conversation]") -> Iterable[ConversationRow]:
    counts = queries.item_counts(request.user, [one.pk for one in listed])
    for one in listed:
        found = counts.get(one.pk)
        yield ConversationRow(
            id=one.pk,
            name=one.external_id,
            channel=one.channel,
            since=one.created_at,
            items=found.all if found else 0,
            waiting=found.open if found else 0,
        )
