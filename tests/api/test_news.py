"""Messages and ticket fields: news from outside about open items."""

import pytest

from tests.api.calling import PASSAGE, approval, fields, problem

pytestmark = pytest.mark.django_db


def tell(caller, item, **message):
    body = {"id": "m2", "role": "customer", "text": "One more thing.", "sent_at": "2026-03-03T10:00:00Z", **message}
    return caller.post("/messages", {"conversation_id": item["conversation_id"], "message": body})


def shown(caller, item):
    return caller.get(f"/drafts/{item['id']}").json()


def test_a_new_message_is_created_and_the_same_again_changes_nothing(as_agent, item):
    first, again = tell(as_agent, item), tell(as_agent, item)

    assert (first.status_code, again.status_code) == (201, 200)
    assert first.json()["message"]["text"] == "One more thing."


def test_a_customers_message_makes_the_open_draft_stale(as_agent, item):
    tell(as_agent, item)

    assert [b["code"] for b in shown(as_agent, item)["analysis"]["blocked_by"]] == ["newer_customer_message"]


def test_a_public_reply_retires_the_open_draft(as_agent, item):
    tell(as_agent, item, role="agent", text="We are closed today.")

    retired = shown(as_agent, item)
    assert retired["state"] == "retired"
    assert "We are closed today." in retired["retired_because"]
    conflict = problem(as_agent.post(f"/drafts/{item['id']}/decision", approval(item)), 409)["conflict"]
    assert (conflict["who"], conflict["kind"]) == (None, None)


def test_a_note_neither_retires_nor_makes_stale(as_agent, item):
    response = tell(as_agent, item, role="note", text="We told him 9 business days by mistake?")

    assert response.status_code == 201
    assert as_agent.post(f"/drafts/{item['id']}/decision", approval(item)).status_code == 200


def test_an_edit_of_a_message_is_never_a_duplicate(as_agent, item):
    texts = ["It is scratched.", "It is scratched and bent.", "It is scratched."]

    answers = [tell(as_agent, item, id="m1", text=text) for text in texts]

    assert [answer.status_code for answer in answers] == [200, 200, 200]
    assert [answer.json()["message"]["text"] for answer in answers] == texts


def test_a_message_of_an_unknown_conversation_is_refused(as_agent, sources):
    response = tell(as_agent, {"conversation_id": "never-heard-of"})

    assert fields(problem(response, 422)) == ["conversation_id"]


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"role": "bot"}, "message.role"),
        ({"id": ""}, "message.id"),
        ({"text": None}, "message.text"),
        ({"sent_at": "10:00"}, "message.sent_at"),
    ],
)
def test_a_refused_message_names_its_field(as_agent, item, change, field):
    assert fields(problem(tell(as_agent, item, **change), 422)) == [field]


def test_changed_ticket_fields_are_laid_over_the_known_ones(as_agent, item):
    path = f"/tickets/{item['ticket']['id']}"
    as_agent.patch(path, {"fields": {"shelf": "B4"}, "order": {"status": "packed"}})

    response = as_agent.patch(path, {"fields": {"row": 2}, "assignee": "maya"})

    ticket = response.json()["ticket"]
    assert response.status_code == 200
    assert response.json()["analysed_again"] == 1
    assert ticket["fields"] == {"shelf": "B4", "row": 2}
    assert (ticket["status"], ticket["assignee"], ticket["order"]) == ("open", "maya", {"status": "packed"})


def test_a_record_that_arrives_supports_the_claim(as_agent, item):
    text = f"{PASSAGE} Maya is currently reviewing your order."
    as_agent.patch(f"/drafts/{item['id']}", {"text": text, "seen_version": 1})
    before = shown(as_agent, item)["analysis"]["blockers"]

    as_agent.patch(
        f"/tickets/{item['ticket']['id']}",
        {"status": "open", "assignee": "maya", "review_started_at": "2026-03-03T09:00:00Z"},
    )

    assert before
    assert shown(as_agent, item)["analysis"]["blockers"] == []


def test_an_unknown_ticket_is_not_found(as_agent, sources):
    problem(as_agent.patch("/tickets/never-heard-of", {"status": "open"}), 404)


def test_a_ticket_id_may_hold_a_slash(as_agent, sources):
    problem(as_agent.patch("/tickets/desk/7", {"status": "open"}), 404)


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "body"),
        ([], "body"),
        ({"status": 3}, "status"),
        ({"callback_at": "2026-03-03"}, "callback_at"),
        ({"refund": {"issued_at": "now"}}, "refund.issued_at"),
        ({"as_of": "now"}, "as_of"),
        ({"status": "closed", "as_of": "2099-01-01T00:00:00Z"}, "as_of"),
        ({"id": "another"}, "id"),
    ],
)
def test_a_refused_ticket_change_names_its_field(as_agent, item, body, field):
    response = as_agent.patch(f"/tickets/{item['ticket']['id']}", body)

    assert fields(problem(response, 422)) == [field]
