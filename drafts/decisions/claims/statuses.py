"""When a statement is a claim of class STATUS: the conditions behind rules_status.py."""

import re

from drafts.decisions.claims.forms import Form
from drafts.decisions.claims.lexicon import IRREGULAR_PASTS, is_participle, words
from drafts.decisions.claims.reading import Reading
from drafts.decisions.claims.subjects import Who

OURS = frozenset({Who.US, Who.PERSON})


_NO_WORK = words(
    "looking_forward experiencing hoping trying striving having asking writing feeling wondering reaching offering "
    "going thinking helping assisting "
    "assuming referring facing getting sorry apologizing apologising seeing using implying suggesting saying talking "
    "being hearing "
    "giving growing aiming speaking contacting following doing making taking wishing reading"
)


_EFFORTS = re.compile(
    r"(?:making|taking|doing|putting) (?:every effort|everything|all we can|our (?:very )?best|steps|all (?:the "
    r")?necessary)\b.{0,60}\b(?:your|this|the|it)\b"
)


_FOLLOWS_UP = re.compile(
    r"(?:following up (?:with|on)|giving (?:this|it|your)|getting (?:this|it|your)|taking care of|doing (?:that|this"
    r"|it)|taking (?:this|it|a look)|trying to (?:reach|locate|find|resolve|fix)|making (?:the|that|this|those))\b"
)


_AT_WORK = re.compile(
    r"(?:now |currently |still |already )*(?:in the (?:process|middle) of|at work on|busy (?:with (?:your|the|this)"
    r"|\w+ing (?:your|the|this))|hard at work on)\b"
)


_NOT_STEPS = words(
    "understood learned learnt heard appreciated had regretted enjoyed hoped wanted wished loved known needed "
    "apologized apologised "
    "mentioned said thought felt been seen meant tried intended decided gone designed come asked liked requested "
    "explained "
    "stated assumed realized realised noticed got"
)


NOT_STATES = words(
    "associated located made designed called named based required needed used intended included interested related "
    "limited supposed "
    "meant recommended linked known concerned committed dedicated frustrated disappointed excited pleased delighted "
    "satisfied "
    "worried allowed permitted given equipped priced sized marked supported offered appreciated valued determined "
    "set found charged "
    "calculated composed committed tasked trained united advised seen affected bound protected shown followed "
    "experienced involved "
    "stored encrypted secured insured unopened opened unused used damaged sealed worn broken authorized displayed "
    "believed defined powered governed "
    "packed prepared honored honoured available excluded applied subject"
)


_CUSTOMERS_STEPS = words("placed purchased bought ordered requested booked chosen selected paid submitted")


_INTO_THE_CASE = re.compile(r"\b(?:your|this|the|that|it|them|its|with our|to our)\b")


def about_the_case(reading: Reading) -> bool:
    """Say whether a statement has the customer's own matter as its subject."""
    return reading.subject.who is Who.CASE and not reading.is_general


def denied(reading: Reading) -> bool:
    """Say whether a statement is denied, by its verb or by “nobody”."""
    return reading.group.negated or reading.subject.negated


_MOVING = words(
    "undergoing awaiting moving making coming being progressing shipping processing arriving running loading syncing"
)


def progress(reading: Reading) -> bool:
    """Say whether: work on the case is said to be under way."""
    group, subject = reading.group, reading.subject
    if group.form is Form.STATE and subject.who in OURS and not denied(reading):
        return bool(_AT_WORK.match(reading.said))
    if group.form is not Form.PROGRESS or denied(reading) or reading.is_general:
        return False
    text = " ".join(token.low for token in reading.tokens[group.at :])
    if _EFFORTS.match(text) or _FOLLOWS_UP.match(text):
        return subject.who in OURS
    if subject.who in OURS:
        return group.verb not in _NO_WORK and not _virtue(reading)
    if group.passive:
        return subject.who is Who.CASE or (subject.who is Who.OTHER and not reading.is_general)
    return subject.who is Who.CASE and group.verb in _MOVING


def _virtue(reading: Reading) -> bool:
    text = f"{reading.group.verb} {reading.said}"
    inside = {token.low for token in reading.tokens[reading.group.start : reading.group.end]}
    general = bool(inside & {"always", "constantly", "continuously"})
    return general or bool(
        re.match(
            r"(?:looking forward|working (?:hard )?to (?:improve|provide|make|serve)|providing the best|sharing this"
            r"|reaching)\b",
            text,
        )
    )


