"""Comparing what a draft says with what was committed: typed facts decide, never similar wording."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from enum import StrEnum

from drafts.decisions.stated import Reading, commitments, is_known_date, readings_of
from drafts.decisions.verbatim import contains_verbatim
from ledger.decisions.values import Bound, Fact, FactKind, same_value
from ledger.decisions.values import Sameness as Likeness
from ledger.decisions.vocabulary import Span

_BEST = (Likeness.UNRELATED, Likeness.DIFFERENT, Likeness.NEAR, Likeness.SAME)
_QUALIFIED = re.compile(
    r"\b(?:after|unless|if|when|once|beyond|outside|opened|used|damage\w*|misuse|because|only|until|later|except|"
    r"automatic\w*|yet|separate|additional|whether|know|sure|information|decide\w*|approve)\b"
)
_TAKES_SIDE = re.compile(
    r"\b(?:non-?)?(?:refund|return|cancel|exchange|transfer)[a-z]*able\b"
    r"|\b(?:is|are|isn't|aren't) (?:not |fully |also )?covered\b"
    r"|\bwe (?:do not |don't |do |always |never )?(?:price[- ])?match\b"
    r"|\bwe (?:do not |don't )?(?:accept|offer|give) (?:returns|refunds|exchanges)\b"
    r"|\bno (?:warranty|guarantee|refunds?|returns?|exchanges?)\b"
)
_CONDITION = re.compile(r"\b(?:if|when|unless|provided|once|where|as long as|within|before|until)\b")
_REACH = 200


class Sameness(StrEnum):
    """How a text relates to a commitment."""

    VERBATIM = "verbatim"
    SAME = "same"
    DIFFERENT = "different"
    PARTIAL = "partial"
    UNSURE = "unsure"
    SILENT = "silent"


@dataclass(frozen=True, slots=True)
class Comparison:
    """The outcome, with the stretches that state another value and those a person has to look at."""

    sameness: Sameness
    differing: tuple[Span, ...] = ()
    unclear: tuple[Span, ...] = ()


def compare(
    text: str,
    reference: str,
    *,
    ignore: Sequence[Span] = (),
    known_dates: frozenset[date] = frozenset(),
    exempt: Sequence[Span] = (),
) -> Comparison:
    """Compare every value that `text` states with the values of `reference`, a locked answer or a policy statement.

    `ignore` are spans of detected claims: a time in one counts only where the reference speaks about the same topic.
    `exempt` are spans the product itself requires; nothing in them counts. `known_dates` are the dates of the case.
    Leaving out a fact is PARTIAL; a value the reference does not have is DIFFERENT; months against days are UNSURE.
    """
    quoted = contains_verbatim(text, reference)
    ours, reading = Reading(reference), Reading(text)
    given = (*exempt, *_quotations(text, reference, ours))
    facts = commitments(reading, ignore=ignore, exempt=given, reference=ours.facts)
    judged = [(fact, _judge(reading, fact, ours, known_dates)) for fact in facts if fact.kind is not FactKind.STANCE]
    judged += _judge_stances(reading, [fact for fact in facts if fact.kind is FactKind.STANCE], ours)
    differing = tuple(fact.span for fact, outcome in judged if outcome is Likeness.DIFFERENT)
    unclear = tuple(fact.span for fact, outcome in judged if outcome is Likeness.NEAR)
    if differing or unclear:
        return Comparison(Sameness.DIFFERENT if differing else Sameness.UNSURE, differing, unclear)
    return Comparison(Sameness.VERBATIM if quoted else _coverage(judged, ours.facts))


def _quotations(text: str, reference: str, ours: Reading) -> tuple[Span, ...]:
    """Return where the text quotes the reference or one of its sentences, which needs no comparing."""
    pieces = dict.fromkeys((reference, *(reference[span.start : span.end] for span in ours.passages.sentences)))
    found = (contains_verbatim(text, piece) for piece in pieces)
    return tuple(span for span in found if span is not None)


def _coverage(judged: Sequence[tuple[Fact, Likeness]], ours: Sequence[Fact]) -> Sameness:
    matched = [fact for fact, outcome in judged if outcome is Likeness.SAME and fact.kind is not FactKind.DATE]
    if not matched:
        return Sameness.SILENT
    wanted = [fact for fact in ours if fact.kind not in {FactKind.DATE, FactKind.STANCE}] or list(ours)
    left = [fact for fact in wanted if not any(same_value(fact, other) is Likeness.SAME for other in matched)]
    return Sameness.PARTIAL if left else Sameness.SAME


def _judge(reading: Reading, fact: Fact, ours: Reading, known: frozenset[date]) -> Likeness:
    """Say how one stated value relates to the reference; UNRELATED means that it is no statement about it."""
    if fact.kind is FactKind.DATE:
        outcome = _judge_date(reading, fact, ours.facts, known)
    elif not fact.polarity:
        repeats = any(same_value(replace(fact, polarity=True), other) is Likeness.SAME for other in ours.facts)
        outcome = Likeness.DIFFERENT if repeats else Likeness.UNRELATED
    else:
        outcome = best_match(fact, ours.facts)
        if outcome is Likeness.UNRELATED:
            outcome = Likeness.NEAR if _is_full_share(fact) else Likeness.DIFFERENT
    if outcome is Likeness.SAME and _drops_condition(reading, fact, ours):
        return Likeness.NEAR
    return Likeness.NEAR if outcome is Likeness.DIFFERENT and reading.is_reported(fact) else outcome


def _drops_condition(reading: Reading, fact: Fact, ours: Reading) -> bool:
    """Say whether something free on a condition is called free without one."""
    if fact.kind is not FactKind.MONEY or fact.low != 0 or _CONDITION.search(_sentence_text(reading, fact)):
        return False
    return any(_CONDITION.search(_sentence_text(ours, other)) for other in ours.facts if other.low == 0)


def _sentence_text(reading: Reading, fact: Fact) -> str:
    return reading.passages.text(_near(reading, fact))


def _is_full_share(fact: Fact) -> bool:
    return fact.kind is FactKind.PERCENT and fact.low == 100


def best_match(fact: Fact, ours: Sequence[Fact]) -> Likeness:
    """Return the best outcome among the reference's facts that speak about the same part or the same topic."""
    related = [other for other in ours if same_value(fact, other) is not Likeness.UNRELATED and other.polarity]
    scope = set((fact.applies_to or "").split("+")) - {""}
    same_scope = [other for other in related if scope & set((other.applies_to or "").split("+"))]
    same_topic = [other for other in related if fact.topics & other.topics]
    candidates = same_scope or same_topic or related
    return max((same_value(fact, other) for other in candidates), key=_BEST.index, default=Likeness.UNRELATED)


