"""Which question of the registry a customer's message asks: the key classifier.

Each sentence is judged alone, by hard conditions on what it speaks of and by likeness to known phrasings. A key is
established only above a threshold that is chosen for precision; what is unsure waits for a person.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from drafts.decisions.facets import facets_of
from drafts.decisions.scopes import keys_named, scope_of
from drafts.decisions.sentences import Sentence, fold, is_catchword, sentences
from drafts.decisions.similarity import PhrasingModel
from drafts.decisions.topic_rules import (
    CIRCUMSTANCES,
    COMMITMENT_FACETS,
    OBJECTS,
    OTHER_MATTERS,
    RULES,
    TOLD_COMMITMENTS,
    rule_strengths,
)
from ledger.decisions.keys import topic_of
from ledger.decisions.phrasings import NONE_PHRASINGS, PHRASINGS
from ledger.decisions.vocabulary import KeyEntry, KeyOrigin, KeyStatus, QuestionKey

ESTABLISHED_FROM = 0.85
MARGIN = 0.08
LIKELY_FROM = 0.5
HIGHEST = 0.99
RULE_SHARE, LEARNT_SHARE = 0.93, 0.2
ONLY_MARKED_SHARE = 0.85
LEARNT_FROM_SHARE, LEARNT_FROM_COSINE = 0.5, 0.62
SUGGESTIONS_LIMIT = 3

_NONE = "none"
_KNOWN = {topic: frozenset(texts) for topic, texts in PHRASINGS.items()}
# Topics of one matter: a request (“I want a replacement”) only leads up to a question of the same matter.
_MATTER = {
    "refund_timing": "refund", "refund_eligibility": "refund", "exchange_terms": "replacement",
    "repair_turnaround": "replacement", "return_window": "return", "return_eligibility": "return",
    "cancellation_fee": "cancellation", "cancellation_window": "cancellation",
}  # fmt: skip
_RULED = frozenset(rule.topic for rule in RULES)
_ASSENT = frozenset(
    word
    for line in (
        "yes yeah yep yup no nope ok okay k sure fine good great perfect right correct exactly please thanks",
        "thank you thx ty cheers bye goodbye hi hello hey go ahead proceed do it that is this the all sounds",
        "agreed confirm confirmed i see understood alright cool nice lovely done welcome then so and much very a",
        "lot again well indeed absolutely definitely of course for works me wonderful awesome appreciate",
        "appreciated got",
    )
    for word in line.split()
)
_WORD = re.compile(r"[a-z']+")
# An offer taken up: it asks for nothing that was not offered before.
_GO_AHEAD = re.compile(
    r"^(?!.*(?:\?|\b(?:if|whether|when|where|what|how|why|but)\b))"
    r"(?:(?:(?:yes|yeah|yep|sure|ok|okay|alright|great|perfect|please|just|you can)[ ,.!]+)*"
    r"(?:proceed|go ahead|do (?:it|that|so)|i confirm)\b"
    r"|(?:yes|that|this|everything|all|the|those|it|great|perfect|thanks)\b.*"
    r"\b(?:is|are|looks?|sounds?) (?:all )?(?:correct|right|good|fine)\b"
    r"|.*\b(?:like to|want to|please) proceed\b)"
)
_UNWANTED = re.compile(
    r"\b(?:(?:do|does|did|would) not|never|no need|not) (?:want|need|ask(?:ed)?|for) (?:for )?(?:a|an|any|the|my)? ?"
    r"(?:refund|replacement|exchange|return|repair|voucher)\b"
    r"|\b(?:refund|replacement|exchange|return|repair) is not an option\b"
    r"|\b(?:for|due to|because of|about|after) (?:the|this|that|my|a|such|all)? ?(?:\w+ )?(?:delays?|delayed|late)\b"
    r"|\b(?:rather than|instead of|not) (?:a|an|the) (?:refund|replacement|exchange|return|repair)\b"
)
_IF_CLAUSE = re.compile(r"\b(?:if|unless|in case)\b[^,]*,")


@dataclass(frozen=True, slots=True)
class TopicGuess:
    """What a message asks as far as topics go: `ranking` holds each topic with its score, the likeliest first.

    An uncertain message may have no topic at all: something is asked, and nothing says what.
    """

    status: KeyStatus
    topic: str | None
    established: bool
    score: float
    ranking: tuple[tuple[str, float], ...]


@dataclass(frozen=True, slots=True)
class Classification:
    """The questions of a message in its order, never empty, and keys a person may choose from, the likeliest first."""

    questions: tuple[QuestionKey, ...]
    suggestions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Heard:
    """One sentence with the scores of its topics."""

    sentence: Sentence
    facets: frozenset[str]
    ranking: tuple[tuple[str, float], ...]
    none_share: float

    @property
    def established(self) -> str | None:
        (topic, score), *others = self.ranking or ((_NONE, 0.0),)
        runner_up = others[0][1] if others else 0.0
        return topic if score >= ESTABLISHED_FROM and score - runner_up >= MARGIN else None

    @property
    def may_commit(self) -> bool:
        """Say whether a commitment may be asked for, although no topic is sure."""
        if self.ranking and self.ranking[0][1] >= LIKELY_FROM:
            return True
        if any(both <= self.facets for both in TOLD_COMMITMENTS):
            return True
        unlikely = self.facets & OTHER_MATTERS or self.none_share > LIKELY_FROM
        return (self.sentence.asks or self.sentence.marked) and bool(self.facets & COMMITMENT_FACETS) and not unlikely


def classify(message: str, registry: Mapping[str, KeyEntry]) -> Classification:
    """Return the keys of `registry` that a message asks for, in the order of the message.

    Established keys come from the classifier alone and carry its score. Where no key is established there is one
    question, uncertain when a commitment may be asked for, none when nothing of the kind is. A topic with several
    scopes that the message does not tell apart, and a topic without a key, are uncertain.
    """
    heard = _hear(message, _model_for(_content(registry)))
    folded = fold(message)
    questions: dict[str, QuestionKey] = {}
    for topic, score in _established(heard):
        if key := scope_of(topic, folded, registry).key:
            questions.setdefault(key, QuestionKey(KeyStatus.ESTABLISHED, key, KeyOrigin.CLASSIFIER, round(score, 3)))
    named = keys_named(folded, registry)
    suggestions = _suggestions(heard, folded, registry, named)
    if questions:
        return Classification(tuple(questions.values()), suggestions)
    follows_up = bool(named) and any(one.sentence.asks or one.sentence.marked for one in heard)
    if follows_up or _established(heard) or any(one.may_commit for one in heard):
        top = max((one.ranking[0][1] for one in heard if one.ranking), default=0.0)
        return Classification((QuestionKey(KeyStatus.UNCERTAIN, score=round(top, 3)),), suggestions)
    return Classification((QuestionKey(KeyStatus.NONE),), ())


def established_topics(message: str, registry: Mapping[str, KeyEntry]) -> tuple[str, ...]:
    """Return the topics of the keys that `classify` would establish, in less time: what is unsure is not weighed."""
    heard = _hear(message, _model_for(_content(registry)), only_sure=True)
    folded = fold(message)
    keys = (scope_of(topic, folded, registry).key for topic, _ in _established(heard))
    return tuple(dict.fromkeys(topic_of(key) for key in keys if key))


def classify_topic(message: str) -> TopicGuess:
    """Return the topic of the default registry that a message asks about first; no topic means no commitment."""
    heard = _hear(message, _model_for(()))
    ranking = _overall(heard)
    if established := _established(heard):
        topic, score = established[0]
        return TopicGuess(KeyStatus.ESTABLISHED, topic, established=True, score=round(score, 3), ranking=ranking)
    if not any(one.may_commit for one in heard):
        return TopicGuess(KeyStatus.NONE, None, established=False, score=0.0, ranking=ranking)
    topic, score = ranking[0]
    likely = topic if score >= LIKELY_FROM else None
    return TopicGuess(KeyStatus.UNCERTAIN, likely, established=False, score=round(score, 3), ranking=ranking)


Content = tuple[tuple[str, str], ...]


def _content(registry: Mapping[str, KeyEntry]) -> Content:
    """Return what the registry adds to the default phrasings, as a value that a cache can hold."""
    return tuple(
        (topic, text)
        for key, entry in sorted(registry.items())
        for topic in (topic_of(key),)
        for text in (entry.question_canonical, *entry.examples)
        if text not in _KNOWN.get(topic, ()) and text.strip()
    )


@lru_cache(maxsize=8)
def _model_for(content: Content) -> PhrasingModel:
    default = [(topic, text) for topic, texts in PHRASINGS.items() for text in texts]
    return PhrasingModel([*default, *((_NONE, text) for text in NONE_PHRASINGS), *content])


def _hear(message: str, model: PhrasingModel, *, only_sure: bool = False) -> tuple[_Heard, ...]:
    """Judge the sentences of a message; with `only_sure` those alone that can establish a topic."""
    said = [one for one in sentences(message) if not _is_assent(one.text)]
    if len(said) == 1 and is_catchword(said[0].text):
        said = [replace(said[0], asks=True)]
    alone = len(said) == 1
    spoken = [_facets(one.text) for one in said]
    with_facets = ((one, _with_object(facets, spoken)) for one, facets in zip(said, spoken, strict=True))
    return tuple(
        _judge(one, facets, model, alone=alone)
        for one, facets in with_facets
        if not only_sure or _may_be_sure(one, facets)
    )


def _may_be_sure(sentence: Sentence, facets: frozenset[str]) -> bool:
    """Say whether a sentence can establish a topic: it asks, or a rule for what is told is strong enough for it."""
    if sentence.asks or sentence.marked:
        return True
    strongest = max(rule_strengths(facets, asks=False).values(), default=0.0)
    return RULE_SHARE * strongest + LEARNT_SHARE >= ESTABLISHED_FROM


def _facets(folded: str) -> frozenset[str]:
    """Return the facets of a sentence; what an if-clause tells about times describes the case and asks nothing."""
    folded = _UNWANTED.sub(" ", folded)
    rest = _IF_CLAUSE.sub(" ", folded)
    if rest == folded or not rest.strip(" ,"):
        return facets_of(folded)
    conditions = " ".join(_IF_CLAUSE.findall(folded))
    return facets_of(rest) | (facets_of(conditions) - CIRCUMSTANCES)


def _with_object(facets: frozenset[str], spoken: Sequence[frozenset[str]]) -> frozenset[str]:
    if not facets & {"when", "span", "takes"} or facets.intersection(OBJECTS):
        return facets
    elsewhere = frozenset[str]().union(*spoken)
    return facets | {next(one for one in OBJECTS if one in elsewhere)} if elsewhere.intersection(OBJECTS) else facets


def _is_assent(folded: str) -> bool:
    return bool(_GO_AHEAD.search(folded)) or all(word in _ASSENT for word in _WORD.findall(folded))


def _judge(sentence: Sentence, facets: frozenset[str], model: PhrasingModel, *, alone: bool) -> _Heard:
    strengths = rule_strengths(facets, asks=sentence.asks or sentence.marked)
    trust = RULE_SHARE if sentence.asks or alone or not sentence.marked else RULE_SHARE * ONLY_MARKED_SHARE
    scores: dict[str, float] = {}
    none_share = 0.0
    for like in model.rank(sentence.text):
        if like.label == _NONE:
            none_share = like.share
            continue
        if like.label in _RULED:
            scores[like.label] = trust * strengths.get(like.label, 0.0) + LEARNT_SHARE * like.share
        elif (
            (sentence.asks or sentence.marked)
            and like.share >= LEARNT_FROM_SHARE
            and like.nearest >= LEARNT_FROM_COSINE
        ):
            scores[like.label] = max(ESTABLISHED_FROM, like.share)
        else:
            scores[like.label] = LEARNT_SHARE * like.share
    scores = {topic: min(score, HIGHEST) for topic, score in scores.items()}
    ranking = sorted(scores.items(), key=lambda item: (-item[1], item[0]))
    return _Heard(sentence, facets, tuple(ranking), none_share)


def _established(heard: tuple[_Heard, ...]) -> list[tuple[str, float]]:
    """Return topics and scores in the order of the message; reports count only where nothing is asked."""
    sure = [one for one in heard if one.established]
    asked = [one for one in sure if one.sentence.asks or one.sentence.marked]
    questioned = {_MATTER.get(one.ranking[0][0], one.ranking[0][0]) for one in asked if one.sentence.marked}
    found: dict[str, float] = {}
    for one in asked or sure:
        topic, score = one.ranking[0]
        if one.sentence.marked or _MATTER.get(topic, topic) not in questioned:
            found[topic] = max(score, found.get(topic, 0.0))
    return list(found.items())


def _overall(heard: tuple[_Heard, ...]) -> tuple[tuple[str, float], ...]:
    best: dict[str, float] = {}
    for one in heard:
        for topic, score in one.ranking:
            best[topic] = max(score, best.get(topic, 0.0))
    return tuple(sorted(best.items(), key=lambda item: (-item[1], item[0])))


def _suggestions(
    heard: tuple[_Heard, ...], folded: str, registry: Mapping[str, KeyEntry], named: Sequence[str]
) -> tuple[str, ...]:
    """Return keys to choose from: of the topics that have a rule or likeness behind them, then those named."""
    keys: dict[str, None] = {} if any(score >= LIKELY_FROM for _, score in _overall(heard)) else dict.fromkeys(named)
    for topic, _ in _overall(heard)[:SUGGESTIONS_LIMIT]:
        keys.update(dict.fromkeys(scope_of(topic, folded, registry).candidates))
    return tuple(keys)[:SUGGESTIONS_LIMIT]
