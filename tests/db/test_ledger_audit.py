"""What the audit finds, and what it lets stand; how each check comes back to zero: test_audit_checks.py."""

from dataclasses import replace

import pytest

from ledger.decisions.vocabulary import DocumentKind, VersionStatus
from ledger.queries import auditing
from ledger.services.policies import put_version
from tests.db.ledger_help import KEY, NOW, answered, corrected, own, published, replayed, undone

pytestmark = pytest.mark.django_db


def rows(number):
    return auditing.check(number).rows


def test_a_healthy_desk_has_nothing_to_show():
    talk, terms = own("talk"), published()
    live = answered(talk, terms)
    replayed(talk, live)
    corrected(talk, live, terms)

    mine = [row for number in (1, 4, 5) for row in auditing.every_row(number) if row["conversation_id"] == talk]

    assert (mine, rows(2)) == ([], ())


def test_an_answer_withdrawn_before_it_left_is_no_second_answer():
    talk, terms = own("talk"), published()
    undone(talk, answered(talk, terms, "First."))
    answered(talk, terms, "Second.")

    assert [row for row in auditing.every_row(1) if row["conversation_id"] == talk] == []


def test_a_key_that_two_documents_answer_is_one_row_whatever_the_channels():
    terms, leaflet = published(), published(version="L1", kind=DocumentKind.PROMOTION)

    assert [(row["question_key"], row["documents"], row["channels"]) for row in rows(2)] == [
        (KEY, sorted([terms.doc_id, leaflet.doc_id]), ["chat", "mail"])
    ]


@pytest.mark.parametrize(
    "change",
    [
        pytest.param({"status": VersionStatus.RETIRED}, id="retired"),
        pytest.param({"kind": DocumentKind.THIRD_PARTY}, id="third-party"),
        pytest.param({"channels": frozenset({"counter"})}, id="another-channel"),
    ],
)
def test_a_document_that_cannot_answer_is_no_rival(change):
    published()
    published(version="L1", **change)

    assert rows(2) == ()


def test_the_channels_of_a_contested_key_are_those_on_which_two_documents_meet():
    published(channels=frozenset({"chat", "counter"}))
    published(version="L1", channels=frozenset({"chat", "mail"}))

    assert [row["channels"] for row in rows(2)] == [["chat"]]


def test_a_part_of_the_contested_keys_knows_how_many_there_are():
    published()
    published(version="L1")

    found = auditing.check(2, start=1, limit=5)

    assert (found.count, found.rows, found.healthy) == (1, (), False)


def test_narrowing_a_document_ends_the_row():
    terms, leaflet = published(), published(version="L1")

    put_version(replace(leaflet, channels=frozenset({"counter"})), actor=None, now=NOW)

    assert (terms.version, rows(2)) == ("T1", ())