def _judge_date(reading: Reading, fact: Fact, ours: Sequence[Fact], known: frozenset[date]) -> Likeness:
    dates = [other for other in ours if other.kind is FactKind.DATE]
    if any(same_value(fact, other) is Likeness.SAME for other in dates):
        return Likeness.SAME
    if is_known_date(fact, known) or (fact.bound is Bound.EXACTLY and (reading.is_event(fact) or not dates)):
        return Likeness.UNRELATED
    if dates:
        return Likeness.DIFFERENT
    if reading.is_event(fact) and fact.bound is Bound.AT_MOST:
        return Likeness.UNRELATED
    if fact.bound is Bound.AT_LEAST:
        return Likeness.NEAR if known else Likeness.UNRELATED
    return _judge_last_day(fact, ours, known)


def _judge_last_day(fact: Fact, ours: Sequence[Fact], known: frozenset[date]) -> Likeness:
    """A last day worked out from a date of the case and a term in days is that term in other words."""
    terms = [
        int(other.high) for other in ours if other.kind is FactKind.DURATION and other.unit == "days" and other.high
    ]
    if not known or not terms:
        return Likeness.NEAR
    reach = [timedelta(days=min(term, 36_500)) for term in terms]
    ends = [day + term for day in known for term in reach]
    if _falls_on(fact, ends, (0,)):
        return Likeness.UNRELATED
    return Likeness.NEAR if _falls_on(fact, ends, (-1, 1)) else Likeness.DIFFERENT


