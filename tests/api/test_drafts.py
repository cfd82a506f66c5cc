"""Bringing in, showing and changing drafts over the API."""

import pytest

from tests.api.calling import KEY, PASSAGE, approval, draft_body, fields, problem

pytestmark = pytest.mark.django_db


def test_a_new_draft_is_an_item_with_its_analysis(as_agent, sources):
    body = draft_body()

    response = as_agent.post("/drafts", body)

    item = response.json()
    assert response.status_code == 201
    assert response.headers["Location"] == f"/api/v1/drafts/{item['id']}"
    assert response.headers["Cache-Control"] == "no-store"
    assert (item["state"], item["version"], item["external_id"]) == ("pending", 1, body["external_id"])
    assert item["analysis"]["question_key"] == {"status": "established", "key": KEY, "by": "form", "score": None}
    assert item["analysis"]["router"]["version"] == "W1"
    assert item["analysis"]["gate"]["branch"] == "first_ask_key_resolved_single_active_source"
    assert item["analysis"]["answer_text"] == PASSAGE
    assert item["analysis"]["blockers"] == []


def test_the_same_content_again_is_the_same_item(as_agent, sources):
    body = draft_body()
    first = as_agent.post("/drafts", body).json()

    again = as_agent.post("/drafts", {**body, "in_reply_to": None, "remark": "sent twice"})

    assert again.status_code == 200
    assert again.json()["id"] == first["id"]


def test_the_same_id_with_other_content_is_refused(as_agent, sources):
    body = draft_body()
    as_agent.post("/drafts", body)

    response = as_agent.post("/drafts", {**body, "draft": {"text": "Six days."}})

    assert fields(problem(response, 409)) == ["external_id"]


def test_unknown_fields_and_deep_ones_come_back_unchanged(as_agent, sources):
    deep = "bottom"
    for _ in range(20):
        deep = {"in": deep}
    ticket = {"id": "t-deep", "status": "open", "fields": {"deep": deep}, "colour": "red"}
    created = as_agent.post("/drafts", draft_body(ticket=ticket)).json()

    shown = as_agent.get(f"/drafts/{created['id']}").json()

    assert shown["ticket"]["fields"] == {"deep": deep}
    assert shown["ticket"]["colour"] == "red"


@pytest.mark.parametrize(
    "day",
    [
        "02/03/2026",
        "2.3.2026",
        "26-03-02",
        "2026-3-2",
        "2026-03-02T00:00:00Z",
        "20260302",
        "2026-W10-1",
        "２０２６-03-02",
    ],
)
def test_a_date_in_another_notation_is_refused_by_name_and_nothing_is_stored(as_agent, sources, day):
    body = draft_body(facts={"handed_in_on": day, "requested_on": "2026-03-03"})

    response = as_agent.post("/drafts", body)

    assert fields(problem(response, 422)) == ["facts.handed_in_on"]
    listed = as_agent.get(f"/drafts?conversation={body['conversation']['id']}").json()
    assert listed["items"] == []


@pytest.mark.parametrize(
    ("change", "field"),
    [
        pytest.param({"question": {"key": "nobody::knows", "by": "form"}}, "question.key", id="unknown-key"),
        pytest.param({"in_reply_to": "m99"}, "in_reply_to", id="unknown-message"),
        pytest.param({"external_id": ""}, "external_id", id="empty-id"),
        pytest.param({"draft": {"text": "  "}}, "draft.text", id="blank-text"),
        pytest.param({"conversation": {"id": "c", "messages": []}}, "conversation.messages", id="no-message"),
        pytest.param({"ticket": {"callback_at": "tomorrow"}}, "ticket.callback_at", id="no-instant"),
    ],
)
def test_a_refused_body_names_its_field(as_agent, sources, change, field):
    assert fields(problem(as_agent.post("/drafts", draft_body(**change)), 422)) == [field]


def test_items_are_listed_page_by_page_in_the_order_of_arrival(as_agent, sources):
    made = [as_agent.post("/drafts", draft_body()).json()["id"] for _ in range(5)]
    seen, cursor = [], ""

    for _ in range(5):
        page = as_agent.get(f"/drafts?state=pending&limit=2&cursor={cursor}").json()
        seen += [each["id"] for each in page["items"]]
        cursor = page["next"]
        if cursor is None:
            break

    assert cursor is None
    assert [each for each in seen if each in made] == made
    assert len(seen) == len(set(seen))


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ("state=open", "state"),
        ("limit=0", "limit"),
        ("limit=201", "limit"),
        ("limit=many", "limit"),
        ("cursor=%00", "cursor"),
        ("cursor=abc", "cursor"),
        ("cursor=WyIiLCIiXQ", "cursor"),
        ("conversation=a%00b", "conversation"),
    ],
)
def test_a_refused_query_names_its_parameter(as_agent, query, field):
    assert fields(problem(as_agent.get(f"/drafts?{query}"), 422)) == [field]


