"""What the database refuses of keys and policies, whatever the program does."""

from dataclasses import replace
from datetime import date

import pytest
from django.contrib.auth.models import User
from django.db import connection, transaction
from django.db.utils import IntegrityError

from ledger.decisions.vocabulary import DocumentKind
from ledger.models import PolicyDocument, PolicyVersion
from ledger.services.policies import put_version
from tests.db.ledger_help import KEY, NOW, PASSAGE, answered, own, published, register

pytestmark = pytest.mark.django_db


def refused(statement, *values):
    """Run a statement and return the constraint that refused it."""
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
    with pytest.raises(IntegrityError) as refusal, transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement, values)
    return refusal.value.__cause__.diag.constraint_name


INSERT = """
    INSERT INTO ledger_policyversion
        (document_id, version, title, channels, effective_from, effective_until, status, published_at)
    VALUES (%s, %s, 'Terms', %s, %s, %s, %s, CASE WHEN %s THEN now() END)
"""


def insert(doc_id, *, version="T9", channels='["chat"]', begin="2026-01-01", end=None, status="active"):
    return INSERT, doc_id, version, channels, begin, end, status, status == "active"


@pytest.mark.parametrize(
    "row",
    [
        pytest.param({"begin": "2026-06-30"}, id="one-shared-day"),
        pytest.param({"begin": "2025-01-01"}, id="around-it"),
        pytest.param({"begin": "2026-02-01", "end": "2026-02-02"}, id="inside-it"),
        pytest.param({"channels": '["counter", "mail"]'}, id="one-shared-channel"),
    ],
)
def test_overlapping_active_versions_are_refused(row):
    terms = published(effective_until=date(2026, 7, 1))

    assert refused(*insert(terms.doc_id, **row)) == "policy_versions_do_not_overlap"


@pytest.mark.parametrize(
    "row",
    [
        pytest.param({"begin": "2026-07-01"}, id="touching"),
        pytest.param({"channels": '["counter"]'}, id="another-channel"),
        pytest.param({"status": "draft"}, id="draft"),
    ],
)
def test_versions_that_do_not_meet_are_stored(row):
    terms = published(effective_until=date(2026, 7, 1))

    with connection.cursor() as cursor:
        statement, *values = insert(terms.doc_id, **row)
        cursor.execute(statement, values)

    assert PolicyVersion.objects.filter(document=terms.doc_id).count() == 2


def test_activating_a_draft_that_overlaps_is_refused():
    terms = published()
    with connection.cursor() as cursor:
        statement, *values = insert(terms.doc_id, status="draft")
        cursor.execute(statement, values)

    activation = "UPDATE ledger_policyversion SET status = 'active', published_at = now() WHERE version = 'T9'"
    assert refused(activation) == "policy_versions_do_not_overlap"


@pytest.mark.parametrize(
    ("row", "constraint"),
    [
        ({"end": "2026-01-01"}, "policy_version_ends_after_it_begins"),
        ({"end": "2025-12-31"}, "policy_version_ends_after_it_begins"),
        ({"channels": "[]"}, "policy_version_channels_named"),
        ({"channels": "{}"}, "policy_version_channels_named"),
        ({"channels": '"chat"'}, "policy_version_channels_named"),
        ({"channels": '["chat", " "]'}, "policy_version_channels_named"),
        ({"channels": '["ALL"]'}, "policy_version_channels_named"),
        ({"channels": '["*"]'}, "policy_version_channels_named"),
        ({"channels": "[1]"}, "policy_version_channels_named"),
        ({"status": "gone"}, "policy_version_status_known"),
        ({"version": "T1"}, "policy_version_once_per_document"),
        ({"version": "\u200b"}, "policy_version_has_a_name"),
    ],
)
def test_a_version_out_of_shape_is_refused(row, constraint):
    terms = published(channels=frozenset({"counter"}))

    assert refused(*insert(terms.doc_id, **row)) in {constraint, "policy_version_status_and_times"}


STATEMENT = "INSERT INTO ledger_policystatement (version_id, question_key_id, section, text) VALUES (%s, %s, '', %s)"


