"""Which ticket fields and values support or contradict which kind of claim: configuration, as plain data.

The defaults speak the intake contract's field names. A helpdesk with other names lays its own entries over them:
`DEFAULT_MAPPING.overlaid({"OUTCOME": ["fields.cancellation_decision"], "authoritative": ["refund.status"]})`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


@dataclass(frozen=True, slots=True)
class RecordMapping:
    """Field paths by what they record, values by what they mean; compared in lower case with `_` for spaces.

    `decisions` are the fields that settle an OUTCOME. `authoritative` paths contradict when they are empty; any other
    empty field only fails to support. `extra` holds fields that support any claim of a class: a path, or
    `path = value` for one value of it.
    """

    status: tuple[str, ...] = ("status",)
    assignee: tuple[str, ...] = ("assignee",)
    team: tuple[str, ...] = ("team",)
    review_started: tuple[str, ...] = ("review_started_at",)
    escalated: tuple[str, ...] = ("escalated_at",)
    callback: tuple[str, ...] = ("callback_at",)
    appointment: tuple[str, ...] = ("appointment_at",)
    due: tuple[str, ...] = ("resolution_due_at", "first_response_due_at")
    merged: tuple[str, ...] = ("merged_into", "fields.merged_into")
    refund_status: tuple[str, ...] = ("refund.status",)
    refund_issued: tuple[str, ...] = ("refund.issued_at",)
    refund_eta: tuple[str, ...] = ("refund.eta", "fields.refund_eta")
    order_status: tuple[str, ...] = ("order.status",)
    shipped: tuple[str, ...] = ("order.shipped_at",)
    delivered: tuple[str, ...] = ("order.delivered_at",)
    eta: tuple[str, ...] = ("order.eta", "fields.delivery_eta")
    return_received: tuple[str, ...] = ("fields.return_received_at", "return.received_at")
    actions: tuple[str, ...] = ("fields.actions_done",)
    decisions: tuple[str, ...] = (
        "fields.decision",
        "fields.eligibility",
        "fields.refund_decision",
        "fields.return_decision",
        "fields.exchange_decision",
        "fields.cancellation_decision",
        "fields.warranty_decision",
    )
    working: frozenset[str] = _set(
        "open in_progress assigned active working in_review under_review reviewing investigating"
    )
    idle: frozenset[str] = _set(
        "new unassigned pending waiting waiting_for_customer waiting_on_customer on_hold hold snoozed"
    )
    over: frozenset[str] = _set("closed solved resolved merged cancelled canceled archived spam deleted")
    refund_done: frozenset[str] = _set("issued done processed completed complete paid refunded sent")
    refund_open: frozenset[str] = _set("requested approved pending processing in_progress initiated scheduled queued")
    refund_off: frozenset[str] = _set("rejected denied declined refused none not_requested cancelled canceled failed")
    order_stages: tuple[frozenset[str], ...] = (
        _set("new created placed received pending confirmed unfulfilled"),
        _set("processing preparing packed packing picking paid pending_(item_modified) ready_to_ship"),
        _set("shipped dispatched sent fulfilled"),
        _set("in_transit on_its_way on_the_way transit"),
        _set("out_for_delivery"),
        _set("delivered arrived"),
    )
    order_off: frozenset[str] = _set("cancelled canceled lost returned")
    yes: frozenset[str] = _set("approved granted accepted eligible yes true covered allowed entitled confirmed")
    no: frozenset[str] = _set(
        "rejected denied declined refused ineligible not_eligible no false not_covered not_allowed expired"
    )
    authoritative: frozenset[str] = frozenset()
    extra: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def overlaid(self, entries: Mapping[str, Sequence[str]]) -> "RecordMapping":
        """Return this mapping with entries added: class names, or the name of one of its own fields.

        Paths come before the given ones, values join them. Raises UnknownEntry for any other name.
        """
        known = {one.name for one in fields(self)} - {"extra", "order_stages"}
        changed: dict[str, object] = {}
        extra = dict(self.extra)
        for name, values in entries.items():
            if name in {"STATUS", "ACTION", "TIMING", "OUTCOME"}:
                extra[name] = (*extra.get(name, ()), *values)
            elif name in known:
                held = getattr(self, name)
                changed[name] = held | frozenset(values) if isinstance(held, frozenset) else (*values, *held)
            else:
                raise UnknownEntry(name)
        return replace(self, extra=extra, **changed)  # type: ignore[arg-type]  # each value has the type of the field it replaces


class UnknownEntry(Exception):
    """A mapping entry names neither a class of claims nor a kind of record."""

    def __init__(self, name: str) -> None:
        super().__init__(f"{name!r} is no class of claims and no kind of record")
        self.name = name


DEFAULT_MAPPING = RecordMapping()
