"""Publishing, changing and retiring versions and keys through the services."""

from dataclasses import replace
from datetime import date, timedelta

import pytest
from django.contrib.auth.models import User

from ledger import queries
from ledger.decisions.policies import RefusedBecause
from ledger.decisions.vocabulary import Statement, VersionStatus
from ledger.models import PolicyCoverage, PolicyVersion
from ledger.services.keys import KeyRefused, put_key
from ledger.services.policies import VersionRefused, put_version, retire
from tests.db.ledger_help import BICYCLE, FIVE_YEARS, FORK, HOURS, KEY, NOW, answered, own, published, register

pytestmark = pytest.mark.django_db
LATER = NOW + timedelta(days=3)


def put(version, /, **changes):
    return put_version(replace(version, **changes), actor=None, now=LATER)


def stored(version):
    return {v.version: v for v in queries.versions_of([version.doc_id])}


def test_a_version_is_read_back_as_it_was_sent():
    terms = published()

    assert stored(terms) == {"T1": terms}


def test_the_same_again_changes_nothing():
    terms = published()

    again = put(terms)

    assert (again.created, again.changed) == (False, False)
    assert PolicyVersion.objects.get(document=terms.doc_id).published_at == NOW


def test_a_later_version_closes_its_predecessor_even_when_answers_rest_on_it():
    terms = published()
    answered(own("talk"), terms)

    closed = put(terms, version="T2", effective_from=date(2026, 7, 1)).closed
    again = put(terms)

    assert closed == ("T1",)
    assert not again.changed
    assert stored(terms)["T1"].effective_until == date(2026, 7, 1)


def test_an_overlap_names_every_version_and_stores_nothing():
    first = published(effective_until=date(2027, 1, 1), channels=frozenset({"chat"}))
    put(first, version="T2", channels=frozenset({"mail"}), effective_from=date(2026, 6, 1))

    with pytest.raises(VersionRefused, match=r"T3 overlaps T1, T2") as refused:
        put(first, version="T3", channels=frozenset({"chat", "mail"}), effective_from=date(2026, 6, 1))

    assert (refused.value.because, set(stored(first))) == (RefusedBecause.OVERLAP, {"T1", "T2"})


def test_an_unused_version_can_be_rewritten():
    terms = published()

    put(terms, title="Terms", statements=(Statement(KEY, "§ 5", FIVE_YEARS), Statement(HOURS, "", "We open at nine.")))

    assert [s.text for s in stored(terms)["T1"].statements] == [FIVE_YEARS, "We open at nine."]


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"statements": (Statement(KEY, "§ 4", FIVE_YEARS),)}, "statements"),
        ({"statements": ()}, "statements"),
        ({"channels": frozenset({"chat"})}, "channels"),
        ({"effective_from": date(2025, 1, 1)}, "effective_from"),
        ({"deciding_date": "collected_on"}, "deciding_date"),
        ({"title": "Other"}, "title"),
        ({"status": VersionStatus.DRAFT}, "status"),
    ],
)
def test_a_version_that_answers_rest_on_is_frozen(change, field):
    terms = published()
    answered(own("talk"), terms)

    with pytest.raises(VersionRefused) as refused:
        put(terms, **change)

    assert (refused.value.because, refused.value.field) == (RefusedBecause.IN_USE, field)
    assert stored(terms)["T1"] == terms


def test_a_used_version_can_be_retired_and_made_active_again():
    terms = published()
    answered(own("talk"), terms)

    put(terms, status=VersionStatus.RETIRED)
    assert not PolicyCoverage.objects.filter(document=terms.doc_id).exists()
    put(terms)

    row = PolicyVersion.objects.get(document=terms.doc_id)
    assert (row.status, row.published_at, row.retired_at) == ("active", NOW, None)
    assert set(PolicyCoverage.objects.values_list("channel", flat=True)) == {"chat", "mail"}


def test_retiring_says_when_and_by_whom():
    terms, olga = published(), User.objects.create(username="olga")

    retire(doc_id=terms.doc_id, version="T1", actor=olga, now=LATER)

    view = queries.document(terms.doc_id).versions[0]
    assert (view.version.status, view.retired_at, view.retired_by) == (VersionStatus.RETIRED, LATER, "olga")


def test_a_passage_for_a_key_that_nobody_registered_is_refused_by_its_place():
    with pytest.raises(VersionRefused) as refused:
        published(statements=(Statement(KEY, "1", "Text."), Statement("gift_wrap::any", "2", "Text.")))

    assert refused.value.field == "statements[1].question_key"


def test_drafts_are_kept_but_not_routed_to():
    draft = published(status=VersionStatus.DRAFT)

    assert draft in queries.versions_of([draft.doc_id])
    assert draft not in queries.versions()


def test_versions_come_with_those_of_their_document_that_answer_no_longer():
    terms = published()
    put(terms, version="T2", effective_from=date(2026, 7, 1), statements=())
    other = published(statements=(Statement(HOURS, "", "We open at nine."),))

    found = {(v.doc_id, v.version) for v in queries.versions({KEY})}

    assert found == {(terms.doc_id, "T1"), (terms.doc_id, "T2")}
    assert (other.doc_id, "T1") in {(v.doc_id, v.version) for v in queries.versions()}


def test_versions_are_read_in_few_statements(django_assert_max_num_queries):
    for _ in range(4):
        published()

    with django_assert_max_num_queries(2):
        queries.versions({KEY})


def test_a_document_shows_what_applies_on_a_day():
    terms = published()
    put(terms, version="T2", effective_from=date(2026, 7, 1))

    view = queries.document(terms.doc_id, on=date(2026, 7, 1))

    assert [(v.version.version, v.applies) for v in view.versions] == [("T2", True), ("T1", False)]


def test_a_key_is_created_once_and_changed_when_it_differs():
    register()

    outcomes = [
        put_key(key, actor=None, now=NOW) for key in (BICYCLE, replace(BICYCLE, question_canonical="How long?"))
    ]

    assert [(o.created, o.changed) for o in outcomes] == [(False, False), (False, True)]
    assert queries.registry()[KEY].question_canonical == "How long?"


@pytest.mark.parametrize(
    ("key", "field"),
    [
        (replace(BICYCLE, key="Bicycle"), "key"),
        (replace(FORK, parent="guarantee_term::tandem"), "parent"),
        (replace(FORK, boundary=" "), "boundary"),
        (replace(BICYCLE, parent=FORK.key, boundary="Apart."), "parent"),
        (replace(BICYCLE, owner="nobody"), "owner"),
    ],
)
def test_a_key_that_breaks_a_rule_names_the_field(key, field):
    register()

    with pytest.raises(KeyRefused) as refused:
        put_key(key, actor=None, now=NOW)

    assert refused.value.field == field


@pytest.mark.parametrize("asked", [KEY, FORK.key])
def test_a_key_under_which_something_was_promised_keeps_its_parent(asked):
    answered(own("talk"), published(), asked_key=asked)
    moved = (
        replace(BICYCLE, parent=HOURS, boundary="Apart.") if asked == KEY else replace(FORK, parent=None, boundary=None)
    )

    with pytest.raises(KeyRefused) as refused:
        put_key(moved, actor=None, now=NOW)

    assert refused.value.field == "parent"


def test_keys_show_their_documents_and_whether_they_are_in_use():
    terms = published()
    answered(own("talk"), terms)

    views = {view.entry.key: view for view in queries.keys()}  # noqa: SIM118 - a query, no dictionary

    assert (views[KEY].answered_by, views[KEY].is_in_use) == ((terms.doc_id,), True)
    assert views[FORK.key].answered_by == ()
