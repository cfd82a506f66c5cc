"""Holding a draft against a commitment."""

from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from drafts.decisions.comparison import Sameness, compare, stated_values
from ledger.decisions.vocabulary import Span

WINDOW = "Goods can be sent back within 20 days of delivery."
COVER = "Every bicycle carries a 36-month frame guarantee."
FEE = "Moving a booking costs £15.00 and is free when you tell us at least two days ahead."


def quoted(text: str, spans: tuple[Span, ...]) -> list[str]:
    return [text[span.start : span.end] for span in spans]


@pytest.mark.parametrize(
    ("reference", "text", "expected"),
    [
        (WINDOW, "Sure! Goods can be  sent back\nwithin 20 days of delivery.", Sameness.VERBATIM),
        (WINDOW, "You have twenty days from delivery.", Sameness.SAME),
        (WINDOW, "Not 10 days: you have 20 days.", Sameness.SAME),
        (WINDOW, "Your £80.00 order can go back within 20 days.", Sameness.SAME),
        (WINDOW, "Your 3 items came on 4 May; you have 20 days.", Sameness.SAME),
        (WINDOW, "We are open 6 days a week, and you have 20 days.", Sameness.SAME),
        (WINDOW, "On which day did it arrive?", Sameness.SILENT),
        (WINDOW, "Did you get it within the last 40 days?", Sameness.SILENT),
        (WINDOW, "A colleague will call you back within 4 hours.", Sameness.SILENT),
        (WINDOW, "> can I return it within 40 days\nThanks for asking.", Sameness.SILENT),
        (WINDOW, "You have 40 days.", Sameness.DIFFERENT),
        (WINDOW, "You have 20 business days.", Sameness.DIFFERENT),
        (WINDOW, "You have 20 days from the purchase.", Sameness.DIFFERENT),
        (WINDOW, "It is not 20 days.", Sameness.DIFFERENT),
        (WINDOW, "You have 20 days, and a handling fee of £4 applies.", Sameness.DIFFERENT),
        (WINDOW, "It is free of charge within 20 days.", Sameness.DIFFERENT),
        (WINDOW, "Goods can be sent back within 20 days of delivery. For members it is 60 days.", Sameness.DIFFERENT),
        (WINDOW, "You wrote that you have 40 days.", Sameness.UNSURE),
        (WINDOW, "You have 20 days from receipt.", Sameness.UNSURE),
        (COVER, "The frame is guaranteed for three years.", Sameness.SAME),
        (COVER, "There is a guarantee of up to 36 months.", Sameness.DIFFERENT),
        (COVER, "There is no guarantee.", Sameness.DIFFERENT),
        (COVER, "It is guaranteed for life.", Sameness.DIFFERENT),
        (COVER, "The guarantee lasts 1095 days.", Sameness.UNSURE),
        (COVER, "The guarantee lasts a few years.", Sameness.UNSURE),
        (FEE, "Moving it costs 15 GBP, nothing when you tell us at least 48 hours ahead.", Sameness.SAME),
        (FEE, "Moving it costs £15.", Sameness.PARTIAL),
        (FEE, "Moving it costs €15.", Sameness.DIFFERENT),
        (FEE, "Moving it is free.", Sameness.UNSURE),
        (FEE, "It is free when you tell us at least three days ahead.", Sameness.DIFFERENT),
        ("Gift cards are not refundable.", "Gift cards are refundable.", Sameness.DIFFERENT),
        ("Gift cards are not refundable.", "We cannot refund gift cards.", Sameness.SAME),
        ("Credit is decided case by case.", "Credit is granted within 9 days.", Sameness.DIFFERENT),
        (
            "The frame has 5 years and the motor 2 years of cover.",
            "The motor has 5 years of cover.",
            Sameness.DIFFERENT,
        ),
        ("The frame has 5 years and the motor 2 years of cover.", "The motor has 2 years of cover.", Sameness.PARTIAL),
    ],
)
def test_a_text_is_held_against_a_commitment(reference, text, expected):
    assert compare(text, reference).sameness is expected


def test_the_differing_stretches_are_named_as_they_stand_in_the_text():
    text = "You have 40 days, members ９０ days."

    assert quoted(text, compare(text, WINDOW).differing) == ["40 days", "９０ days"]


def test_a_time_inside_a_claim_counts_only_on_the_topic_of_the_commitment():
    text = "The courier delivers it within 3 days, and the goods can be sent back within 40 days."
    claims = [Span(text.index("within 3"), text.index(", and")), Span(text.index("within 40"), len(text) - 1)]

    assert quoted(text, compare(text, "Goods can be sent back within 20 days.", ignore=claims).differing) == ["40 days"]


def test_nothing_counts_inside_an_exempt_stretch():
    text = "On 3 May we told you: 40 days. That was wrong. Goods can be sent back within 20 days of delivery."

    assert compare(text, WINDOW, exempt=[Span(0, text.index("Goods"))]).sameness is Sameness.VERBATIM


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It arrived on 4 May, so you can send it back until 24 May.", Sameness.SILENT),
        ("You can send it back until 25 May 2027.", Sameness.UNSURE),
        ("You can send it back until 24 June.", Sameness.DIFFERENT),
    ],
)
def test_a_last_day_is_worked_out_from_the_known_dates(text, expected):
    known = frozenset({date(2027, 5, 4)})

    assert compare(text, WINDOW, known_dates=known).sameness is expected


def test_a_date_of_the_policy_itself_may_not_be_changed():
    policy = "Goods received on or after 1 May 2027 can be sent back within 20 days."

    assert compare("Received after 30 April 2027: 20 days.", policy).sameness is Sameness.SAME
    assert compare("Goods received from 1 June 2027 have 20 days.", policy).sameness is Sameness.DIFFERENT


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("We beat any offer by 8 %.", ["8 %"]),
        ("It is 10 days for goods received before 1 May and 20 days from then on.", ["10 days", "20 days"]),
        ("If that rule held, the 20-day window would apply.", ["20-day"]),
        ("You can send it back until 24 May.", ["24 May"]),
        ("Sale goods are non-refundable.", ["non-refundable"]),
        ("We do not know. Shall a colleague call you within 2 hours?", []),
        ("A colleague can call you back within 2 hours.", []),
        ("Would 20 days suit you?", []),
        ("Your order of 4 May is on its way.", []),
        ("You paid £80.", []),
        ("I don't know whether sale goods are refundable.", []),
    ],
)
def test_values_stated_without_any_commitment_behind_them_are_found(text, expected):
    assert quoted(text, stated_values(text)) == expected


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=120), st.text(max_size=60))
def test_any_two_texts_can_be_compared(text, reference):
    outcome = compare(text, reference)

    assert all(0 <= span.start < span.end <= len(text) for span in (*outcome.differing, *outcome.unclear))
    assert compare(text, reference) == outcome


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 300), st.integers(1, 300))
def test_only_the_same_number_of_days_is_the_same(one, other):
    outcome = compare(f"You have {one} days.", f"Goods can be sent back within {other} days.")

    assert (outcome.sameness is Sameness.SAME) == (one == other)


@pytest.mark.parametrize("piece", [" ", "7", ",", "> ", "9 days ", "warranty ", "x? "])
def test_twenty_thousand_characters_of_one_kind_are_compared(piece):
    text = (piece * 20_000)[:20_000]

    assert compare(text, WINDOW).sameness in Sameness
