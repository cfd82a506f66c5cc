"""Close an item by a decision. Part of a decision's transaction."""

from drafts.decisions.transitions import LEADS_TO, DecisionKind
from drafts.models import Decision, Event, ReviewItem
from drafts.services import parking


def finish(item: ReviewItem, decision: Decision) -> None:
    """Write a decision and close its item; the database refuses a second one. What its people were typing is over."""
    decision.from_state = item.state
    decision.save(force_insert=True)
    item.state = LEADS_TO[DecisionKind(decision.kind)]
    item.decision, item.decided_at, item.decided_by = decision, decision.decided_at, decision.decided_by
    item.holder, item.lease_until = None, None
    item.save(update_fields=["state", "decision", "decided_at", "decided_by", "holder", "lease_until", "version"])
    because = "The item was decided while this was being typed."
    parking.park_all_typed(item, because=because, now=decision.decided_at)
    Event.objects.create(
        item=item,
        kind=f"item:decision:{decision.kind}",
        actor=decision.decided_by,
        happened_at=decision.decided_at,
        detail={"reason": decision.reason} if decision.reason else {},
    )
