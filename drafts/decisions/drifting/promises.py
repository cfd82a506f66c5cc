"""What an agent's message promises: for each value who promises what to whom, read in the light of the thread."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from drafts.decisions.claims.subjects import Who
from drafts.decisions.drifting import parties
from drafts.decisions.drifting.charges import charge_of
from drafts.decisions.drifting.ellipsis import PRICES, answered, fitting, is_short
from drafts.decisions.drifting.matters import Frame, Matter, matter_of
from drafts.decisions.drifting.places import Place, places, unanchored
from drafts.decisions.drifting.weighing import is_answer, is_firm
from drafts.decisions.stated import Reading
from ledger.decisions.values import Fact, FactKind
from ledger.decisions.vocabulary import Span

_LOOK_BACK = 200
WORD_OF = frozenset({Matter.UPDATE, Matter.NOTICE, Matter.INVESTIGATION, Matter.RESOLUTION})
_HANDED_ON = frozenset({Matter.REFUND, Matter.REFUND_START, Matter.DISPATCH})
_POINTS_BACK = re.compile(
    r"\b(?:it|this|that|they|them|these|those|which|process\w*|time|timeframe|timeline|period|takes?|standard)\b"
)
_LABELLED = re.compile(r"^[-*\u2022\d.) ]*[^:.]{1,60}: *$")
_UNDER_WARRANTY = re.compile(r"\b(?:warrant|guarante|cover)")
_OTHER_GOODS = re.compile(r"\b(?:replac\w+|re-?ship\w*|re-?sen[dt]\w*|re-?order\w*|new (?:order|one|unit|shipment))\b")
_LETS = frozenset({"allow", "give", "ask"})
_BY = re.compile(r"\b(?:from|by) [^,.]*")


@dataclass(frozen=True, slots=True)
class Promise:
    """One value an agent committed to. `start` and `end` are its sentence, code points of the message as given.

    `firm` is false for what only restates or offers a value: it counts where it repeats an answer and is none itself.
    `replaces` tells goods sent instead of others, `about` what the value applies to, `named` the fee by name.
    """

    matter: Matter
    actor: str
    fact: Fact
    start: int
    end: int
    anchored: bool = False
    firm: bool = True
    replaces: bool = False
    about: frozenset[str] = frozenset()
    named: frozenset[str] = frozenset()


@dataclass(slots=True)
class Thread:
    """What the conversation has spoken about so far: it gives a meaning to “it” and to “this process”.

    `spoken` is what the message being read spoke of last; `open` are the matters that the customer's last message asked
    for, `open_party` who it asked about.
    """

    replaces: bool = False
    matter: Matter | None = None
    spoken: Matter | None = None
    asked: Matter | None = None
    party: str = parties.US
    open: frozenset[Matter] = frozenset()
    open_party: str = parties.US


@dataclass(frozen=True, slots=True)
class Message:
    """What an agent's message promises, and the sentences whose value fits the open question but was not understood."""

    promises: tuple[Promise, ...]
    unread: tuple[tuple[Matter, Span], ...]


def promises(text: str, thread: Thread) -> Message:
    """Return what a message promises, in order, and move `thread` on to its end."""
    reading = Reading(text)
    folded = reading.passages.folded
    found: list[Promise] = []
    unread: list[tuple[Matter, Span]] = []
    at, thread.spoken = 0, None
    for place in places(text, reading):
        _follow(thread, folded[at : place.span.start])
        at = max(at, place.span.start)
        short = answered(place, thread.open) if is_short(place, folded[: place.span.start]) else None
        matter, named = _charged(place, short) if place.fact.kind in PRICES else (_matter(place, thread, short), None)
        if matter is None:
            fits = fitting(place, thread.open)
            unread += [(fits, place.span)] if fits and is_answer(place, fits) else []
        elif is_answer(place, matter, asked=short is not None):
            found.append(_charge(place, matter, named) if named is not None else _promise(place, matter, thread, short))
    _follow(thread, folded[at:])
    return Message(tuple(found), tuple(unread))


