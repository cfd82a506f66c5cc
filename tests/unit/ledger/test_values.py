"""Typed facts out of running text: what is read, in which normal form, and what is no value."""

from datetime import date
from decimal import Decimal

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from ledger.decisions.values import Bound, Fact, FactKind, extract

WORDS = (
    "two", "(2)", "years", "and", "a", "half", "of the price", "£5.00", "12-month", "–", "1½", "3rd October 2025", "no",
    "not", "within", "up to", "free", "lifetime", "warranty", "refundable", "per month", "business days", ",", ".", "?",
    "(", ")", "\n", "\u00a0", "５", "1.000,50", ":", "—", "24/7", "99999999999999999999",
)  # fmt: skip


def the_value(text: str) -> Fact:
    [fact] = [f for f in extract(text) if f.kind is not FactKind.STANCE]
    return fact


def values(text: str) -> list[Fact]:
    return [f for f in extract(text) if f.kind is not FactKind.STANCE]


@pytest.mark.parametrize(
    ("text", "unit", "number"),
    [
        ("three (3) years", "months", 36),
        ("3½ years", "months", 42),
        ("2 1/2 years", "months", 30),
        ("one and a half years", "months", 18),
        ("a year and a half", "months", 18),
        ("three and a half years", "months", 42),
        ("4,5 years", "months", 54),
        ("0.5 years", "months", 6),
        ("half a year", "months", 6),
        ("a quarter of a year", "months", 3),
        ("three quarters of a year", "months", 9),
        ("four years and three months", "months", 51),
        ("1 year 3 months", "months", 15),
        ("one decade", "months", 120),
        ("a full year", "months", 12),
        ("36-month", "months", 36),
        ("36-months", "months", 36),
        ("THIRTY-SIX MONTHS", "months", 36),
        ("18mo", "months", 18),
        ("5 yrs", "months", 60),
        ("３６ months", "months", 36),
        ("36\u00a0months", "months", 36),
        ("a fortnight", "days", 14),
        ("three weeks", "days", 21),
        ("1 week and 3 days", "days", 10),
        ("45 calendar days", "days", 45),
        ("one hundred and eighty days", "days", 180),
        ("45d", "days", 45),
        ("6 working days", "business_days", 6),
        ("six-business-day", "business_days", 6),
        ("4 business hours", "business_hours", 4),
        ("72 hours", "hours", 72),
        ("two hours and thirty minutes", "minutes", 150),
        ("an hour and a half", "hours", Decimal("1.5")),
        ("a year and a day", "months+1 days", 12),
    ],
)
def test_a_duration_is_read_in_its_normal_form(text, unit, number):
    fact = the_value(text)

    assert (fact.kind, fact.unit, fact.low, fact.high) == (FactKind.DURATION, unit, number, number)
    assert text[fact.start : fact.end] == text


@pytest.mark.parametrize(
    ("text", "unit", "number"),
    [
        ("€2.350,75", "EUR", "2350.75"),
        ("$2,350.75", "$", "2350.75"),
        ("US$40", "USD", "40"),
        ("A$40", "AUD", "40"),
        ("40 CHF", "CHF", "40"),
        ("GBP 19.90", "GBP", "19.90"),
        ("19,90 €", "EUR", "19.90"),
        ("forty pounds", "GBP", "40"),
        ("50 cents", "$", "0.5"),
        ("80p", "GBP", "0.8"),
        ("€1.500", "EUR", "1500"),
        ("$3k", "$", "3000"),
        ("free of charge", "any", "0"),
        ("at no extra cost", "any", "0"),
        ("no fee", "any", "0"),
        ("costs nothing", "any", "0"),
    ],
)
def test_money_is_read_with_its_currency_in_both_decimal_styles(text, unit, number):
    fact = the_value(text)

    assert (fact.kind, fact.unit, fact.low) == (FactKind.MONEY, unit, Decimal(number))


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("35 %", 35),
        ("35%", 35),
        ("thirty-five per cent", 35),
        ("half of the price", 50),
        ("interest-free", 0),
        ("a full refund", 100),
    ],
)
def test_shares_are_read_as_per_cent(text, number):
    fact = the_value(text)

    assert (fact.kind, fact.low) == (FactKind.PERCENT, number)


