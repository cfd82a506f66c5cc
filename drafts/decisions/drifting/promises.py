"""The values that an agent's message commits to: for each who promises what, and whether it is an answer at all."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from drafts.decisions.claims.folding import Folded, fold
from drafts.decisions.claims.guards import Guard
from drafts.decisions.claims.quoting import masked
from drafts.decisions.claims.reading import Reading as Statement
from drafts.decisions.claims.reading import read
from drafts.decisions.claims.subjects import Who
from drafts.decisions.claims.times import find_times
from drafts.decisions.claims.tokens import sentences
from drafts.decisions.drifting import parties
from drafts.decisions.drifting.matters import Frame, Matter, matter_of
from drafts.decisions.stated import Reading
from ledger.decisions.values import Fact, FactKind
from ledger.decisions.vocabulary import Span

VALUES_LIMIT = 200
"""Values of one message that are read; a message with more is a table, which people have to read."""

_KINDS = frozenset({FactKind.DURATION, FactKind.LIFETIME})
_WHO_MATTERS = frozenset(
    {Matter.UPDATE, Matter.NOTICE, Matter.INVESTIGATION, Matter.RESOLUTION, Matter.REFUND, Matter.REFUND_START,
     Matter.DISPATCH}
)  # fmt: skip
_TERMS = frozenset(
    {Matter.WARRANTY, Matter.RETURN, Matter.EXCHANGE, Matter.CANCELLATION, Matter.VALIDITY, Matter.RENEWAL}
)
_RECURS = re.compile(r"\b(?:every|each|once (?:a|in)|per|at least)\s*$")
_PAST = re.compile(
    r"\b(?:last|past|previous|delay(?:ed)? (?:of|by)|been|already|for (?:over|more than)|older than|ago|waited|waiting"
    r"|waiting for|took|taken|since)\s*$"
)
_LEFT = re.compile(r"\b(?:remaining|rest of the|left|outstanding)\s*$")
_LEFT_AFTER = re.compile(r"^\s*(?:remaining|left|to go)\b")
_CONDITION = re.compile(
    r"\b(?:if|unless|in case|in the (?:unlikely )?event|should (?:you|it|they|the|this|there|your))\b"
)
_HEAR_FROM_CUSTOMER = re.compile(
    r"\b(?:please|kindly|you (?:can|may|should|could|must|need to)|feel free to) (?:do )?(?:\w+ )?"
    r"(?:contact|call|reach|write|reply|respond|get (?:back|in touch)|let|inform|notify|e-?mail|check|confirm|provide|send|return"
    r"|ship|upload|share|track)\b(?! (?:that|you|to you))"
)
_CONCEDES = re.compile(
    r"\b(?:while|although|though|even though|despite|whereas|instead of|rather than|compared (?:to|with)|reduce)\b"
)
_OFFERS = frozenset({"can", "could", "would", "might"})
_TAKING = re.compile(r"^(?:tak|expect|receiv|arriv|reach|appear|reflect|last|return|cancel|exchang|be\b|claim)")
_ANCHOR = re.compile(r"\b(?:after|from|of|once|when|upon|following|since)\b(?! (?:us|me|now|today|our|the next))")
_OTHER_GOODS = re.compile(r"\b(?:replac\w+|re-?ship\w*|re-?sen[dt]\w*|re-?order\w*|new (?:order|one|unit|shipment))\b")


@dataclass(frozen=True, slots=True)
class Promise:
    """One value an agent committed to. `start` and `end` are the sentence, code points of the message as given.

    `firm` is false for what only restates or offers a value: it counts where it repeats an answer and is none itself.
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


@dataclass(slots=True)
class Thread:
    """What the conversation has spoken about so far: it gives a meaning to “it” and to “this process”."""

    replaces: bool = False
    matter: Matter | None = None
    asked: Matter | None = None
    party: str = parties.US


@dataclass(frozen=True, slots=True)
class _Place:
    """One value with the words around it, in lower case."""

    fact: Fact
    sentence: Span
    said: str
    before: str
    after: str
    statement: Statement | None


@dataclass(slots=True)
class _Message:
    """One message, read once."""

    text: str
    reading: Reading = field(init=False)
    folded: Folded = field(init=False)

    def __post_init__(self) -> None:
        self.reading, self.folded = Reading(self.text), fold(self.text)


def promises(text: str, thread: Thread) -> tuple[Promise, ...]:
    """Return what a message promises, in order, and move `thread` on to its end."""
    message = _Message(text)
    facts = [fact for fact in message.reading.facts if fact.kind in _KINDS and fact.polarity][:VALUES_LIMIT]
    found: list[Promise] = []
    at = 0
    if facts:
        statements = list(_statements(message))
        for fact in facts:
            sentence = message.reading.sentence_of(fact)
            _follow(thread, message.reading.passages.folded[at : sentence.start])
            at = max(at, sentence.start)
            place = _place(message, fact, sentence, statements)
            if promise := _promise(message, place, thread):
                found.append(promise)
    _follow(thread, message.reading.passages.folded[at:])
    return tuple(found)


