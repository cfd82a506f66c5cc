"""Take a decided reply back that has not left: the ledger says so, and its item is open again.

Part of a transaction.
"""

from datetime import datetime

from django.contrib.auth.models import User

from drafts.models import Correction, Decision, Event, ReviewItem
from drafts.services import analysing, holding
from ledger.decisions.calendar import BusinessCalendar
from ledger.services import entries

THE_DESK = "countersign"
"""Who takes a reply back in the ledger where no person did: the last look before sending."""


def withdraw_decision(
    item: ReviewItem,
    decision: Decision,
    *,
    actor: User | None,
    because: str,
    now: datetime,
    calendar: BusinessCalendar,
) -> None:
    """Reopen an item whose decision is taken back; its newest text is kept.

    A person who takes it back holds the item then. Raises EntryRepeatedSince where the customer was told the answer
    again meanwhile: such an answer can only be corrected.
    """
    _withdraw_entries(decision.entry_ids, actor, because, now)
    _mark(decision, actor, because, now)
    for correction in Correction.objects.filter(decision=decision):
        _mark(correction, actor, because, now)
    item.state = decision.from_state
    item.decision = item.decided_at = item.decided_by = None
    item.save(update_fields=["state", "decision", "decided_at", "decided_by"])
    Event.objects.create(
        item=item,
        kind="item:decision:undone" if actor else "item:delivery:returned",
        actor=actor,
        happened_at=now,
        detail={"reason": because},
    )
    analysing.refresh(item, now=now, calendar=calendar)
    analysing.refresh_others(item, now=now, calendar=calendar)
    if actor is not None:
        holding.try_take(item.pk, actor)
        item.refresh_from_db(fields=["holder", "lease_until", "fence"])


def withdraw_correction(
    correction: Correction, *, actor: User | None, because: str, now: datetime, calendar: BusinessCalendar
) -> None:
    """Take back a correction that was issued without a draft; the earlier answer stands again.

    Raises EntryRepeatedSince, EntrySuperseded.
    """
    _withdraw_entries([str(correction.entry_id)], actor, because, now)
    _mark(correction, actor, because, now)
    analysing.refresh_open_of(correction.conversation, now=now, calendar=calendar)


def _mark(row: Decision | Correction, actor: User | None, because: str, now: datetime) -> None:
    row.withdrawn_at, row.withdrawn_by, row.withdrawn_because = now, actor, because
    row.save(update_fields=["withdrawn_at", "withdrawn_by", "withdrawn_because"])


def _withdraw_entries(entry_ids: list[str], actor: User | None, because: str, now: datetime) -> None:
    """Withdraw a decision's entries, the last one first; one that was corrected meanwhile needs no withdrawal."""
    who = actor.get_username() if actor else THE_DESK
    for entry_id in reversed(entry_ids):
        entries.withdraw(entry_id, decided_by=who, reason=because, effective_at=now)
