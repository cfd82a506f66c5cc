"""The router: exactly one version, or the reason why none."""

from dataclasses import replace
from datetime import date, timedelta
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.decisions.router import BadDate, OverlappingVersions, plain_date, route
from ledger.decisions.vocabulary import DocumentKind, Refusal, Statement, Version, VersionStatus

KEY = "hire_period::tent"
ASKED = date(2025, 7, 20)
SPRING = Version(
    doc_id="hire",
    version="H1",
    title="Hire terms",
    kind=DocumentKind.OWN_POLICY,
    channels=frozenset({"counter", "chat"}),
    deciding_date="collected_on",
    effective_from=date(2025, 3, 1),
    effective_until=date(2025, 6, 1),
    status=VersionStatus.ACTIVE,
    statements=(Statement(KEY, "1", "A tent is hired for 5 days."),),
)
SUMMER = replace(
    SPRING, version="H2", effective_from=date(2025, 6, 1), effective_until=None,
    statements=(Statement(KEY, "1", "A tent is hired for 9 days."),),
)  # fmt: skip
CLUB = replace(SUMMER, doc_id="club", version="C1", deciding_date="joined_on")


def routed(*versions, key=KEY, channel="chat", asked=ASKED, **facts):
    return route(key=key, channel=channel, facts=facts, requested_on=asked, versions=versions)


@pytest.mark.parametrize(
    ("day", "version"),
    [
        pytest.param("2025-03-01", "H1", id="first-day-counts"),
        pytest.param("2025-05-31", "H1", id="last-day-before-the-end"),
        pytest.param("2025-06-01", "H2", id="the-end-is-the-next-ones"),
        pytest.param("2025-07-20", "H2", id="on-the-day-of-the-request"),
    ],
)
def test_the_customers_date_selects_not_the_newer_version(day, version):
    for versions in permutations((SPRING, SUMMER)):
        assert routed(*versions, collected_on=day).version.version == version


@pytest.mark.parametrize(
    ("versions", "ask", "refusal", "field"),
    [
        pytest.param([], {}, "subject_not_covered", None, id="no-document"),
        pytest.param([SPRING], {"key": None}, "subject_not_covered", None, id="no-key"),
        pytest.param([SPRING], {"key": "hire_period::boat"}, "subject_not_covered", None, id="other-key"),
        pytest.param([replace(SPRING, status=VersionStatus.DRAFT)], {}, "subject_not_covered", None, id="draft"),
        pytest.param(
            [replace(SPRING, kind=DocumentKind.THIRD_PARTY)], {}, "subject_not_covered", None, id="third-party"
        ),
        pytest.param([], {"channel": None}, "subject_not_covered", None, id="subject-before-channel"),
        pytest.param([SPRING], {"channel": None}, "channel_missing", None, id="no-channel"),
        pytest.param([SPRING], {"channel": ""}, "channel_missing", None, id="empty-channel"),
        pytest.param([SPRING], {"channel": "mail"}, "channel_unsupported", None, id="channel-before-date"),
        pytest.param([SPRING], {"channel": "Chat"}, "channel_unsupported", None, id="channels-are-exact"),
        pytest.param([replace(SPRING, status=VersionStatus.RETIRED)], {}, "channel_unsupported", None, id="retired"),
        pytest.param([SPRING], {}, "date_missing", "collected_on", id="no-date"),
        pytest.param([SPRING], {"collected_on": "2025-07-21"}, "date_after_request", None, id="in-the-future"),
        pytest.param([SPRING], {"collected_on": "2025-02-28"}, "outside_every_version", None, id="before-the-first"),
        pytest.param([SPRING], {"collected_on": "2025-06-01"}, "outside_every_version", None, id="after-the-last"),
    ],
)
def test_the_first_reason_in_order_is_given(versions, ask, refusal, field):
    found = routed(*versions, **ask)

    assert (found.version, found.refusal, found.missing_field) == (None, Refusal(refusal), field)


def test_the_request_day_can_decide_without_being_a_fact():
    on_request = replace(SUMMER, deciding_date="requested_on")

    assert routed(on_request).version is on_request


def test_two_documents_that_both_answer_are_candidates_and_none_is_selected():
    found = routed(CLUB, SUMMER, collected_on="2025-07-01", joined_on="2025-06-03")

    assert (found.version, found.refusal) == (None, None)
    assert [v.version for v in found.candidates] == ["C1", "H2"]