_TOLD_YOU = words("told promised informed advised assured affected disconnected born experienced locked redirected")
_GIVEN_WORK = words(
    "booked arranged sent instructed engaged hired assigned informed notified contacted alerted dispatched scheduled "
    "briefed asked"
)


def done(reading: Reading) -> bool:
    """Say whether: one of our steps is said to have happened."""
    group, subject = reading.group, reading.subject
    if denied(reading) or reading.is_general or group.modal == "able":
        return not denied(reading) and group.form is Form.PAST and subject.first and bool(reading.after)
    if subject.who in OURS and not group.passive:
        return _we_did(reading)
    if subject.who is Who.CUSTOMER:
        return group.passive and group.form in {Form.PERFECT, Form.PAST} and group.verb not in _NOT_STEPS | _TOLD_YOU
    if subject.who in OURS and group.passive:
        return group.form is Form.PERFECT and group.verb in _GIVEN_WORK
    if group.passive and group.form in {Form.PERFECT, Form.PAST}:
        return _was_handled(reading)
    return about_the_case(reading) and _moved_by_itself(reading)


def _we_did(reading: Reading) -> bool:
    group, subject = reading.group, reading.subject
    attempted = group.verb == "tried" and bool(
        re.match(r"to (?:deliver|reach|contact|call|retrieve|process|collect|find|ship|charge)\b", reading.said)
    )
    if attempted or (
        group.verb == "got" and group.form is Form.PERFECT and bool(re.match(r"(?:your|the)\b", reading.said))
    ):
        return True
    if group.verb in {"told", "promised"} and reading.after[:1] == ("you",):
        return False
    if group.verb in _NOT_STEPS or not (reading.after or reading.reports):
        return (
            group.form is Form.PERFECT
            and group.verb in {"decided", "asked", "requested", "gone"}
            and bool(reading.after or reading.reports)
            and subject.first
            and reading.after[:1] != ("you",)
        )
    if group.form is Form.PERFECT:
        return not (subject.weak and not subject.first and not _INTO_THE_CASE.search(reading.said))
    if group.form is not Form.PAST or subject.weak:
        return False
    return subject.first or subject.head != "system" or bool(_INTO_THE_CASE.search(reading.said))


_PAID_BACK = words("refund reimbursement replacement credit payment")


def _was_handled(reading: Reading) -> bool:
    group, subject = reading.group, reading.subject
    if group.verb in _CUSTOMERS_STEPS and subject.head in _PAID_BACK:
        return True
    if (
        group.verb in _CUSTOMERS_STEPS | {"made", "designed", "called", "caused", "expected", "given", "born", "known"}
        and group.form is Form.PAST
    ):
        return False
    if subject.who is Who.POLICY and subject.yours:
        return group.form is Form.PERFECT
    if subject.who is Who.CASE:
        return group.verb not in {"caused", "made", "designed", "given"} or subject.yours
    return (
        subject.who is Who.OTHER
        and group.form is Form.PERFECT
        and group.verb not in NOT_STATES | {"caused", "designed"}
    )


_MOVED = words(
    "left shipped cleared departed failed returned reached dispatched expired closed arrived gone come "
    "begun started completed finished"
)


def _moved_by_itself(reading: Reading) -> bool:
    group = reading.group
    moved = _MOVED
    if group.verb == "went" and reading.said.startswith(("through", "out", "missing")):
        return True
    if group.verb == "got" and reading.plain[:1] and is_participle(reading.plain[0]):
        return True
    if group.verb not in moved or (reading.subject.weak and group.form is Form.PAST):
        return False
    if group.form is Form.PERFECT:
        return True
    return group.form is Form.PAST and group.verb in IRREGULAR_PASTS | moved - {
        "arrived",
        "returned",
        "completed",
        "closed",
    }


_NO_STEPS = words("mean intend want wish imply have know realize notice understand offer sell provide")


def not_done(reading: Reading) -> bool:
    """Say whether a handling step or state is denied: nobody is reviewing, it has not shipped."""
    group, subject = reading.group, reading.subject
    if not denied(reading) or reading.is_general or group.modal:
        return False
    steps = (
        group.form in {Form.PERFECT, Form.PROGRESS, Form.PAST} and group.verb not in _NOT_STEPS | _NO_WORK | _NO_STEPS
    )
    if subject.who in OURS:
        return steps and bool(_INTO_THE_CASE.search(reading.said) or subject.negated or reading.after)
    return (
        subject.who is Who.CASE
        and (steps or group.form is Form.PAST)
        and (
            group.passive
            or group.verb in {"shipped", "left", "arrived", "started", "cleared", "go", "reach", "ship", "arrive"}
        )
    )
