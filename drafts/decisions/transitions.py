"""The life of a review item: its states, and which decision leads where."""

from collections.abc import Container
from enum import StrEnum


class ItemState(StrEnum):
    """Where a review item stands."""

    PENDING = "pending"
    ESCALATED = "escalated"
    APPROVED = "approved"
    CORRECTED = "corrected"
    SENT_BACK = "sent_back"
    RETIRED = "retired"


class DecisionKind(StrEnum):
    """What a person may do with an open item."""

    APPROVE = "approve"
    EDIT = "edit"
    CORRECT = "correct"
    ESCALATE = "escalate"
    SEND_BACK = "send_back"


OPEN_STATES = (ItemState.PENDING, ItemState.ESCALATED)
DECIDED_STATES = (ItemState.APPROVED, ItemState.CORRECTED, ItemState.SENT_BACK)
CLOSED_STATES = (*DECIDED_STATES, ItemState.RETIRED)

LEADS_TO = {
    DecisionKind.APPROVE: ItemState.APPROVED,
    DecisionKind.EDIT: ItemState.APPROVED,
    DecisionKind.CORRECT: ItemState.CORRECTED,
    DecisionKind.ESCALATE: ItemState.ESCALATED,
    DecisionKind.SEND_BACK: ItemState.SENT_BACK,
}


POLICY_OWNER = "policy_owner"


def states_open_to(roles: Container[str]) -> tuple[ItemState, ...]:
    """Return the states in which these roles may work on an item; an escalated one is the policy owner's."""
    return OPEN_STATES if POLICY_OWNER in roles else (ItemState.PENDING,)


def approval_of(text: str, *, saved: str, original: str) -> DecisionKind:
    """Return what approving a text is: an edit, unless it is the saved one and the model's, to the letter."""
    return DecisionKind.APPROVE if text == saved == original else DecisionKind.EDIT


def is_open(state: str) -> bool:
    """Say whether an item in this state still waits for a decision."""
    return state in OPEN_STATES
