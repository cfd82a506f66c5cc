"""Hold STATUS and OUTCOME claims against the record."""

import re

from drafts.decisions.claims.folding import fold
from drafts.decisions.claims.records import Field, Judged, Records, as_word, contradicted, supported, unsupported
from drafts.decisions.claims.timing_dates import named_day
from drafts.decisions.claims.topics import Topic, person_named, topic_of
from drafts.decisions.vocabulary import Claim, Verdict

_REVERSED = {
    Verdict.SUPPORTED: Verdict.CONTRADICTED,
    Verdict.CONTRADICTED: Verdict.SUPPORTED,
    Verdict.UNSUPPORTED: Verdict.UNSUPPORTED,
}


_SAME_VERB = {
    "get": "check review look retrieve verify found find locate pull access confirm",
    "find": "found locate check look retrieve search verify authenticate",
    "list": "check look review found",
    "search": "search look found find check",
    "lookup": "look check found",
    "fetch": "retrieve check found",
    "modify": "modif update change",
    "update": "update change modif",
    "change": "change update modif",
    "cancel": "cancel",
    "return": "return",
    "exchange": "exchange",
    "book": "book reserv",
    "send": "sent send email issu",
    "issue": "issu",
    "refund": "refund",
    "create": "creat open rais log",
    "open": "open creat",
    "transfer": "transfer connect",
    "escalate": "escalat",
    "authenticate": "authenticat verif",
    "verify": "verif authenticat confirm",
    "add": "add",
    "remove": "remov",
    "ship": "ship dispatch sent",
    "schedule": "schedul book arrang",
    "calculate": "calculat",
}


def status(claim: Claim, records: Records) -> Judged:
    """Return the verdict on a STATUS; a denied step turns the verdict on the step round."""
    judged = _positive(claim, records)
    if claim.rule != "status.not_done":
        return judged
    turned = _REVERSED[judged.verdict]
    needs = judged.needs if turned is Verdict.UNSUPPORTED else None
    return Judged(turned, judged.record, needs)


def _positive(claim: Claim, records: Records) -> Judged:
    said = fold(claim.text).text
    topic = topic_of(said)
    if claim.sub == "progress" and topic not in {Topic.REFUND, Topic.SHIPMENT}:
        return _at_work(said, records)
    logged = _tool_called(said, records) if claim.sub == "done" else None
    judged = logged or _by_topic(said, topic, records, claim)
    return judged if judged.verdict is not Verdict.UNSUPPORTED else _extra(claim, records) or judged


def _by_topic(said: str, topic: Topic, records: Records, claim: Claim) -> Judged:
    if topic in _BY_ONE_FIELD:
        name, needs = _BY_ONE_FIELD[topic]
        return _is_set(said, getattr(records.mapping, name), records, needs)
    if topic is Topic.SHIPMENT:
        return _work_or_shipment(said, records, claim)
    if topic is Topic.REFUND:
        return _refund(said, records, claim.sub or "")
    if topic in {Topic.TICKET, Topic.RECEIPT}:
        return _ticket(said if topic is Topic.TICKET else "", records)
    if topic in {Topic.CANCELLATION, Topic.CLOSURE}:
        return _cancelled(records) if topic is Topic.CANCELLATION else _closed(records)
    return _looked_at(records) if claim.rule == "status.not_done" else _recorded_state(said, records)


_BY_ONE_FIELD = {
    Topic.ESCALATION: ("escalated", "an escalation on the ticket (escalated_at)"),
    Topic.RETURN_RECEIPT: ("return_received", "the receipt of the return"),
    Topic.ASSIGNMENT: ("assignee", "an assignee"),
    Topic.APPOINTMENT: ("appointment", "an appointment (appointment_at)"),
}


