"""Every value that a screen can meet has plain words."""

import pytest

from console.views import words
from drafts.decisions.transitions import DecisionKind, ItemState
from drafts.decisions.vocabulary import ClaimClass, Verdict
from ledger.decisions.vocabulary import Branch, Handler, KeyOrigin, Refusal


@pytest.mark.parametrize(
    ("enum", "told"),
    [
        (Branch, words.BRANCHES),
        (Refusal, words.REFUSALS),
        (Handler, words.HANDLERS),
        (ItemState, words.STATES),
        (Verdict, words.VERDICTS),
        (ClaimClass, words.CLASSES),
        (KeyOrigin, words.ORIGINS),
    ],
)
def test_every_value_has_words(enum, told):
    assert {str(value) for value in enum} == {str(value) for value in told}


def test_every_final_decision_has_words():
    assert set(words.DECIDED) == set(DecisionKind) - {DecisionKind.ESCALATE}


@pytest.mark.parametrize(
    ("kind", "detail", "sentence"),
    [
        ("item:draft:edited", {"version": 2}, "Ada saved version 2 of the text."),
        ("item:question:chosen", {"key": None}, "Ada said that the customer asks for no commitment."),
        ("item:decision:send_back", {"reason": "Wrong."}, "Ada sent the draft back. Reason: “Wrong.”"),
        ("item:claim:dismissed", {"subject": "STATUS"}, "Ada marked a claim as none (status)."),
        ("item:claim:dismissed", {"subject": "value_unclear"}, "Ada looked at a finding: Value unclear."),
        ("item:thing:never_seen", {}, "Ada: never seen."),
    ],
)
def test_events_are_sentences(kind, detail, sentence):
    assert words.event_sentence(kind, "Ada", detail) == sentence
