"""When a statement is a claim of class ACTION: the conditions behind rules_action.py."""

import re

from drafts.decisions.claims.forms import Form
from drafts.decisions.claims.lexicon import (
    ARRIVAL_VERBS,
    HELP_VERBS,
    LOOKUP_VERBS,
    words,
)
from drafts.decisions.claims.reading import Reading
from drafts.decisions.claims.subjects import Who
from drafts.decisions.claims.times import TimeKind

OURS = frozenset({Who.US, Who.PERSON})


EFFORT = re.compile(
    r"\b(?:our|my) (?:very )?best\b|\beverything(?: (?:we|i|possible|in)\b|$)|\bevery effort to (?:assist|help"
    r"|ensure)\b|\ball we can\b|\bwhatever (?:we|i)\b"
)


_ABOUT_NOTHING = re.compile(
    r"^(?:your (?:user|order|account|reservation|booking|email|name|confirmation|details|help)|some (?:more "
    r")?(?:details|information)|more (?:details|information)|to (?:ask|know|have|confirm|verify))\b"
)


_SENDING = words(
    "sending shipping dispatching calling arranging delivering emailing visiting coming returning refunding replacing"
)


def promises(reading: Reading) -> bool:
    """Say whether a statement looks ahead: “will”, “going to”, “should”, “aims to”."""
    group = reading.group
    return group.form is Form.FUTURE or (group.form is Form.SOFT and group.modal in {"", "should"})


_LOOKS_UP = words("retrieve look pull access fetch start search")


def immediate(reading: Reading) -> bool:
    """Say whether: a next step of our own is announced as happening right now."""
    if not process(reading) or not reading.subject.first:
        return False
    inside = {token.low for token in reading.tokens[reading.group.start : reading.group.end]}
    return bool(inside & {"now", "just", "quickly"}) or reading.group.verb in _LOOKS_UP


def process(reading: Reading) -> bool:
    """Say whether: we or our people will do something in this case."""
    subject, group = reading.subject, reading.group
    if not promises(reading) or reading.is_general or subject.who not in OURS:
        return False
    if group.verb == "be" and re.match(
        r"(?:with you|there|on (?:site|the way|his way|her way|their way)|at your|over)\b", reading.said
    ):
        return not group.negated
    if group.verb in HELP_VERBS or group.verb in {"be", "", "able", "ready"} or EFFORT.search(reading.said):
        return group.verb in {"ensure", "share"}
    if group.form is Form.SOFT and group.modal == "should" and subject.first:
        return False
    if group.negated:
        return group.verb in {"charge", "bill", "share", "contact", "close", "cancel", "deduct"}
    return not re.match(r"(?:it happen|sure (?:that )?(?:you|your))\b", reading.said) and not _sentiment(reading)


def _sentiment(reading: Reading) -> bool:
    said = reading.said
    return bool(
        re.match(r"(?:to (?:assist|help|hearing)|your (?:satisfaction|experience|understanding)|forward to)\b", said)
    ) or (
        reading.group.verb in {"work", "look"} and bool(re.match(r"(?:hard|closely|forward|together|with you)\b", said))
    )


def _starts_with(reading: Reading, words: set[str]) -> bool:
    return any(token.start == reading.subject.start and token.low in words for token in reading.tokens)


_WILL_BE = re.compile(
    r"(?:with you|ready|on (?:its|the|their) way|there|at your|yours|available|back|complete|in (?:your|transit))\b"
)
_COMES = words("arrives ships leaves comes goes")
_MOVES = words("arrive ship come reach follow sent shipped delivered mailed posted issued dispatched replaced")
_DUTIES = words("required needed asked used based found displayed listed shown prompted")


