"""To the letter, white space aside; and names of versions."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drafts.decisions.comparison import contains_verbatim, names_version
from ledger.decisions.vocabulary import Span


@pytest.mark.parametrize(
    ("text", "locked", "found"),
    [
        ("It is 9 days.", "It is 9 days.", "It is 9 days."),
        ("Hi.\n It  is\n9\u00a0days. Bye", "It is 9 days.", "It  is\n9\u00a0days."),
        ("It is 9 days, truly", "It is 9 days", "It is 9 days"),
    ],
)
def test_the_locked_text_is_found_whatever_the_white_space(text, locked, found):
    span = contains_verbatim(text, locked)

    assert span is not None
    assert text[span.start : span.end] == found


@pytest.mark.parametrize(
    ("text", "locked"),
    [
        ("it is 9 days.", "It is 9 days."),
        ("It is nine days.", "It is 9 days."),
        ("It is 9 days", "It is 9 days."),
        ("It is 19 days", "9 days"),
        ("9 daystar", "9 days"),
        ("", "9 days"),
        ("anything", "  "),
    ],
)
def test_other_letters_are_not_the_locked_text(text, locked):
    assert contains_verbatim(text, locked) is None


@given(st.text(min_size=1, max_size=40), st.text(max_size=20), st.text(max_size=20))
def test_a_text_is_found_between_any_others(locked, before, after):
    span = contains_verbatim(f"{before} {locked} {after}", locked)

    assert (span is None) == (not locked.split())


@pytest.mark.parametrize("text", ["SHIP-V3 applies", "by ship v3.", "see (Ship_V3)", "shipv3"])
def test_a_version_is_named_whatever_the_signs_between_its_parts(text):
    assert len(names_version(text, {"SHIP-V3"})) == 1


@pytest.mark.parametrize("text", ["SHIP-V31", "worship-v3x", "ship it", "V3", ""])
def test_other_words_name_no_version(text):
    assert names_version(text, {"SHIP-V3"}) == ()


def test_a_name_of_digits_needs_the_word_version():
    assert names_version("In 2027 version 2027 applies", {"2027"}) == (Span(8, 20),)


def test_every_mention_is_returned_in_order():
    text = "B-2 replaced A-1; A-1 is gone"

    assert [text[s.start : s.end] for s in names_version(text, ["A-1", "B-2"])] == ["B-2", "A-1", "A-1"]
