"""Every rule carries its own samples; these tests read them."""

import re
from itertools import chain

import pytest

from drafts.decisions.claims import RULES, detect
from drafts.decisions.claims.fragments import IDIOMS
from drafts.decisions.vocabulary import Tier

BRACKETS = re.compile(r"[\[\]]")
FAILING = [pytest.param(rule, sample, id=f"{rule.id}-{at}") for rule in RULES for at, sample in enumerate(rule.failing)]
HARMLESS = [
    pytest.param(rule, sample, id=f"{rule.id}-{at}")
    for rule in RULES
    for at, sample in enumerate(chain(rule.good, rule.ignored))
]
IDIOMATIC = [
    pytest.param(idiom, sample, id=f"{idiom.id}-{at}") for idiom in IDIOMS for at, sample in enumerate(idiom.failing)
]


def claims(text):
    return [claim for claim in detect(text) if claim.tier is Tier.CLAIM]


def marked(sample):
    """Return the text without its brackets, and the place the first pair stood around."""
    text = BRACKETS.sub("", sample)
    start = sample.index("[")
    return text, start, start + sample.index("]") - start - 1


@pytest.mark.parametrize(("rule", "sample"), FAILING)
def test_a_failing_sample_is_caught_where_its_brackets_stand(rule, sample):
    text, start, end = marked(sample)

    found = [claim for claim in claims(text) if claim.cls is rule.cls and claim.start < end and start < claim.end]

    assert [claim.rule for claim in found][:1] == [rule.id]


@pytest.mark.parametrize(("rule", "sample"), HARMLESS)
def test_a_good_or_guarded_sample_raises_nothing_of_this_rule(rule, sample):
    assert [claim.text for claim in claims(sample) if claim.rule == rule.id] == []


@pytest.mark.parametrize(("idiom", "sample"), IDIOMATIC)
def test_an_idiom_is_caught(idiom, sample):
    text, start, end = marked(sample)

    assert any(c.cls is idiom.cls and c.start < end and start < c.end for c in claims(text))


@pytest.mark.parametrize(("idiom", "sample"), [(idiom, sample) for idiom in IDIOMS for sample in idiom.good])
def test_words_like_an_idiom_raise_nothing(idiom, sample):
    assert [claim.text for claim in claims(sample)] == []


def test_rules_have_ids_of_their_own_and_samples_of_each_kind():
    assert len({rule.id for rule in RULES}) == len(RULES)
    assert [rule.id for rule in RULES if not (rule.about and rule.failing and rule.good and rule.ignored)] == []
