"""The consistency gate: one branch for every input, the first that matches in the order of the rule."""

from dataclasses import replace
from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.decisions.calendar import BusinessCalendar
from ledger.decisions.gate import pass_gate
from ledger.decisions.router import Route
from ledger.decisions.vocabulary import (
    Branch,
    CommitmentClass,
    DocumentKind,
    Handler,
    KeyEntry,
    KeyOrigin,
    KeyStatus,
    LockedAnswer,
    QuestionKey,
    Refusal,
    Statement,
    Version,
    VersionStatus,
)

ROOT, PARTS, HOURS = "repair_price::phone", "repair_price::phone_glass", "open_hours::desk"
BOUNDARY = "The glass is part of that price; nothing is added for it."
SAID = "A phone repair costs 80 euros."
REGISTRY = {
    ROOT: KeyEntry(ROOT, "What does a phone repair cost?", deciding_facts=("model", "handed_in_on")),
    PARTS: KeyEntry(PARTS, "What does new glass cost?", parent=ROOT, boundary=BOUNDARY),
    HOURS: KeyEntry(HOURS, "When is the desk open?", CommitmentClass.INFORMATION),
}
V1 = Version(
    doc_id="prices",
    version="P1",
    title="Price list",
    kind=DocumentKind.OWN_POLICY,
    channels=frozenset({"chat"}),
    deciding_date="handed_in_on",
    effective_from=date(2025, 1, 1),
    effective_until=None,
    status=VersionStatus.ACTIVE,
    statements=(Statement(ROOT, "3", SAID),),
)
V2 = replace(V1, version="P2", effective_from=date(2025, 9, 1))
LOCKED = LockedAnswer(
    "e1",
    ROOT,
    SAID,
    "prices",
    "P1",
    "3",
    {"model": "S", "handed_in_on": "2025-02-03"},
    datetime(2025, 2, 4, tzinfo=UTC),
)
FACTS = {"model": "S", "handed_in_on": "2025-02-03"}
FRIDAY_EVENING = datetime(2025, 2, 7, 20, 0, tzinfo=UTC)


def established(key=ROOT):
    return QuestionKey(KeyStatus.ESTABLISHED, key, KeyOrigin.FORM)


def passed(question=None, **changes):
    given = {
        "question": question or established(),
        "registry": REGISTRY,
        "route": Route(version=V1),
        "locked": None,
        "facts": FACTS,
        "requested_on": date(2025, 2, 7),
        "versions": (V1,),
        "asserts_other": False,
        "now": FRIDAY_EVENING,
        "calendar": BusinessCalendar(ZoneInfo("Europe/Madrid")),
    }
    return pass_gate(**{**given, **changes})


OPEN_FIELD = [
    pytest.param(Route(refusal=Refusal.CHANNEL_MISSING), "channel", id="channel"),
    pytest.param(
        Route(refusal=Refusal.DATE_MISSING, missing_field="handed_in_on", deciding_field="handed_in_on"),
        "handed_in_on",
        id="date-missing",
    ),
    pytest.param(
        Route(refusal=Refusal.DATE_AFTER_REQUEST, deciding_field="handed_in_on"),
        "handed_in_on",
        id="date-after-request",
    ),
]


@pytest.mark.parametrize(
    ("question", "branch"),
    [
        pytest.param(QuestionKey(KeyStatus.NONE), Branch.NOT_A_COMMITMENT_QUESTION, id="no-question"),
        pytest.param(established(HOURS), Branch.NOT_A_COMMITMENT_QUESTION, id="information"),
        pytest.param(QuestionKey(KeyStatus.UNCERTAIN), Branch.KEY_NOT_ESTABLISHED, id="uncertain"),
        pytest.param(QuestionKey(KeyStatus.UNCERTAIN, ROOT), Branch.KEY_NOT_ESTABLISHED, id="uncertain-with-a-guess"),
        pytest.param(QuestionKey(KeyStatus.ESTABLISHED), Branch.KEY_NOT_ESTABLISHED, id="established-without-a-key"),
    ],
)
def test_without_a_commitment_key_neither_ledger_nor_sources_matter(question, branch):
    for locked in (None, LOCKED):
        assert passed(question, locked=locked, asserts_other=True).branch is branch


def test_one_source_answers_a_first_ask():
    gate = passed()

    assert (gate.branch, gate.handler, gate.must_contain) == (Branch.SINGLE_SOURCE, Handler.REVIEWER, ())


