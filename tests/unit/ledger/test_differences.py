"""What competing passages say differently."""

import pytest

from ledger.decisions.differences import MOST_FACTS, Agreement, differences, in_words
from ledger.decisions.values import extract

TWO_YEARS = "Every repair is under warranty for two years."
TWELVE = "The warranty on a repair is 12 months."
LIFETIME = "Every repair carries a lifetime warranty."
SILENT = "We repair with care."


def told(*passages):
    """Each row as its agreement and what every passage says in words."""
    return [
        (row.agreement, tuple(None if fact is None else in_words(fact) for fact in row.facts))
        for row in differences(passages)
    ]


@pytest.mark.parametrize(
    ("passages", "expected"),
    [
        pytest.param((TWO_YEARS, TWELVE), [("different", ("24 months", "12 months"))], id="other-number"),
        pytest.param((TWO_YEARS, "Warranty: 24 months."), [("same", ("24 months", "24 months"))], id="same-in-words"),
        pytest.param((TWELVE, LIFETIME), [("different", ("12 months", "a lifetime"))], id="lifetime"),
        pytest.param((TWELVE, SILENT), [("missing", ("12 months", None))], id="no-value"),
        pytest.param((SILENT, TWELVE), [("missing", (None, "12 months"))], id="no-value-first"),
        pytest.param(
            (TWO_YEARS, TWELVE, SILENT), [("different", ("24 months", "12 months", None))], id="three-passages"
        ),
        pytest.param(("Within one month.", "Within 30 days."), [("near", ("within 1 month", "within 30 days"))],
                     id="month-against-days"),
        pytest.param((SILENT, SILENT), [], id="nothing-stated"),
        pytest.param((TWELVE,), [("same", ("12 months",))], id="one-passage"),
        pytest.param((), [], id="no-passage"),
        pytest.param(
            ("Sale items are refundable.", "Sale items are not refundable."),
            [("different", ("yes: refund", "no: refund"))],
            id="yes-against-no",
        ),
        pytest.param(("Sale items are refundable.", SILENT), [], id="a-bare-yes-beside-silence-is-no-value"),
    ],
)  # fmt: skip
def test_values_are_laid_beside_each_other(passages, expected):
    assert told(*passages) == expected


def test_values_meet_by_what_they_are_about_and_those_that_differ_stand_first():
    one = "You can return it within 14 days of receipt. The refund takes 5 business days. Shipping costs 5 EUR."
    other = "The refund takes 10 business days. Returns are possible within 14 days of receipt. Shipping costs 5 EUR."

    assert told(one, other) == [
        ("different", ("5 business days", "10 business days")),
        ("same", ("within 14 days", "within 14 days")),
        ("same", ("5 EUR", "5 EUR")),
    ]


def test_each_passage_states_a_value_once_in_a_row():
    assert told("First 10 days, later 20 days.", "Only 10 days.") == [
        ("missing", ("20 days", None)),
        ("same", ("10 days", "10 days")),
    ]


def test_a_table_of_values_is_compared_as_far_as_people_read():
    passage = " ".join(f"Part {n} costs {n} EUR." for n in range(1, 3 * MOST_FACTS))

    assert len(differences((passage, TWELVE))) == MOST_FACTS + 1


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("at most 10 business days", "at most 10 business days"),
        ("in about two years", "about 24 months"),
        ("between 3 and 5 days", "3 to 5 days"),
        ("1 day", "1 day"),
        ("one year and 10 days", "12 months and 10 days"),
        ("in a few days", "about some days"),
        ("5 EUR per day", "5 EUR per day"),
        ("delivery is free of charge", "nothing to pay"),
        ("20% off", "20 per cent"),
        ("valid until 31 March 2026", "until 31 Mar 2026"),
        ("every year until 24 December", "until 24 December of any year"),
        ("on 03/04/2026", "4 Mar 2026 or 3 Apr 2026"),
        ("1,500.50 EUR", "1,500.5 EUR"),
    ],
)
def test_a_value_is_said_in_its_normal_form(text, expected):
    assert expected in [in_words(fact) for fact in extract(text)]


def test_every_agreement_has_its_place():
    assert list(Agreement) == [Agreement.DIFFERENT, Agreement.NEAR, Agreement.MISSING, Agreement.SAME]
