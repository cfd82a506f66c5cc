"""When the present state of the customer's matter is told: conditions behind rules_status.py."""

import re

from drafts.decisions.claims.forms import Form
from drafts.decisions.claims.lexicon import WORK_STATES, words
from drafts.decisions.claims.quoting import FILLER
from drafts.decisions.claims.reading import Reading
from drafts.decisions.claims.statuses import NOT_STATES, OURS, about_the_case, denied
from drafts.decisions.claims.subjects import Who

_STATE = re.compile(
    r"(?:still |also |currently |now |already |already |all |marked |listed |showing )*(?:as )?"
    r"(?:in [\w " + FILLER + r"-]{0,24}(?: status| state| stage| phase| queue)\b"
    r"|in (?:transit|progress|process|the queue|review|our|the hands|hand|dispute|production|limbo|stock)\b"
    r"|under (?:review|investigation|way|consideration)\b|on (?:its|the|their|his|her) way\b|on (?:hold|order"
    r"|backorder|back order|track"
    r"|schedule|file|record)\b"
    r"|out (?:for|of) (?:delivery|stock)\b|with (?:our|the|a) \w+|at (?:the|our) \w+|next in line\b|up to date\b|up "
    r"and running\b|being\b|all (?:set|done|sorted)\b|"
    r"the same\b|next\b|behind\b)"
)


_RULES_SAY = frozenset({"due", "final", "void", "complete", "required", "free"})
_OPEN_STATES = words("pending delayed underway ongoing overdue backordered unavailable unresolved resolved complete")
_IN_OUR_HANDS = re.compile(
    r"(?:in transit|under review|on (?:its|their) way|(?:in|with|at) our \w+|at the (?:depot|warehouse|workshop))\b"
)


_NAMED_STATE = re.compile(
    r"(?:now |currently |still |also |listed as |marked as |set to |shown as |)?['\"" + FILLER + r"]"
)


_STATED = words(
    "status state stage order refund request case ticket claim booking reservation delivery shipment return payment"
)


_STATUS_HEAD = frozenset({"status", "state", "stage"})


_HITCH = re.compile(
    r"(?:still |also |currently |been |been |to be )*(?:an?|no|some|several|two|another)? ?(?:\w+[ "
    r"-]){0,3}(?:errors?|issues?|problems?|delays?|discrepancy|discrepancies|"
    r"mistake|mix-up|glitch|outage|hold-up|backlog|hiccup|mismatch|record|trace|sign|open case|ticket|hold|note"
    r"|update)\b"
)


def state(reading: Reading) -> bool:
    """Say whether: the present state of the case is told: pending, in transit, with a team."""
    group, subject = reading.group, reading.subject
    if (
        group.form is not Form.STATE
        or reading.is_general
        or subject.who not in {Who.CASE, Who.OTHER}
        or reading.clause.opener in {"what", "how"}
    ):
        return False
    if subject.bare and reading.plain[:1] and reading.plain[0] in _RULES_SAY:
        return False
    if subject.who is Who.OTHER and not (
        reading.tokens and reading.subject.start >= 0 and reading.tokens[0].low in {"the", "this"}
    ):
        return False
    if group.passive:
        return (
            subject.who is Who.CASE
            and subject.head.isalpha()
            and group.verb not in NOT_STATES
            and not _needs_you(reading)
        )
    return _is_state(" ".join(reading.plain), reading) and (subject.who is Who.CASE or denied(reading) is False)


_PLACED = re.compile(r"(?:next in line|(?:now )?(?:in|on) (?:the|our) (?:queue|list|waiting list)|number|#)\b|# ?\d")


_EN_ROUTE = re.compile(
    r"(?:now |already |currently )*(?:en route|on (?:his|her|the|their|its) way|on site|out|at your|on the (?:road"
    r"|case))\b"
)


def placed(reading: Reading) -> bool:
    """Say whether the customer's place in a queue, or our person's place on the road, is told."""
    if reading.group.form is not Form.STATE or denied(reading) or reading.subject.first:
        return False
    place = _PLACED if reading.subject.who is Who.CUSTOMER else _EN_ROUTE if reading.subject.who in OURS else None
    return bool(place and place.match(reading.said))


def _needs_you(reading: Reading) -> bool:
    return bool(re.match(r"(?:to|by you|for you)\b", reading.said)) and reading.group.verb in {
        "expected",
        "required",
        "asked",
    }


def _is_state(said: str, reading: Reading) -> bool:
    first = reading.plain[0] if reading.plain else ""
    if first in WORK_STATES and (reading.subject.who is Who.CASE or first in _OPEN_STATES):
        return True
    if reading.subject.head in _STATUS_HEAD or "status" in {t.low for t in reading.tokens[: reading.group.start]}:
        return bool(said)
    if reading.subject.who is Who.OTHER:
        return bool(_IN_OUR_HANDS.match(said))
    return (
        bool(_STATE.match(said))
        or (bool(_NAMED_STATE.match(said)) and reading.subject.head in _STATED)
        or said.startswith(("the same", "unchanged"))
    )


def listed(reading: Reading) -> bool:
    """Say whether: a record is quoted: it is listed, marked or shown as something."""
    group = reading.group
    shown = (
        group.passive
        and group.form in {Form.STATE, Form.PAST, Form.PERFECT}
        and group.verb in {"listed", "marked", "flagged", "shown", "registered", "logged", "recorded", "noted"}
    )
    records = (
        group.form is Form.PRESENT
        and group.verb in {"states", "shows", "says", "reads"}
        and reading.subject.who is Who.CASE
    )
    reflects = (
        group.form is Form.SOFT and group.verb in {"reflect", "show", "read"} and reading.subject.head in _STATUS_HEAD
    )
    return (
        (shown and about_the_case(reading) and reading.subject.head.isalpha())
        or (records and bool(reading.after) and reading.subject.head != "message")
        or reflects
    )


def hitch(reading: Reading) -> bool:
    """Say whether: an error, a delay or a missing record is reported."""
    form = reading.group.form in {Form.STATE, Form.PERFECT, Form.PAST_STATE, Form.PRESENT}
    return (
        reading.subject.who is Who.THERE
        and form
        and bool(_HITCH.match(reading.said))
        and not reading.said.startswith("no need")
    )


def unable(reading: Reading) -> bool:
    """Say whether: we report that we could not find or reach something."""
    group = reading.group
    return (
        group.form in {Form.MODAL, Form.PAST}
        and group.modal == "able"
        and group.negated
        and reading.subject.first
        and group.verb in {"retrieve", "locate", "find", "reach", "deliver", "load", "trace"}
        and bool(
            {"still", "currently"} & {t.low for t in reading.tokens[: reading.group.end]} or group.form is Form.PAST
        )
    )


def remains(reading: Reading) -> bool:
    """Say whether: the case remains, sits or stays somewhere."""
    group = reading.group
    stays = (group.form is Form.STATE and group.verb == "remain") or (
        group.form is Form.PROGRESS and group.verb in {"waiting", "sitting"}
    )
    return stays and about_the_case(reading) and bool(reading.after) and not denied(reading)
