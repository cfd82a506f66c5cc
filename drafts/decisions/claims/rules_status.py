"""Rules for STATUS: what is being done, has been done, or is the present state of this customer's matter."""

import re

from drafts.decisions.claims.lexicon import CASE_NOUNS, IRREGULAR_PASTS, WORK_STATES, is_participle
from drafts.decisions.claims.quoting import FILLER
from drafts.decisions.claims.reading import Reading
from drafts.decisions.claims.rule import Rule
from drafts.decisions.claims.subjects import Who
from drafts.decisions.claims.verbs import Form
from drafts.decisions.vocabulary import ClaimClass

_OURS = frozenset({Who.US, Who.PERSON})
_NO_WORK = frozenset(
    "looking_forward experiencing hoping trying striving having asking writing feeling wondering reaching offering going thinking helping assisting "
    "assuming referring facing getting sorry apologizing apologising seeing using implying suggesting saying talking being hearing "
    "giving growing aiming speaking contacting following doing making taking wishing reading".split()
)
_EFFORTS = re.compile(r"(?:making|taking|doing|putting) (?:every effort|everything|all we can|our (?:very )?best|steps|all (?:the )?necessary)\b.{0,60}\b(?:your|this|the|it)\b")
_FOLLOWS_UP = re.compile(r"(?:following up (?:with|on)|giving (?:this|it|your)|getting (?:this|it|your)|taking care of|doing (?:that|this|it)|taking (?:this|it|a look)|trying to (?:reach|locate|find|resolve|fix)|making (?:the|that|this|those))\b")
_AT_WORK = re.compile(r"(?:now |currently |still |already )*(?:in the (?:process|middle) of|at work on|busy (?:with (?:your|the|this)|\w+ing (?:your|the|this))|hard at work on)\b")
_NOT_STEPS = frozenset(
    "understood learned learnt heard appreciated had regretted enjoyed hoped wanted wished loved known needed apologized apologised "
    "mentioned said thought felt been seen meant tried intended decided gone designed come asked liked requested explained "
    "stated assumed realized realised noticed got".split()
)
_NOT_STATES = frozenset(
    "associated located made designed called named based required needed used intended included interested related limited supposed "
    "meant recommended linked known concerned committed dedicated frustrated disappointed excited pleased delighted satisfied "
    "worried allowed permitted given equipped priced sized marked supported offered appreciated valued determined set found charged "
    "calculated composed committed tasked trained united advised seen affected bound protected shown followed experienced involved "
    "unopened opened unused used damaged sealed worn broken authorized displayed believed defined powered governed packed prepared honored honoured available excluded applied subject".split()
)
_CUSTOMERS_STEPS = frozenset("placed purchased bought ordered requested booked chosen selected paid submitted".split())
_STATE = re.compile(
    r"(?:still |also |currently |now |already |already |all |marked |listed |showing )*(?:as )?"
    r"(?:in [\w " + FILLER + r"-]{0,24}(?: status| state| stage| phase| queue)\b|in (?:transit|progress|process|the queue|review|our|the hands|hand|dispute|production|limbo|stock)\b"
    r"|under (?:review|investigation|way|consideration)\b|on (?:its|the|their|his|her) way\b|on (?:hold|order|track|schedule|file|record)\b"
    r"|out (?:for|of) (?:delivery|stock)\b|with (?:our|the|a) \w+|at (?:the|our) \w+|next in line\b|up to date\b|up and running\b|being\b|all (?:set|done|sorted)\b|"
    r"the same\b|next\b|behind\b)"
)
_IN_OUR_HANDS = re.compile(r"(?:in transit|under review|on (?:its|their) way|(?:in|with|at) our \w+|at the (?:depot|warehouse|workshop))\b")
_NAMED_STATE = re.compile(r"(?:now |currently |still |also |listed as |marked as |set to |shown as |)?['\"" + FILLER + r"]")
_STATED = frozenset("status state stage order refund request case ticket claim booking reservation delivery shipment return payment".split())
_STATUS_HEAD = frozenset({"status", "state", "stage"})
_HITCH = re.compile(
    r"(?:still |also |currently |been |been |to be )*(?:an?|no|some|several|two|another)? ?(?:\w+[ -]){0,3}(?:errors?|issues?|problems?|delays?|discrepancy|discrepancies|"
    r"mistake|mix-up|glitch|outage|hold-up|backlog|hiccup|mismatch|record|trace|sign|open case|ticket|hold|note|update)\b"
)
_INTO_THE_CASE = re.compile(r"\b(?:your|this|the|that|it|them|its|with our|to our)\b")