def _promise(place: Place, matter: Matter, thread: Thread, short: Matter | None) -> Promise:
    thread.matter = thread.spoken = matter
    actor = _actor(place, thread)
    return Promise(
        matter,
        _whose(matter, thread.open_party if short and actor == parties.US else actor),
        place.fact,
        place.span.start,
        place.span.end,
        anchored=place.is_anchored,
        firm=is_firm(place, matter),
        replaces=thread.replaces or _OTHER_GOODS.search(place.said) is not None,
        about=place.scopes,
    )


def _charged(place: Place, short: Matter | None) -> tuple[Matter | None, frozenset[str]]:
    """Return what an amount is charged for with the name of the fee; without words of its own, what was asked."""
    return charge_of(place.said, place.before) or (short, frozenset())


def _charge(place: Place, matter: Matter, named: frozenset[str]) -> Promise:
    firm, span = is_firm(place, matter), place.span
    return Promise(matter, parties.US, place.fact, span.start, span.end, firm=firm, about=place.scopes, named=named)


def _matter(place: Place, thread: Thread, short: Matter | None) -> Matter | None:
    fact = place.fact
    if _UNDER_WARRANTY.search(place.said) and (fact.unit == "months" or fact.kind is FactKind.LIFETIME):
        return Matter.WARRANTY
    if short is not None:
        return short
    told = next((found for frame in _frames(place) if (found := matter_of(frame))), None)
    if told in {Matter.RETURN, Matter.REFUND} and "deposit" in place.before:
        return Matter.DEPOSIT
    is_entry = place.statement is None and _LABELLED.search(place.lead) is not None
    if told is None and (is_entry or _POINTS_BACK.search(place.subject)):
        return thread.spoken or fitting(place, thread.open) or thread.matter or thread.asked
    return told


def _frames(place: Place) -> Iterator[Frame]:
    """Yield the words to look for the matter in, the closest first."""
    before = parties.without_parties(place.before.rpartition(" that ")[2])
    statement = place.statement
    if statement is not None:
        said = parties.without_parties(unanchored(f"{statement.group.verb} {statement.said}"))
        if statement.subject.start >= 0:
            yield Frame(said, before, place.subject)
        else:
            yield Frame(said, f"{place.subject} {before}")
    yield Frame(before)
    yield Frame(parties.without_parties(unanchored(place.after)))
    yield Frame(parties.without_parties(place.lead))


def _whose(matter: Matter, actor: str) -> str:
    """Return whose time it is, as far as that matters: refunds and goods come from us, whoever of us sees to it."""
    if matter in WORD_OF or (matter in _HANDED_ON and actor in parties.OUTSIDE):
        return actor
    return parties.US


def _actor(place: Place, thread: Thread) -> str:
    """Return who is to do it: the subject, who a call comes “from”, or for “they” who was named last."""
    statement, subject = place.statement, place.subject
    understood = statement is not None and statement.subject.start < 0
    if understood and statement is not None and statement.subject.who is Who.US and not statement.subject.first:
        named = parties.party_in(place.lead)
    else:
        named = parties.party_in(subject)
    lets = statement is not None and (statement.subject.who is Who.CUSTOMER or statement.group.verb in _LETS)
    if named is None and (lets or not parties.is_us(subject)):
        named = _sender(place)
    if named is not None:
        thread.party = named
        return named
    return thread.party if parties.is_they(subject) else parties.US


def _sender(place: Place) -> str | None:
    if place.statement is not None and place.statement.group.verb in _LETS:
        return parties.party_in(place.statement.said)
    by = _BY.search(f"{place.statement.said if place.statement else ''} {place.after}")
    return parties.party_in(by[0]) if by else None


def _follow(thread: Thread, text: str) -> None:
    """Move the thread on over a stretch of the agent's words."""
    if _OTHER_GOODS.search(text):
        thread.replaces = True
    near = text[-_LOOK_BACK:]
    thread.party = parties.last_party(near) or thread.party
    thread.spoken = matter_of(Frame(near)) or thread.spoken
    thread.matter = thread.spoken or thread.matter