def test_a_first_ask_through_an_adjacent_key_requires_its_boundary():
    gate = passed(established(PARTS))

    assert (gate.branch, gate.must_contain) == (Branch.SINGLE_SOURCE, (BOUNDARY,))


@pytest.mark.parametrize(("route", "field"), OPEN_FIELD)
def test_an_open_field_is_asked_for_by_name(route, field):
    gate = passed(route=route)

    assert (gate.branch, gate.missing_field, gate.must_contain) == (Branch.DECIDING_FACT_MISSING, field, ())


@pytest.mark.parametrize("absent", [{}, {"model": None}, {"model": "  "}, {"model": "\u200b"}])
def test_a_deciding_fact_of_the_key_is_asked_for_although_a_version_was_selected(absent):
    gate = passed(facts={"handed_in_on": "2025-02-03", **absent})

    assert (gate.branch, gate.missing_field) == (Branch.DECIDING_FACT_MISSING, "model")


def test_false_and_zero_are_known_facts():
    registry = {ROOT: replace(REGISTRY[ROOT], deciding_facts=("opened", "count"))}

    assert passed(registry=registry, facts={"opened": False, "count": 0}).branch is Branch.SINGLE_SOURCE


def test_the_request_day_is_never_missing():
    registry = {ROOT: replace(REGISTRY[ROOT], deciding_facts=("requested_on",))}

    assert passed(registry=registry, facts={}).branch is Branch.SINGLE_SOURCE


@pytest.mark.parametrize(
    "refusal", [Refusal.SUBJECT_NOT_COVERED, Refusal.CHANNEL_UNSUPPORTED, Refusal.OUTSIDE_EVERY_VERSION]
)
def test_without_a_source_nothing_is_asked_for(refusal):
    assert passed(route=Route(refusal=refusal), facts={}).branch is Branch.NO_SOURCE


def test_a_version_without_a_passage_for_the_key_is_no_source():
    assert passed(route=Route(version=replace(V1, statements=()))).branch is Branch.NO_SOURCE


def test_competing_documents_go_to_the_policy_owner_by_the_next_closing_time():
    gate = passed(route=Route(candidates=(V1, replace(V1, doc_id="flyer"))))

    assert (gate.branch, gate.handler) == (Branch.SOURCES_CONFLICT, Handler.POLICY_OWNER)
    assert gate.due_at == datetime(2025, 2, 10, 17, 0, tzinfo=UTC)


REPEATS = [
    pytest.param({}, Branch.REPEAT, (SAID,), id="plain-repeat"),
    pytest.param({"question": established(PARTS)}, Branch.ADJACENT_KEY, (SAID, BOUNDARY), id="adjacent"),
    pytest.param({"asserts_other": True}, Branch.ASSERTS_OTHER, (SAID,), id="asserts-other"),
    pytest.param(
        {"asserts_other": True, "question": established(PARTS)},
        Branch.ASSERTS_OTHER,
        (SAID, BOUNDARY),
        id="asserts-other-before-adjacent",
    ),
    pytest.param(
        {"requested_on": date(2025, 9, 1), "versions": (replace(V1, effective_until=date(2025, 9, 1)), V2)},
        Branch.POLICY_CHANGED,
        (SAID,),
        id="policy-changed-by-the-request-day",
    ),
    pytest.param(
        {"requested_on": date(2025, 8, 31), "versions": (replace(V1, effective_until=date(2025, 9, 1)), V2)},
        Branch.REPEAT,
        (SAID,),
        id="new-version-not-yet-in-force",
    ),
    pytest.param(
        {"versions": (replace(V1, status=VersionStatus.RETIRED),)}, Branch.POLICY_CHANGED, (SAID,), id="version-retired"
    ),
    pytest.param(
        {"requested_on": date(2025, 9, 1), "versions": (V1, replace(V2, status=VersionStatus.DRAFT))},
        Branch.REPEAT,
        (SAID,),
        id="a-draft-changes-nothing",
    ),
    pytest.param(
        {"requested_on": date(2025, 9, 1), "versions": (V1, replace(V2, channels=frozenset({"post"})))},
        Branch.REPEAT,
        (SAID,),
        id="another-channels-version-changes-nothing",
    ),
    pytest.param(
        {"requested_on": date(2025, 9, 1), "versions": (V1, replace(V2, doc_id="flyer"))},
        Branch.REPEAT,
        (SAID,),
        id="another-document-changes-nothing",
    ),
    pytest.param(
        {
            "question": established(PARTS),
            "requested_on": date(2025, 9, 1),
            "versions": (replace(V1, effective_until=date(2025, 9, 1)), V2),
        },
        Branch.ADJACENT_KEY,
        (SAID, BOUNDARY),
        id="adjacent-before-policy-changed",
    ),
    pytest.param({"route": Route(refusal=Refusal.CHANNEL_MISSING)}, Branch.REPEAT, (SAID,), id="no-route-is-needed"),
    pytest.param({"facts": {}}, Branch.REPEAT, (SAID,), id="absent-is-not-different"),
    pytest.param({"facts": {**FACTS, "colour": "red"}}, Branch.REPEAT, (SAID,), id="an-indifferent-fact"),
    pytest.param({"facts": {**FACTS, "requested_on": "2025-02-09"}}, Branch.REPEAT, (SAID,), id="another-request-day"),
]