def _about_the_case(reading: Reading) -> bool:
    return reading.subject.who is Who.CASE and not reading.is_general


def _denied(reading: Reading) -> bool:
    return reading.group.negated or reading.subject.negated


def _progress(reading: Reading) -> bool:
    group, subject = reading.group, reading.subject
    if group.form is Form.STATE and subject.who in _OURS and not _denied(reading):
        return bool(_AT_WORK.match(reading.said))
    if group.form is not Form.PROGRESS or _denied(reading) or reading.is_general:
        return False
    text = " ".join(token.low for token in reading.tokens[group.at :])
    if _EFFORTS.match(text) or _FOLLOWS_UP.match(text):
        return subject.who in _OURS
    if subject.who in _OURS:
        return group.verb not in _NO_WORK and not _virtue(reading)
    if group.passive:
        return subject.who is Who.CASE or (subject.who is Who.OTHER and not reading.is_general)
    return subject.who is Who.CASE and group.verb in {"undergoing", "awaiting", "moving", "making", "coming", "being", "progressing", "shipping", "processing", "arriving", "running", "loading", "syncing"}


def _virtue(reading: Reading) -> bool:
    text = f"{reading.group.verb} {reading.said}"
    inside = {token.low for token in reading.tokens[reading.group.start : reading.group.end]}
    general = bool(inside & {"always", "constantly", "continuously"})
    return general or bool(re.match(r"(?:looking forward|working (?:hard )?to (?:improve|provide|make|serve)|providing the best|sharing this|reaching)\b", text))


def _done(reading: Reading) -> bool:
    group, subject = reading.group, reading.subject
    if _denied(reading) or reading.is_general or group.modal == "able":
        return not _denied(reading) and group.form is Form.PAST and subject.first and bool(reading.after)
    if subject.who in _OURS and not group.passive:
        return _we_did(reading)
    if subject.who in _OURS and group.passive:
        return group.form is Form.PERFECT and group.verb in {"assigned", "informed", "notified", "contacted", "alerted", "dispatched", "scheduled", "briefed", "asked"}
    if group.passive and group.form in {Form.PERFECT, Form.PAST}:
        return _was_handled(reading)
    return _about_the_case(reading) and _moved_by_itself(reading)


def _we_did(reading: Reading) -> bool:
    group, subject = reading.group, reading.subject
    attempted = group.verb == "tried" and bool(re.match(r"to (?:deliver|reach|contact|call|retrieve|process|collect|find|ship|charge)\b", reading.said))
    if attempted or (group.verb == "got" and group.form is Form.PERFECT and bool(re.match(r"(?:your|the)\b", reading.said))):
        return True
    if group.verb in _NOT_STEPS or not (reading.after or reading.reports):
        return group.form is Form.PERFECT and group.verb in {"decided", "asked", "requested", "gone"} and bool(reading.after or reading.reports) and subject.first and reading.after[:1] != ("you",)
    if group.form is Form.PERFECT:
        return not (subject.weak and not subject.first and not _INTO_THE_CASE.search(reading.said))
    if group.form is not Form.PAST or subject.weak:
        return False
    return subject.first or subject.head not in {"system"} or bool(_INTO_THE_CASE.search(reading.said))


def _was_handled(reading: Reading) -> bool:
    group, subject = reading.group, reading.subject
    if group.verb in _CUSTOMERS_STEPS and subject.head in {"refund", "reimbursement", "replacement", "credit", "payment"}:
        return True
    if group.verb in _CUSTOMERS_STEPS | {"made", "designed", "called", "caused", "expected", "given", "born", "known"} and group.form is Form.PAST:
        return False
    if subject.who is Who.CASE:
        return group.verb not in {"caused", "made", "designed", "given"} or subject.yours
    return subject.who is Who.OTHER and group.form is Form.PERFECT and group.verb not in _NOT_STATES | {"caused", "designed"}