def _at_work(said: str, records: Records) -> Judged:
    """Judge “is reviewing”: an assignee and a status of work; a person named must be that assignee."""
    mapping, needs = records.mapping, "an assignee and an open status"
    state, assignee = records.first(mapping.status), records.first(mapping.assignee)
    if over := records.is_over:
        return contradicted(records.told(over), needs)
    name = person_named(said)
    if name and not _is_same_person(name, assignee):
        return contradicted(
            records.told(assignee) if assignee else f"{mapping.assignee[0]} empty", f"{name} as the assignee"
        )
    if state and state.word in mapping.idle:
        return contradicted(records.told(state), needs)
    if not assignee and records.empty_contradicts(mapping.assignee):
        return contradicted(f"{mapping.assignee[0]} empty", needs)
    if assignee and state and state.word in mapping.working:
        return supported(records.told(assignee))
    return unsupported(needs, records.told(assignee) if assignee else None)


def _is_same_person(name: str, assignee: Field | None) -> bool:
    if assignee is None:
        return False
    return bool(set(name.lower().split()) & set(re.split(r"[\s._@-]+", str(assignee.value).lower())))


def _looked_at(records: Records) -> Judged:
    started, state = records.first(records.mapping.review_started), records.first(records.mapping.status)
    if started:
        return supported(records.told(started))
    if state and state.word in records.mapping.idle and not records.first(records.mapping.assignee):
        return contradicted(records.told(state))
    return unsupported("the start of a review (review_started_at)")


def _refund(said: str, records: Records, sub: str) -> Judged:
    mapping = records.mapping
    state, issued = records.first(mapping.refund_status), records.first(mapping.refund_issued)
    needs = "a refund status that says so (refund.status)"
    day = _another_day(said, issued, records)
    if day:
        return day
    if state is None:
        if issued:
            return supported(records.told(issued))
        empty = records.empty_contradicts(mapping.refund_status)
        return contradicted(f"{mapping.refund_status[0]} empty", needs) if empty else unsupported(needs)
    pending = sub == "progress" or bool(
        re.search(r"\b(?:pending|being|initiated|requested|started|submitted|approved)\b", said.lower())
    )
    wanted = (
        mapping.refund_open | (mapping.refund_done if not pending or "initiated" in said else frozenset())
        if pending
        else mapping.refund_done
    )
    if state.word in wanted:
        return supported(records.told(state))
    known = mapping.refund_done | mapping.refund_open | mapping.refund_off
    return contradicted(records.told(state), needs) if state.word in known else unsupported(needs, records.told(state))


def _another_day(said: str, happened: Field | None, records: Records) -> Judged | None:
    """Return a contradiction where the claim dates a step on another day than the record does."""
    day = named_day(said, now=records.now, calendar=records.calendar)
    if day is None or happened is None or happened.at is None or records.calendar.local(happened.at).date() == day:
        return None
    return contradicted(records.told(happened), "the day that the record gives")


def _cancelled(records: Records) -> Judged:
    state = records.first(records.mapping.order_status)
    needs = "an order status that says cancelled (order.status)"
    if state is None:
        return _missing(records, records.mapping.order_status, needs)
    if state.word in {"cancelled", "canceled"}:
        return supported(records.told(state))
    return contradicted(records.told(state), needs)


def _missing(records: Records, paths: tuple[str, ...], needs: str) -> Judged:
    return contradicted(f"{paths[0]} empty", needs) if records.empty_contradicts(paths) else unsupported(needs)


def _work_or_shipment(said: str, records: Records, claim: Claim) -> Judged:
    """Judge what is said of an order: how far it is by its own words, else the work on it or the state it records."""
    stage = _stage_said(said)
    if stage is not None:
        return _shipment(said, stage, records)
    if claim.sub == "progress":
        return _at_work(said, records)
    return _looked_at(records) if claim.rule == "status.not_done" else _recorded_state(said, records)


def _shipment(said: str, stage: int, records: Records) -> Judged:
    mapping, needs = records.mapping, "an order status or date that says so (order.status, order.shipped_at)"
    state, stamp = (
        records.first(mapping.order_status),
        records.first(mapping.delivered if stage >= 5 else mapping.shipped),
    )
    if day := _another_day(said, stamp, records):
        return day
    if stamp and (stage in {2, 5} or state is None):
        return supported(records.told(stamp))
    if state is None:
        return _missing(records, mapping.order_status, needs)
    reached = next((at for at, stages in enumerate(mapping.order_stages) if state.word in stages), None)
    passed = reached is not None and (reached < stage or (reached == 5 and stage in {3, 4}))
    if passed or state.word in mapping.order_off:
        return contradicted(records.told(state), needs)
    return supported(records.told(state)) if reached is not None else unsupported(needs, records.told(state))


