"""Whether two values say the same: the normal form decides."""

import pytest

from ledger.decisions.values import Fact, FactKind, Sameness, extract, same_value


def fact(text: str) -> Fact:
    return next(f for f in extract(text) if f.kind is not FactKind.STANCE)


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("three years", "36 months", Sameness.SAME),
        ("a fortnight", "14 days", Sameness.SAME),
        ("72 hours", "three days", Sameness.SAME),
        ("within 20 days", "20 days", Sameness.SAME),
        ("20 calendar days", "20 days", Sameness.SAME),
        ("a lifetime guarantee", "guaranteed for life", Sameness.SAME),
        ("$30", "USD 30", Sameness.SAME),
        ("free of charge", "0 €", Sameness.SAME),
        ("25 %", "twenty-five percent", Sameness.SAME),
        ("1 May 2027", "May 1st, 2027", Sameness.SAME),
        ("before 2 May 2027", "until 1 May 2027", Sameness.SAME),
        ("1 May", "1 May 2027", Sameness.SAME),
        ("4 months", "120 days", Sameness.NEAR),
        ("a month", "4 weeks", Sameness.NEAR),
        ("12 months", "30 days", Sameness.DIFFERENT),
        ("3 business days", "3 days", Sameness.DIFFERENT),
        ("5 business days", "a week", Sameness.DIFFERENT),
        ("a year and a day", "12 months", Sameness.DIFFERENT),
        ("lifetime guarantee", "50 years", Sameness.DIFFERENT),
        ("2 to 4 days", "4 days", Sameness.DIFFERENT),
        ("2 to 4 days", "1 to 4 days", Sameness.DIFFERENT),
        ("at least 20 days", "20 days", Sameness.DIFFERENT),
        ("a guarantee of up to 9 months", "a guarantee of 9 months", Sameness.DIFFERENT),
        ("about 20 days", "20 days", Sameness.NEAR),
        ("a few days", "3 days", Sameness.NEAR),
        ("£30", "€30", Sameness.DIFFERENT),
        ("$30", "CAD 30", Sameness.NEAR),
        ("£3 per month", "£3 per year", Sameness.DIFFERENT),
        ("£3 per month", "£3", Sameness.NEAR),
        ("20 days from purchase", "20 days from delivery", Sameness.DIFFERENT),
        ("20 days from receipt", "20 days from delivery", Sameness.NEAR),
        ("20 days from purchase", "20 days", Sameness.SAME),
        ("not 20 days", "20 days", Sameness.DIFFERENT),
        ("01/05/2027", "5 January 2027", Sameness.NEAR),
        ("before 1 May 2027", "from 1 May 2027", Sameness.DIFFERENT),
        ("20 days", "£20", Sameness.UNRELATED),
        ("20 kg", "20 miles", Sameness.UNRELATED),
    ],
)
def test_two_values_are_compared_by_their_normal_form(one, other, expected):
    assert same_value(fact(one), fact(other)) is expected
    assert same_value(fact(other), fact(one)) is expected
