"""How versions follow each other, what is refused, and which of them compete."""

from dataclasses import replace
from datetime import date

import pytest

from ledger.decisions.policies import Plan, Refused, RefusedBecause, competing, plan_version, rivals
from ledger.decisions.vocabulary import DocumentKind, Statement, Version, VersionStatus

KEY = "hire_period::tent"
JAN, JUN, SEP, DEC = (date(2025, month, 1) for month in (1, 6, 9, 12))
V1 = Version(
    doc_id="hire",
    version="H1",
    title="Hire terms",
    kind=DocumentKind.OWN_POLICY,
    channels=frozenset({"chat", "counter"}),
    deciding_date="collected_on",
    effective_from=JAN,
    effective_until=None,
    status=VersionStatus.ACTIVE,
    statements=(Statement(KEY, "1", "A tent is hired for 5 days."),),
)
V2 = replace(V1, version="H2", effective_from=JUN)
CLOSED = replace(V1, effective_until=JUN)


def planned(sent, *others, stored=None, in_use=False, document_in_use=False):
    return plan_version(sent, stored=stored, others=others, in_use=in_use, document_in_use=document_in_use or in_use)


def test_the_first_version_of_a_document_is_stored_as_sent():
    assert planned(V1) == Plan(V1, changed=True)


def test_a_later_version_ends_its_open_predecessor_on_its_first_day():
    assert planned(V2, V1) == Plan(V2, changed=True, closes=(CLOSED,))


def test_an_earlier_version_that_comes_late_ends_where_the_later_one_begins():
    assert planned(V1, V2) == Plan(CLOSED, changed=True)


@pytest.mark.parametrize("in_use", [False, True])
def test_sending_the_predecessor_again_with_an_open_end_changes_nothing(in_use):
    assert planned(V1, V2, stored=CLOSED, in_use=in_use) == Plan(CLOSED, changed=False)


def test_a_used_predecessor_stays_closed_when_its_successor_is_retired():
    retired = replace(V2, status=VersionStatus.RETIRED)

    assert planned(V1, retired, stored=CLOSED, in_use=True) == Plan(CLOSED, changed=False)
    assert planned(V1, retired, stored=CLOSED) == Plan(V1, changed=True)


def test_the_order_of_passages_is_no_change():
    more = (*V1.statements, Statement("hire_price::tent", "2", "30 euros."))

    assert not planned(replace(V1, statements=more[::-1]), stored=replace(V1, statements=more)).changed


@pytest.mark.parametrize(
    ("sent", "other"),
    [
        pytest.param(replace(V2, effective_from=JAN), V1, id="same-first-day"),
        pytest.param(replace(V2, effective_from=SEP), replace(V1, effective_until=DEC), id="before-a-fixed-end"),
        pytest.param(
            replace(V2, effective_from=date(2025, 11, 30)), replace(V1, effective_until=DEC), id="one-shared-day"
        ),
        pytest.param(replace(V1, effective_until=SEP), V2, id="a-fixed-end-inside-a-later-version"),
    ],
)
def test_an_overlap_is_refused_and_names_the_other_version(sent, other):
    refused = planned(sent, other)

    assert isinstance(refused, Refused)
    assert refused.because is RefusedBecause.OVERLAP
    assert other.version in refused.message


def test_an_overlap_names_every_version():
    chat = replace(V1, version="A1", channels=frozenset({"chat"}), effective_until=DEC)
    counter = replace(V1, version="A2", channels=frozenset({"counter"}), effective_from=JUN, effective_until=DEC)

    refused = planned(replace(V1, version="A3", effective_from=date(2025, 11, 30)), chat, counter)

    assert "A1, A2" in refused.message


@pytest.mark.parametrize(
    "other",
    [
        pytest.param(replace(V2, channels=frozenset({"mail"})), id="another-channel"),
        pytest.param(replace(V2, status=VersionStatus.RETIRED), id="retired"),
        pytest.param(replace(V2, status=VersionStatus.DRAFT), id="draft"),
        pytest.param(replace(V2, effective_from=date(2024, 1, 1), effective_until=JAN), id="touching"),
    ],
)
def test_versions_that_do_not_meet_leave_each_other_alone(other):
    assert planned(V1, other) == Plan(V1, changed=True)


