"""What a bot is told before it writes."""

import pytest

from drafts.decisions.analysis import analyse
from drafts.decisions.given import Sources
from drafts.decisions.saying import say
from ledger.decisions.vocabulary import KeyStatus, QuestionKey
from tests.unit.drafts.cases import (
    BOUNDARY,
    CHAIN,
    GUARANTEE,
    OTHER_PASSAGE,
    PASSAGE,
    REGISTRY,
    RETURNS,
    asked,
    given,
    told,
    version,
)

CONFLICT = Sources(REGISTRY, (GUARANTEE, version("PROMO", OTHER_PASSAGE, doc="promo")))


@pytest.mark.parametrize(
    ("ask", "mode"),
    [
        pytest.param(given(""), "within", id="one-source"),
        pytest.param(given("", sources=told()), "verbatim", id="repeat"),
        pytest.param(given("", facts={}), "ask_for", id="date-missing"),
        pytest.param(given("", sources=CONFLICT), "do_not_answer", id="conflict"),
        pytest.param(given("", sources=Sources(REGISTRY)), "do_not_answer", id="no-source"),
        pytest.param(given("", sources=told(), facts={"delivered_on": "2026-05-01"}), "do_not_answer", id="new-facts"),
        pytest.param(given("", questions=(QuestionKey(KeyStatus.UNCERTAIN),)), "do_not_answer", id="uncertain"),
        pytest.param(given("", questions=(asked(None),)), "within", id="small-talk"),
    ],
)
def test_the_mode_follows_the_branch(ask, mode):
    assert say(analyse(ask)).mode == mode


def test_within_names_the_version_and_its_passage():
    instruction = say(analyse(given("")))

    assert (instruction.version, instruction.passages) == ("GUA-1", (PASSAGE,))


def test_an_adjacent_repeat_is_the_locked_text_and_then_the_boundary():
    assert say(analyse(given("", questions=(asked(CHAIN),), sources=told()))).text == f"{PASSAGE} {BOUNDARY}"


def test_a_missing_date_is_asked_for_by_name():
    assert say(analyse(given("", facts={}))).field == "delivered_on"


def test_the_strictest_of_two_questions_rules():
    assert say(analyse(given("", questions=(asked(RETURNS), asked()), sources=CONFLICT))).mode == "do_not_answer"
