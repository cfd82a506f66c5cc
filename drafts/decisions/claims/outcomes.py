"""When a statement is a claim of class OUTCOME: the conditions behind rules_outcome.py."""

import re

from drafts.decisions.claims.forms import Form
from drafts.decisions.claims.lexicon import DECISION_VERBS, DECISIONS, ENTITLEMENTS, words
from drafts.decisions.claims.reading import Reading
from drafts.decisions.claims.subjects import Who

_DECIDED = words("approved denied rejected declined refused granted")
_DEFERS = re.compile(
    r"\b(?:person|human|colleague|team|manager|specialist|somebody|someone|department) (?:has to|have to|must|needs? "
    r"to|will|would need to|would have to|decides?)\b"
)
_ENTITLES = re.compile(
    r"\b(?:eligible|entitled|ineligible|disqualified|qualified|exempt|owed)\b|\b(?:covered|refundable|non-refundable"
    r"|nonrefundable|"
    r"returnable|non-returnable|exchangeable|excluded)\b|\bfree of charge\b"
    r"|\b(?:under|in|within|out of|outside|still under|still in) warranty\b"
)
_FOR_FREE = re.compile(
    r"\b(?:for a (?:full|partial|complete) refund|free of charge|at no (?:extra )?(?:cost|charge)|for free|without "
    r"(?:a|any) (?:fee|charge|penalty))\b"
)
_PAID_OUT = re.compile(
    r"\b(?:full |partial |complete )?(?:refund|replacement|compensation|credit|discount|exchange|voucher|certificate)\b"
)


def _specific(reading: Reading) -> bool:
    """Say whether a statement is about this customer's matter and not about all of a kind."""
    subject = reading.subject
    if reading.is_general or subject.head in {"what", "how"}:
        return False
    this_thing = subject.who is Who.OTHER and reading.tokens[0].low in {"this", "that", "these", "those"}
    under_yours = subject.who is Who.OTHER and "your" in reading.after
    return subject.who in {Who.CASE, Who.CUSTOMER} or subject.yours or this_thing or under_yours


def _complement(reading: Reading) -> str:
    """Return the verb and what follows it, where decisions such as “eligible” or “not possible” stand."""
    verb = "" if reading.group.verb in {"be", "remain"} else reading.group.verb
    return f"{'not ' if reading.group.negated else ''}{verb} {reading.said}".strip()


def entitled(reading: Reading) -> bool:
    """Say whether: the customer or their matter is called eligible, entitled, covered or refundable, or not."""
    group = reading.group
    states = group.form in {Form.STATE, Form.SOFT, Form.FUTURE, Form.PERFECT, Form.PAST_STATE, Form.PAST}
    if not states or not _specific(reading) or (group.form is Form.SOFT and group.verb not in {"be"} | DECISIONS):
        return False
    start = " ".join(_complement(reading).split()[:7])
    return (
        bool(_ENTITLES.search(start))
        and "through" not in reading.after
        and not re.search(r"\b(?:would|may|might|could)\b", start)
    )


def decided(reading: Reading) -> bool:
    """Say whether: a decision in the customer's case is told as taken: approved, rejected, granted."""
    group = reading.group
    if (
        group.verb in {"decided", "agreed"}
        and group.form in {Form.PERFECT, Form.PAST}
        and reading.subject.who in {Who.US, Who.PERSON}
    ):
        return bool(
            re.match(
                r"(?:not )?(?:to (?:not )?(?:refund|accept|replace|waive|grant|approve|cancel|offer|give|reject"
                r"|credit)|in (?:your|my|our) favou?r)\b",
                reading.said,
            )
        )
    if group.verb == "accepted" and group.passive and reading.subject.yours:
        return group.form in {Form.PERFECT, Form.PAST, Form.STATE}
    elsewhere = reading.subject.head in {"payment", "card", "transaction", "charge", "transfer"}
    if group.verb not in _DECIDED or reading.is_general or elsewhere:
        return False
    active = (
        not group.passive
        and reading.subject.who in {Who.US, Who.PERSON}
        and group.form in {Form.PERFECT, Form.PAST, Form.PROGRESS}
    )
    return active or (
        group.passive and group.form in {Form.STATE, Form.PERFECT, Form.PAST, Form.FUTURE} and _specific(reading)
    )


def qualifies(reading: Reading) -> bool:
    """Say whether: the customer's item qualifies, or their warranty covers something."""
    verb, subject = reading.group.verb, reading.subject
    if (
        subject.who is Who.CUSTOMER
        and verb in {"get", "receive"}
        and (reading.group.form is Form.PRESENT or reading.group.negated)
    ):
        return bool(_PAID_OUT.search(reading.said)) and reading.group.form in {Form.PRESENT, Form.FUTURE}
    if verb in {"meet", "meets"}:
        return _specific(reading) and bool(re.search(r"\b(?:conditions?|criteri\w+|requirements?)\b", reading.said))
    if reading.group.form not in {Form.PRESENT, Form.FUTURE, Form.SOFT, Form.PAST}:
        return False
    if verb in {"qualify", "qualifies", "deserve"} or (
        verb in {"cover", "covers"} and subject.who is Who.POLICY and subject.yours
    ):
        return _specific(reading) or subject.yours
    return (
        verb == "have"
        and subject.who is Who.CUSTOMER
        and reading.said.startswith(("the right to", "a right to", "every right to"))
    )