@pytest.mark.parametrize(
    ("text", "low", "high", "unit"),
    [
        ("3–8 days", 3, 8, "days"),
        ("3 to 8 days", 3, 8, "days"),
        ("between three and eight days", 3, 8, "days"),
        ("3-8 business days", 3, 8, "business_days"),
        ("6 days to 2 weeks", 6, 14, "days"),
        ("not less than 6 days and no more than two weeks", 6, 14, "days"),
        ("a week or two", 7, 14, "days"),
        ("7- to 10-day", 7, 10, "days"),
        ("$20-$30", 20, 30, "$"),
        ("20 to 30 %", 20, 30, "percent"),
    ],
)
def test_a_range_is_one_value_with_two_ends(text, low, high, unit):
    fact = the_value(text)

    assert (fact.low, fact.high, fact.unit, fact.bound) == (low, high, unit, Bound.RANGE)


def test_alternatives_are_two_values():
    assert [fact.low for fact in values("a 6- or 9-month plan")] == [6, 9]


@pytest.mark.parametrize(
    ("text", "bound"),
    [
        ("lasts 6 weeks", Bound.EXACTLY),
        ("within 6 weeks", Bound.WITHIN),
        ("no later than 6 weeks", Bound.WITHIN),
        ("up to 6 weeks", Bound.AT_MOST),
        ("no more than 6 weeks", Bound.AT_MOST),
        ("a maximum of 6 weeks", Bound.AT_MOST),
        ("must not exceed 6 weeks", Bound.AT_MOST),
        ("6 weeks at most", Bound.AT_MOST),
        ("at least 6 weeks", Bound.AT_LEAST),
        ("no less than 6 weeks", Bound.AT_LEAST),
        ("6 weeks or longer", Bound.AT_LEAST),
        ("roughly 6 weeks", Bound.ABOUT),
        ("6 weeks or so", Bound.ABOUT),
        ("a couple of weeks", Bound.ABOUT),
    ],
)
def test_the_words_around_a_value_bound_it(text, bound):
    assert the_value(text).bound is bound


@pytest.mark.parametrize(
    "text",
    [
        "lifetime guarantee", "guaranteed for life", "a life-long guarantee", "it never expires", "it does not expire",
        "valid without time limit", "valid indefinitely", "no expiry date",
    ],
)  # fmt: skip
def test_no_end_is_a_value_of_its_own(text):
    assert FactKind.LIFETIME in {fact.kind for fact in extract(text)}


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("3 March 2027", date(2027, 3, 3)),
        ("3rd of March, 2027", date(2027, 3, 3)),
        ("March 3, 2027", date(2027, 3, 3)),
        ("Mar 3rd 2027", date(2027, 3, 3)),
        ("2027-03-03", date(2027, 3, 3)),
        ("23/03/2027", date(2027, 3, 23)),
        ("23.03.2027", date(2027, 3, 23)),
        ("before 3 March 2027", date(2027, 3, 2)),
        ("after 3 March 2027", date(2027, 3, 4)),
        ("on or after 3 March 2027", date(2027, 3, 3)),
    ],
)
def test_a_date_is_the_day_that_is_meant(text, day):
    fact = the_value(text)

    assert (fact.kind, fact.unit, fact.low) == (FactKind.DATE, "date", day.toordinal())


def test_a_date_without_a_year_or_with_mixed_up_day_and_month_says_so():
    assert the_value("on 3 March").unit == "day_of_year"
    assert the_value("on 03/04/2027").unit == "ambiguous_date"
    assert values("on 31/02/2027") == []


@pytest.mark.parametrize(
    "text",
    [
        "", "   ", "Order 88120-12", "Call 030 555 12 00", "at 16:45", "Ticket PO-30 days", "RET-V9 applies",
        "promo_90_days", "We are open 8 hours a day, 6 days a week", "around the clock, 24/7", "three weeks ago",
        "your fridge is 4 years old", "20 years of experience", "Feel free to write", "Have a lovely day",
        "twice a month", "number 12", "May I help?", "sorry for the 2 day delay",
    ],
)  # fmt: skip
def test_what_states_no_value_yields_none(text):
    assert values(text) == []