@pytest.mark.parametrize("name", ["1", "not-an-id", "%00", "%ff", "0b6d7a4e-32f4-4c6e-9d27-7f1f0f3a5c11", "a" * 300])
def test_what_is_not_there_is_not_found(as_agent, name):
    for response in (
        as_agent.get(f"/drafts/{name}"),
        as_agent.patch(f"/drafts/{name}", {"question": {"key": None}}),
        as_agent.post(f"/drafts/{name}/decision", {"kind": "approve", "seen_version": 1}),
    ):
        problem(response, 404)


def test_a_person_establishes_the_question(as_agent, sources):
    item = as_agent.post("/drafts", draft_body(question=None)).json()

    response = as_agent.patch(f"/drafts/{item['id']}", {"question": {"key": KEY, "by": "person"}})

    assert response.status_code == 200
    assert response.json()["analysis"]["question_key"]["by"] == "person"
    assert response.json()["analysis"]["router"]["version"] == "W1"


def test_an_edit_is_the_next_version_with_its_own_analysis(as_agent, item):
    response = as_agent.patch(f"/drafts/{item['id']}", {"text": "It takes 9 business days.", "seen_version": 1})

    edited = response.json()
    assert response.status_code == 200
    assert (edited["version"], edited["text"]) == (2, "It takes 9 business days.")
    assert edited["analysis"]["blockers"]


def test_an_edit_of_an_older_version_is_kept_and_refused(as_agent, item):
    as_agent.patch(f"/drafts/{item['id']}", {"text": f"{PASSAGE} Thank you.", "seen_version": 1})

    response = as_agent.patch(f"/drafts/{item['id']}", {"text": "Mine.", "seen_version": 1})

    conflict = problem(response, 409)["conflict"]
    assert (conflict["who"], conflict["your_text_kept"]) == ("agent", True)


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "body"),
        ({"text": "a", "question": {"key": KEY}}, "body"),
        ({"text": "a"}, "seen_version"),
        ({"text": "a", "seen_version": "1"}, "seen_version"),
        ({"text": "a", "seen_version": True}, "seen_version"),
        ({"text": "a", "seen_version": 10**20}, "seen_version"),
        ({"text": " ", "seen_version": 1}, "text"),
        ({"question": {"key": "nobody::knows"}}, "question.key"),
        ({"question": {"key": KEY, "by": "form"}}, "question.by"),
        ({"still_fits": False}, "still_fits"),
    ],
)
def test_a_refused_change_names_its_field(as_agent, item, body, field):
    assert fields(problem(as_agent.patch(f"/drafts/{item['id']}", body), 422)) == [field]


def test_a_draft_that_the_customer_overtook_can_be_confirmed(as_agent, item):
    news = {"id": "m2", "role": "customer", "text": "Thanks in advance!", "sent_at": None}
    as_agent.post("/messages", {"conversation_id": item["conversation_id"], "message": news})
    before = as_agent.post(f"/drafts/{item['id']}/decision", approval(item))

    as_agent.patch(f"/drafts/{item['id']}", {"still_fits": True})

    assert [b["code"] for b in problem(before, 409)["blockers"]] == ["newer_customer_message"]
    assert as_agent.post(f"/drafts/{item['id']}/decision", approval(item)).status_code == 200


@pytest.mark.parametrize(
    "body",
    [{"question": {"key": None, "by": "person"}}, {"text": "My own words.", "seen_version": 1}, {"still_fits": True}],
    ids=["question", "text", "still-fits"],
)
def test_an_escalated_item_is_changed_by_a_policy_owner(as_agent, as_owner, item, body):
    as_agent.post(f"/drafts/{item['id']}/decision", {"kind": "escalate", "reason": "Does this still hold?"})

    refusal = problem(as_agent.patch(f"/drafts/{item['id']}", body), 409)

    assert [blocker["code"] for blocker in refusal["blockers"]] == ["waits_for_policy_owner"]
    assert "A policy owner decides it" in refusal["detail"]
    assert as_agent.get(f"/drafts/{item['id']}").json()["version"] == 1
    assert as_owner.patch(f"/drafts/{item['id']}", body).status_code == 200
