"""Cells that a spreadsheet shows as text and never reckons with."""

import pytest

from console.spreadsheets import cell, table


@pytest.mark.parametrize(
    ("value", "written"),
    [
        pytest.param("plain", "plain", id="text"),
        pytest.param(None, "", id="nothing"),
        pytest.param(0, "0", id="zero"),
        pytest.param("a=1", "a=1", id="sign-inside"),
        pytest.param("=1+1", "'=1+1", id="equals"),
        pytest.param("+1", "'+1", id="plus"),
        pytest.param("-1", "'-1", id="minus"),
        pytest.param(-1, "'-1", id="negative-number"),
        pytest.param("@A1", "'@A1", id="at"),
        pytest.param("\tx", "'\tx", id="tab"),
        pytest.param("\rx", "'\rx", id="carriage-return"),
        pytest.param("\nx", "'\nx", id="line-feed"),
        pytest.param("  =1", "'  =1", id="after-spaces"),
        pytest.param("\u00a0=1", "'\u00a0=1", id="after-a-no-break-space"),
        pytest.param("\uff1d1", "'\uff1d1", id="full-width"),
        pytest.param("'=1", "'=1", id="already-marked"),
    ],
)
def test_a_cell(value, written):
    assert cell(value) == written


def test_a_table_is_written_line_by_line():
    read = []

    def rows():
        for number in (1, 2):
            read.append(number)
            yield (number, 'with "quotes", and\nlines')

    lines = table(("number", "text"), rows())

    assert next(lines) == "\ufeffnumber,text\r\n"
    assert read == []
    assert next(lines) == '1,"with ""quotes"", and\nlines"\r\n'
    assert read == [1]
