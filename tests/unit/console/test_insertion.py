"""A required text goes after the greeting, else to the top."""

import pytest

from console.views.insertion import insert, same_text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("We are open.", "THIS\n\nWe are open.", id="no-greeting"),
        pytest.param("Hi Ana,\n\nWe are open.", "Hi Ana,\n\nTHIS\n\nWe are open.", id="after-the-greeting"),
        pytest.param("Hello!\nWe are open.", "Hello!\n\nTHIS\n\nWe are open.", id="greeting-on-its-own-line"),
        pytest.param("Hi Ana, we are open.", "THIS\n\nHi Ana, we are open.", id="greeting-within-a-sentence"),
        pytest.param("", "THIS", id="empty"),
    ],
)
def test_where_it_goes(text, expected):
    assert insert(text, "THIS") == expected


@pytest.mark.parametrize(
    ("typed", "stored", "expected"),
    [
        pytest.param("a\r\nb", "a\nb", True, id="browser-line-ends"),
        pytest.param("a\nb", "a\rb", True, id="old-line-ends"),
        pytest.param("a b", "a  b", False, id="another-space-is-another-text"),
    ],
)
def test_line_ends_alone_make_no_other_text(typed, stored, expected):
    assert same_text(typed, stored) is expected
