"""What the audit page says of numbers and durations."""

from datetime import timedelta

import pytest

from console.views import audit_words


@pytest.mark.parametrize(
    ("broken", "expected"),
    [
        (0, "All five checks are healthy."),
        (1, "One of the five checks found something to put right."),
        (2, "Two of the five checks found something to put right."),
        (5, "All of the five checks found something to put right."),
    ],
)
def test_how_many_checks_found_something_is_a_sentence(broken, expected):
    assert audit_words.outcome(broken) == expected


@pytest.mark.parametrize(
    ("duration", "expected"),
    [
        (timedelta(milliseconds=20), "less than a second"),
        (timedelta(seconds=1), "1 second"),
        (timedelta(seconds=12.4), "12 seconds"),
    ],
)
def test_a_duration_is_told_in_words(duration, expected):
    assert audit_words.took(duration) == expected


@pytest.mark.parametrize(("threshold", "expected"), [(0, "none allowed"), (3, "at most 3 allowed")])
def test_how_many_rows_are_allowed(threshold, expected):
    assert audit_words.allowed(threshold) == expected
