"""The gate before writing: what a bot is told, and that asking changes nothing."""

import pytest

from tests.api.calling import PASSAGE, approval, draft_body, fields, problem

pytestmark = pytest.mark.django_db


def ask_body(**changes):
    body = draft_body(**changes)
    del body["draft"], body["external_id"]
    return body


def test_a_first_ask_stays_within_one_version(as_agent, sources):
    answer = as_agent.post("/asks", ask_body()).json()

    assert answer["gate"]["branch"] == "first_ask_key_resolved_single_active_source"
    assert answer["say"] == {"mode": "within", "version": "W1", "passages": [PASSAGE]}


def test_a_missing_date_is_asked_for_by_name(as_agent, sources):
    answer = as_agent.post("/asks", ask_body(facts={"requested_on": "2026-03-03"})).json()

    assert answer["say"] == {"mode": "ask_for", "field": "handed_in_on"}
    assert answer["router"]["missing_field"] == "handed_in_on"


def test_a_repeat_is_answered_verbatim_and_asking_counts_nothing(as_agent, item):
    as_agent.post(f"/drafts/{item['id']}/decision", approval(item))
    again = ask_body(conversation={
        "id": item["conversation_id"],
        "channel": "chat",
        "messages": [{"id": "m7", "role": "customer", "text": "And how long will it take?"}],
    })  # fmt: skip

    first, second = (as_agent.post("/asks", again).json() for _ in range(2))

    assert first == second
    assert first["say"] == {"mode": "verbatim", "text": PASSAGE}
    entries = as_agent.get(f"/conversations/{item['conversation_id']}/ledger").json()["entries"]
    assert [(e["kind"], e["replay_count"]) for e in entries] == [("ANSWER", 0)]


def test_two_asks_with_other_retrieval_are_told_the_same(as_agent, sources):
    body = ask_body()

    answers = [
        as_agent.post("/asks", {**body, "retrieved": [{"doc_id": doc_id, "score": score}]}).json()
        for doc_id, score in (("workshop", 0.9), ("elsewhere", 0.1))
    ]

    assert answers[0] == answers[1]


def test_what_no_document_answers_is_not_answered(as_agent, as_owner, sources):
    as_owner.put("/keys/price_match::bicycle", {"question_canonical": "Do you match prices?"})

    answer = as_agent.post("/asks", ask_body(question={"key": "price_match::bicycle", "by": "form"})).json()

    assert answer["router"]["refusal"] == "subject_not_covered"
    assert answer["say"]["mode"] == "do_not_answer"
    assert answer["say"]["why"]


def test_an_ask_stores_nothing(as_agent, sources):
    body = ask_body()

    as_agent.post("/asks", body)

    assert as_agent.get(f"/drafts?conversation={body['conversation']['id']}").json()["items"] == []


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"facts": {"handed_in_on": "soon"}}, "facts.handed_in_on"),
        ({"facts": {"requested_on": 20260303}}, "facts.requested_on"),
        ({"question": {"key": "nobody::knows"}}, "question.key"),
        ({"conversation": {"id": "x"}}, "conversation.messages"),
    ],
)
def test_a_refused_ask_names_its_field(as_agent, sources, change, field):
    assert fields(problem(as_agent.post("/asks", ask_body(**change)), 422)) == [field]
