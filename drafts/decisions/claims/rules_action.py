"""Rules for ACTION: what we, our people, our systems or a partner will do for this customer."""

import re

from drafts.decisions.claims.lexicon import ARRIVAL_VERBS, CONTACT_OBJECTS, CONTACT_VERBS, HELP_VERBS, LOOKUP_VERBS, is_adverb
from drafts.decisions.claims.reading import Reading
from drafts.decisions.claims.rule import Rule
from drafts.decisions.claims.subjects import Who
from drafts.decisions.claims.times import TimeKind
from drafts.decisions.claims.verbs import Form
from drafts.decisions.vocabulary import ClaimClass

_OURS = frozenset({Who.US, Who.PERSON})
_REACHES_YOU = re.compile(
    r"\b(?:be|stay|get|keep) (?:back )?(?:right )?(?:in touch|back|in contact)\b|\bget(?:ting)? back\b|\bback to you\b|\blet(?:ting)? you know\b|\breach(?:ing)? out\b"
    r"|\bcircle back\b|\bfollow(?:ing)?[ -]?up with you\b|\bcome back to you\b|\bkeep(?:ing)? you\b|\b(?:provide|send|give|drop|shoot|forward) (?:\w+ ){0,4}"
    r"(?:updates?|e-?mails?|message|confirmations?|note|news|answer|reply|links?|instructions|text|details|feedback)\b|\bupdates? (?:\w+ )?to you\b|\bdrop you\b|\bpick up the phone\b|\bget hold of you\b"
)
_YOU_GET = frozenset("receive hear get see have find expect be enjoy recieve".split())
_COMES_TO_YOU = frozenset("refund credit payment charge money amount replacement parcel package order item reimbursement voucher funds".split())
_EFFORT = re.compile(r"\b(?:our|my) (?:very )?best\b|\beverything(?: (?:we|i|possible|in)\b|$)|\bevery effort to (?:assist|help|ensure)\b|\ball we can\b|\bwhatever (?:we|i)\b")
_ABOUT_NOTHING = re.compile(r"^(?:your (?:user|order|account|reservation|booking|email|name|confirmation|details|help)|some (?:more )?(?:details|information)|more (?:details|information)|to (?:ask|know|have|confirm|verify))\b")
_SENDING = frozenset("sending shipping dispatching calling arranging delivering emailing visiting coming returning refunding replacing".split())


def _promises(reading: Reading) -> bool:
    group = reading.group
    return group.form is Form.FUTURE or (group.form is Form.SOFT and group.modal in {"", "should"})


def _is_contact(reading: Reading) -> bool:
    verb = reading.group.verb
    text = f"{verb} {reading.said}"
    stem = verb.removesuffix("ed").removesuffix("ing")
    if {verb, stem, f"{stem}e", verb[:-4]} & CONTACT_VERBS and verb not in {"indicate", "call", "advise"}:
        return verb not in {"check", "contact", "email", "call", "text", "message", "write", "inform", "notify"} or _to_you(reading)
    return bool(_REACHES_YOU.search(text)) or ({verb, stem} & {"call", "indicate", "advise", "phone", "provide", "send"} != set() and _to_you(reading) and verb not in {"send", "provide"})


def _to_you(reading: Reading) -> bool:
    return reading.group.passive or bool({"you", "your"} & set(reading.after[:6])) or not reading.after


def _contact(reading: Reading) -> bool:
    subject, group = reading.subject, reading.group
    if not _promises(reading) or group.negated or reading.is_general:
        return False
    if subject.who is Who.CUSTOMER:
        return _customer_gets(reading) and bool(CONTACT_OBJECTS & set(reading.after) or group.verb in {"hear"} or _is_contact_passive(reading))
    return subject.who in _OURS and _is_contact(reading) and not _EFFORT.search(reading.said)


