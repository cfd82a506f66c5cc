"""What a reply that did not come through the desk commits us to: its sentences that state a value for a question.

What counts (rule 3.8, "replies posted outside the desk that state a value"):

- The locked answer told again to the letter is no row. The customer holds the one promise that the ledger holds; that
  a person typed or pasted it elsewhere changes nothing of it, and verbatim is how a repeat has to be told.
- The same value in other words is a row that does not differ: a locked answer rephrased is another commitment.
- Another value is a row that differs.
- A value where nothing is locked is a row too, held against no entry: we are bound, and no ledger says so. Its question
  is the one whose passage speaks of the same topic in the same kind of value; among several scopes of that topic the
  one that this conversation is about. Where several fit alike it is kept without a key, and so is a term (cover,
  return, cancellation, price match, trial) that no passage speaks of.

Questions, quoted mail, the customer's own words given back, promises to write or call, dates and amounts of the
customer's order and values that the text denies state nothing (see `drafts.decisions.stated`).
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from drafts.decisions.answers import facts_about, words_shared
from drafts.decisions.comparing import compare
from drafts.decisions.stated import TERMS, Reading, commitments
from drafts.decisions.verbatim import contains_verbatim
from ledger.decisions.keys import topic_of
from ledger.decisions.values import Fact, FactKind, extract
from ledger.decisions.vocabulary import Span

_PRICE = "fee"
_TERM_KINDS = frozenset({FactKind.DURATION, FactKind.LIFETIME, FactKind.PERCENT, FactKind.MONEY})


@dataclass(frozen=True, slots=True)
class StatedOutside:
    """One sentence with the root key it answers, empty where the topic is not known.

    `differs` says that it states another value than the locked answer, or one of which that cannot be told.
    """

    question_key: str
    sentence: str
    differs: bool = False


def stated_outside(
    text: str,
    *,
    locked: Mapping[str, str],
    passages: Mapping[str, Sequence[str]],
    asked: Collection[str] = (),
) -> tuple[StatedOutside, ...]:
    """Return what an agent's message commits us to, one row for each sentence and question, in the order of the text.

    `locked` holds the live answer of each root key of this conversation, `passages` what active documents say by root
    key, `asked` the root keys that were asked in it. A sentence about locked answers is held against those alone.
    """
    if not extract(text):
        return ()  # most messages state nothing, and need no closer reading
    reading, told = Reading(text), _told_again(text, locked)
    found = [row for key, answer in locked.items() for row in _against(reading, text, key, answer, told)]
    taken = {span for span, _ in found}
    first = {key: texts for key, texts in passages.items() if key not in locked}
    found += _first_answers(reading, text, first, told=told, asked=asked, taken=taken)
    taken = {span for span, _ in found}
    found += _terms(reading, text, told, taken)
    ordered = sorted(found, key=lambda row: (row[0].start, row[1].question_key))
    return tuple(dict.fromkeys(row for _, row in ordered))


type _Rows = list[tuple[Span, StatedOutside]]


def _told_again(text: str, locked: Mapping[str, str]) -> tuple[Span, ...]:
    found = (contains_verbatim(text, answer) for answer in locked.values())
    return tuple(span for span in found if span is not None)


def _against(reading: Reading, text: str, key: str, answer: str, told: Sequence[Span]) -> _Rows:
    """Hold the sentences about a locked answer against it."""
    sentences = _sentences(reading, facts_about(reading, answer, exempt=told))
    seen = compare(text, answer, exempt=told) if sentences else None
    other = (*seen.differing, *seen.unclear) if seen else ()
    return [
        (span, StatedOutside(key, _words(text, span), differs=any(span.overlaps(one) for one in other)))
        for span in sentences
    ]


def _first_answers(
    reading: Reading,
    text: str,
    passages: Mapping[str, Sequence[str]],
    *,
    told: Sequence[Span],
    asked: Collection[str],
    taken: set[Span],
) -> _Rows:
    """Give each sentence with a value on the topic of a passage to the question whose passage is most like it."""
    shared: dict[Span, dict[str, int]] = {}
    for key, texts in sorted(passages.items()):
        for passage in texts:
            for span in _sentences(reading, _on_topic(reading, passage, told)):
                common = words_shared(reading.passages.text(span), passage)
                if span not in taken and common > 0:
                    like = shared.setdefault(span, {})
                    like[key] = max(common, like.get(key, 0))
    return [(span, StatedOutside(_question(like, asked), _words(text, span))) for span, like in shared.items()]


def _question(like: Mapping[str, int], asked: Collection[str]) -> str:
    """Return the key that a sentence answers, by how many words it shares with each; empty where that is not certain.

    What the conversation asked goes before other scopes of a topic: a short sentence seldom names its scope.
    """
    first = [key for key, common in like.items() if common == max(like.values())]
    topics = {topic_of(key) for key in first}
    here = [key for key in like if key in asked and topic_of(key) in topics]
    found = here or first
    closest = [key for key in found if like[key] == max(like[each] for each in found)]
    return closest[0] if len(closest) == 1 else ""


def _on_topic(reading: Reading, passage: str, told: Sequence[Span]) -> Iterator[Fact]:
    ours = [fact for fact in extract(passage) if fact.kind is not FactKind.DATE]
    topics = frozenset().union(*(fact.topics for fact in ours))
    for fact in facts_about(reading, passage, exempt=told):
        only_contact = "reply" in fact.topics and "reply" not in topics  # when we write or call, not what we promise
        if not only_contact and any(_shared(fact, other) and _same_kind(fact, other) for other in ours):
            yield fact


def _shared(fact: Fact, other: Fact) -> frozenset[str]:
    """Return the topics that two values share. That both are a price says nothing, unless the passage says no more.

    “The watch is priced at $19” does not answer what delivery costs.
    """
    shared = fact.topics & other.topics
    return shared if other.topics == {_PRICE} else shared - {_PRICE}


def _same_kind(one: Fact, other: Fact) -> bool:
    times = {FactKind.DURATION, FactKind.LIFETIME}
    return (one.kind is other.kind and one.kind is not FactKind.STANCE) or {one.kind, other.kind} == times


def _terms(reading: Reading, text: str, told: Sequence[Span], taken: set[Span]) -> _Rows:
    facts = commitments(reading, ignore=(), exempt=told, reference=())
    terms = [fact for fact in facts if fact.kind in _TERM_KINDS and fact.topics & TERMS and fact.polarity]
    return [(span, StatedOutside("", _words(text, span))) for span in _sentences(reading, terms) if span not in taken]


def _sentences(reading: Reading, facts: Iterator[Fact] | Sequence[Fact]) -> tuple[Span, ...]:
    stated = (fact for fact in facts if fact.polarity or fact.kind is FactKind.STANCE)
    return tuple(dict.fromkeys(reading.sentence_of(fact) for fact in stated if not reading.is_reported(fact)))


def _words(text: str, span: Span) -> str:
    return text[span.start : span.end].strip()
