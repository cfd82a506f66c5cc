"""The consistency gate: what may be said on this ask, given the ledger and the sources (rule 3.3)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime

from ledger.decisions.calendar import BusinessCalendar
from ledger.decisions.keys import boundary_of, root_of
from ledger.decisions.router import Route, in_force
from ledger.decisions.text import is_blank
from ledger.decisions.vocabulary import (
    Branch,
    CommitmentClass,
    Handler,
    KeyEntry,
    KeyStatus,
    LockedAnswer,
    QuestionKey,
    Refusal,
    Version,
    VersionStatus,
)

REQUEST_DAY = "requested_on"
"""Always known, and another one on every ask: never missing, and no new fact."""


@dataclass(frozen=True, slots=True)
class Gate:
    """One branch with who acts on it, the texts that must appear to the letter, and what to ask for.

    `due_at` (an instant) is set for a conflict only, `missing_field` for `deciding_fact_missing` only.
    """

    branch: Branch
    handler: Handler = Handler.REVIEWER
    must_contain: tuple[str, ...] = ()
    due_at: datetime | None = None
    missing_field: str | None = None


def pass_gate(
    *,
    question: QuestionKey,
    registry: Mapping[str, KeyEntry],
    route: Route,
    locked: LockedAnswer | None,
    facts: Mapping[str, object],
    requested_on: date,
    versions: Sequence[Version],
    asserts_other: bool,
    now: datetime,
    calendar: BusinessCalendar,
) -> Gate:
    """Return the one branch for an ask; every input has one, and the first that matches in rule 3.3's order wins.

    `route` and `locked` are those of the root key. `asserts_other` says that the customer claims to have been told
    something else. A fact that is missing is asked for only where it could still lead to an answer: what no
    document covers has no source, whatever else is unknown. A day in `requested_on` is one of the organisation's
    zone, `now` an instant.
    """
    if question.status is KeyStatus.NONE:
        return Gate(Branch.NOT_A_COMMITMENT_QUESTION)
    if question.status is KeyStatus.UNCERTAIN or question.key is None:
        return Gate(Branch.KEY_NOT_ESTABLISHED)
    root = root_of(question.key, registry)
    entry = registry.get(root)
    if entry is not None and entry.commitment_class is CommitmentClass.INFORMATION:
        return Gate(Branch.NOT_A_COMMITMENT_QUESTION)
    boundary = boundary_of(question.key, registry)
    if locked is not None:
        names = _deciding_names(locked, versions, (entry, registry.get(question.key)))
        return _repeat(
            locked,
            boundary=boundary,
            is_adjacent=question.key != root,
            facts_changed=_facts_changed(locked, facts, names),
            asserts_other=asserts_other,
            policy_changed=_policy_changed(locked, versions, requested_on),
        )
    required = (boundary,) if boundary else ()
    first = _first_ask(root, entry, route, facts, required)
    return replace(first, due_at=calendar.closing_time(now)) if first.branch is Branch.SOURCES_CONFLICT else first


def _repeat(
    locked: LockedAnswer,
    *,
    boundary: str | None,
    is_adjacent: bool,
    facts_changed: bool,
    asserts_other: bool,
    policy_changed: bool,
) -> Gate:
    if facts_changed:
        return Gate(Branch.NEW_FACTS, Handler.CORRECTION)
    if asserts_other:
        branch = Branch.ASSERTS_OTHER
    elif is_adjacent:
        branch = Branch.ADJACENT_KEY
    elif policy_changed:
        branch = Branch.POLICY_CHANGED
    else:
        branch = Branch.REPEAT
    texts = (locked.answer_text, boundary) if boundary else (locked.answer_text,)
    return Gate(branch, must_contain=texts)


def _deciding_names(locked: LockedAnswer, versions: Sequence[Version], entries: Sequence[KeyEntry | None]) -> set[str]:
    """Name the facts an answer depends on: its document's deciding date, and those of its key."""
    names = {v.deciding_date for v in versions if v.doc_id == locked.doc_id}
    for entry in entries:
        names.update(entry.deciding_facts if entry else ())
    return names - {REQUEST_DAY}


def _facts_changed(locked: LockedAnswer, facts: Mapping[str, object], names: set[str]) -> bool:
    """A fact that is absent on either side is not different."""
    return any(_differ(locked.facts.get(name), facts.get(name)) for name in names)


def _differ(then: object, now: object) -> bool:
    if _absent(then) or _absent(now):
        return False
    return isinstance(then, bool) != isinstance(now, bool) or then != now


def _absent(value: object) -> bool:
    return value is None or (isinstance(value, str) and is_blank(value))


def _policy_changed(locked: LockedAnswer, versions: Sequence[Version], requested_on: date) -> bool:
    """By the request day another version of the answer's document is in force, or the answer's own was retired."""
    own = [v for v in versions if v.doc_id == locked.doc_id]
    behind = next((v for v in own if v.version == locked.version), None)
    if behind is None:
        return False
    if behind.status is VersionStatus.RETIRED:
        return True
    return any(v is not behind and v.channels & behind.channels and in_force(v, requested_on) for v in own)


_FIELD_OPEN = frozenset({Refusal.CHANNEL_MISSING, Refusal.DATE_MISSING, Refusal.DATE_AFTER_REQUEST})


def _first_ask(
    root: str,
    entry: KeyEntry | None,
    route: Route,
    facts: Mapping[str, object],
    required: tuple[str, ...],
) -> Gate:
    if route.refusal in _FIELD_OPEN:
        return Gate(Branch.DECIDING_FACT_MISSING, missing_field=route.deciding_field or "channel")
    if route.refusal is not None:
        return Gate(Branch.NO_SOURCE)
    names = entry.deciding_facts if entry else ()
    if missing := next((n for n in names if n != REQUEST_DAY and _absent(facts.get(n))), None):
        return Gate(Branch.DECIDING_FACT_MISSING, missing_field=missing)
    if route.candidates:
        return Gate(Branch.SOURCES_CONFLICT, Handler.POLICY_OWNER)
    if route.version is None or route.version.statement_for(root) is None:
        return Gate(Branch.NO_SOURCE)
    return Gate(Branch.SINGLE_SOURCE, must_contain=required)
