"""Transcripts from files: what can be read, and what is refused with its line and the reason."""

import json
from datetime import UTC, datetime
from io import BytesIO

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drafts.decisions.drifting import BrokenLine, Transcript, Turn, bounded_lines, read_csv, read_jsonl

MESSAGES = [{"role": "customer", "text": "When?"}, {"role": "agent", "text": "Soon."}]
TURNS = (Turn("customer", "When?"), Turn("agent", "Soon."))


def line(**fields):
    return json.dumps({"conversation_id": "c1", "messages": MESSAGES, **fields})


def test_a_line_is_one_conversation_with_roles_by_any_usual_name():
    messages = [
        {"role": "User", "text": "When?", "sent_at": "2026-03-10T10:00:00Z"},
        {"role": "assistant", "text": "Soon."},
        {"role": "tool", "text": "{}"},
    ]

    (read,) = read_jsonl([line(messages=messages, source="ignored")])

    assert isinstance(read, Transcript)
    assert read.conversation_id == "c1"
    assert [turn.role for turn in read.turns] == ["customer", "agent", "other"]
    assert read.turns[0].sent_at == datetime(2026, 3, 10, 10, tzinfo=UTC)


def test_a_number_is_an_id_and_a_byte_order_mark_and_blank_lines_do_no_harm():
    read = list(read_jsonl([b"\xef\xbb\xbf" + line(conversation_id=7).encode(), b"\n", b"  \r\n"]))

    assert read == [Transcript("7", TURNS)]


@pytest.mark.parametrize(
    ("broken", "why"),
    [
        ("{", "not valid JSON"),
        ("[]", "no JSON object"),
        (line(conversation_id=None), "conversation_id is missing"),
        (line(conversation_id="  "), "conversation_id is missing"),
        (line(conversation_id="x" * 300), "conversation_id: The text is too long"),
        (line(messages=[]), "messages is missing, empty or no list"),
        (line(messages="text"), "messages is missing, empty or no list"),
        (line(messages=["text"]), "messages[0] is no object"),
        (line(messages=[{"role": "ghost", "text": ""}]), "messages[0].role is 'ghost'"),
        (line(messages=[{"text": ""}]), "messages[0].role is missing"),
        (line(messages=[*MESSAGES, {"role": "agent"}]), "messages[2].text is missing"),
        (line(messages=[{"role": "agent", "text": "a\u0000b"}]), "NUL"),
        (line(messages=[{"role": "agent", "text": "\ud800"}]), "surrogate"),
        (line(messages=[{"role": "agent", "text": "", "sent_at": "noon"}]), "sent_at is no ISO instant"),
        (line(messages=MESSAGES * 1_001), "more than 2,000 messages"),
        (line(pad="x" * 300_000), "longer than 262,144 bytes"),
        ("[" * 5_000, "nested more than"),
        (b"\xff\xfe\xff", "byte order mark"),
        ('{"conversation_id": "\xe9"'.encode("latin-1"), "not valid UTF-8"),
        (line(), "stands on line 1 already"),
    ],
)
def test_a_broken_line_names_its_number_and_the_reason_and_the_rest_goes_on(broken, why):
    read = list(read_jsonl([line(), broken, line(conversation_id="c2")]))

    assert [type(one) for one in read] == [Transcript, BrokenLine, Transcript]
    assert read[1].line == 2
    assert why in read[1].why


@pytest.mark.parametrize("lines", [[], [b"\n", b" \n"], [b""]])
@pytest.mark.parametrize("read", [read_jsonl, read_csv])
def test_an_empty_file_is_refused_as_a_whole(read, lines):
    (broken,) = read(lines)

    assert isinstance(broken, BrokenLine)
    assert "mpty" in broken.why or "header" in broken.why


def test_csv_messages_of_a_conversation_need_not_stand_together():
    rows = ["conversation_id,role,text,sent_at", 'a,customer,"When, please?",2026-03-10T10:00:00Z', "b,user,Hi,"]
    rows += ['a,agent,"Soon.\nReally.",', "", "b,bot,Hello,"]

    read = list(read_csv(part + "\n" for part in "\n".join(rows).split("\n")))

    assert [(one.conversation_id, [turn.text for turn in one.turns]) for one in read] == [
        ("a", ["When, please?", "Soon.\nReally."]),
        ("b", ["Hi", "Hello"]),
    ]


@pytest.mark.parametrize(
    ("row", "why"),
    [
        ("a,customer", "2 fields"),
        (",customer,Hi", "conversation_id is missing"),
        ("a,ghost,Hi", "role is 'ghost'"),
        ("a,agent,H\x00i", "NUL"),
        (b"a,agent,\xff", "not UTF-8"),
        ('a,agent,"x"y', "no CSV"),
        (f"a,agent,{'x' * 70_000}", "too long"),
        (f"a,agent,{'x' * 140_000}", "no CSV"),
    ],
)
def test_a_broken_csv_record_names_its_line_and_the_rest_goes_on(row, why):
    lines = [b"conversation_id,role,text\n", b"a,customer,One\n", *[row.encode() if isinstance(row, str) else row]]

    read = list(read_csv([*lines[:2], lines[2] + b"\n", b"a,agent,Two\n"]))

    assert [(one.line, why in one.why) for one in read if isinstance(one, BrokenLine)] == [(3, True)]
    assert [turn.text for turn in read[-1].turns] == ["One", "Two"]


def test_a_csv_without_its_columns_says_which_are_lacking():
    (broken,) = read_csv(["id,role,message\n", "a,agent,Hi\n"])

    assert "lacks conversation_id, text" in broken.why


def test_a_line_without_end_is_never_held_whole():
    longest = max(len(piece) for piece in bounded_lines(BytesIO(b"x" * 2_000_000 + b"\nshort\n")))

    assert longest <= 262_146
    assert list(bounded_lines(BytesIO(b"x" * 2_000_000 + b"\nshort\n")))[1] == b"short\n"


@given(st.lists(st.one_of(st.binary(max_size=60), st.text(max_size=60)), max_size=8))
def test_nothing_in_a_file_makes_the_reading_fail(lines):
    for read in (read_jsonl, read_csv):
        for one in read(lines):
            assert isinstance(one, Transcript | BrokenLine)
