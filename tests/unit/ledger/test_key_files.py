"""Question keys in a file: read back as written, and every fault named by line and field."""

import json
import re

import pytest

from ledger.decisions.default_keys import default_registry
from ledger.decisions.key_files import KeysUnusable, changed_fields, read_keys, written
from ledger.decisions.vocabulary import KeyEntry

PLAIN = {"key": "a::b", "question_canonical": "How long?"}
CHILD = {"key": "a::c", "question_canonical": "And the fork?", "parent": "a::b", "boundary": "The same."}


def file(*keys: dict[str, object]) -> str:
    return json.dumps({"keys": keys}, indent=1)


def faults(text: str) -> list[str]:
    with pytest.raises(KeysUnusable) as unusable:
        read_keys(text)
    return [str(fault) for fault in unusable.value.faults]


def test_the_default_registry_is_read_back_as_it_was_written():
    entries = default_registry()

    assert {entry.key: entry for entry in read_keys(written(entries.values()))} == entries


def test_the_default_registry_holds_every_topic_with_enough_phrasings_to_be_recognised():
    entries = default_registry().values()

    assert len(entries) == 23
    assert min(len(entry.examples) for entry in entries) >= 5
    assert len({entry.question_canonical for entry in entries}) == 23


def test_parents_come_first_whatever_the_order_of_the_file():
    assert [entry.key for entry in read_keys(file(CHILD, PLAIN))] == ["a::b", "a::c"]


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        pytest.param("{", "line 1, file: This is no JSON: Expecting property name enclosed in double", id="json"),
        pytest.param(" \n", "file: The file is empty.", id="nothing"),
        pytest.param("[]", "keys: Send an object with a list named keys that is not empty.", id="empty"),
        pytest.param('{"keys": {}}', "keys: Send an object with a list named keys that is not empty.", id="no list"),
        pytest.param('{"keys": [3]}', "keys[0]: Send an object.", id="no object"),
        pytest.param(file({"key": "a::b"}), "line 4, keys[0].question_canonical (a::b): Send a", id="no question"),
        pytest.param(file({**PLAIN, "key": "A::b"}), "line 4, keys[0].key (A::b): A key", id="grammar"),
        pytest.param(
            file({**PLAIN, "owner": ["olga", "omar"]}), "line 4, keys[0].owner (a::b): A key has", id="two owners"
        ),
        pytest.param(
            '{"keys": [{"key": "a::b", "question_canonical": "?", "owner": "olga", "owner": "omar"}]}',
            "line 1, keys[0].owner (a::b): This stands twice.", id="two owners in two members",
        ),
        pytest.param(file(PLAIN, PLAIN), "line 8, keys[1].key (a::b): It stands at keys[0] already.", id="twice"),
        pytest.param(
            file({**PLAIN, "colour": "red"}), "line 4, keys[0].colour (a::b): There is no field 'colour'.", id="unknown"
        ),
        pytest.param(
            file({**PLAIN, "parent": "a::b", "boundary": "."}), "line 4, keys[0].parent (a::b): A key cannot", id="own"
        ),
        pytest.param(file({**PLAIN, "boundary": "Apart."}), "line 4, keys[0].boundary (a::b): Only", id="boundary"),
        pytest.param(
            file({**PLAIN, "parent": "a::c", "boundary": "."}, CHILD),
            "line 4, keys[0].parent (a::b): Parents run in a circle: a::b → a::c → a::b.", id="circle",
        ),
        pytest.param(
            file(PLAIN, CHILD, {**CHILD, "key": "a::d", "parent": "a::c"}),
            "line 14, keys[2].parent (a::d): a::c itself belongs to a::b. Choose a::b as the parent.", id="chain",
        ),
    ],
)  # fmt: skip
def test_what_cannot_be_used_is_named_by_line_and_field(text, fault):
    assert faults(text)[0].startswith(fault)


def test_a_circle_is_told_of_those_in_it_alone():
    there = {**PLAIN, "parent": "a::c", "boundary": "."}
    beside = {**CHILD, "key": "a::d"}

    told = faults(file(there, CHILD, beside))

    assert [re.search(r"\((.*?)\)", one)[1] for one in told] == ["a::b", "a::c"]


def test_every_fault_is_told_at_once():
    assert len(faults(file({"key": "a::b"}, {"key": "A"}, {**PLAIN, "commitment_class": "firm"}))) == 3


def test_what_changed_is_told_by_field():
    before = KeyEntry("a::b", "How long?", deciding_facts=("received_on",))
    after = KeyEntry("a::b", "For how long?", deciding_facts=("received_on",), owner="olga")

    assert changed_fields(before, after) == ("question_canonical", "owner")
    assert "key" in changed_fields(None, after)
