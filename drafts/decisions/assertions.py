"""Whether a customer says that we told them something else."""

import re

from drafts.decisions.comparing import best_match
from drafts.decisions.stated import Reading
from ledger.decisions.numbers import fold
from ledger.decisions.passages import sentences
from ledger.decisions.values import Fact, FactKind, Sameness, extract
from ledger.decisions.vocabulary import Span

_PEOPLE = (
    r"(?:colleagues?|agents?|advis[eo]rs?|reps?|representatives?|staff|team|support|service|technicians?|engineers?|"
    r"managers?|sales\w*|people|guys?|lady|woman|man|person|bot|chat ?bot|assistant|employee|coworker|operator|someone|"
    r"somebody|hotline|shop|store|company)"
)
_PAPERS = (
    r"(?:web ?site|web ?page|page|site|faq|policy|terms|conditions|e-?mails?|letter|chat|transcript|confirmation|"
    r"invoice|receipt|contract|leaflet|brochure|flyer|advert\w*|ad|banner|app|form|booklet|sticker|poster|newsletter|"
    r"documents?|certificate|offer)"
)
_SAY = (
    r"(?:told|said|says?|saying|tells?|telling|promis\w+|assur\w+|quot(?:ed|es?)|confirm\w*|guarantee[ds]?|wrote|"
    r"writes?|written|stat(?:ed|es?)|mention\w*|claim(?:ed|s)|advertis\w+|list(?:ed|s)|shows?|inform\w+|answered|"
    r"repl(?:ied|ies)|agreed|gave|offered|advised)"
)
_SAID = r"(?:told|said|says|promised|assured|quoted|confirmed|wrote|writes|states?|stated|mentioned|claimed|answered)"
_OURS = r"(?:your|the|my|a|an|one of your|some|another|this|that)"
_REPORT = re.compile(
    r"\b(?:i|we)(?: was| were|'ve been| have been| had been| got)(?: \w+)? "
    r"(?:told|promised|assured|quoted|informed|advised|given|offered|guaranteed)\b"
    r"|\b(?:you|they|he|she|it|who|which|that)"
    rf"(?: guys| people| all| also| clearly| have|'ve| had| already| just| once| first| even){{0,2}} {_SAY}\b"
    rf"|\b{_OURS}(?: [\w'-]+){{0,2}} (?:{_PEOPLE}|{_PAPERS})(?: [\w'-]+){{0,4}} {_SAY}\b"
    rf"|\b{_PEOPLE}(?: [\w'-]+){{0,3}} {_SAY}\b"
    rf"|\baccording to (?:your|the|my)(?: [\w'-]+){{0,2}} (?:{_PEOPLE}|{_PAPERS})\b"
    rf"|\b(?:on|in) (?:your|the|my)(?: [\w'-]+){{0,2}} {_PAPERS}\b"
    r"|\b(?:told|promised|assured|informed) (?:me|us)\b|\bin writing\b"
    r"|\b(?:last time|earlier|previously|before)\b.{0,20}\b(?:was|said|were)\b"
)
_DENIAL = re.compile(
    r"\b(?:not|isn't|wasn't|never) (?:at all )?"
    r"(?:what|how|the (?:answer|information|same(?: thing)?|number|figure|period)) "
    rf"(?:\w+ ){{0,4}}(?:{_SAY}|was|were|had|got|given)\b"
    r"|\b(?:different|differs|contradicts?)(?: (?:from|to|than))? (?:what|how|the|your|that)"
    rf"(?: [\w']+){{0,3}} (?:{_SAY}|heard)\b"
    rf"|\b{_SAID} (?:me |us )?(?:something|somewhat|quite|very|a) (?:else|different\w*|other\w*|longer|shorter)\b"
    rf"|\b{_SAID} (?:me |us )?(?:otherwise|differently|different|the opposite)\b"
)
_THIRD = re.compile(
    r"\b(?:my|a) (?:friends?|neighbou?rs?|wife|husband|partner|brother|sister|mother|father|mum|mom|dad|boss|lawyer|"
    r"son|daughter|bank)\b"
    r"|\b(?:manufacturer|amazon|competitors?|(?:another|other) (?:shops?|stores?|company|companies))\b"
)
_NOT_SAID = re.compile(
    r"\b(?:nobody|no one|none of you|you never|you didn't|you did not|never|didn't|haven't been|hasn't|wasn't)"
    rf"(?: \w+)? {_SAY}\b"
)
_OWN = re.compile(r"\b(?:i|i've|me|my|we|took)\b|\?$")
_TIMES = frozenset({FactKind.DURATION, FactKind.LIFETIME})


def asserts_different_answer(message: str, locked_text: str) -> bool:
    """Say whether the customer holds that our side gave another answer than `locked_text`.

    It takes a report with our side as its speaker and a value that differs, or a flat denial ("that is not what I was
    told"). The same value given back, a third party's word and a bare question assert nothing.
    """
    folded, ours = fold(message), extract(locked_text)
    spans = sentences(message)
    reading = Reading(message)
    for index, span in enumerate(spans):
        words = folded[span.start : span.end]
        if _DENIAL.search(words) and not _THIRD.search(words):
            return True
        if _reports(words) and _differs(reading, _reach(spans, index, folded), ours):
            return True
    return False


def _reports(words: str) -> bool:
    return _REPORT.search(words) is not None and not _THIRD.search(words) and not _NOT_SAID.search(words)


def _reach(spans: tuple[Span, ...], index: int, folded: str) -> Span:
    """The value may follow in the next sentence where the report names none ("He told me. Two years.")."""
    here = spans[index]
    following = spans[index + 1] if index + 1 < len(spans) else here
    words = folded[following.start : following.end]
    alone = not extract(folded[here.start : here.end])
    return Span(here.start, following.end) if alone and not _OWN.search(words) else here


def _differs(reading: Reading, reach: Span, ours: tuple[Fact, ...]) -> bool:
    facts = [fact for fact in reading.facts if reach.overlaps(fact.span) and _comparable(fact, ours)]
    values = [fact for fact in facts if fact.polarity and fact.kind is not FactKind.STANCE]
    if any(best_match(fact, ours) is not Sameness.SAME for fact in values):
        return True
    stances = [fact for fact in facts if fact.kind is FactKind.STANCE]
    return any(
        fact.polarity not in {other.polarity for other in ours if other.kind is fact.kind and other.unit == fact.unit}
        for fact in stances
    )


def _comparable(fact: Fact, ours: tuple[Fact, ...]) -> bool:
    """Values on the locked answer's topic and of its kinds; any value where it has none, save promises to call."""
    topics = frozenset().union(*(other.topics for other in ours))
    if fact.kind is FactKind.DATE or (fact.topics and topics and not fact.topics & topics):
        return False
    if "reply" in fact.topics and "reply" not in topics:
        return False
    if fact.kind is FactKind.STANCE:
        return any(other.kind is FactKind.STANCE and other.unit == fact.unit for other in ours)
    kinds = {other.kind for other in ours} - {FactKind.DATE, FactKind.STANCE}
    return not kinds or fact.kind in kinds or (fact.kind in _TIMES and bool(kinds & _TIMES))
