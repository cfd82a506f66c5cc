"""When contact is promised, or something at the customer's end: conditions behind rules in rules_action.py."""

import re

from drafts.decisions.claims.actions import EFFORT, OURS, promises
from drafts.decisions.claims.forms import Form
from drafts.decisions.claims.lexicon import (
    CONTACT_OBJECTS,
    CONTACT_VERBS,
    words,
)
from drafts.decisions.claims.reading import Reading
from drafts.decisions.claims.subjects import Who

_REACHES_YOU = re.compile(
    r"\b(?:be|stay|get|keep) (?:back )?(?:right )?(?:in touch|back|in contact)\b|\bget(?:ting)? back\b|\bback to "
    r"you\b|\blet(?:ting)? you know\b|\breach(?:ing)? out\b"
    r"|\bcircle back\b|\bfollow(?:ing)?[ -]?up with you\b|\bcome back to you\b|\bkeep(?:ing)? you\b|\b(?:provide"
    r"|send|give|drop|shoot|forward) (?:\w+ ){0,4}"
    r"(?:updates?|e-?mails?|message|confirmations?|note|news|answer|reply|links?|instructions|text|details"
    r"|feedback)\b|\bupdates? (?:\w+ )?to you\b|\bdrop you\b|\bpick up the phone\b|\bget hold of you\b"
)


_YOU_GET = words("receive hear get see have find expect be enjoy recieve")


_COMES_TO_YOU = words(
    "refund credit payment charge money amount replacement parcel package order item reimbursement voucher funds"
)


_NEEDS_YOU_AFTER = words("check contact email call text message write inform notify")


def _is_contact(reading: Reading) -> bool:
    verb = reading.group.verb
    text = f"{verb} {reading.said}"
    stem = verb.removesuffix("ed").removesuffix("ing")
    if {verb, stem, f"{stem}e", verb[:-4]} & CONTACT_VERBS and verb not in {"indicate", "call", "advise"}:
        return verb not in _NEEDS_YOU_AFTER or _to_you(reading)
    return bool(_REACHES_YOU.search(text)) or (
        {verb, stem} & {"call", "indicate", "advise", "phone", "provide", "send"} != set()
        and _to_you(reading)
        and verb not in {"send", "provide"}
    )


def _to_you(reading: Reading) -> bool:
    return reading.group.passive or bool({"you", "your"} & set(reading.after[:6])) or not reading.after


def contact(reading: Reading) -> bool:
    """Say whether: somebody will call, write, get back, keep posted."""
    subject, group = reading.subject, reading.group
    if not promises(reading) or group.negated or reading.is_general:
        return False
    if subject.who is Who.CUSTOMER:
        return _customer_gets(reading) and bool(
            CONTACT_OBJECTS & set(reading.after) or group.verb == "hear" or _is_contact_passive(reading)
        )
    return subject.who in OURS and _is_contact(reading) and not EFFORT.search(reading.said)


_REACHED = words(
    "contacted notified informed called emailed updated reached told kept phoned advised alerted messaged texted"
)


def _is_contact_passive(reading: Reading) -> bool:
    return reading.group.passive and reading.group.verb in _REACHED


def _customer_gets(reading: Reading) -> bool:
    group = reading.group
    if group.passive:
        return (
            group.verb
            not in {"charged", "asked", "required", "prompted", "redirected", "responsible", "billed", "needed"}
            or group.negated
        )
    if group.verb == "be":
        return (
            bool(re.match(r"(?:able|responsible|asked|required|in|on|liable|prompted)\b", reading.said)) is False
            and "back" in reading.after
        )
    if group.verb in {"see", "find"}:
        return bool(_COMES_TO_YOU & set(reading.after))
    if group.verb in {"have", "get"}:
        return not re.match(
            r"to\b|an option|the option|access|the opportunity|detailed|more|a comprehensive|a list|any\b|the chance",
            reading.said,
        )
    return group.verb in _YOU_GET or (group.verb == "receive")


def customer_end(reading: Reading) -> bool:
    """Say whether: the customer will receive, have or be given something."""
    return (
        reading.subject.who is Who.CUSTOMER
        and promises(reading)
        and _customer_gets(reading)
        and reading.group.modal != "should"
    )


_ON_SCREEN = words("option button section page tab link")


def you_can_expect(reading: Reading) -> bool:
    """Say whether: the customer is told what they can expect or should receive from us."""
    group = reading.group
    expects = (
        group.verb == "expect" and group.form in {Form.MODAL, Form.SOFT} and group.modal in {"can", "should", "may"}
    )
    ours = bool(_COMES_TO_YOU & set(reading.after)) and not _ON_SCREEN & set(reading.after)
    received = (
        group.form is Form.SOFT
        and group.modal == "should"
        and (group.verb in {"receive", "hear", "get"} or (group.verb in {"see", "have"} and ours))
    )
    return reading.subject.who is Who.CUSTOMER and (expects or received) and not group.negated
