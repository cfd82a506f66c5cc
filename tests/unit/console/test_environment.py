from datetime import date, time

import pytest

from console.environment import BadSetting, Environment, Hours


@pytest.mark.parametrize(
    ("value", "expected"), [("", False), ("0", False), ("no", False), ("1", True), ("TRUE", True), ("on", True)]
)
def test_a_flag_is_on_or_off(value, expected):
    assert Environment({"DEBUG": value}).flag("DEBUG") is expected


def test_an_unset_flag_is_off():
    assert Environment({}).flag("DEBUG") is False


def test_words_are_separated_by_commas():
    assert Environment({"ALLOWED_HOSTS": "desk.example, ,  www.desk.example"}).words("ALLOWED_HOSTS") == [
        "desk.example",
        "www.desk.example",
    ]


def test_office_hours_are_read():
    hours = Environment({"HOURS": "Tue-Sat 08:30-17:00"}).hours("HOURS", "Mon-Fri 09:00-18:00")

    assert hours == Hours(frozenset({2, 3, 4, 5, 6}), time(8, 30), time(17, 0))


def test_holidays_are_read():
    assert Environment({"DAYS": "2026-12-25,2027-01-01"}).days("DAYS") == {date(2026, 12, 25), date(2027, 1, 1)}


@pytest.mark.parametrize(
    ("read", "value"),
    [
        (lambda given: given.flag("X"), "maybe"),
        (lambda given: given.zone("X", "UTC"), "Lisbon"),
        (lambda given: given.zone("X", "UTC"), "../etc/passwd"),
        (lambda given: given.days("X"), "25.12.2026"),
        (lambda given: given.hours("X", "Mon-Fri 09:00-18:00"), "always"),
        (lambda given: given.hours("X", "Mon-Fri 09:00-18:00"), "Fri-Mon 09:00-18:00"),
        (lambda given: given.hours("X", "Mon-Fri 09:00-18:00"), "Mon-Fri 18:00-09:00"),
        (lambda given: given.hours("X", "Mon-Fri 09:00-18:00"), "Mon-Fri 25:00-26:00"),
    ],
)
def test_a_value_that_cannot_be_used_is_refused_by_name(read, value):
    with pytest.raises(BadSetting, match="X"):
        read(Environment({"X": value}))