def _is_contact_passive(reading: Reading) -> bool:
    return reading.group.passive and reading.group.verb in {"contacted", "notified", "informed", "called", "emailed", "updated", "reached", "told", "kept", "phoned", "advised", "alerted", "messaged", "texted"}


def _customer_gets(reading: Reading) -> bool:
    group = reading.group
    if group.passive:
        return group.verb not in {"charged", "asked", "required", "prompted", "redirected", "responsible", "billed", "needed"} or group.negated
    if group.verb == "be":
        return bool(re.match(r"(?:able|responsible|asked|required|in|on|liable|prompted)\b", reading.said)) is False and "back" in reading.after
    if group.verb in {"see", "find"}:
        return bool(_COMES_TO_YOU & set(reading.after))
    if group.verb in {"have", "get"}:
        return not re.match(r"to\b|an option|the option|access|the opportunity|detailed|more|a comprehensive|a list|any\b|the chance", reading.said)
    return group.verb in _YOU_GET or (group.verb == "receive")


def _customer_end(reading: Reading) -> bool:
    return reading.subject.who is Who.CUSTOMER and _promises(reading) and _customer_gets(reading) and reading.group.modal != "should"


def _you_can_expect(reading: Reading) -> bool:
    group = reading.group
    expects = group.verb == "expect" and group.form in {Form.MODAL, Form.SOFT} and group.modal in {"can", "should", "may"}
    ours = bool(_COMES_TO_YOU & set(reading.after)) and not {"option", "button", "section", "page", "tab", "link"} & set(reading.after)
    received = group.form is Form.SOFT and group.modal == "should" and (group.verb in {"receive", "hear", "get"} or (group.verb in {"see", "have"} and ours))
    return reading.subject.who is Who.CUSTOMER and (expects or received) and not group.negated


def _immediate(reading: Reading) -> bool:
    if not _process(reading) or not reading.subject.first:
        return False
    inside = {token.low for token in reading.tokens[reading.group.start : reading.group.end]}
    return bool(inside & {"now", "just", "quickly"}) or reading.group.verb in {"retrieve", "look", "pull", "access", "fetch", "start", "search"}


def _process(reading: Reading) -> bool:
    subject, group = reading.subject, reading.group
    if not _promises(reading) or reading.is_general or subject.who not in _OURS:
        return False
    if group.verb == "be" and re.match(r"(?:with you|there|on (?:site|the way|his way|her way|their way)|at your|over)\b", reading.said):
        return not group.negated
    if group.verb in HELP_VERBS or group.verb in {"be", "", "able", "ready"} or _EFFORT.search(reading.said):
        return group.verb in {"ensure", "share"}
    if group.form is Form.SOFT and group.modal == "should" and subject.first:
        return False
    if group.negated:
        return group.verb in {"charge", "bill", "share", "contact", "close", "cancel", "deduct"}
    return not re.match(r"(?:it happen|sure (?:that )?(?:you|your))\b", reading.said) and not _sentiment(reading)


def _sentiment(reading: Reading) -> bool:
    said = reading.said
    return bool(re.match(r"(?:to (?:assist|help|hearing)|your (?:satisfaction|experience|understanding)|forward to)\b", said)) or (
        reading.group.verb in {"work", "look"} and bool(re.match(r"(?:hard|closely|forward|together|with you)\b", said))
    )


def _starts_with(reading: Reading, words: set[str]) -> bool:
    return any(token.start == reading.subject.start and token.low in words for token in reading.tokens)


