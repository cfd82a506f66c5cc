"""The hash chain: what each check finds, and that nothing is found where nothing was changed."""

import hashlib
import json
from dataclasses import replace

import pytest

from ledger.decisions.chain import Head, Layer, Row, entry_hash, genesis, verify_line

CONVERSATION = "talk-1"


def line(length=3):
    rows, previous = [], genesis(CONVERSATION)
    for position in range(1, length + 1):
        columns = {"position": position, "answer_text": f"Answer {position}.", "prev_hash": previous.hex()}
        payload = json.dumps(columns).encode()
        hashed = entry_hash(previous, payload)
        rows.append(Row(f"e{position}", position, payload, previous, hashed, columns))
        previous = hashed
    return rows


def head_of(rows):
    return Head(rows[-1].position, rows[-1].entry_hash)


def found(rows, head):
    return {(problem.layer, problem.position) for problem in verify_line(CONVERSATION, rows, head)}


def edited(row, **columns):
    return replace(row, columns={**row.columns, **columns})


def test_an_entry_hash_covers_the_hash_before_and_the_payloads_bytes():
    previous = genesis(CONVERSATION)

    assert entry_hash(previous, b"x") == hashlib.sha256(b"\0" + previous + hashlib.sha256(b"x").digest()).digest()
    assert genesis("talk-1") != genesis("talk-2")


def test_an_untouched_line_has_no_problems():
    rows = line()

    assert verify_line(CONVERSATION, rows, head_of(rows)) == ()


TAMPERED = [
    pytest.param(lambda r: [r[0], edited(r[1], answer_text="Other."), r[2]], {(Layer.COLUMNS, 2)}, id="column"),
    pytest.param(lambda r: [r[0], edited(r[1], more="x"), r[2]], {(Layer.COLUMNS, 2)}, id="column-added"),
    pytest.param(
        lambda r: [r[0], replace(r[1], payload=b'{"position": 2}', columns={"position": 2}), r[2]],
        {(Layer.CHAIN, 2)},
        id="bytes-and-column",
    ),
    pytest.param(
        lambda r: [r[0], replace(r[1], payload=b"no json"), r[2]], {(Layer.COLUMNS, 2), (Layer.CHAIN, 2)}, id="bytes"
    ),
    pytest.param(lambda r: [r[0], r[2]], {(Layer.CHAIN, 3)}, id="middle-deleted"),
    pytest.param(lambda r: r[1:], {(Layer.CHAIN, 2)}, id="first-deleted"),
    pytest.param(lambda r: r[:2], {(Layer.HEADS, None)}, id="newest-deleted"),
    pytest.param(lambda _: [], {(Layer.HEADS, None)}, id="all-deleted"),
    pytest.param(lambda r: [*r[:2], r[1], r[2]], {(Layer.CHAIN, 2)}, id="repeated"),
]


@pytest.mark.parametrize(("tamper", "problems"), TAMPERED)
def test_tampering_is_found_by_row_and_layer(tamper, problems):
    rows = line()

    assert found(tamper(rows), head_of(rows)) == problems


def test_a_head_with_another_hash_is_found():
    rows = line()

    assert found(rows, Head(3, b"\0" * 32)) == {(Layer.HEADS, None)}


def test_a_line_without_a_head_is_found():
    assert found(line(), None) == {(Layer.HEADS, None)}


def test_a_chain_of_another_conversation_is_found():
    rows = line()

    problems = verify_line("talk-2", rows, head_of(rows))

    assert [(p.layer, p.position) for p in problems] == [(Layer.CHAIN, 1)]
