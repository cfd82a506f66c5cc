"""What of a reply would be locked: the sentences that carry the key's facts, and those facts, one per row."""

import re
from collections.abc import Sequence
from functools import lru_cache

from drafts.decisions.comparing import Comparison, Sameness, best_match, compare
from drafts.decisions.stated import Reading, commitments
from drafts.decisions.verbatim import contains_verbatim
from ledger.decisions.numbers import fold
from ledger.decisions.passages import sentences
from ledger.decisions.values import Fact, FactKind, extract
from ledger.decisions.values import Sameness as Likeness
from ledger.decisions.vocabulary import Span

_WORD = re.compile(r"[^\W\d_]{3,}")
_COMMON = frozenset({
    "the", "and", "for", "are", "can", "was", "has", "have", "had", "will", "with", "that", "this", "from",
    "your", "you", "our", "not", "any", "all", "but", "its", "they", "them", "their", "his", "her", "out",
    "who", "may", "must", "only", "does", "did", "been", "also", "than", "then", "when", "which", "what", "how",
    "per", "into", "within",
})  # fmt: skip
_ENDINGS = ("ations", "ation", "ings", "ing", "ies", "ied", "ed", "es", "s", "e", "y")
_ENOUGH = 0.6


def propose_answer(text: str, statement: str) -> str | None:
    """Return the part of `text` that carries the facts of `statement`, word for word, or None when no part does.

    One unbroken run of sentences, the one with most of the facts; a verbatim quotation wins. A statement without a
    value is recognised by its words.
    """
    if quoted := contains_verbatim(text, statement):
        return text[quoted.start : quoted.end]
    spans = sentences(text)
    carried = _facts_per_sentence(text, spans, extract(statement))
    if not any(carried) and not _values(extract(statement)):
        carried = [_likeness(text[span.start : span.end], statement) for span in spans]
    run = _best_run(carried)
    return text[spans[run[0]].start : spans[run[1]].end] if run else None


def _values(facts: Sequence[Fact]) -> list[Fact]:
    return [fact for fact in facts if fact.kind not in {FactKind.DATE, FactKind.STANCE}]


def _facts_per_sentence(text: str, spans: Sequence[Span], ours: Sequence[Fact]) -> list[float]:
    reading, wanted = Reading(text), _values(ours)
    facts = _values(commitments(reading, ignore=(), exempt=(), reference=ours))
    carrying = [fact for fact in facts if fact.polarity and best_match(fact, wanted) is Likeness.SAME]
    return [sum(span.overlaps(fact.span) for fact in carrying) for span in spans]


def _likeness(sentence: str, statement: str) -> float:
    """Return the share of words of the most similar sentence of `statement`, or 0 where it is too small to tell."""
    said = _stems(sentence)
    shares = [
        len(said & wanted) / len(wanted) for s in sentences(statement) if (wanted := _stems(statement[s.start : s.end]))
    ]
    best = max(shares, default=0.0)
    contradicts = compare(sentence, statement).sameness is Sameness.DIFFERENT
    return best if best >= _ENOUGH and not contradicts else 0.0


@lru_cache(maxsize=256)
def _stems(text: str) -> frozenset[str]:
    return frozenset(_stem(word) for word in _WORD.findall(fold(text)) if word not in _COMMON)


def _stem(word: str) -> str:
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word.removesuffix(ending)
    return word


def _best_run(weights: Sequence[float]) -> tuple[int, int] | None:
    """Return the first and last index of the heaviest unbroken run of sentences that carry something."""
    best: tuple[float, int, int] | None = None
    start = 0
    for index in range(len(weights)):
        if not weights[index]:
            start = index + 1
            continue
        weight = sum(weights[start : index + 1])
        if best is None or weight > best[0]:
            best = weight, start, index
    return best[1:] if best else None


def typed_facts(answer_text: str) -> tuple[Fact, ...]:
    """Return the facts to record with a locked answer; plain yes or no only where there is no value or it is a no."""
    facts = extract(answer_text)
    values = _values(facts)
    return tuple(fact for fact in facts if fact.kind is not FactKind.STANCE or not values or not fact.polarity)


def answer_in_thread(message_text: str, statement: str) -> Comparison | None:
    """Compare an agent's earlier message with `statement` where it states a value about the same subject; else None.

    The same subject means a shared topic or word beside a value in the same kind of unit.
    """
    if contains_verbatim(message_text, statement):
        return compare(message_text, statement)
    if not extract(message_text):
        return None  # most turns state nothing, and need no closer reading
    if not facts_about(Reading(message_text), statement):
        return None
    outcome = compare(message_text, statement)
    return None if outcome.sameness is Sameness.SILENT else outcome


def facts_about(reading: Reading, statement: str, *, exempt: Sequence[Span] = ()) -> tuple[Fact, ...]:
    """Return the values and stances of a text on the subject of `statement`, exempt spans apart."""
    ours = extract(statement)
    facts = commitments(reading, ignore=(), exempt=exempt, reference=ours)
    return tuple(f for f in facts if f.kind is not FactKind.DATE and _about(reading, f, ours, statement))


def words_shared(sentence: str, statement: str) -> int:
    """Count the words of a statement that stand in a sentence too, whatever their endings."""
    return len(_stems(sentence) & _stems(statement))


def _about(reading: Reading, fact: Fact, ours: Sequence[Fact], statement: str) -> bool:
    kinds = {other.kind for other in ours}
    related = (
        fact.kind in kinds
        or (fact.kind is FactKind.LIFETIME and FactKind.DURATION in kinds)
        or FactKind.LIFETIME in kinds
    )
    topics = frozenset().union(*(other.topics for other in ours))
    if fact.topics and topics and not fact.topics & topics:
        return False
    sentence = reading.sentence_of(fact)
    shared = _stems(reading.passages.text(sentence)) & _stems(statement)
    return bool(fact.topics & topics) or (related and bool(shared)) or (related and not fact.topics)
