"""The replies on their way out: found by where they stand, the newest first, and one with all its attempts."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from uuid import UUID

from django.contrib.auth.models import AnonymousUser, User
from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery, Value
from django.db.models.functions import Left

from drafts.decisions.delivering import DUE_STATES, ON_THE_WAY, DeliveryState, Outcome, may_have_arrived
from drafts.models import Attempt, Delivery
from drafts.queries.visibility import may_read

COUNTED = 1000
EXCERPT = 240
OVERDUE_AFTER = timedelta(minutes=1)
"""How long a reply may be due before its worker is asked after; a sweep offers it again every few seconds."""


class Group(StrEnum):
    """Where a reply stands, as far as it matters to a person."""

    NEEDS_A_PERSON = "person"
    ON_THE_WAY = "way"
    SENT = "sent"
    TAKEN_BACK = "back"
    ALL = "all"


NAMES = ("username", "first_name", "last_name")
LISTED = (
    "state", "because", "created_at", "undo_until", "due_at", "attempts", "delivered_at", "correction_id",
    "conversation__external_id", "destination__name", "destination__is_active", "decision__item__external_id",
    *(f"{person}__{name}" for person in ("decision__decided_by", "correction__corrected_by", "settled_by")
      for name in NAMES),
)  # fmt: skip
"""What a list reads of a delivery and of what it came from; the texts are long."""

FATE_UNKNOWN = Q(state=DeliveryState.UNKNOWN, due_at__isnull=True)
CONDITIONS: Mapping[Group, Q] = {
    Group.NEEDS_A_PERSON: Q(state__in=(DeliveryState.DEAD, DeliveryState.NO_DESTINATION)) | FATE_UNKNOWN,
    Group.ON_THE_WAY: Q(state__in=ON_THE_WAY) & ~FATE_UNKNOWN,
    Group.SENT: Q(state=DeliveryState.SENT),
    Group.TAKEN_BACK: Q(state__in=(DeliveryState.UNDONE, DeliveryState.RETURNED)),
    Group.ALL: Q(),
}


@dataclass(frozen=True, slots=True)
class Narrowing:
    """What a delivery must meet to be listed; `conversation` is how the conversation's id begins."""

    group: Group = Group.ALL
    destination: int | None = None
    conversation: str = ""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a page begins: behind this row, in the direction of reading."""

    created_at: datetime
    pk: UUID
    backwards: bool


@dataclass(frozen=True, slots=True)
class Listed:
    """One delivery of a list, `text` is its beginning; who approved it or issued the correction decided it."""

    id: UUID
    state: DeliveryState
    conversation_id: int
    conversation: str
    item_id: UUID | None
    item: str | None
    text: str
    destination: str | None
    is_switched_off: bool
    attempts: int
    because: str | None
    created_at: datetime
    undo_until: datetime
    due_at: datetime | None
    delivered_at: datetime | None
    decided_by: User
    settled_by: User | None
    waits_behind: UUID | None


@dataclass(frozen=True, slots=True)
class Tried:
    """One attempt; without an end it is running or was interrupted."""

    number: int
    url: str
    started_at: datetime
    ended_at: datetime | None
    outcome: Outcome | None
    status: int | None
    said: str


@dataclass(frozen=True, slots=True)
class Detailed:
    """One delivery with its whole text and its attempts, the newest first; `correction_id` where no draft led to it."""

    listed: Listed
    channel: str | None
    correction_id: UUID | None
    tries: tuple[Tried, ...]
    may_have_arrived: bool


def deliveries_page(
    user: User | AnonymousUser, narrowing: Narrowing, *, place: Place | None, limit: int
) -> tuple[tuple[Listed, ...], bool]:
    """Return one page in its order, the newest first, and whether more follow in the direction of reading."""
    backwards = place is not None and place.backwards
    found = _narrowed(user, narrowing)
    if place is not None:
        found = found.filter(_beyond(place))
    ordered = found.order_by("created_at", "id") if backwards else found.order_by("-created_at", "-id")
    excerpts = _told(ordered).only(*LISTED).annotate(excerpt=Left("text", EXCERPT))
    read = list(excerpts[: limit + 1])
    page = read[:limit]
    return tuple(_listed(row, row.excerpt) for row in (page[::-1] if backwards else page)), len(read) > limit


def counts(user: User | AnonymousUser, narrowing: Narrowing) -> Mapping[Group, int]:
    """Count the deliveries of each group in one query; one more than COUNTED means more than that."""
    parts = [_part(user, Narrowing(group, narrowing.destination, narrowing.conversation)) for group in Group]
    counted = dict.fromkeys(Group, 0)
    for group in parts[0].union(*parts[1:], all=True).order_by():
        counted[Group(group)] += 1
    return counted


def overdue(user: User | AnonymousUser, now: datetime) -> int:
    """Count the replies that were due more than a minute ago and that nothing holds up: no worker took them.

    An attempt that was lost and that nobody gave up counts too. At most one more than COUNTED.
    """
    late = now - OVERDUE_AFTER
    waits = Q(state__in=DUE_STATES, due_at__lt=late, destination__is_active=True) & ~Exists(_earlier())
    lost = Q(state=DeliveryState.SENDING, leased_until__lt=late)
    return _visible(user).filter(waits | lost).order_by()[: COUNTED + 1].count()


def detailed(user: User | AnonymousUser, delivery_id: UUID) -> Detailed | None:
    """Return one delivery with everything that is known of it; None where there is none that this person may see."""
    row = _told(_visible(user)).only(*LISTED, "text", "conversation__channel").filter(pk=delivery_id).first()
    if row is None:
        return None
    tries = tuple(_tried(attempt) for attempt in Attempt.objects.filter(delivery=row).order_by("-number"))
    return Detailed(
        listed=_listed(row, row.text),
        channel=row.conversation.channel,
        correction_id=row.correction_id,
        tries=tries,
        may_have_arrived=may_have_arrived(one.outcome for one in tries),
    )


def scheduled_beside(item_id: UUID) -> tuple[UUID, ...]:
    """Return the replies of an item's conversation that have not begun to leave, in the order in which they leave."""
    beside = Delivery.objects.filter(conversation__items=item_id, state=DeliveryState.SCHEDULED)
    return tuple(beside.order_by("created_at", "id").values_list("pk", flat=True))