def _stage_said(said: str) -> int | None:
    low = said.lower()
    for stage, pattern in (
        (5, r"\bdelivered\b|\barrived\b"),
        (4, r"\bout for delivery\b"),
        (3, r"\btransit\b|\bon (?:its|the|their) way\b"),
        (2, r"\bshipped\b|\bdispatched\b|\bleft (?:our|the)\b|\bsent\b|\bhas not (?:yet )?shipped\b"),
    ):
        if re.search(pattern, low):
            return stage
    return None


def _is_set(said: str, paths: tuple[str, ...], records: Records, needs: str) -> Judged:
    found = records.first(paths)
    if found is None:
        return _missing(records, paths, needs)
    return _another_day(said, found, records) or supported(records.told(found))


def _ticket(said: str, records: Records) -> Judged:
    ticket = records.first(("id",))
    numbers = re.findall(r"\b(?=[\w-]*\d)[\w-]{3,}\b", said)
    if ticket is None:
        return unsupported("the ticket's number")
    if numbers and not any(str(ticket.value) in number or number in str(ticket.value) for number in numbers):
        return contradicted(records.told(ticket), "this ticket's own number")
    return supported(records.told(ticket))


def _closed(records: Records) -> Judged:
    state, needs = records.is_over or records.first(records.mapping.status), "a closed status"
    if state is None:
        return unsupported(needs)
    return supported(records.told(state)) if records.is_over else contradicted(records.told(state), needs)


def _recorded_state(said: str, records: Records) -> Judged:
    """Judge a state that is told in the record's own word: “is pending”, “status is delivered”, “with billing”."""
    mapping = records.mapping
    words = "_" + "_".join(re.findall(r"[a-z]+", said.lower())) + "_"
    about_order = bool(re.search(r"\b(?:order|parcel|package|shipment|booking|reservation|item)\b", said.lower()))
    for paths in (
        (mapping.order_status, mapping.status)
        if about_order
        else (mapping.status, mapping.order_status, mapping.refund_status)
    ):
        found = records.first(paths)
        if found and f"_{found.word}_" in words:
            return supported(records.told(found))
        if (
            found
            and about_order
            and paths == mapping.order_status
            and any(f"_{word}_" in words for stage in mapping.order_stages for word in stage)
        ):
            return contradicted(records.told(found))
    team = records.first(mapping.team)
    if team and any(part in words for part in team.word.split("_") if len(part) > 3 and part != "team"):
        return supported(records.told(team))
    return unsupported("a ticket or order field that records this state")


def _tool_called(said: str, records: Records) -> Judged | None:
    """Return support from the log of tools that were really called before the reply."""
    log = records.first(records.mapping.actions)
    if log is None or not isinstance(log.value, list | tuple):
        return None
    low = said.lower()
    for entry in log.value:
        name = str(entry.get("name", "")) if isinstance(entry, dict) else str(entry)
        parts = re.split(r"[_\s.-]+", name.lower())
        stems = _SAME_VERB.get(parts[0], parts[0]).split()
        objects = [
            part.rstrip("s")
            for part in parts[1:]
            if len(part) > 3 and part not in {"details", "status", "pending", "delivered", "info", "user"}
        ]
        if any(re.search(rf"\b{stem}", low) for stem in stems) and (
            not objects or any(part[:5] in low for part in objects) or parts[0] in {"get", "find"}
        ):
            return supported(f"{log.path} = {name}")
    return None


def _extra(claim: Claim, records: Records) -> Judged | None:
    for entry in records.mapping.extra.get(claim.cls.value, ()):
        path, _, wanted = (part.strip() for part in entry.partition("="))
        found = records.first((path,))
        if found and (not wanted or found.word == as_word(wanted)):
            return supported(records.told(found))
    return None


extra_support = _extra
