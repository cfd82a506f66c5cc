"""The text gate: what it refuses, with which field, and that it never fails in another way."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drafts.decisions.textgate import (
    BODY_LIMIT_BYTES,
    BodyTooLarge,
    TextRefused,
    check_text,
    check_value,
    parse_json,
)

JSON_VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**18), 10**18)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_characters="\x00", exclude_categories=["Cs"])),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.text(st.characters(exclude_characters="\x00", exclude_categories=["Cs"])), inner, max_size=4
        )
    ),
    max_leaves=12,
)


@given(JSON_VALUES)
def test_ordinary_json_comes_through_unchanged(value):
    assert parse_json(json.dumps(value).encode()) == value
    assert parse_json(json.dumps(value, ensure_ascii=False).encode()) == value


def refusal_of(body):
    try:
        parse_json(body)
    except TextRefused as refused:
        return refused
    return None


@given(st.binary(max_size=300) | st.text(st.sampled_from('{}[]"\\:,a1 \n'), max_size=200).map(str.encode))
def test_any_bytes_are_parsed_or_refused_in_words_and_nothing_else(body):
    refused = refusal_of(body)

    assert refused is None or (refused.field and refused.message.endswith("."))


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(b'\xef\xbb\xbf{"a": 1}', id="byte-order-mark"),
        pytest.param('{"a": 1}'.encode("utf-16"), id="utf-16"),
        pytest.param('{"a": 1}'.encode("utf-16-le"), id="utf-16-without-mark"),
        pytest.param('{"a": 1}'.encode("utf-32-be"), id="utf-32"),
        pytest.param(b'{"a": "\xff"}', id="not-utf-8"),
        pytest.param(b'{"a": "\xed\xa0\x80"}', id="surrogate-bytes"),
        pytest.param(b'{"a": NaN}', id="nan"),
        pytest.param(b'{"a": -Infinity}', id="infinity"),
        pytest.param(b'{"a": 1e400}', id="float-overflow"),
        pytest.param(b'{"a": 0.' + b"1" * 5_000 + b"}", id="long-float"),
        pytest.param(b'{"a": ' + b"9" * 5_000 + b"}", id="long-integer"),
        pytest.param(b'{"a": 1, "a": 2}', id="duplicate-name"),
        pytest.param(b'{"a": {"b": 1, "b": 1}}', id="duplicate-name-inside"),
        pytest.param(b'{"a": 1} x', id="trailing-text"),
        pytest.param(b"{'a': 1}", id="single-quotes"),
        pytest.param(b"", id="empty"),
        pytest.param(b'{"a": "' + b'\\"' * 60_000, id="endless-string"),
    ],
)
def test_bodies_that_two_parsers_would_read_differently_are_refused(body):
    with pytest.raises(TextRefused):
        parse_json(body)


@pytest.mark.parametrize(
    ("body", "field"),
    [
        (b'{"draft": {"text": "a\\u0000b"}}', "draft.text"),
        (b'{"conversation": {"messages": [{}, {"text": "\\ud800"}]}}', "conversation.messages[1].text"),
        (b'{"ticket": {"fields": {"a\\u0000b": 1}}}', 'ticket.fields["a\\u0000b"]'),
        (b'{"facts": {"x\\udfff": {}}}', 'facts["x\\udfff"]'),
        (b'["\\u0000"]', "[0]"),
        (b'"\\u0000"', "body"),
        (b'{"text": "' + b"a" * 65_537 + b'"}', "text"),
        (b'{"messages": [' + b"1," * 10_000 + b"1]}", "messages"),
    ],
)
def test_the_refusal_names_the_field(body, field):
    with pytest.raises(TextRefused) as refused:
        parse_json(body)

    assert refused.value.field == field


def test_a_surrogate_pair_written_as_escapes_is_one_character():
    assert parse_json(b'"\\ud83d\\ude00"') == "\U0001f600"


@pytest.mark.parametrize(("opening", "closing"), [("[", "]"), ('{"a":', "}")])
@pytest.mark.parametrize(("levels", "accepted"), [(20, True), (31, True), (32, False), (2_000, False), (20_000, False)])
def test_nesting_has_a_limit_of_our_own(opening, closing, levels, accepted):
    inner = opening * levels + "1" + closing * levels
    body = f'{{"fields": {inner}}}'.encode()

    if accepted:
        assert parse_json(body)
    else:
        with pytest.raises(TextRefused, match="nested"):
            parse_json(body)


def test_brackets_inside_text_are_not_nesting():
    text = "[{" * 100 + '"\\'

    assert parse_json(json.dumps({"text": text}).encode()) == {"text": text}


def test_a_body_over_the_limit_is_its_own_refusal():
    body = b'"' + b"a" * BODY_LIMIT_BYTES + b'"'

    with pytest.raises(BodyTooLarge):
        parse_json(body)


@pytest.mark.parametrize("value", ["a\x00b", "\ud800", "é" * 40_000, 7, None])
def test_text_from_forms_and_files_obeys_the_same_rules(value):
    with pytest.raises(TextRefused) as refused:
        check_text("reason", value)

    assert refused.value.field == "reason"


def test_text_is_returned_to_the_letter():
    text = "a\u202e\u200b\r\n\tb\u0301"

    assert check_text("reason", text) == text


@pytest.mark.parametrize("value", [float("nan"), float("inf"), 10**80, {1: "a"}, object(), b"bytes"])
def test_values_that_json_cannot_hold_are_refused(value):
    with pytest.raises(TextRefused) as refused:
        check_value("facts", {"inner": value})

    assert refused.value.field.startswith("facts.inner")


def test_deep_python_values_are_refused_without_recursion():
    value: object = "leaf"
    for _ in range(50_000):
        value = [value]

    with pytest.raises(TextRefused, match="nested"):
        check_value("facts", value)
