"""A file of conversations: what is refused when it comes in, and the batches that are made of it."""

import codecs
import json
from datetime import UTC, datetime

import pytest

from drafts.decisions import drift_files
from drafts.decisions.drift_files import FileRefused, conversations_in, lines_of, pieces_of, sorted_out
from drafts.decisions.drifting import Transcript, Turn

HEADER = "conversation_id,role,text,sent_at\n"


def line(name="c-1", *texts):
    """One conversation in which a customer asks."""
    messages = [{"role": "customer", "text": text} for text in texts or ("How long is the warranty?",)]
    return json.dumps({"conversation_id": name, "messages": messages}, ensure_ascii=False) + "\n"


def taken_in(*chunks):
    return b"".join(pieces_of(chunks))


def lines(text):
    return text.splitlines(keepends=True)


def read_back(found):
    return [one for batch in found.batches for one in conversations_in(batch)]


@pytest.mark.parametrize(
    ("content", "told"),
    [
        pytest.param(b"", "The file is empty.", id="empty"),
        pytest.param(b" \n\r\n", "The file is empty.", id="blank"),
        pytest.param(codecs.BOM_UTF8 + b"\n", "The file is empty.", id="a-mark-alone"),
        pytest.param(b"\x1f\x8b\x08\x00rest", "compressed file (gzip)", id="gzip"),
        pytest.param(b"PK\x03\x04\x14\x00rest", "workbook", id="workbook"),
        pytest.param(b"%PDF-1.7\n", "This is a PDF", id="pdf"),
        pytest.param("{}".encode("utf-16"), "UTF-16", id="utf-16"),
        pytest.param(b"\x89PNG\r\n\x1a\n", "not UTF-8 text (byte 1)", id="picture"),
        pytest.param(line().encode() + "für\n".encode("latin-1"), "not UTF-8 text", id="latin-1"),
        pytest.param(line().encode() + b"caf\xc3", "not UTF-8 text", id="cut-in-a-character"),
        pytest.param(line().encode() + b"\x00\x01", "no text file", id="binary"),
        pytest.param(b'[{"conversation_id": "c-1"}]', "one JSON list", id="json-list"),
        pytest.param(b"<html><body>", "The header lacks conversation_id, role, text", id="html"),
        pytest.param(b"id,who,said\n1,2,3\n", "The header lacks", id="other-columns"),
    ],
)
def test_what_is_plainly_no_file_of_conversations_is_refused_in_plain_words(content, told):
    with pytest.raises(FileRefused) as refused:
        taken_in(content)

    assert told in str(refused.value)


def test_the_place_of_a_byte_that_is_no_text_is_told():
    with pytest.raises(FileRefused, match=r"byte 1,000,003\b"):
        taken_in(b"{" + b"a" * 999_999, b"bc\xff" + b"d" * 5)


@pytest.mark.parametrize("content", [line().encode(), codecs.BOM_UTF8 + line().encode(), HEADER.encode(), b"{broken"])
def test_what_may_be_one_is_taken_in_to_the_letter(content):
    assert taken_in(*(content[place : place + 1] for place in range(len(content)))) == content


def test_a_file_beyond_the_limit_is_refused(monkeypatch):
    monkeypatch.setattr(drift_files, "LARGEST_FILE", 1_000_000)

    assert len(taken_in(b"{" + b"x" * 999_999)) == 1_000_000
    with pytest.raises(FileRefused, match="larger than 1 MB"):
        taken_in(b"{" + b"x" * 999_999, b"x")


def test_a_large_file_is_cut_into_pieces_of_one_size():
    assert [len(piece) for piece in pieces_of([b"{" + b"x" * 499_999] * 5)] == [1_000_000, 1_000_000, 500_000]


@pytest.mark.parametrize("size", [1, 2, 3, 7, 100])
def test_lines_are_put_together_again_wherever_the_file_was_cut(size):
    content = codecs.BOM_UTF8 + "für\n\n€ 5\r\nlast".encode()

    assert list(lines_of(content[at : at + size] for at in range(0, len(content), size))) == [
        "für\n", "\n", "€ 5\r\n", "last",
    ]  # fmt: skip


def test_conversations_come_out_of_their_batches_as_they_went_in():
    at = "2026-03-01T09:00:00+00:00"
    given = {"conversation_id": "c\n-1", "messages": [{"role": "agent", "text": "für\n€ \u2028 5", "sent_at": at}]}

    found = sorted_out([json.dumps(given)])

    turn = Turn("agent", "für\n€ \u2028 5", datetime(2026, 3, 1, 9, tzinfo=UTC))
    assert (read_back(found), found.conversations) == ([Transcript("c\n-1", (turn,))], 1)


def test_a_csv_file_is_read_as_one():
    found = sorted_out(
        lines(f'\n{HEADER}c-1,customer,"How long,\nplease?",\nc-2,agent,12 months,\nc-1,agent,A year,\n'[1:])
    )

    assert [(one.conversation_id, len(one.turns)) for one in read_back(found)] == [("c-1", 2), ("c-2", 1)]


def test_batches_hold_few_conversations_and_no_more_than_a_bounded_text():
    short = sorted_out([line(f"c-{number}") for number in range(25)])
    long = sorted_out([line(f"c-{number}", "x" * 20_000) for number in range(3)])

    assert [len(list(conversations_in(batch))) for batch in short.batches] == [10, 10, 5]
    assert [len(list(conversations_in(batch))) for batch in long.batches] == [1, 1, 1]


def test_broken_lines_are_named_and_the_others_read():
    found = sorted_out([line("c-1"), "{broken\n", line("c-1"), '{"conversation_id": "c-2"}\n', line("c-3")])

    assert [one.conversation_id for one in read_back(found)] == ["c-1", "c-3"]
    assert [one.line for one in found.broken] == [2, 3, 4]
    assert found.broken_lines == 3


def test_all_broken_lines_are_counted_and_the_first_are_kept(monkeypatch):
    monkeypatch.setattr(drift_files, "BROKEN_SHOWN", 2)

    found = sorted_out(["{broken\n"] * 5)

    assert (len(found.broken), found.broken_lines, found.batches) == (2, 5, [])


def test_a_conversation_of_a_million_characters_is_named_and_not_read():
    row = "c-1,customer," + "x" * 60_000 + ",\n"

    found = sorted_out([HEADER, *[row] * 17, "c-2,customer,Hello?,\n"])

    assert [one.conversation_id for one in read_back(found)] == ["c-2"]
    assert "“c-1” is longer than 1,000,000 characters" in found.broken[0].why
