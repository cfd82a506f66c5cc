"""Policies in files: JSON in several shapes, and Markdown with front matter."""

import json
from datetime import date

import pytest

from ledger.decisions.policy_files import key_for, read_file, read_markdown
from ledger.decisions.sending import Malformed
from ledger.decisions.vocabulary import DocumentKind, Statement

BODY = {
    "doc_id": "hire",
    "version": "H1",
    "channels": ["chat"],
    "deciding_date": "collected_on",
    "effective_from": "2025-01-01",
    "statements": [{"question_key": "hire_period::tent", "section": "1", "text": "A tent is hired for 5 days."}],
}
MARKDOWN = """---
doc_id: hire
version: H1
title: "Hire: terms"
kind: promotion
# the counter follows in summer
channels: [chat, counter]
deciding_date: collected_on
effective_from: 2025-01-01
effective_until:
---
# Hire terms

Words for people, which answer nothing.

## 1 Period {#hire_period::tent}

A tent is hired
for 5 days.

Longer by arrangement.

## 2 Price {#hire_price::tent}
30 euros.
"""


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(BODY, id="one-version"),
        pytest.param([BODY], id="list"),
        pytest.param({"policies": [BODY], "about": "beside"}, id="policies"),
        pytest.param({"documents": [BODY]}, id="documents"),
        pytest.param({"documents": BODY}, id="one-document"),
    ],
)
def test_json_may_hold_one_version_or_several(content):
    bundle = read_file("terms.json", json.dumps(content))

    assert [v.version for v in bundle.versions] == ["H1"]


def test_json_may_hold_keys_alone():
    bundle = read_file("keys.json", json.dumps({"keys": [{"key": "a::b", "question_canonical": "Why?"}]}))

    assert [key.key for key in bundle.keys] == ["a::b"]


def test_versions_come_in_the_order_in_which_they_begin():
    later = {**BODY, "version": "H0", "effective_from": "2025-06-01"}

    assert [v.version for v in read_file("a.json", json.dumps([later, BODY])).versions] == ["H1", "H0"]


def test_markdown_holds_one_version_with_a_passage_under_each_named_heading():
    version = read_markdown(MARKDOWN)

    assert (version.title, version.kind, version.effective_from, version.effective_until) == (
        "Hire: terms", DocumentKind.PROMOTION, date(2025, 1, 1), None,
    )  # fmt: skip
    assert version.channels == {"chat", "counter"}
    assert version.statements == (
        Statement("hire_period::tent", "1 Period", "A tent is hired for 5 days.\n\nLonger by arrangement."),
        Statement("hire_price::tent", "2 Price", "30 euros."),
    )


def test_markdown_reads_the_same_with_other_line_ends():
    assert read_markdown("\ufeff" + MARKDOWN.replace("\n", "\r\n")) == read_markdown(MARKDOWN)


@pytest.mark.parametrize(
    ("name", "text", "field"),
    [
        ("a.json", "{", "file"),
        ("a.json", "{}", "file"),
        ("a.json", "3", "policies"),
        ("a.json", '{"keys": 3}', "keys"),
        ("a.json", "[3]", "policies[0]"),
        ("a.json", '[{"doc_id": "hire"}]', "policies[0].version"),
        ("a.json", json.dumps([{**BODY, "channels": []}]), "policies[0].channels"),
        ("a.json", '{"keys": [{"key": "a"}]}', "keys[0].question_canonical"),
        ("a.json", '{"keys": [{}]}', "keys[0].key"),
        ("a.md", "# Hire", "file"),
        ("a.md", "---\ndoc_id: hire", "file"),
        ("a.md", "---\ndoc_id\n---\n", "front matter"),
        ("a.md", "---\ndoc_id: hire\n---\n", "front matter.version"),
    ],
)
def test_a_faulty_file_names_the_place(name, text, field):
    with pytest.raises(Malformed) as malformed:
        read_file(name, text)

    assert malformed.value.field == field


def test_a_key_that_nobody_registered_is_put_in_words():
    version = read_markdown(MARKDOWN)

    entry = key_for("hire_period::family_tent", version)

    assert (entry.question_canonical, entry.deciding_facts) == ("Hire period: family tent", ("collected_on",))