def can_be(reading: Reading) -> bool:
    """Say whether: the customer's own order, booking or item can or cannot be cancelled, refunded, changed."""
    group, subject = reading.group, reading.subject
    stem = group.modal in {"can", "able", "may"} and group.passive
    owner = subject.who is Who.CASE and not reading.is_general
    indefinite = reading.tokens[0].low in {"a", "an"} and not subject.yours
    return (
        stem
        and owner
        and not indefinite
        and _is_decision(group.verb)
        and not re.search(r"\b(?:by you|online|yourself|if)\b", reading.said)
    )


def _is_decision(participle: str) -> bool:
    stems = (
        participle,
        participle.removesuffix("d"),
        participle.removesuffix("ed"),
        participle.removesuffix("led"),
        participle[:-3],
    )
    return (
        any(stem in DECISION_VERBS for stem in stems)
        or participle.endswith("ified")
        or participle in {"made", "given", "sent", "shipped", "applied", "waived", "fixed", "used"}
    )


def we_cannot(reading: Reading) -> bool:
    """Say whether: we say that we cannot or will not refund, cancel, accept or change something."""
    group = reading.group
    if (
        group.verb in {"decline", "reject", "refuse", "deny"}
        and reading.subject.who in {Who.US, Who.PERSON}
        and not group.negated
    ):
        return group.form in {Form.NEED, Form.FUTURE} or group.modal == "must"
    refuses = (
        (group.form is Form.MODAL and group.modal in {"can", "able"})
        or group.form is Form.FUTURE
        or (group.form is Form.PRESENT)
    )
    if not refuses or not group.negated or reading.subject.who not in {Who.US, Who.PERSON} or reading.subject.weak:
        return False
    if _DEFERS.search(" ".join(token.low for token in reading.sentence.tokens)):
        return False
    if group.verb == "proceed" and group.form is Form.FUTURE:
        return False
    return group.verb in DECISION_VERBS and (
        _about_entitlement(reading) or group.verb in {"refund", "reimburse", "compensate", "waive"}
    )


def _about_entitlement(reading: Reading) -> bool:
    return bool(ENTITLEMENTS & set(reading.after[:12]))


def you_can(reading: Reading) -> bool:
    """Say whether: they may return, cancel or keep it, for free or because of their case."""
    group = reading.group
    allowed = (
        group.form is Form.MODAL
        and group.modal in {"can", "may", "able"}
        and not group.negated
        and reading.subject.who is Who.CUSTOMER
    )
    if not allowed or group.verb not in {"return", "exchange", "cancel", "claim", "keep", "get", "rebook", "change"}:
        return False
    reasoned = reading.clause.opener == "so" or reading.sentence.tokens[0].low in {"since", "as", "because"}
    return bool(_FOR_FREE.search(reading.said)) or (reasoned and bool(ENTITLEMENTS & set(reading.after)))


def we_can(reading: Reading) -> bool:
    """Say whether: we offer a refund or a replacement, or conclude from the case that we can give it."""
    group = reading.group
    if group.form is Form.STATE and reading.subject.first and not group.negated:
        if group.verb in {"authorised", "authorized", "allowed", "permitted"}:
            return bool(re.match(r"to (?:refund|offer|give|grant|credit|waive|replace)\b", reading.said))
        return bool(
            re.match(r"(?:very |really )?(?:happy|pleased|glad|delighted) to (?:offer|give|grant) you\b", reading.said)
        )
    if group.form is not Form.MODAL or group.modal not in {"can", "able"} or group.negated or not reading.subject.first:
        return False
    if group.verb == "offer":
        return bool(_PAID_OUT.search(" ".join(token.low for token in reading.sentence.tokens)))
    reasoned = reading.clause.opener == "so" or any(
        t.low in {"since", "so", "as", "because"} for t in reading.sentence.tokens[:1]
    )
    return reasoned and group.verb in DECISION_VERBS and _about_entitlement(reading) and "if" not in reading.after


def impossible(reading: Reading) -> bool:
    """Say whether: what the customer wants is called not possible or not an option."""
    group = reading.group
    if reading.subject.negated and group.form is Form.STATE:
        return bool(re.match(r"(?:possible|available|due|owed)\b.*\b(?:this|your)\b", reading.said))
    refused = re.match(
        r"(?:not |no longer )?(?:\w+ly )?(?:possible|an option|available as an option|allowed|permitted)\b",
        reading.said,
    ) or group.verb in {"allowed", "permitted"}
    if group.form is not Form.STATE or not group.negated or not refused:
        return False
    who = reading.subject.who
    gerund = reading.tokens[0].low.endswith("ing") and reading.clause.opener not in {"since", "as"}
    return (who is Who.CASE or gerund) and not reading.is_general and "through" not in reading.after


def none_available(reading: Reading) -> bool:
    """Say whether: there is no way for us to give what was asked."""
    return (
        reading.subject.who is Who.THERE
        and reading.group.form is Form.STATE
        and bool(
            re.match(
                r"no (?:[\w,]+ ){1,4}(?:available to (?:me|us)|that (?:would )?allow|way|option)\b|(?:nothing (?:we"
                r"|i|more)|no (?:way|possibility|option|tools?|resources?|means))\b",
                reading.said,
            )
        )
    )