@pytest.mark.parametrize(("changes", "branch", "must_contain"), REPEATS)
def test_a_repeat_is_answered_from_the_ledger(changes, branch, must_contain):
    gate = passed(**{"locked": LOCKED, **changes})

    assert (gate.branch, gate.handler, gate.must_contain) == (branch, Handler.REVIEWER, must_contain)


@pytest.mark.parametrize(
    "facts",
    [
        pytest.param({"model": "XL"}, id="a-fact-of-the-key"),
        pytest.param({"handed_in_on": "2025-02-04"}, id="the-documents-date"),
        pytest.param({"model": "S", "handed_in_on": "2024-02-03"}, id="one-of-two"),
    ],
)
def test_another_value_of_a_deciding_fact_leads_to_the_correction_protocol(facts):
    for also in ({}, {"asserts_other": True}, {"question": established(PARTS)}):
        gate = passed(locked=LOCKED, facts=facts, **also)

        assert (gate.branch, gate.handler, gate.must_contain) == (Branch.NEW_FACTS, Handler.CORRECTION, ())


def test_the_documents_date_decides_although_the_key_does_not_list_it():
    registry = {ROOT: replace(REGISTRY[ROOT], deciding_facts=())}

    assert passed(locked=LOCKED, registry=registry, facts={"handed_in_on": "2025-03-01"}).branch is Branch.NEW_FACTS


def test_true_is_not_the_number_one():
    registry = {ROOT: replace(REGISTRY[ROOT], deciding_facts=("opened",))}
    locked = replace(LOCKED, facts={"opened": True})

    assert passed(locked=locked, registry=registry, facts={"opened": 1}).branch is Branch.NEW_FACTS


def test_a_key_outside_the_registry_is_a_commitment_of_its_own():
    assert (
        passed(established("gift_wrap::any"), route=Route(refusal=Refusal.SUBJECT_NOT_COVERED)).branch
        is Branch.NO_SOURCE
    )


routes = st.one_of(
    st.just(Route(version=V1)),
    st.just(Route(candidates=(V1, replace(V1, doc_id="flyer")))),
    st.builds(Route, refusal=st.sampled_from(list(Refusal))),
)
questions = st.builds(
    QuestionKey, st.sampled_from(list(KeyStatus)), st.sampled_from([None, ROOT, PARTS, HOURS, "un::known"])
)


@given(
    question=questions,
    route=routes,
    locked=st.sampled_from([None, LOCKED, replace(LOCKED, doc_id=None, version=None)]),
    facts=st.dictionaries(st.sampled_from(["model", "handed_in_on"]), st.sampled_from([None, "S", "2025-02-03", 7])),
    versions=st.lists(st.sampled_from([V1, V2]), unique_by=id),
    asserts_other=st.booleans(),
)
def test_every_input_has_a_branch_and_only_a_locked_answer_is_replayed(**chosen):
    gate = passed(**chosen)

    if chosen["locked"] is None:
        assert not any(SAID in text for text in gate.must_contain)
        assert gate.branch not in {Branch.REPEAT, Branch.ADJACENT_KEY, Branch.POLICY_CHANGED, Branch.NEW_FACTS}
    elif gate.branch in {Branch.REPEAT, Branch.ADJACENT_KEY, Branch.POLICY_CHANGED, Branch.ASSERTS_OTHER}:
        assert gate.must_contain[0] == SAID
    assert (gate.due_at is None) == (gate.branch is not Branch.SOURCES_CONFLICT)
    assert (gate.missing_field is None) == (gate.branch is not Branch.DECIDING_FACT_MISSING)