def test_a_version_has_one_passage_for_a_key_and_it_says_something():
    row = PolicyVersion.objects.get(document=published().doc_id)

    assert refused(STATEMENT, row.pk, KEY, "Another.") == "policy_statement_one_per_key"
    assert refused(STATEMENT, row.pk, "opening_hours::shop", "\u2060") == "policy_statement_says_something"
    assert "question_key" in refused(STATEMENT, row.pk, "gift_wrap::any", "Text.")


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE ledger_policyversion SET title = 'Other'",
        "UPDATE ledger_policyversion SET channels = '[\"chat\"]'",
        "UPDATE ledger_policyversion SET effective_from = '2025-01-01'",
        "UPDATE ledger_policyversion SET effective_until = '2030-01-01'",
        "UPDATE ledger_policyversion SET effective_until = NULL",
        "UPDATE ledger_policyversion SET version = 'T7'",
        "UPDATE ledger_policyversion SET body = 'Every bicycle has a guarantee of 60 months.'",
        "UPDATE ledger_policyversion SET body = ''",
        "UPDATE ledger_policyversion SET prepared_by_id = (SELECT min(id) FROM auth_user)",
        "UPDATE ledger_policyversion SET status = 'draft', published_at = NULL",
        "DELETE FROM ledger_policyversion",
        "UPDATE ledger_policystatement SET text = 'Other.'",
        "UPDATE ledger_policystatement SET section = 'Other'",
        "DELETE FROM ledger_policystatement",
        """
        INSERT INTO ledger_policystatement (version_id, question_key_id, section, text)
        SELECT id, 'opening_hours::shop', '', 'We open at nine.' FROM ledger_policyversion
        """,
        "UPDATE ledger_policydocument SET deciding_date = 'collected_on'",
        "UPDATE ledger_policydocument SET kind = 'third_party'",
        "DELETE FROM ledger_policydocument",
    ],
)
def test_what_answers_rest_on_is_frozen_in_the_database_too(statement):
    User.objects.create(username="olga")
    answered(own("talk"), published(effective_until=date(2026, 7, 1), body=f"## 4\n{PASSAGE}\n"))

    assert refused(statement) in {"policy_version_in_use", "policy_document_in_use"}


@pytest.mark.parametrize(
    "change",
    [
        {"effective_until": date(2026, 6, 1)},
        {"status": "retired", "retired_at": NOW},
        {"published_by": None},
    ],
)
def test_a_used_version_may_end_earlier_or_be_retired(change):
    terms = published(effective_until=date(2026, 7, 1))
    answered(own("talk"), terms)

    assert PolicyVersion.objects.filter(document=terms.doc_id).update(**change) == 1


def test_a_used_document_of_a_third_party_can_be_permitted_to_answer_and_the_permission_taken_back():
    terms = published(kind=DocumentKind.THIRD_PARTY)
    answered(own("talk"), terms)
    person = User.objects.create(username="olga")
    row = PolicyDocument.objects.filter(pk=terms.doc_id)

    assert row.update(answers_because="Ours by contract.", answers_by=person, answers_since=NOW) == 1
    assert row.update(answers_because=None, answers_by=None, answers_since=None) == 1


@pytest.mark.parametrize(
    ("kind", "because"), [("own_policy", "Ours by contract."), ("third_party", "\u200b"), ("third_party", "")]
)
def test_only_a_third_partys_document_is_permitted_and_with_a_reason(kind, because):
    terms = published(kind=DocumentKind(kind))
    statement = """
        UPDATE ledger_policydocument SET answers_because = %s, answers_by_id = (SELECT min(id) FROM auth_user),
            answers_since = now() WHERE doc_id = %s
    """
    User.objects.create(username="olga")

    assert refused(statement, because, terms.doc_id) == "policy_document_answers_with_reason"


def test_a_version_with_everything_of_it_can_be_deleted_while_nothing_rests_on_it():
    row = PolicyVersion.objects.get(document=published().doc_id)

    row.delete()
    PolicyDocument.objects.get(pk=row.document_id).delete()

    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute("SELECT count(*) FROM ledger_policycoverage")
        assert cursor.fetchone() == (0,)


KEY_ROW = """
    INSERT INTO ledger_questionkey
        (key, question_canonical, commitment_class, deciding_facts, parent_id, boundary, examples, changed_at)
    VALUES (%s, %s, %s, '[]', %s, %s, '[]', now())
"""


@pytest.mark.parametrize(
    ("row", "constraint"),
    [
        (("Gift::wrap", "Why?", "estimate", None, None), "question_key_grammar"),
        (("gift::wrap\n", "Why?", "estimate", None, None), "question_key_grammar"),
        (("gift::wr\u0430p", "Why?", "estimate", None, None), "question_key_grammar"),
        (("gift::wrap", "\u200b", "estimate", None, None), "question_key_has_a_question"),
        (("gift::wrap", "Why?", "promise", None, None), "question_key_class_known"),
        (("gift::wrap", "Why?", "estimate", KEY, None), "question_key_parent_and_boundary"),
        (("gift::wrap", "Why?", "estimate", KEY, "\u200b"), "question_key_parent_and_boundary"),
        (("gift::wrap", "Why?", "estimate", None, "Apart."), "question_key_parent_and_boundary"),
        (("gift::wrap", "Why?", "estimate", "gift::wrap", "Apart."), "question_key_not_its_own_parent"),
    ],
)
def test_a_key_out_of_shape_is_refused(row, constraint):
    register()

    assert refused(KEY_ROW, *row) == constraint


def test_exchanging_the_dates_of_two_unused_versions_needs_no_gap():
    terms = published(effective_until=date(2026, 7, 1))
    later = replace(terms, version="T2", effective_from=date(2026, 7, 1), effective_until=date(2027, 1, 1))
    put_version(later, actor=None, now=NOW)

    put_version(replace(later, effective_from=date(2026, 8, 1)), actor=None, now=NOW)
    put_version(replace(terms, effective_until=date(2026, 8, 1)), actor=None, now=NOW)

    assert sorted(PolicyVersion.objects.values_list("effective_from", "effective_until")) == [
        (date(2026, 1, 1), date(2026, 8, 1)), (date(2026, 8, 1), date(2027, 1, 1)),
    ]  # fmt: skip
