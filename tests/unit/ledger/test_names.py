"""What documents and versions can be called."""

import pytest

from ledger.decisions.text import unfit_name


@pytest.mark.parametrize("name", ["returns", "RET-3", "2027-01", "a/b", "a b?c#d", "ü%2F", "...", "v1.2", "退货"])
def test_almost_anything_is_a_name(name):
    assert unfit_name(name) is None


@pytest.mark.parametrize("name", [".", "..", "a/../b", "../x", "x/."])
def test_what_no_address_leads_to_is_no_name(name):
    assert "no address leads there" in unfit_name(name)


@pytest.mark.parametrize(
    ("name", "sign"),
    [
        ("a\u200bb", "U+200B, zero width space"),
        ("a\u202eb", "U+202E, right-to-left override"),
        ("a\u2066b", "U+2066, left-to-right isolate"),
        ("a\u00a0b", "U+00A0, no-break space"),
        ("a\u2800b", "U+2800, braille pattern blank"),
        ("a\tb", "U+0009, a control character"),
        ("a\U000e0041", "U+E0041, tag latin capital letter a"),
    ],
)
def test_what_cannot_be_seen_is_named_and_refused(name, sign):
    assert sign in unfit_name(name)
