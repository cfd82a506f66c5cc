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


def test_the_text_below_the_front_matter_is_the_whole_text_to_the_letter():
    body = read_markdown(MARKDOWN).body

    assert body == MARKDOWN.split("---\n", 2)[2]


STATED = """---
doc_id: hire
version: "H 1: \\"new\\""
channels: ["at the counter, upstairs", "chat"]
deciding_date: collected_on
effective_from: 2025-01-01
statements:
- question_key: hire_period::tent
  section: '1 Tents'' period'
  text: "A tent is hired for 5 days."
- question_key: hire_price::tent
  section:
  text: 30 euros.
---
A tent is hired
for 5 days. It costs 30 euros.
"""


def test_a_text_without_headings_names_its_passages_in_the_front_matter():
    version = read_markdown(STATED)

    assert (version.version, version.channels) == ('H 1: "new"', {"at the counter, upstairs", "chat"})
    assert version.statements == (
        Statement("hire_period::tent", "1 Tents' period", "A tent is hired for 5 days."),
        Statement("hire_price::tent", "", "30 euros."),
    )
    assert version.body == "A tent is hired\nfor 5 days. It costs 30 euros.\n"


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (("effective_from: 2025-01-01", "effective_from:"), "effective_from.*first day"),
        (("effective_from: 2025-01-01", "effective_from: 01.01.2025"), "effective_from: line 6: .*YYYY-MM-DD"),
        (("deciding_date: c", "effective_until: 2024-12-31\ndeciding_date: c"), "effective_until: line 5: .*lie after"),
        (("deciding_date: c", "kind: rumour\ndeciding_date: c"), "kind: line 5: .*own_policy"),
        (("deciding_date: c", "doc_id: other\ndeciding_date: c"), "line 5: the field doc_id has a value already"),
        (("deciding_date: c", "owner: olga\ndeciding_date: c"), "line 5: there is no field 'owner'"),
        (("deciding_date: c", "a stray line\ndeciding_date: c"), "line 5: write one `name: value`"),
        (('"H 1: \\"new\\""', '"H 1'), "line 3: what is in double quotes"),
        (("- question_key: hire_period::tent", "  question_key: hire_period::tent"), "line 8: begin each statement"),
        (("  section:\n", "  section:\n  section: 2\n"), "line 13: the field section has a value already"),
        (("hire_price::tent", "hire_period::tent"), "at most one statement for hire_period::tent"),
        (("for 5 days. It", "for 7 days. It"), "does not stand in the whole text: 'A tent is hired"),
    ],
)
def test_a_fault_in_the_front_matter_names_line_or_field(change, words):
    with pytest.raises(Malformed, match=f"(?s){words}"):
        read_markdown(STATED.replace(*change))


@pytest.mark.parametrize(
    ("content", "field", "words"),
    [
        ({**BODY, "effective_untill": "2026-06-01"}, "policies[0].effective_untill", "Did you mean effective_until?"),
        ({**BODY, "author": "olga"}, "policies[0].author", "There are doc_id, version, title,"),
        ({**BODY, "\x1b[2J": 1}, r"policies[0].'\x1b[2J'", "no field"),
        (
            {**BODY, "statements": [{**BODY["statements"][0], "txt": "x"}]},
            "policies[0].statements[0].txt", "Did you mean text?",
        ),
        ({"keys": [{"key": "a::b", "question_canonical": "?", "owners": "x"}]}, "keys[0].owners", "mean owner?"),
        ({"policies": [BODY], "key": []}, "key", "Did you mean keys?"),
    ],
)  # fmt: skip
def test_a_field_that_nobody_reads_is_refused(content, field, words):
    with pytest.raises(Malformed) as malformed:
        read_file("a.json", json.dumps(content))

    assert malformed.value.field == field
    assert words in malformed.value.message


def test_a_json_member_given_twice_is_refused():
    with pytest.raises(Malformed, match="'version' stands twice"):
        read_file("a.json", '{"doc_id": "hire", "version": "1", "version": "2"}')


@pytest.mark.parametrize("text", ["[" * 100_000, "NaN", "\x00"])
def test_json_that_breaks_a_reader_is_refused(text):
    with pytest.raises(Malformed):
        read_file("a.json", text)


@pytest.mark.parametrize("name", ["a.json", "a.md"])
def test_a_nul_is_called_so_with_its_line(name):
    with pytest.raises(Malformed, match="line 3: there is a NUL character"):
        read_file(name, "---\n{\n\x00")


@pytest.mark.parametrize("literal", ["NaN", "Infinity", "-Infinity"])
def test_what_only_some_parsers_take_for_a_number_is_refused(literal):
    with pytest.raises(Malformed, match=f"{literal} is no JSON"):
        read_file("a.json", f'{{"about": {literal}}}')


def test_what_is_no_json_is_told_in_a_whole_sentence():
    with pytest.raises(Malformed, match=r"^file: This is no JSON: .*\.$"):
        read_file("a.json", "{")


@pytest.mark.parametrize("channels", ["[chat", "chat]", '["chat"'])
def test_a_list_that_is_not_closed_is_refused(channels):
    with pytest.raises(Malformed, match="line 7: close the list"):
        read_markdown(MARKDOWN.replace("[chat, counter]", channels))


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"statements": [{**BODY["statements"][0], "text": "x" * 65_537}]}, "policies[0].statements[0].text"),
        ({"statements": [{**BODY["statements"][0], "section": "é" * 40_000}]}, "policies[0].statements[0].section"),
        ({"statements": [{**BODY["statements"][0], "text": "a\x00b"}]}, "policies[0].statements[0].text"),
        ({"title": "x" * 65_537}, "policies[0].title"),
        ({"doc_id": "x" * 257}, "policies[0].doc_id"),
        ({"channels": ["x" * 257]}, "policies[0].channels"),
    ],
)
def test_files_have_the_limits_of_the_api(change, field):
    with pytest.raises(Malformed) as malformed:
        read_file("a.json", json.dumps({**BODY, **change}))

    assert malformed.value.field == field


def test_a_file_knows_on_which_line_the_key_of_a_passage_stands():
    assert read_file("a.md", MARKDOWN).lines["hire_price::tent"] == 23
    assert read_file("a.md", STATED).lines["hire_price::tent"] == 11
    assert read_file("a.json", json.dumps(BODY, indent=1)).lines == {"hire_period::tent": 11}
