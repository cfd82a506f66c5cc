"""A checkpoint is written in one way, and any other text is none."""

import base64
import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.decisions.checkpoints import NotACheckpoint, is_genuine, key_id_of, origin_of, read, text_of
from ledger.gateways.signing import is_signed_by
from tests.unit.ledger.checkpoint_help import LEAVES, Key, checkpoint

KEY, NEXT = Key(), Key()
FIRST = checkpoint(KEY, 5)
SECOND = checkpoint(KEY, 9, after=FIRST, next_key=NEXT.public_key)


@pytest.mark.parametrize("made", [FIRST, SECOND], ids=["first", "second"])
def test_what_was_signed_can_be_read_back(made):
    assert read(made.note) == made
    assert is_genuine(read(made.note), is_signed_by)


def test_the_text_says_it_line_by_line():
    lines = SECOND.note.splitlines()

    assert lines[:3] == [origin_of(LEAVES[0]), "9", base64.b64encode(SECOND.says.root).decode()]
    assert lines[3:8] == [
        "number 2",
        f"extends 1 {hashlib.sha256(FIRST.note.encode()).hexdigest()}",
        "sealed_at 2026-05-04T12:01:00.000250Z",
        f"key {KEY.public_key.hex()}",
        f"next_key {NEXT.public_key.hex()}",
    ]
    assert lines[8] == ""
    assert lines[9].startswith(f"— {origin_of(LEAVES[0])} ")
    assert "extends nothing" in FIRST.note


def test_the_signature_line_is_that_of_a_signed_note():
    name, mark = FIRST.note.splitlines()[-1].removeprefix("— ").split(" ")
    key_hash = hashlib.sha256(f"{name}\n\x01".encode() + KEY.public_key).digest()[:4]

    decoded = base64.b64decode(mark)

    assert decoded[:4] == key_hash
    assert KEY.sign(text_of(FIRST.says).encode()) == decoded[4:]


def test_a_key_and_a_ledger_have_short_names():
    assert key_id_of(KEY.public_key) == hashlib.sha256(KEY.public_key).hexdigest()[:16]
    assert origin_of(LEAVES[0]) != origin_of(LEAVES[1])


def flipped(text, index):
    changed = chr(ord(text[index]) ^ 1)
    return text[:index] + changed + text[index + 1 :]


@given(st.integers(0, len(SECOND.note) - 1))
def test_no_character_can_be_changed(index):
    changed = flipped(SECOND.note, index)

    try:
        found = read(changed)
    except NotACheckpoint:
        return
    assert not is_genuine(found, is_signed_by)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "hello",
        FIRST.note[:-1],
        FIRST.note + "\n",
        FIRST.note.replace("\n", "\r\n"),
        FIRST.note.replace("number 1", "number 01"),
        FIRST.note.replace("\n5\n", "\n05\n"),
        FIRST.note.replace("\n5\n", "\n٥\n"),
        FIRST.note.replace("2026-05-04T12", "2026-13-04T12"),
        FIRST.note.replace("— ", "- "),
        "﻿" + FIRST.note,
        FIRST.note * 2,
    ],
)
def test_any_other_text_is_none(text):
    with pytest.raises(NotACheckpoint):
        read(text)