def test_a_third_partys_document_is_no_candidate():
    sheet = replace(CLUB, kind=DocumentKind.THIRD_PARTY)

    assert routed(sheet, SUMMER, collected_on="2025-07-01", joined_on="2025-06-03").version is SUMMER


def test_a_third_partys_document_that_is_permitted_answers_like_ours():
    sheet = replace(CLUB, kind=DocumentKind.THIRD_PARTY, permitted=True)

    found = routed(sheet, SUMMER, collected_on="2025-07-01", joined_on="2025-06-03")

    assert [v.version for v in found.candidates] == ["C1", "H2"]
    assert routed(sheet, joined_on="2025-06-03").version is sheet


def test_a_document_whose_date_is_open_is_not_passed_over():
    found = routed(SUMMER, CLUB, collected_on="2025-07-01")

    assert (found.refusal, found.missing_field) == (Refusal.DATE_MISSING, "joined_on")


def test_a_date_after_the_request_is_not_passed_over_either():
    found = routed(SUMMER, CLUB, collected_on="2025-07-01", joined_on="2025-08-01")

    assert (found.refusal, found.deciding_field) == (Refusal.DATE_AFTER_REQUEST, "joined_on")


def test_a_document_that_begins_after_the_request_asks_for_no_date():
    later = replace(CLUB, effective_from=ASKED + timedelta(days=1))

    assert routed(SUMMER, later, collected_on="2025-07-01").version is SUMMER


def test_a_document_outside_its_dates_leaves_the_other_one_alone():
    assert routed(SUMMER, CLUB, collected_on="2025-07-01", joined_on="2025-05-01").version is SUMMER


def test_versions_of_one_document_on_the_same_day_and_channel_raise_both_names():
    with pytest.raises(OverlappingVersions, match="H1 and H3"):
        routed(SPRING, replace(SUMMER, version="H3", effective_from=date(2025, 5, 31)), collected_on="2025-03-01")


@pytest.mark.parametrize(
    "change",
    [
        pytest.param({"channels": frozenset({"counter"})}, id="other-channel"),
        pytest.param({"status": VersionStatus.RETIRED}, id="retired"),
        pytest.param({"status": VersionStatus.DRAFT}, id="draft"),
    ],
)
def test_versions_that_do_not_meet_may_overlap(change):
    assert routed(SPRING, replace(SUMMER, effective_from=date(2025, 3, 1), **change), collected_on="2025-04-01").version


@pytest.mark.parametrize(
    "value",
    [
        "", " ", "2025-7-01", "2025-07-1", "20250701", "2025-W27-2", "2025-182", "2025-07-01T00:00:00", "2025-07-01Z",
        " 2025-07-01", "2025-07-01 ", "2025-07-01\n", "01/07/2025", "01.07.2025", "25-07-01", "2025/07/01",
        "\uff12\uff10\uff12\uff15-07-01", "٢٠٢٥-07-01", "2025-02-29", "2025-13-01", "0000-01-01", "+2025-07-01",
        20250701, 1.5, True, ["2025-07-01"], {"day": 1},
    ],
)  # fmt: skip
def test_a_date_in_any_other_form_raises_and_names_its_field(value):
    with pytest.raises(BadDate) as bad:
        routed(SPRING, collected_on=value)

    assert bad.value.field == "facts.collected_on"


@given(st.dates())
def test_every_calendar_date_is_read_as_itself(day):
    assert plain_date("day", day.isoformat()) == day


@given(
    starts=st.lists(st.dates(date(2024, 1, 1), date(2026, 1, 1)), min_size=1, max_size=6, unique=True),
    day=st.dates(date(2024, 1, 1), date(2026, 1, 1)),
)
def test_versions_that_follow_each_other_select_the_last_that_began(starts, day):
    starts.sort()
    versions = [
        replace(SPRING, version=str(begin), effective_from=begin, effective_until=end)
        for begin, end in zip(starts, [*starts[1:], None], strict=True)
    ]
    begun = [begin for begin in starts if begin <= day]

    found = routed(*versions, asked=date(2026, 1, 1), collected_on=day.isoformat())

    assert found.version.version == str(begun[-1]) if begun else found.refusal is Refusal.OUTSIDE_EVERY_VERSION
