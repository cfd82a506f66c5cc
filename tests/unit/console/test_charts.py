"""Charts are whole SVG documents that carry their words as text, whatever the words are."""

from xml.etree import ElementTree as ET

import pytest

from console.charts import Chart, Series, bars

SVG = "{http://www.w3.org/2000/svg}"


def texts(drawn: bytes) -> str:
    return " ".join(node.text or "" for node in ET.fromstring(drawn).iter(f"{SVG}text"))


def test_names_and_labels_stand_in_the_chart_as_they_are():
    drawn = bars(
        [Series("closed $\\frac{", [1, 2]), Series("<b>open</b>", [0, 3])], labels=["1 & 2", "$x^{"], title="T <1>"
    )

    for word in ("closed $\\frac{", "<b>open</b>", "1 & 2", "$x^{"):
        assert word in texts(drawn)


def test_the_same_numbers_give_the_same_bytes_and_a_dark_screen_other_ones():
    asked = {"labels": ["a", "b"], "title": "t"}

    assert bars([Series("n", [1, 2])], **asked) == bars([Series("n", [1, 2])], **asked)
    assert bars([Series("n", [1, 2])], **asked) != bars([Series("n", [1, 2])], dark=True, **asked)


@pytest.mark.parametrize("values", [[], [0], [0, 0, 0]], ids=len)
def test_nothing_to_show_is_an_empty_chart(values):
    assert bars([Series("n", values)], labels=["x"] * len(values), title="nothing").startswith(b"<?xml")


def test_many_bars_name_only_some_of_them():
    drawn = bars([Series("n", list(range(60)))], labels=[f"label {n}" for n in range(60)], title="many")

    assert 5 <= texts(drawn).count("label") <= 14


def named(labels, **how):
    drawn = texts(bars([Series("n", [1] * len(labels))], labels=labels, title="t", **how))
    return sum(1 for label in labels if label[:20] in drawn)


@pytest.mark.parametrize(
    ("labels", "wide", "narrow"),
    [
        pytest.param(["1 Nov", "8 Nov", "15 Nov"], 3, 3, id="few-and-short"),
        pytest.param([f"week {n:02}" for n in range(12)], 12, 4, id="many-and-short"),
        pytest.param([f"question number {n:02}" for n in range(12)], 6, 2, id="many-and-long"),
        pytest.param(["x" * 300, "y" * 300], 1, 1, id="far-too-long"),
    ],
)
def test_as_many_bars_are_named_as_names_fit(labels, wide, narrow):
    assert (named(labels), named(labels, narrow=True)) == (wide, narrow)


def test_five_series_with_long_names_are_told_below_each_other_on_a_phone():
    drawn = bars(
        [Series(f"{n}. a rather long name of a series", [n]) for n in range(5)], labels=["x"], title="t", narrow=True
    )

    for n in range(5):
        assert f"{n}. a rather long name of a series" in texts(drawn)


def test_more_series_than_can_be_told_apart_are_refused():
    with pytest.raises(ValueError, match="up to five"):
        bars([Series(str(n), [1]) for n in range(6)], labels=["x"], title="t")


def test_a_series_of_another_length_is_refused():
    with pytest.raises(ValueError, match="one value for every label"):
        bars([Series("n", [1])], labels=["a", "b"], title="t")


def test_a_name_that_leaves_no_room_is_cut():
    drawn = texts(bars([Series("n", [1])], labels=["x" * 300], title="t", narrow=True))

    assert "x" * 27 + "…" in drawn
    assert "x" * 28 not in drawn


def test_the_table_behind_a_chart_has_a_row_for_every_label():
    chart = Chart("/c.svg?from=1", "t", ["a", "b"], [Series("n", [1, 2]), Series("m", [3, 4])], "week")

    assert chart.rows == (("a", (1, 3)), ("b", (2, 4)))
    assert chart.dark_url == "/c.svg?from=1&dark=1"
    assert chart.narrow_url == "/c.svg?from=1&narrow=1"
    assert chart.narrow_dark_url == "/c.svg?from=1&narrow=1&dark=1"
