"""A version written as Markdown is read back to the letter."""

from dataclasses import replace
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.decisions.policy_files import read_markdown
from ledger.decisions.policy_writing import file_name, write_markdown
from ledger.decisions.sending import Malformed, check_version
from ledger.decisions.vocabulary import DocumentKind, Statement, Version, VersionStatus

PASSAGE = "A tent is hired for 5 days."
VERSION = Version(
    doc_id="hire",
    version="H1",
    title="Hire terms",
    kind=DocumentKind.OWN_POLICY,
    channels=frozenset({"chat", "counter"}),
    deciding_date="collected_on",
    effective_from=date(2025, 1, 1),
    effective_until=None,
    status=VersionStatus.DRAFT,
    statements=(Statement("hire_period::tent", "1 Period", PASSAGE),),
    body=f"## 1 Period {{#hire_period::tent}}\n\n{PASSAGE}\n",
)
NAMES = st.text(st.characters(blacklist_categories=["Cs"], blacklist_characters="\x00\r"), min_size=1, max_size=30)
TEXTS = st.text(st.characters(blacklist_categories=["Cs"], blacklist_characters="\x00\r"), max_size=120)


def read_back(version):
    found = read_markdown(write_markdown(version))
    return replace(found, body=found.body or None)


def test_headings_that_say_it_all_stand_alone():
    written = write_markdown(VERSION)

    assert "statements:" not in written
    assert written.endswith("status: draft\n---\n" + VERSION.body)


@pytest.mark.parametrize(
    "change",
    [
        {"body": None},
        {"body": f"Terms.\n\n{PASSAGE} Longer by arrangement."},
        {"body": f"---\ntitle: no\n---\n{PASSAGE}\n\n"},
        {"statements": ()},
        {"statements": (Statement("hire_period::tent", "Another section", PASSAGE),)},
        {"title": "null"},
        {"title": "\"quoted\" and 'quoted'"},
        {"title": "# no comment"},
        {"title": " spaces around "},
        {"title": "two\nlines"},
        {"channels": frozenset({"a, b", "[c]", "\u00fcber", "d "})},
        {"effective_until": date(2026, 1, 1), "status": VersionStatus.RETIRED, "kind": DocumentKind.THIRD_PARTY},
        {"doc_id": "../../etc", "version": "1/2"},
    ],
)
def test_every_version_is_read_back_as_it_was(change):
    version = replace(VERSION, **change)

    assert read_back(version) == version


@given(doc_id=NAMES, version=NAMES, title=NAMES, channel=NAMES, section=TEXTS, before=TEXTS, passage=NAMES, after=TEXTS)
def test_any_text_is_read_back_as_it_was(*, doc_id, version, title, channel, section, before, passage, after):
    whole = replace(
        VERSION, doc_id=doc_id, version=version, title=title, channels=frozenset({channel}),
        statements=(Statement("hire_period::tent", section, passage),), body=f"{before}{passage}{after}",
    )  # fmt: skip
    try:
        check_version(whole)
    except Malformed:
        return

    assert read_back(whole) == whole


def test_permission_is_no_part_of_a_file():
    assert read_back(replace(VERSION, kind=DocumentKind.THIRD_PARTY, permitted=True)).permitted is False


@pytest.mark.parametrize(
    ("doc_id", "version", "name"),
    [
        ("hire", "H1", "hire--H1.md"),
        ("../../etc/passwd", "\u00fc", "etc-passwd--x.md"),
        ("a b", "1/2:3", "a-b--1-2-3.md"),
    ],
)
def test_a_files_name_is_harmless_on_every_system(doc_id, version, name):
    assert file_name(replace(VERSION, doc_id=doc_id, version=version)) == name
