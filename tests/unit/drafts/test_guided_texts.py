"""The texts that the guided forms compose pass the same checks as any draft, and the searches go by value."""

from dataclasses import replace
from datetime import date

import pytest

from drafts.decisions import policy_change, quoted
from drafts.decisions.analysis import analyse
from drafts.decisions.customers import camps
from drafts.decisions.outside import said_outside
from drafts.decisions.vocabulary import Message
from ledger.decisions.vocabulary import Branch, VersionStatus
from tests.unit.drafts import cases

NEWER = replace(
    cases.version("GUA-2", "Every bicycle we build carries a 24-month guarantee from the day of delivery."),
    effective_from=date(2026, 5, 1),
)
OLDER = replace(cases.GUARANTEE, effective_until=date(2026, 5, 1))
CHANGED = (OLDER, NEWER, cases.RETURN_TERMS)
SAYS_OTHERWISE = (Message("m1", "customer", "Your colleague told me that the guarantee is 36 months."),)


def changed(**given):
    sources = cases.told(versions=CHANGED)
    return cases.given("", **{"sources": sources, "edited": True, **given})


def change(given):
    return policy_change.change_of(given, analyse(given).first)


def blockers(text, given):
    return analyse(replace(given, text=text)).blockers


@pytest.mark.parametrize(
    "given",
    [
        pytest.param(changed(), id="within"),
        pytest.param(changed(facts={}), id="day-not-known"),
        pytest.param(
            changed(
                sources=cases.told(
                    versions=(replace(cases.GUARANTEE, status=VersionStatus.RETIRED), cases.RETURN_TERMS)
                )
            ),
            id="retired",
        ),
    ],
)
def test_a_text_about_a_changed_policy_passes_the_gate(given):
    text = policy_change.compose(change(given), told_on=date(2026, 5, 2))

    assert blockers(text, given) == ()
    assert cases.PASSAGE in text


def test_it_says_which_version_applies_and_why():
    text = policy_change.compose(change(changed()), told_on=date(2026, 5, 2))

    assert "“Guarantee terms”, version GUA-1 applies" in text
    assert "What decides is the day of delivery, 20 April 2026" in text
    assert "Its first day is 1 January 2026 and its last day is 30 April 2026." in text
    assert "Version GUA-2, whose first day is 1 May 2026" in text
    assert analyse(changed()).first.gate.branch is Branch.POLICY_CHANGED


def test_where_nothing_changed_there_is_nothing_to_explain():
    given = cases.given("", sources=cases.told())

    assert change(given) is None
    assert change(cases.given("")) is None


@pytest.mark.parametrize(
    ("given", "locked"),
    [
        pytest.param(cases.given("", edited=True, messages=SAYS_OTHERWISE), None, id="first-ask"),
        pytest.param(
            cases.given("", edited=True, messages=SAYS_OTHERWISE, sources=cases.told()), cases.PASSAGE, id="locked"
        ),
        pytest.param(cases.given("", edited=True, questions=(cases.asked(None),)), None, id="no-question"),
    ],
)
def test_a_text_about_an_answer_that_was_not_found_claims_nothing(given, locked):
    found = blockers(quoted.compose(locked), given)

    assert {b.code for b in found} <= {"answer_not_found"}, found


def test_without_a_date_the_text_asks_and_states_nothing():
    text = quoted.compose()

    assert "On which day were you given it" in text
    assert "in writing" in text
    assert not blockers(text, cases.given("", edited=True, facts={}, messages=SAYS_OTHERWISE))


@pytest.mark.parametrize(
    ("words", "text", "found"),
    [
        pytest.param("You said 24 months.", "The guarantee is two years.", True, id="two-years"),
        pytest.param("You said 24 months.", "The guarantee is 12 months.", False, id="another-value"),
        pytest.param("You said a lifetime!", "It has a lifetime guarantee.", True, id="lifetime"),
        pytest.param("one month", "It takes 30 days.", True, id="near"),
        pytest.param("it was promised on 3 May 2026", "On 3 May 2026 we wrote.", False, id="dates-alone"),
        pytest.param("we always mend for nothing", "Yes: we always mend for nothing.", True, id="to-the-letter"),
        pytest.param("yes", "yes", False, id="too-short"),
        pytest.param("", "anything", False, id="empty"),
    ],
)
def test_what_a_customer_quotes_is_looked_for_by_value(words, text, found):
    assert (quoted.match(words, text) is not None) is found


@pytest.mark.parametrize(
    ("answers", "expected"),
    [
        pytest.param([], (), id="none"),
        pytest.param(["It is 12 months.", "It is one year."], (1, 1), id="one-year"),
        pytest.param(["It is 12 months.", "It is 24 months.", "It is a year."], (1, 2, 1), id="two-camps"),
        pytest.param(["Ask the shop.", "Please ask at the shop."], (1, 1), id="no-values"),
        pytest.param(["It lasts a lifetime.", "It lasts 24 months.", "12 months."], (1, 2, 3), id="three"),
    ],
)
def test_answers_of_one_customer_are_told_apart_by_value(answers, expected):
    assert camps(answers) == expected


def test_the_words_withdrawn_are_the_sentences_that_differ():
    reply = "Hello,\n\nbicycles carry a 36-month guarantee. We hope that helps.\n\nBea"
    given = cases.given("", messages=(*SAYS_OTHERWISE, Message("m2", "agent", reply)))

    (said,) = said_outside(given, analyse(given).first)

    assert (said.message_id, said.differs) == ("m2", True)
    assert said.words == "bicycles carry a 36-month guarantee."


def test_what_was_decided_here_was_not_said_outside():
    message = Message("m2", "agent", "Bicycles carry a 36-month guarantee.")
    given = cases.given("", messages=(message,), desk_messages=frozenset({"m2"}))

    assert said_outside(given, analyse(given).first) == ()