def test_a_draft_or_retired_version_ends_nobody():
    for status in (VersionStatus.DRAFT, VersionStatus.RETIRED):
        assert planned(replace(V2, status=status), V1).closes == ()


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"title": "Other"}, "title"),
        ({"channels": frozenset({"chat"})}, "channels"),
        ({"effective_from": date(2024, 12, 31)}, "effective_from"),
        ({"statements": (Statement(KEY, "1", "A tent is hired for 6 days."),)}, "statements"),
        ({"statements": (Statement(KEY, "2", "A tent is hired for 5 days."),)}, "statements"),
        ({"statements": (*V1.statements, Statement("hire_price::tent", "2", "30 euros."))}, "statements"),
        ({"effective_until": DEC}, "effective_until"),
        ({"status": VersionStatus.DRAFT}, "status"),
        ({"deciding_date": "returned_on"}, "deciding_date"),
        ({"kind": DocumentKind.PROMOTION}, "kind"),
    ],
)
def test_what_answers_rest_on_keeps_everything_but_status_and_an_earlier_end(change, field):
    stored = replace(V1, effective_until=SEP)

    refused = planned(replace(stored, **change), stored=stored, in_use=True)

    assert (refused.because, refused.field) == (RefusedBecause.IN_USE, field)


@pytest.mark.parametrize("change", [{"effective_until": JUN}, {"status": VersionStatus.RETIRED}])
def test_a_used_version_can_end_earlier_or_be_retired(change):
    stored = replace(V1, effective_until=SEP)

    assert planned(replace(stored, **change), stored=stored, in_use=True) == Plan(
        replace(stored, **change), changed=True
    )


def test_a_document_has_one_deciding_date_and_one_kind():
    refused = planned(replace(V2, deciding_date="returned_on"), V1)

    assert (refused.because, refused.field) == (RefusedBecause.MALFORMED, "deciding_date")
    assert "H1" in refused.message


def test_the_only_version_of_a_document_can_change_its_deciding_date():
    assert planned(replace(V1, deciding_date="returned_on"), stored=V1).changed


OTHER = replace(V1, doc_id="leaflet", version="L1")


@pytest.mark.parametrize(
    ("versions", "names"),
    [
        pytest.param([V1, OTHER], ["H1", "L1"], id="two-documents"),
        pytest.param([CLOSED, V2], [], id="versions-of-one-document"),
        pytest.param([V1, replace(OTHER, kind=DocumentKind.THIRD_PARTY)], [], id="third-party"),
        pytest.param([V1, replace(OTHER, status=VersionStatus.RETIRED)], [], id="retired"),
        pytest.param([V1, replace(OTHER, statements=())], [], id="another-subject"),
        pytest.param([V1, replace(OTHER, channels=frozenset({"mail"}))], [], id="another-channel"),
        pytest.param([CLOSED, replace(OTHER, effective_from=JUN)], [], id="one-after-the-other"),
        pytest.param(
            [CLOSED, replace(OTHER, effective_from=JUN, deciding_date="joined_on")],
            ["H1", "L1"],
            id="by-different-dates",
        ),
        pytest.param([CLOSED, V2, replace(OTHER, effective_from=JUN)], ["H2", "L1"], id="only-those-that-meet"),
    ],
)
def test_documents_that_can_answer_one_customer_compete(versions, names):
    assert [v.version for v in competing(versions, KEY)] == names


def test_documents_compete_on_a_channel():
    assert competing([V1, replace(OTHER, channels=frozenset({"chat"}))], KEY, "counter") == ()


def test_rivals_are_the_versions_elsewhere_that_can_meet_ones_own():
    elsewhere = replace(OTHER, doc_id="elsewhere", channels=frozenset({"fax"}))
    older = replace(OTHER, doc_id="older", status=VersionStatus.RETIRED)

    assert rivals([V1], [elsewhere, OTHER, older], KEY) == (OTHER,)
    assert rivals([], [OTHER], KEY) == ()
    assert rivals([V1], [OTHER], "another::question") == ()