def test_an_age_with_a_limit_is_a_condition_and_stays():
    assert the_value("anything more than 3 weeks old").bound is Bound.AT_LEAST


@pytest.mark.parametrize(
    ("text", "per"),
    [
        ("£4.50 per month", "month"),
        ("£4.50 a year", "year"),
        ("£4.50/week", "week"),
        ("£4.50 monthly", "month"),
        ("£4.50", None),
    ],
)
def test_a_rate_keeps_its_period(text, per):
    assert the_value(text).per == per


@pytest.mark.parametrize(
    ("text", "anchor"),
    [
        ("20 days of purchase", "purchase"),
        ("20 days after you have received it", "receipt"),
        ("20 days from the date of delivery", "delivery"),
        ("20 days from the order date", "order"),
        ("the term starts on the day of the invoice and lasts 20 days", "invoice"),
        ("20 days", None),
    ],
)
def test_a_stretch_of_time_keeps_the_event_it_counts_from(text, anchor):
    assert the_value(text).anchor == anchor


@pytest.mark.parametrize(
    ("text", "scopes"),
    [
        ("Battery 6 months, screen 9 months", ["battery", "screen"]),
        ("6 months on the battery and 9 months on the screen", ["battery", "screen"]),
        ("The battery is covered for 6 months and the screen for 9 months", ["battery", "screen"]),
        ("a 6-month parts and labour guarantee", ["labour+parts"]),
    ],
)
def test_each_value_keeps_what_it_applies_to(text, scopes):
    assert [fact.applies_to for fact in values(text)] == scopes


@pytest.mark.parametrize("text", ["not 9 months", "no 9-month term", "instead of the 9 months", "not for 9 months"])
def test_a_denied_value_is_marked(text):
    assert the_value(text).polarity is False


@pytest.mark.parametrize(
    ("text", "topic", "polarity"),
    [
        ("There is no warranty.", "cover", False),
        ("Damage is not covered.", "cover", False),
        ("The hinge is covered.", "cover", True),
        ("Vouchers are non-refundable.", "refund", False),
        ("Vouchers are refundable.", "refund", True),
        ("Swimwear cannot be returned.", "return", False),
        ("Returns are not accepted.", "return", False),
        ("We don't match prices.", "match", False),
    ],
)
def test_a_plain_yes_or_no_is_a_stance(text, topic, polarity):
    assert [(f.unit, f.polarity) for f in extract(text) if f.kind is FactKind.STANCE] == [(topic, polarity)]


def test_counts_and_measures_keep_what_is_counted():
    assert [(f.kind, f.unit, f.low) for f in values("36 monthly payments or 40 000 miles")] == [
        (FactKind.COUNT, "payments", 36),
        (FactKind.MEASURE, "miles", 40_000),
    ]


@settings(max_examples=150, deadline=None)
@example("⓵ days")  # a digit by its category, and no number
@given(st.one_of(st.text(max_size=200), st.lists(st.sampled_from(WORDS), max_size=40).map(" ".join)))
def test_any_text_is_read_without_error_in_range_and_always_alike(text):
    facts = extract(text)

    assert all(0 <= fact.start < fact.end <= len(text) for fact in facts)
    assert list(facts) == sorted(facts, key=lambda fact: (fact.start, fact.end))
    assert extract.__wrapped__(text) == facts


@settings(max_examples=80, deadline=None)
@given(st.integers(1, 400), st.sampled_from(["days", "months", "hours"]))
def test_a_plain_number_of_units_is_read_as_it_stands(number, unit):
    fact = the_value(f"It holds for {number} {unit}.")

    assert (fact.low, fact.high, fact.unit) == (number, number, unit)


@pytest.mark.parametrize(
    "piece", [" ", "7", ",", "7,", "\n ", ".", "7 days ", "hundred ", "not ", "no warranty ", "free ", "½", "1/"]
)
def test_twenty_thousand_characters_of_one_kind_are_read(piece):
    text = (piece * 20_000)[:20_000]

    assert all(fact.end <= len(text) for fact in extract(text))