def case_future(reading: Reading) -> bool:
    """Say whether: the refund, parcel or request will be dealt with or arrive."""
    subject, group = reading.subject, reading.group
    if group.form is Form.PRESENT:
        coming = group.verb in _COMES and not group.negated and bool(reading.times)
        return coming and subject.who is Who.CASE and not reading.is_general
    named = subject.who is Who.CASE or _is_thing_that_moves(reading)
    if (
        not (named and promises(reading))
        or reading.is_general
        or group.verb in {"", "help"}
        or _is_restrictive(reading)
    ):
        return False
    if group.passive:
        return group.verb not in _DUTIES
    if group.form is Form.FUTURE and group.verb == "be":
        return bool(_WILL_BE.match(reading.said))
    says_little = subject.weak and group.verb in {"appear", "show", "be", "have", "get", "include"}
    needs_time = group.negated or (subject.weak and group.verb == "take")
    return group.verb in ARRIVAL_VERBS and not says_little and bool(not needs_time or reading.times)


def _is_restrictive(reading: Reading) -> bool:
    """Say whether a clause only says which thing is meant: “the amount that will be charged”."""
    return reading.clause.opener == "that" and reading.subject.start < 0


def _is_thing_that_moves(reading: Reading) -> bool:
    """Say whether a thing that is no case noun is sent or dealt with: “the missing screw will be sent”."""
    who, moves = reading.subject.who, reading.group.verb in _MOVES
    fits = (who is Who.OTHER and (moves or reading.group.passive)) or (who is Who.POLICY and moves)
    return fits and _starts_with(reading, {"the", "this", "that", "both", "your"})


def sends_soon(reading: Reading) -> bool:
    """Say whether: a present tense that promises: we are sending a courier on a day to come."""
    if reading.group.form is not Form.PROGRESS or reading.group.negated or reading.subject.who not in OURS | {Who.CASE}:
        return False
    ahead = any(
        token.time
        and token.time.kind is TimeKind.DATE
        and not token.low.startswith(("since", "yesterday", "last", "today", "from"))
        for token in reading.times
    )
    within = any(token.low.startswith(("within", "in ")) for token in reading.times)
    return (ahead or within) and (reading.group.verb in _SENDING or reading.subject.who is Who.CASE)


def investigate_further(reading: Reading) -> bool:
    """Say whether: we say that we will need to take it further ourselves."""
    return (
        reading.group.form is Form.FUTURE
        and reading.subject.first
        and reading.group.verb == "need"
        and bool(re.match(r"to (?:investigate|escalate|refer|consult|follow up)\b", reading.said))
    )


def anticipate(reading: Reading) -> bool:
    """Say whether: we expect something of ours by a time."""
    return (
        reading.group.form is Form.PRESENT
        and reading.group.verb in {"anticipate", "expect"}
        and reading.subject.first
        and not reading.group.negated
        and bool(reading.after)
        and bool(reading.times)
    )


def committed(reading: Reading) -> bool:
    """Say whether: we are committed to resolving this very matter."""
    return (
        reading.subject.first
        and reading.group.verb in {"committed", "going"}
        and bool(
            re.match(
                r"to (?:resolving|fixing|refunding|replacing|solving|sorting|delivering|getting (?:this|it|your))\b",
                reading.said,
            )
        )
        and (bool(reading.times) or "for you" in reading.said)
    )


_TALK = words(
    "assure have provide give take let reassure address elaborate rephrase repeat apologize apologise "
    "rewrite redo revise draft think reconsider introduce begin guide answer put ask"
)


def announces_a_step(words: tuple[str, ...]) -> bool:
    """Say whether words begin “let me check”, “allow me a moment to look” and announce a step of our own."""
    match = re.match(
        r"(?:let (?:me|us)(?: \w+ly| just| now| first| also| go ahead and| quickly| try| start by| continue| begin "
        r"by)*|"
        r"(?:please )?(?:allow|give|grant) (?:me|us)(?: just)?(?: a| one)?(?: few| quick| brief)?(?: moments?| "
        r"minutes?| seconds?| second| bit)? (?:to|while i|while we)|"
        r"(?:bear|hang) with me while i) (\w+)",
        " ".join(words),
    )
    if match is None:
        return False
    verb = match[1]
    rest = " ".join(words)
    if (verb == "confirm" and " if " in rest) or re.search(
        r"\b(?:proceed|start|begin) (?:step|as follows|with (?:the following|these steps))", rest
    ):
        return False
    return verb in LOOKUP_VERBS or verb.removesuffix("ing") in LOOKUP_VERBS or verb not in HELP_VERBS | _TALK