def _statements(message: _Message) -> Iterator[tuple[Span, Statement]]:
    """Yield each time expression of the message, as a span of the text as given, with the statement it stands in."""
    plain = masked(message.folded.text)
    for sentence in sentences(plain, find_times(plain)):
        for statement in read(sentence):
            for token in statement.times:
                yield Span(*message.folded.raw(token.start, token.end)), statement


def _place(message: _Message, fact: Fact, sentence: Span, statements: Sequence[tuple[Span, Statement]]) -> _Place:
    whole = message.reading.passages.folded
    clause = message.reading.passages.clause(fact.span)
    statement = next((one for span, one in statements if span.overlaps(fact.span)), None)
    return _Place(
        fact,
        sentence,
        whole[sentence.start : sentence.end],
        whole[clause.start : fact.start],
        whole[fact.end : max(clause.end, min(sentence.end, fact.end + 120))],
        statement,
    )


def _promise(message: _Message, place: _Place, thread: Thread) -> Promise | None:
    frames = _frames(place)
    matter = next((found for frame in frames if (found := matter_of(frame))), None)
    if matter is None:
        matter = thread.matter or thread.asked
    if matter is None or _is_none(message, place, matter):
        return None
    thread.matter = matter
    about = frozenset((place.fact.applies_to or "").split("+")) - {""}
    return Promise(
        matter,
        _actor(place, thread) if matter in _WHO_MATTERS else parties.US,
        place.fact,
        place.sentence.start,
        place.sentence.end,
        anchored=bool(place.fact.anchor or _ANCHOR.search(place.after.partition(",")[0])),
        firm=_is_firm(place, matter),
        replaces=thread.replaces or bool(_OTHER_GOODS.search(place.said)),
        about=about,
    )


def _frames(place: _Place) -> Sequence[Frame]:
    """Return the words to look for the matter in, the closest first."""
    whole = Frame(place.after, f"{place.before} {place.said}")
    if place.statement is None:
        return (Frame(place.before), Frame(place.after), whole)
    said = f"{place.statement.group.verb} {place.statement.said}"
    return (Frame(said, _subject(place.statement)), Frame(place.before), Frame(place.after))


def _subject(statement: Statement) -> str:
    first = statement.tokens[statement.group.start].start
    words = [token.low for token in statement.tokens if statement.subject.start <= token.start < first]
    return " ".join(words) if statement.subject.start >= 0 else statement.subject.head


def _is_none(message: _Message, place: _Place, matter: Matter) -> bool:
    """Say whether a value is no answer: asked, quoted, told of the past, recurring, a condition, the customer's part."""
    fact, reading = place.fact, message.reading
    if fact.kind is FactKind.DURATION and fact.high is None:
        return True
    if reading.is_asked(fact) or place.said.endswith("?") or reading.is_quoted(fact) or reading.is_reported(fact):
        return True
    if _RECURS.search(place.before) or _PAST.search(place.before) or _LEFT.search(place.before):
        return True
    if _LEFT_AFTER.search(place.after) or _in_condition(place):
        return True
    statement = place.statement
    if statement is not None and (
        statement.guard in {Guard.QUESTION, Guard.REPORTED, Guard.CONDITION} or statement.group.negated
    ):
        return True
    return matter not in _TERMS and bool(_HEAR_FROM_CUSTOMER.search(place.before))


def _in_condition(place: _Place) -> bool:
    """Say whether the value is part of an if-clause: nothing between the "if" and it closes that clause."""
    start = place.fact.start - place.sentence.start
    opened = [match.end() for match in _CONDITION.finditer(place.said[:start])]
    return bool(opened) and "," not in place.said[opened[-1] : start]


def _is_firm(place: _Place, matter: Matter) -> bool:
    start = place.fact.start - place.sentence.start
    before = place.said[:start]
    opened = [match.end() for match in _CONCEDES.finditer(before)]
    if opened and "," not in before[opened[-1] :]:
        return False
    if _CONDITION.search(place.said):
        return False
    statement = place.statement
    if statement is None:
        return True
    return not (statement.group.modal in _OFFERS and matter not in _TERMS and not _TAKING.match(statement.group.verb))


def _actor(place: _Place, thread: Thread) -> str:
    statement = place.statement
    subject = _subject(statement) if statement else place.before
    if named := parties.party_in(subject):
        thread.party = named
        return named
    if parties.is_us(subject) and not (statement and statement.subject.who is Who.CUSTOMER):
        return parties.US
    by = re.search(r"\b(?:from|by) [^,.]*", f"{statement.said if statement else ''} {place.after}")
    if by and (named := parties.party_in(by[0])):
        return named
    if parties.is_they(subject):
        return thread.party
    return parties.US


def _follow(thread: Thread, text: str) -> None:
    """Move the thread on over a stretch of the agent's words."""
    if _OTHER_GOODS.search(text):
        thread.replaces = True
    if named := parties.last_party(text):
        thread.party = named
    if found := matter_of(Frame(text[-200:])):
        thread.matter = found
