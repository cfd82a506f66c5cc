"""Hold ACTION and TIMING claims against the record."""

from datetime import datetime

from drafts.decisions.claims.folding import fold
from drafts.decisions.claims.interval import Interval
from drafts.decisions.claims.judging_status import extra_support
from drafts.decisions.claims.mapping import RecordMapping
from drafts.decisions.claims.records import Field, Judged, Records, contradicted, supported, unsupported
from drafts.decisions.claims.topics import Topic, person_named, topic_of
from drafts.decisions.vocabulary import Claim, Verdict

_BOOKED = {
    Topic.CONTACT: "callback",
    Topic.SHIPMENT: "eta",
    Topic.REFUND: "refund_eta",
    Topic.APPOINTMENT: "appointment",
}


def action(claim: Claim, records: Records) -> Judged:
    """Return the verdict on an ACTION: something planned, or an open ticket in somebody's hands."""
    said = fold(claim.text).text
    topic = Topic.CONTACT if claim.sub == "contact" else topic_of(said)
    if over := records.is_over:
        return contradicted(records.told(over), "an open ticket")
    judged = _excluded(topic, records) or _planned(topic, records) or _in_hand(said, records)
    return judged if judged.verdict is not Verdict.UNSUPPORTED else extra_support(claim, records) or judged


def _excluded(topic: Topic, records: Records) -> Judged | None:
    """Return what makes the promised step impossible: a rejected refund, a cancelled order, a parcel already sent."""
    mapping = records.mapping
    refund, order = records.first(mapping.refund_status), records.first(mapping.order_status)
    if topic is Topic.REFUND and refund and refund.word in mapping.refund_off - {"none", "not_requested"}:
        return contradicted(records.told(refund), "a refund that is under way")
    if topic is Topic.SHIPMENT and order and order.word in {"cancelled", "canceled"}:
        return contradicted(records.told(order), "an order that is not cancelled")
    if topic is Topic.CANCELLATION and order and any(order.word in stage for stage in mapping.order_stages[2:]):
        return contradicted(records.told(order), "an order that has not left")
    return None


def _planned(topic: Topic, records: Records) -> Judged | None:
    mapping = records.mapping
    booked = records.first(_booked_paths(topic, mapping)) if topic in _BOOKED else None
    if booked and booked.at and (booked.at >= records.now or topic is Topic.SHIPMENT):
        return supported(records.told(booked))
    refund, order = records.first(mapping.refund_status), records.first(mapping.order_status)
    if topic is Topic.REFUND and refund and refund.word in mapping.refund_open | mapping.refund_done:
        return supported(records.told(refund))
    if topic is Topic.SHIPMENT and order and any(order.word in stage for stage in mapping.order_stages[2:5]):
        return supported(records.told(order))
    return None


def _booked_paths(topic: Topic, mapping: RecordMapping) -> tuple[str, ...]:
    return {
        Topic.CONTACT: mapping.callback,
        Topic.SHIPMENT: mapping.eta,
        Topic.REFUND: mapping.refund_eta,
        Topic.APPOINTMENT: mapping.appointment,
    }[topic]


def _in_hand(said: str, records: Records) -> Judged:
    assignee, needs = records.in_hand, "an assignee, a call back or a planned task on the open ticket"
    name = person_named(said)
    if name and assignee and not set(name.lower().split()) & set(str(assignee.value).lower().replace(".", " ").split()):
        return contradicted(records.told(assignee), f"{name} as the assignee")
    if assignee:
        return supported(records.told(assignee))
    if records.empty_contradicts(records.mapping.assignee):
        return contradicted(f"{records.mapping.assignee[0]} empty", needs)
    return unsupported(needs)


def timing(promise: Claim | None, sentence: str, interval: Interval, records: Records) -> Judged:
    """Return the verdict on a TIMING: a booked date inside what is promised, or a due time early enough."""
    topic = _topic(promise, sentence)
    if over := records.is_over:
        return contradicted(records.told(over), "an open ticket")
    if not interval.is_bounded:
        return _without_limit(interval, records)
    booked = records.first(_booked_paths(topic, records.mapping)) if topic in _BOOKED else None
    if booked and booked.at:
        return _held_against(booked, booked.at, interval, records)
    due = [field for path in records.mapping.due if (field := records.first((path,))) and field.at]
    if due and topic not in {Topic.REFUND, Topic.SHIPMENT}:
        judged = [_due_in_time(field, interval, records) for field in due]
        return next((one for one in judged if one.verdict is Verdict.SUPPORTED), judged[0])
    return unsupported(f"a date on the ticket inside the promised time ({_names(topic, records)})")


def _topic(promise: Claim | None, sentence: str) -> Topic:
    said = fold(promise.text if promise else sentence).text
    found = topic_of(said)
    if promise and promise.sub == "contact":
        return Topic.CONTACT
    if found is Topic.SHIPMENT and not _moves(said):
        return Topic.OTHER
    return found


def _moves(said: str) -> bool:
    low = said.lower()
    return any(
        word in low
        for word in (
            "ship",
            "deliver",
            "dispatch",
            "arriv",
            "transit",
            "way",
            "hands",
            "receive",
            "replacement",
            "parcel",
            "package",
            "reach",
        )
    )


def _names(topic: Topic, records: Records) -> str:
    paths = _booked_paths(topic, records.mapping) if topic in _BOOKED else ()
    return ", ".join(
        (*paths[:1], *records.mapping.due[:1]) if topic not in {Topic.REFUND, Topic.SHIPMENT} else paths[:1]
    )


def _without_limit(interval: Interval, records: Records) -> Judged:
    assignee = records.in_hand
    if interval.on_effort and assignee:
        return supported(records.told(assignee))
    needs = (
        "an assignee on the open ticket"
        if interval.on_effort
        else "a date or a limit in the text; this wording promises none that can be kept"
    )
    return unsupported(needs)


def _held_against(field: Field, at: datetime, interval: Interval, records: Records) -> Judged:
    told, needs = records.told(field), "a date inside the promised time"
    if interval.lenient and at > interval.lenient:
        return contradicted(told, needs)
    if interval.named_day and interval.earliest and at < interval.earliest:
        return contradicted(told, "a date on the day that is named")
    if at < records.now:
        return unsupported(needs, f"{told}, already passed")
    if interval.strict and at <= interval.strict:
        return supported(told)
    return unsupported(needs, f"{told}, later than the promise read strictly")


def _due_in_time(field: Field, interval: Interval, records: Records) -> Judged:
    told, needs = records.told(field), "a due time or a call back inside the promised time"
    if field.at and field.at < records.now:
        return unsupported(needs, f"{told}, already passed")
    if field.at and interval.strict and field.at <= interval.strict:
        return supported(told)
    return unsupported(needs, f"{told}, later than promised")