def _case_future(reading: Reading) -> bool:
    subject, group = reading.subject, reading.group
    if group.form is Form.PRESENT and group.verb in {"arrives", "ships", "leaves", "comes", "goes"}:
        return subject.who is Who.CASE and not reading.is_general and bool(reading.times) and not group.negated
    restrictive = reading.clause.opener == "that" and subject.start < 0
    moves = group.verb in {"arrive", "ship", "come", "reach", "follow", "sent", "shipped", "delivered", "mailed", "posted", "issued", "dispatched", "replaced"}
    thing = ((subject.who is Who.OTHER and group.passive) or (subject.who in {Who.OTHER, Who.POLICY} and moves)) and _starts_with(reading, {"the", "this", "that", "both", "your"})
    if not _promises(reading) or reading.is_general or not (subject.who is Who.CASE or thing) or group.verb in {"", "help", "allow"} or restrictive:
        return False
    if group.passive:
        return group.verb not in {"required", "needed", "asked", "used", "based", "found", "displayed", "listed", "shown", "prompted"}
    if group.form is Form.FUTURE and group.verb == "be":
        return bool(re.match(r"(?:with you|ready|on (?:its|the|their) way|there|at your|yours|available|back|complete|in (?:your|transit))\b", reading.said))
    if subject.weak and group.verb in {"take", "appear", "show", "be", "have", "get", "include", "help"}:
        return group.verb == "take" and bool(reading.times)
    return group.verb in ARRIVAL_VERBS and bool(not group.negated or reading.times)


def _sends_soon(reading: Reading) -> bool:
    if reading.group.form is not Form.PROGRESS or reading.group.negated or reading.subject.who not in _OURS | {Who.CASE}:
        return False
    ahead = any(token.time and token.time.kind is TimeKind.DATE and not token.low.startswith(("since", "yesterday", "last", "today", "from")) for token in reading.times)
    within = any(token.low.startswith(("within", "in ")) for token in reading.times)
    return (ahead or within) and (reading.group.verb in _SENDING or reading.subject.who is Who.CASE)


def _investigate_further(reading: Reading) -> bool:
    return (
        reading.group.form is Form.FUTURE
        and reading.subject.first
        and reading.group.verb == "need"
        and bool(re.match(r"to (?:investigate|escalate|refer|consult|follow up)\b", reading.said))
    )


def _anticipate(reading: Reading) -> bool:
    return (
        reading.group.form is Form.PRESENT
        and reading.group.verb in {"anticipate", "expect"}
        and reading.subject.first
        and not reading.group.negated
        and bool(reading.after)
        and bool(reading.times)
    )


def _committed(reading: Reading) -> bool:
    return reading.subject.first and reading.group.verb in {"committed", "going"} and bool(
        re.match(r"to (?:resolving|fixing|refunding|replacing|solving|sorting|delivering|getting (?:this|it|your))\b", reading.said)
    ) and (bool(reading.times) or "for you" in reading.said)


def _adverbless(reading: Reading) -> tuple[str, ...]:
    return tuple(word for word in reading.after if not is_adverb(word))


def _let_me(words: tuple[str, ...]) -> bool:
    """Say whether words begin “let me check”, “allow me a moment to look” and announce a step of our own."""
    match = re.match(
        r"(?:let (?:me|us)(?: \w+ly| just| now| first| also| go ahead and| quickly| try| start by| continue| begin by)*|"
        r"(?:please )?(?:allow|give|grant) (?:me|us)(?: just)?(?: a| one)?(?: few| quick| brief)?(?: moments?| minutes?| seconds?| second| bit)? (?:to|while i|while we)|"
        r"(?:bear|hang) with me while i) (\w+)",
        " ".join(words),
    )
    if match is None:
        return False
    verb = match[1]
    rest = " ".join(words)
    if (verb == "confirm" and " if " in rest) or re.search(r"\b(?:proceed|start|begin) (?:step|as follows|with (?:the following|these steps))", rest):
        return False
    return verb in LOOKUP_VERBS or verb.removesuffix("ing") in LOOKUP_VERBS or verb not in HELP_VERBS | {"assure", "have", "provide", "give", "take", "let", "reassure", "address", "elaborate", "rephrase", "repeat", "apologize", "apologise", "rewrite", "rewrite", "redo", "revise", "draft", "think", "reconsider", "rephrase", "introduce", "begin", "guide", "answer", "put", "ask"}