def _falls_on(fact: Fact, ends: Sequence[date], shifts: tuple[int, ...]) -> bool:
    days = {end + timedelta(days=shift) for end in ends for shift in shifts}
    meant = readings_of(fact)
    return any((day.year, day.month, day.day) in meant or (None, day.month, day.day) in meant for day in days)


def _judge_stances(reading: Reading, stances: Sequence[Fact], ours: Reading) -> list[tuple[Fact, Likeness]]:
    """Compare yes and no: a bare contradiction differs, one with a condition is for a person to read."""
    committed = [fact for fact in ours.facts if fact.kind is FactKind.STANCE]
    topics = frozenset().union(*(fact.topics for fact in ours.facts))
    judged = []
    for fact in stances:
        said = {other.polarity for other in stances if other.unit == fact.unit}
        if len(said) == 1 and (outcome := _judge_stance(reading, fact, ours, committed)):
            judged.append((fact, outcome))
        elif not committed and fact.unit in topics and takes_side(reading, fact):
            judged.append((fact, Likeness.NEAR))
    return judged


def _judge_stance(reading: Reading, fact: Fact, ours: Reading, committed: Sequence[Fact]) -> Likeness | None:
    theirs = {other.polarity for other in committed if other.unit == fact.unit}
    if len(theirs) != 1:
        return None
    if fact.polarity in theirs:
        outcome = best_match(fact, committed) if fact.polarity else Likeness.SAME
        return outcome if outcome is not Likeness.UNRELATED else None
    shared = frozenset(_QUALIFIED.findall(ours.passages.folded))
    return Likeness.DIFFERENT if _is_bare(reading, fact, shared) else Likeness.NEAR


def _is_bare(reading: Reading, fact: Fact, shared: frozenset[str] = frozenset()) -> bool:
    """Say whether a yes or no stands without a condition of its own; those of the reference are `shared`."""
    return set(_QUALIFIED.findall(reading.passages.text(_near(reading, fact)))) <= shared


def _near(reading: Reading, fact: Fact) -> Span:
    sentence = reading.sentence_of(fact)
    return Span(max(sentence.start, fact.start - _REACH), min(sentence.end, fact.end + _REACH))


def takes_side(reading: Reading, fact: Fact) -> bool:
    """Say whether a yes or no without a number is stated flatly ("non-refundable", "we match prices")."""
    near = _near(reading, fact)
    flat = _TAKES_SIDE.finditer(reading.passages.folded, near.start, near.end)
    return any(Span(m.start(), m.end()).overlaps(fact.span) for m in flat) and _is_bare(reading, fact)


def stated_values(
    text: str,
    *,
    ignore: Sequence[Span] = (),
    known_dates: frozenset[date] = frozenset(),
    exempt: Sequence[Span] = (),
) -> tuple[Span, ...]:
    """Return where `text` states a commitment although there is none to compare it with.

    Questions, offers of a call, promises to reply and dates of the case are none. See `compare` for the arguments.
    """
    reading = Reading(text)
    facts = commitments(reading, ignore=ignore, exempt=exempt, reference=())
    return tuple(fact.span for fact in facts if _is_stated(reading, fact, known_dates))


def _is_stated(reading: Reading, fact: Fact, known: frozenset[date]) -> bool:
    if fact.kind is FactKind.STANCE:
        return takes_side(reading, fact)
    if fact.kind is FactKind.DATE:
        return fact.bound is Bound.AT_MOST and not reading.is_event(fact) and not is_known_date(fact, known)
    return fact.polarity
