"""Keys and versions as they are sent: what is read, and which field a fault names."""

from datetime import date

import pytest

from ledger.decisions.sending import Malformed, read_key, read_version
from ledger.decisions.vocabulary import CommitmentClass, DocumentKind, KeyEntry, Statement, Version, VersionStatus

STATEMENT = {"question_key": "hire_period::tent", "section": "1", "text": "A tent is hired for 5 days."}
BODY = {
    "channels": ["chat"],
    "deciding_date": "collected_on",
    "effective_from": "2025-01-01",
    "statements": [STATEMENT],
}
KEY = {"question_canonical": "For how long is a tent hired?"}


def test_a_version_takes_its_names_from_the_path_and_defaults_for_the_rest():
    read = read_version("hire", "H1", {**BODY, "doc_id": "other", "version": "other"})

    assert read == Version(
        "hire", "H1", "hire", DocumentKind.OWN_POLICY, frozenset({"chat"}), "collected_on", date(2025, 1, 1), None,
        VersionStatus.ACTIVE, (Statement("hire_period::tent", "1", "A tent is hired for 5 days."),),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"title": " "}, "title"),
        ({"title": 3}, "title"),
        ({"kind": "leaflet"}, "kind"),
        ({"status": "ACTIVE"}, "status"),
        ({"channels": []}, "channels"),
        ({"channels": None}, "channels"),
        ({"channels": "chat"}, "channels"),
        ({"channels": ["chat", ""]}, "channels"),
        ({"channels": ["\u200b"]}, "channels"),
        ({"channels": ["*"]}, "channels"),
        ({"channels": ["All"]}, "channels"),
        ({"deciding_date": None}, "deciding_date"),
        ({"deciding_date": "Collected on"}, "deciding_date"),
        ({"effective_from": None}, "effective_from"),
        ({"effective_from": "2025-1-1"}, "effective_from"),
        ({"effective_until": "2025-01-01"}, "effective_until"),
        ({"effective_until": "2024-12-31"}, "effective_until"),
        ({"effective_until": "never"}, "effective_until"),
        ({"statements": None}, "statements"),
        ({"statements": {}}, "statements"),
        ({"statements": ["x"]}, "statements[0]"),
        ({"statements": [STATEMENT, {**STATEMENT, "text": "Other."}]}, "statements[1].question_key"),
        ({"statements": [{**STATEMENT, "question_key": "tent"}]}, "statements[0].question_key"),
        ({"statements": [{**STATEMENT, "text": "\u2060"}]}, "statements[0].text"),
        ({"statements": [{**STATEMENT, "text": None}]}, "statements[0].text"),
        ({"statements": [{**STATEMENT, "section": 2}]}, "statements[0].section"),
    ],
)
def test_a_faulty_version_names_its_field(change, field):
    with pytest.raises(Malformed) as malformed:
        read_version("hire", "H1", {**BODY, **change})

    assert malformed.value.field == field


def test_a_key_without_more_is_a_binding_one_of_its_own():
    assert read_key("hire_period::tent", KEY) == KeyEntry(
        "hire_period::tent", "For how long is a tent hired?", CommitmentClass.BINDING_POLICY
    )


@pytest.mark.parametrize(
    ("key", "change", "field"),
    [
        ("tent", {}, "key"),
        ("hire_period::Tent", {}, "key"),
        ("a::b", {"question_canonical": ""}, "question_canonical"),
        ("a::b", {"question_canonical": None}, "question_canonical"),
        ("a::b", {"commitment_class": "promise"}, "commitment_class"),
        ("a::b", {"deciding_facts": "day"}, "deciding_facts"),
        ("a::b", {"deciding_facts": [" "]}, "deciding_facts"),
        ("a::b", {"examples": [1]}, "examples"),
        ("a::b", {"parent": "a::c"}, "boundary"),
        ("a::b", {"parent": "a::c", "boundary": "\u200b "}, "boundary"),
        ("a::b", {"boundary": "Apart."}, "boundary"),
        ("a::b", {"parent": "a::b", "boundary": "Apart."}, "parent"),
        ("a::b", {"owner": 7}, "owner"),
    ],
)
def test_a_faulty_key_names_its_field(key, change, field):
    with pytest.raises(Malformed) as malformed:
        read_key(key, {**KEY, **change})

    assert malformed.value.field == field