let_me = _let_me

ACTION_RULES = (
    Rule(
        "action.you_can_expect", ClaimClass.ACTION, "process",
        "The customer is told what they can expect or should receive from us.", _you_can_expect,
        failing=("[You can expect to receive the speaker] within 2 business days.", "[You should hear from us] by Friday."),
        good=("You can expect quality from us.".replace("You can expect", "Customers expect"),),
        ignored=("If all goes well, you should receive it.", "When can I expect it?"),
    ),
    Rule(
        "action.contact", ClaimClass.ACTION, "contact",
        "Somebody will communicate with the customer: call, write, get back, keep posted.", _contact,
        failing=("[A colleague will call you] tomorrow.", "[We'll get back to you].", "[You will be notified].", "[Dana from the workshop will circle back with a price]."),
        good=("Feel free to call us.", "Would you like a colleague to call you?"),
        ignored=("If anything changes, we will call you.", "Will you call me?"),
    ),
    Rule(
        "action.customer_end", ClaimClass.ACTION, "process",
        "The customer will receive, have or be given something.", _customer_end,
        failing=("[You'll have the replacement in your hands].", "[You will receive a full refund].", "[You will not be charged again]."),
        good=("You will need to send it back.", "You will be able to see the option."),
        ignored=("Once you confirm, you will receive a refund.",),
    ),
    Rule(
        "action.immediate", ClaimClass.ACTION, "immediate",
        "A next step of our own is announced as happening right now.", _immediate,
        failing=("[I'll look that up now].", "[I will now cancel the order]."),
        good=("I'll be happy to help.", "I will need your order number."),
        ignored=("Once you confirm, I will now cancel it.",),
    ),
    Rule(
        "action.process", ClaimClass.ACTION, "process",
        "We or our people will do something in this case.", _process,
        failing=("[We will ship a replacement].", "[Our team will now review your order].", "[I'm going to check with the depot]."),
        good=("We will do our best to help.", "I'll be happy to assist you.", "I can escalate this."),
        ignored=("If it fails, we will replace it.", "Please confirm and I will cancel it.", "Will you replace it?"),
    ),
    Rule(
        "action.case", ClaimClass.ACTION, "process",
        "The refund, parcel or request will be dealt with or arrive.", _case_future,
        failing=("[The refund will be issued to your card].", "[Your parcel should arrive] by Monday.", "[It will be delivered] tomorrow."),
        good=("This will help me find it.", "Refunds will be issued to the card used."),
        ignored=("If you return it, the refund will be issued.", "When will it arrive?"),
    ),
    Rule(
        "action.sends_soon", ClaimClass.ACTION, "process",
        "A present tense that promises: we are sending a courier on a day to come.", _sends_soon,
        failing=("[We are sending a courier] on 18 March.",),
        good=("We are open on 18 March.",),
        ignored=("If we are sending a courier on 18 March, you will know.",),
    ),
    Rule(
        "action.further", ClaimClass.ACTION, "process",
        "We say that we will need to take it further ourselves.", _investigate_further,
        failing=("[I will need to investigate this further].",),
        good=("I will need to ask for your name.",),
        ignored=("If it persists, I will need to investigate.",),
    ),
    Rule(
        "action.anticipate", ClaimClass.ACTION, "process",
        "We expect something of ours by a time.", _anticipate,
        failing=("[We anticipate redelivery] within 48 hours.",),
        good=("We expect honesty.",),
        ignored=("If we expect it tomorrow, we will say so.",),
    ),
    Rule(
        "action.committed", ClaimClass.ACTION, "process",
        "We are committed to resolving this very matter.", _committed,
        failing=("[We are committed to resolving this for you].",),
        good=("We are committed to your satisfaction.",),
        ignored=("Are we committed to resolving this?",),
    ),
)  # fmt: skip
