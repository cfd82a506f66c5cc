"""Marks are cut by code points of the raw text, whatever lies under them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from console.views.highlight import Mark, marked


def mark(start, end, number=1, style="unsupported"):
    return Mark(start, end, style, number, "Status: No record", f"note-{number}")


def told(text, *marks):
    return [("".join(p.text for p in s.pieces), [m.number for m in s.begins], s.styles) for s in marked(text, marks)]


@pytest.mark.parametrize(
    ("text", "marks", "expected"),
    [
        pytest.param("", [], [], id="an-empty-text-has-no-slice"),
        pytest.param("abc", [], [("abc", [], ())], id="no-mark"),
        pytest.param("abc", [mark(1, 2)], [("a", [], ()), ("b", [1], ("unsupported",)), ("c", [], ())], id="one"),
        pytest.param("abc", [mark(0, 3)], [("abc", [1], ("unsupported",))], id="the-whole-text"),
        pytest.param("abc", [mark(1, 1)], [("abc", [], ())], id="a-mark-without-length-is-left-out"),
        pytest.param("abc", [mark(2, 9)], [("abc", [], ())], id="a-mark-beyond-the-end-is-left-out"),
        pytest.param("abc", [mark(-1, 2)], [("abc", [], ())], id="a-mark-before-the-start-is-left-out"),
        pytest.param(
            "abcd",
            [mark(0, 3), mark(1, 4, 2, "finding")],
            [("a", [1], ("unsupported",)), ("bc", [2], ("unsupported", "finding")), ("d", [], ("finding",))],
            id="overlapping-marks-share-a-slice",
        ),
        pytest.param("a😀b", [mark(1, 2)], [("a", [], ()), ("😀", [1], ("unsupported",)), ("b", [], ())], id="emoji"),
    ],
)
def test_a_text_is_cut_at_the_edges_of_its_marks(text, marks, expected):
    assert told(text, *marks) == expected


@given(st.text(max_size=40), st.lists(st.tuples(st.integers(-5, 45), st.integers(-5, 45)), max_size=8))
def test_the_slices_joined_are_the_text_to_the_letter(text, spans):
    marks = [mark(start, end, number) for number, (start, end) in enumerate(spans)]

    slices = marked(text, marks)

    assert "".join(piece.text for one in slices for piece in one.pieces) == text


@given(st.text(min_size=1, max_size=40), st.lists(st.tuples(st.integers(0, 40), st.integers(0, 40)), max_size=8))
def test_every_mark_that_fits_begins_once_and_ends_once(text, spans):
    marks = [mark(start, end, number) for number, (start, end) in enumerate(spans)]
    fitting = {m.number for m in marks if 0 <= m.start < m.end <= len(text)}

    slices = marked(text, marks)

    assert sorted(m.number for s in slices for m in s.begins) == sorted(fitting)
    assert sorted(m.number for s in slices for m in s.ends) == sorted(fitting)


def test_a_hidden_character_is_a_piece_of_its_own_with_a_name():
    (only,) = marked("ab\u202ecd", [])

    assert [piece.name for piece in only.pieces] == ["", "U+202E RIGHT-TO-LEFT OVERRIDE", ""]
