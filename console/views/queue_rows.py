"""The rows of the queue: what each item's line tells, read in two queries for a whole page."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING
from uuid import UUID

from django.contrib.auth.models import User
from django.db.models import Count, F, FilteredRelation, Q
from django.db.models.functions import Left
from django.urls import NoReverseMatch, reverse

from console.views import history, words
from console.views.highlight import plain
from console.views.spans import deadline_told, span
from drafts import queries
from drafts.decisions.structure import Piece
from drafts.decisions.transitions import ItemState, is_open
from drafts.decisions.vocabulary import Verdict
from ledger.decisions.vocabulary import Handler

if TYPE_CHECKING:
    from django.db.models import QuerySet

    from drafts.models import ReviewItem

EXCERPT = 240
VERDICTS = {
    Verdict.CONTRADICTED: "contradicted",
    Verdict.UNSUPPORTED: "without a record",
    Verdict.SUPPORTED: "supported",
}
COLUMNS = (
    "external_id",
    "state",
    "branch",
    "handler",
    "blocker_count",
    "created_at",
    "deadline_at",
    "decided_at",
    "retired_at",
    "lease_until",
    "conversation_id",
    *(f"{person}__{name}" for person in ("holder", "decided_by") for name in ("username", "first_name", "last_name")),
)


@dataclass(frozen=True, slots=True)
class ClaimCount:
    """How many claims of a draft have one verdict."""

    number: int
    verdict: str
    style: str
    sign: str


@dataclass(frozen=True, slots=True)
class Row:
    """One item of the list. That it waits goes without saying; what no longer matters of a closed one is left out."""

    id: UUID
    external_id: str
    conversation: str
    conversation_url: str | None
    customer: str | None
    channel: str | None
    question: tuple[Piece, ...]
    draft: tuple[Piece, ...]
    state: str | None
    state_style: str
    branch: str
    handler: str | None
    blockers: int | None
    claims: tuple[ClaimCount, ...]
    arrived_at: datetime
    waits: str | None
    closed_at: datetime | None
    closed_by: str | None
    deadline_at: datetime | None
    deadline: str
    late: bool
    holder: str | None
    held_until: datetime | None
    mine: bool


def with_excerpts(items: "QuerySet[ReviewItem]") -> "QuerySet[ReviewItem]":
    """Read the beginnings of long texts only, in the same query."""
    newest = FilteredRelation("draft_versions", condition=Q(draft_versions__number=F("version")))
    return (
        items.select_related("holder", "decided_by")
        .annotate(newest=newest)
        .annotate(
            draft_excerpt=Left("newest__text", EXCERPT),
            question_excerpt=Left("reply_to__text", EXCERPT),
            conversation_name=F("conversation__external_id"),
            customer_name=F("conversation__customer_id"),
            channel_name=F("conversation__channel"),
        )
        .only(*COLUMNS)
    )


def rows_of(items: "Sequence[ReviewItem]", user: User, now: datetime) -> tuple[Row, ...]:
    """Tell each of these items, which were read with their excerpts."""
    claims = _claims(items, user)
    return tuple(_row(item, claims.get(item.pk, {}), user, now) for item in items)


def _claims(items: "Sequence[ReviewItem]", user: User) -> dict[UUID, dict[str, int]]:
    of_page = queries.visible_items(user).filter(pk__in=[item.pk for item in items], claims__tier="claim").order_by()
    counted = of_page.values_list("pk", "claims__verdict").annotate(found=Count("claims"))
    found: dict[UUID, dict[str, int]] = {}
    for pk, verdict, number in counted:
        found.setdefault(pk, {})[verdict] = number
    return found


def _row(item: "ReviewItem", claims: Mapping[str, int], user: User, now: datetime) -> Row:
    held = item.holder is not None and item.lease_until is not None and item.lease_until > now
    waits = is_open(item.state)
    deadline = item.deadline_at if waits else None
    handler = Handler(item.handler)
    conversation, customer, channel, question, draft = _joined(item)
    return Row(
        id=item.pk,
        external_id=item.external_id,
        conversation=conversation or "",
        conversation_url=_conversation_url(item.conversation_id),
        customer=customer,
        channel=channel,
        question=plain(question or ""),
        draft=plain(" ".join((draft or "").split())),
        state=None if item.state == ItemState.PENDING else words.STATES[ItemState(item.state)],
        state_style=item.state,
        branch=words.branch_told(item.branch).short,
        handler=words.HANDLERS[handler] if waits and handler is not Handler.REVIEWER else None,
        blockers=item.blocker_count if waits else None,
        claims=_counts(claims),
        arrived_at=item.created_at,
        waits=span(now - item.created_at) if waits else None,
        closed_at=item.decided_at or item.retired_at,
        closed_by=history.name_of(item.decided_by),
        deadline_at=deadline,
        deadline=deadline_told(deadline, now) if deadline else "",
        late=deadline is not None and deadline <= now,
        holder=history.name_of(item.holder) if held else None,
        held_until=item.lease_until if held else None,
        mine=held and item.holder == user,
    )


def _joined(item: "ReviewItem") -> tuple[str | None, ...]:
    names = ("conversation_name", "customer_name", "channel_name", "question_excerpt", "draft_excerpt")
    return tuple(getattr(item, name, None) for name in names)


def _counts(claims: Mapping[str, int]) -> tuple[ClaimCount, ...]:
    """Count a draft's claims by verdict, those that hold it up first."""
    return tuple(
        ClaimCount(claims[verdict], told, verdict.lower(), words.VERDICTS[verdict][1])
        for verdict, told in VERDICTS.items()
        if verdict in claims
    )


def _conversation_url(conversation: int) -> str | None:
    try:
        return reverse("conversation", args=[conversation])
    except NoReverseMatch:
        return None
