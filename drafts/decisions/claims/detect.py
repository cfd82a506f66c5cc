"""Detect the claims of a draft: fold, mask quotations, find times, read clause by clause, apply the rules."""

from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from drafts.decisions.claims import attaching, loose, plans
from drafts.decisions.claims.folding import Folded, fold
from drafts.decisions.claims.fragments import fragments
from drafts.decisions.claims.quoting import masked
from drafts.decisions.claims.reading import Reading, read
from drafts.decisions.claims.rule import Rule
from drafts.decisions.claims.rules_action import ACTION_RULES
from drafts.decisions.claims.rules_outcome import OUTCOME_RULES
from drafts.decisions.claims.rules_status import STATUS_RULES
from drafts.decisions.claims.times import find_times
from drafts.decisions.claims.tokens import Sentence, Token, sentences
from drafts.decisions.vocabulary import Claim, ClaimClass, Tier

RULES: tuple[Rule, ...] = (*OUTCOME_RULES, *STATUS_RULES[:2], *ACTION_RULES, *STATUS_RULES[2:])
_LOOKUPS = ("check", "look", "search", "retrieve", "find", "pull", "access", "verify", "review")


@dataclass(frozen=True, slots=True)
class _Found:
    """A claim by its place in the folded text."""

    start: int
    end: int
    cls: ClaimClass
    sub: str | None
    tier: Tier
    rule: str


def detect(text: str) -> tuple[Claim, ...]:
    """Return the claims of a draft in order, unjudged; both tiers, spans in code points of the text as given.

    Total and deterministic; reads the first 64 kB. Definitions: docs/claims.md.
    """
    folded = fold(text)
    plain = masked(folded.text)
    plan_end = plans.confirmed_until(plain)
    found: list[_Found] = []
    for sentence in sentences(plain, find_times(plain)):
        found += _in_sentence(sentence, plan_end)
    return tuple(
        _claim(text, folded, one) for one in sorted(set(found), key=lambda one: (one.start, one.end, one.cls.value))
    )


def _in_sentence(sentence: Sentence, plan_end: int) -> list[_Found]:
    readings = read(sentence)
    claimed = [(reading, rule) for reading in readings if reading.guard is None and (rule := _rule_for(reading))]
    kept = [(reading, rule) for reading, rule in claimed if not _is_plan(reading, rule, plan_end)]
    belonging = set(attaching.attached([(reading, rule.cls, rule.sub) for reading, rule in kept], readings))
    found = [_statement(reading, rule, belonging) for reading, rule in kept]
    found += _wordings(sentence, found, plan_end)
    if len(kept) == len(claimed):
        found += _timings(sentence, readings, belonging, found, plan_end)
    if not found and (net := loose.possible(sentence, readings)):
        cls, start, end = net
        found.append(_Found(start, end, cls, None, Tier.POSSIBLE, "possible"))
    return found


def _rule_for(reading: Reading) -> Rule | None:
    return next((rule for rule in RULES if rule.applies(reading)), None)


def _is_plan(reading: Reading, rule: Rule, plan_end: int) -> bool:
    planned = rule.cls is ClaimClass.ACTION and reading.tokens[0].start < plan_end
    return planned and not reading.group.verb.startswith(_LOOKUPS)


def _statement(reading: Reading, rule: Rule, belonging: AbstractSet[Token]) -> _Found:
    start, end = reading.span(belonging)
    return _Found(start, end, rule.cls, rule.sub, Tier.CLAIM, rule.id)


def _wordings(sentence: Sentence, found: Sequence[_Found], plan_end: int) -> Iterator[_Found]:
    for fragment in fragments(sentence):
        planned = fragment.cls is ClaimClass.ACTION and fragment.start < plan_end
        covered = any(one.start < fragment.end and fragment.start < one.end for one in found)
        if not planned and not covered:
            yield _Found(fragment.start, fragment.end, fragment.cls, fragment.sub, Tier.CLAIM, fragment.rule)


def _timings(
    sentence: Sentence,
    readings: Sequence[Reading],
    belonging: AbstractSet[Token],
    found: Sequence[_Found],
    plan_end: int,
) -> list[_Found]:
    times = dict.fromkeys(sorted(belonging, key=lambda token: token.start), "timing.attached")
    promised = [(one.start, one.end) for one in found if one.cls is ClaimClass.ACTION]
    for token in attaching.neighbouring(sentence, promised):
        times.setdefault(token, "timing.beside")
    for token in attaching.within(
        sentence,
        [(one.start, one.end) for one in found if one.rule.startswith("idiom.") and one.cls is ClaimClass.ACTION],
    ):
        times.setdefault(token, "timing.attached")
    extra: list[_Found] = []
    for token, fragment in attaching.expected(sentence, readings):
        if token.start < plan_end:
            continue
        times.setdefault(token, "timing.expected")
        if fragment:
            extra.append(_Found(fragment.start, fragment.end, fragment.cls, fragment.sub, Tier.CLAIM, fragment.rule))
    for token, rule in times.items():
        if token.time:
            extra.append(_Found(token.start, token.end, ClaimClass.TIMING, token.time.kind.value, Tier.CLAIM, rule))
    return extra


def _claim(text: str, folded: Folded, found: _Found) -> Claim:
    start, end = folded.raw(found.start, found.end)
    return Claim(start, end, found.cls, found.sub, found.tier, found.rule, text[start:end])