def _moved_by_itself(reading: Reading) -> bool:
    group = reading.group
    moved = {"left", "shipped", "cleared", "departed", "failed", "returned", "reached", "dispatched", "expired", "closed", "arrived", "gone", "come", "begun", "started", "completed", "finished"}
    if group.verb == "went" and reading.said.startswith(("through", "out", "missing")):
        return True
    if group.verb == "got" and reading.plain[:1] and is_participle(reading.plain[0]):
        return True
    if group.verb not in moved or (reading.subject.weak and group.form is Form.PAST):
        return False
    if group.form is Form.PERFECT:
        return True
    return group.form is Form.PAST and group.verb in IRREGULAR_PASTS | moved - {"arrived", "returned", "completed", "closed"}


def _state(reading: Reading) -> bool:
    group, subject = reading.group, reading.subject
    if group.form is not Form.STATE or reading.is_general or subject.who not in {Who.CASE, Who.OTHER} or reading.clause.opener in {"what", "how"}:
        return False
    if subject.who is Who.OTHER and not (reading.tokens and reading.subject.start >= 0 and reading.tokens[0].low in {"the", "this"}):
        return False
    if group.passive:
        return subject.who is Who.CASE and subject.head.isalpha() and group.verb not in _NOT_STATES and not _needs_you(reading)
    return _is_state(" ".join(reading.plain), reading) and (subject.who is Who.CASE or _denied(reading) is False)


_PLACED = re.compile(r"(?:next in line|(?:now )?(?:in|on) (?:the|our) (?:queue|list|waiting list)|number|#)\b|# ?\d")
_EN_ROUTE = re.compile(r"(?:now |already |currently )*(?:en route|on (?:his|her|the|their|its) way|on site|out|at your|on the (?:road|case))\b")


def _placed(reading: Reading) -> bool:
    """Say whether the customer's place in a queue, or our person's place on the road, is told."""
    if reading.group.form is not Form.STATE or _denied(reading) or reading.subject.first:
        return False
    place = _PLACED if reading.subject.who is Who.CUSTOMER else _EN_ROUTE if reading.subject.who in _OURS else None
    return bool(place and place.match(reading.said))


def _needs_you(reading: Reading) -> bool:
    return bool(re.match(r"(?:to|by you|for you)\b", reading.said)) and reading.group.verb in {"expected", "required", "asked"}


def _is_state(said: str, reading: Reading) -> bool:
    first = reading.plain[0] if reading.plain else ""
    if first in WORK_STATES:
        return True
    if reading.subject.head in _STATUS_HEAD or "status" in {t.low for t in reading.tokens[: reading.group.start]}:
        return bool(said)
    if reading.subject.who is Who.OTHER:
        return bool(_IN_OUR_HANDS.match(said))
    return bool(_STATE.match(said)) or (bool(_NAMED_STATE.match(said)) and reading.subject.head in _STATED) or said.startswith(("the same", "unchanged"))


def _listed(reading: Reading) -> bool:
    group = reading.group
    shown = group.passive and group.form in {Form.STATE, Form.PAST, Form.PERFECT} and group.verb in {"listed", "marked", "flagged", "shown", "registered", "logged", "recorded", "noted"}
    records = group.form is Form.PRESENT and group.verb in {"states", "shows", "says", "reads"} and reading.subject.who is Who.CASE
    reflects = group.form is Form.SOFT and group.verb in {"reflect", "show", "read"} and reading.subject.head in _STATUS_HEAD
    return (shown and _about_the_case(reading) and reading.subject.head.isalpha()) or (records and bool(reading.after) and reading.subject.head not in {"message"}) or reflects


def _hitch(reading: Reading) -> bool:
    form = reading.group.form in {Form.STATE, Form.PERFECT, Form.PAST_STATE, Form.PRESENT}
    return reading.subject.who is Who.THERE and form and bool(_HITCH.match(reading.said)) and not reading.said.startswith("no need")


def _not_done(reading: Reading) -> bool:
    """Say whether a handling step or state is denied: nobody is reviewing, it has not shipped."""
    group, subject = reading.group, reading.subject
    if not _denied(reading) or reading.is_general or group.modal:
        return False
    steps = group.form in {Form.PERFECT, Form.PROGRESS, Form.PAST} and group.verb not in _NOT_STEPS | _NO_WORK | {"mean", "intend", "want", "wish", "imply", "have", "know", "realize", "notice", "understand", "offer", "sell", "provide"}
    if subject.who in _OURS:
        return steps and bool(_INTO_THE_CASE.search(reading.said) or subject.negated or reading.after)
    return subject.who is Who.CASE and (steps or group.form is Form.PAST) and (group.passive or group.verb in {"shipped", "left", "arrived", "started", "cleared", "go", "reach", "ship", "arrive"})