def _visible(user: User | AnonymousUser) -> QuerySet[Delivery]:
    """Return the deliveries a person may see: those of the items they may see, which is all or none."""
    return Delivery.objects.all() if may_read(user) else Delivery.objects.none()


def _narrowed(user: User | AnonymousUser, narrowing: Narrowing) -> QuerySet[Delivery]:
    found = _visible(user).filter(CONDITIONS[narrowing.group])
    if narrowing.destination is not None:
        found = found.filter(destination=narrowing.destination)
    if narrowing.conversation:
        found = found.filter(conversation__external_id__startswith=narrowing.conversation)
    return found


def _part(user: User | AnonymousUser, narrowing: Narrowing) -> QuerySet[Delivery, str]:
    named = _narrowed(user, narrowing).order_by().annotate(group=Value(narrowing.group.value))
    return named.values_list("group", flat=True)[: COUNTED + 1]


def _beyond(place: Place) -> Q:
    at, pk = place.created_at, place.pk
    if place.backwards:
        return Q(created_at__gte=at) & (Q(created_at__gt=at) | Q(id__gt=pk))
    return Q(created_at__lte=at) & (Q(created_at__lt=at) | Q(id__lt=pk))


def _earlier() -> QuerySet[Delivery]:
    """Return the replies of the same conversation that one waits behind."""
    before = Q(created_at__lt=OuterRef("created_at")) | Q(created_at=OuterRef("created_at"), id__lt=OuterRef("id"))
    return Delivery.objects.filter(before, conversation=OuterRef("conversation"), state__in=ON_THE_WAY).order_by(
        "created_at", "id"
    )


def _told(found: QuerySet[Delivery]) -> QuerySet[Delivery]:
    related = ("conversation", "destination", "decision__item", "decision__decided_by", "correction__corrected_by")
    return found.select_related(*related, "settled_by").annotate(waits_behind=Subquery(_earlier().values("id")[:1]))


def _listed(row: Delivery, text: str) -> Listed:
    decision = row.decision
    state = DeliveryState(row.state)
    return Listed(
        id=row.pk,
        state=state,
        conversation_id=row.conversation_id,
        conversation=row.conversation.external_id,
        item_id=decision.item_id if decision else None,
        item=decision.item.external_id if decision else None,
        text=text,
        destination=row.destination.name if row.destination else None,
        is_switched_off=row.destination is not None and not row.destination.is_active,
        attempts=row.attempts,
        because=row.because,
        created_at=row.created_at,
        undo_until=row.undo_until,
        due_at=row.due_at,
        delivered_at=row.delivered_at,
        decided_by=_decider(row),
        settled_by=row.settled_by,
        waits_behind=getattr(row, "waits_behind", None) if state in DUE_STATES else None,
    )


def _decider(row: Delivery) -> User:
    if row.decision is not None:
        return row.decision.decided_by
    assert row.correction is not None  # noqa: S101 - the database keeps one of the two
    return row.correction.corrected_by


def _tried(row: Attempt) -> Tried:
    outcome = Outcome(row.outcome) if row.outcome else None
    return Tried(row.number, row.url, row.started_at, row.ended_at, outcome, row.status, row.said)