def _unable(reading: Reading) -> bool:
    group = reading.group
    return (
        group.form in {Form.MODAL, Form.PAST}
        and group.modal == "able"
        and group.negated
        and reading.subject.first
        and group.verb in {"retrieve", "locate", "find", "reach", "deliver", "load", "trace"}
        and bool({"still", "currently"} & {t.low for t in reading.tokens[: reading.group.end]} or group.form is Form.PAST)
    )


def _remains(reading: Reading) -> bool:
    group = reading.group
    stays = (group.form is Form.STATE and group.verb == "remain") or (group.form is Form.PROGRESS and group.verb in {"waiting", "sitting"})
    return stays and _about_the_case(reading) and bool(reading.after) and not _denied(reading)


def names_case(word: str) -> bool:
    """Say whether a word names a customer's matter."""
    return word in CASE_NOUNS


STATUS_RULES = (
    Rule(
        "status.not_done", ClaimClass.STATUS, "record",
        "A step is said not to have happened: nobody is reviewing, it has not shipped.", _not_done,
        failing=("[Your kettle hasn't shipped yet].", "[Nobody has looked at your photos].", "[We haven't issued a refund]."),
        good=("We cannot promise a date.", "I do not have that information."),
        ignored=("If your kettle hasn't shipped, you can cancel.", "Has nobody looked at it?"),
    ),
    Rule(
        "status.listed", ClaimClass.STATUS, "record",
        "A record is quoted: it is listed, marked or shown as something.", _listed,
        failing=("[Your order is marked as delivered].", "[The status should now reflect paid]."),
        good=("The item number is 5521.",),
        ignored=("If your order is marked as delivered, tell us.",),
    ),
    Rule(
        "status.progress", ClaimClass.STATUS, "progress",
        "Work on the case is said to be under way.", _progress,
        failing=("[Our agents are currently reviewing your order].", "[Your refund is being processed].", "[Jonas is looking at your photos right now]."),
        good=("We are always working to improve.", "We are experiencing high volume.", "I'm looking forward to hearing from you."),
        ignored=("Are you reviewing my order?", "You said an agent is reviewing it."),
    ),
    Rule(
        "status.done", ClaimClass.STATUS, "done",
        "One of our steps is said to have happened.", _done,
        failing=("[I've cancelled the order].", "[Your refund has been processed].", "[A ticket was opened].", "[We sent a new hose]."),
        good=("You placed the order on 2 May.", "Your bank has a policy for this."),
        ignored=("If we have cancelled the order, you will see it.", "Have you cancelled it?", "You said we cancelled the order."),
    ),
    Rule(
        "status.remains", ClaimClass.STATUS, "record",
        "The case remains, sits or stays somewhere.", _remains,
        failing=("[Your case remains with the billing team].",),
        good=("Time remains short.",),
        ignored=("If your case remains open, call us.",),
    ),
    Rule(
        "status.state", ClaimClass.STATUS, "record",
        "The present state of the case is told: pending, in transit, with a team.", _state,
        failing=("[Your order is still pending].", "[The case is with the billing team].", "[Your parcel is on its way]."),
        good=("The bottle is white.", "Your order number is 5521.", "Our team is available from 9 to 5."),
        ignored=("If your order is still pending, you can cancel it.", "Is my order pending?"),
    ),
    Rule(
        "status.placed", ClaimClass.STATUS, "record",
        "The customer's place in the queue, or our person's place on the road.", _placed,
        failing=("[You are next in line].", "[The technician is en route]."),
        good=("You are in the right place.", "Our shop is at the station."),
        ignored=("If you are next in line, wait.",),
    ),
    Rule(
        "status.hitch", ClaimClass.STATUS, "record",
        "An error, a delay or a missing record is reported.", _hitch,
        failing=("[There is a delay at the depot].", "It appears [there has been an error in your order]."),
        good=("There is no need to call.", "There are three colours."),
        ignored=("If there is a delay, we are sorry.", "Is there an error?"),
    ),
    Rule(
        "status.unable", ClaimClass.STATUS, "record",
        "We report that we could not find or reach something.", _unable,
        failing=("[I'm still unable to retrieve the parcel's details].",),
        good=("I am unable to share the names of others.",),
        ignored=("If I am still unable to find it, tell me.",),
    ),
)  # fmt: skip
