"""Decisions over the API: the same checks as on the screen, one decision, and who came first."""

import pytest

from tests.api.calling import KEY, PASSAGE, approval, draft_body, fields, problem

pytestmark = pytest.mark.django_db


def decide(caller, item, body, **more):
    return caller.post(f"/drafts/{item['id']}/decision", body, **more)


def ledger_of(caller, item):
    return caller.get(f"/conversations/{item['conversation_id']}/ledger").json()["entries"]


def test_an_approval_answers_with_the_item_its_decision_and_its_delivery(as_agent, item):
    response = decide(as_agent, item, approval(item))

    decided = response.json()
    assert response.status_code == 200
    assert decided["state"] == "approved"
    assert decided["decision"]["kind"] == "approve"
    assert decided["decision"]["text"] == PASSAGE
    assert decided["decision"]["decided_by"] == "agent"
    delivery = decided["delivery"]
    assert (delivery["state"], delivery["attempts"], delivery["delivered_at"]) == ("no_destination", 0, None)
    assert delivery["undo_until"] > decided["decision"]["decided_at"]
    assert [entry["answer_text"] for entry in ledger_of(as_agent, item)] == [PASSAGE]


def test_a_second_decision_is_refused_and_names_the_first(as_agent, as_agent2, item):
    decide(as_agent, item, approval(item))

    for body in (approval(item), {"kind": "send_back", "seen_version": 1, "reason": "Too short."}):
        conflict = problem(decide(as_agent2, item, body), 409)["conflict"]
        assert (conflict["who"], conflict["kind"]) == ("agent", "approve")
        assert conflict["since"].endswith("Z")


def test_the_same_call_with_its_own_key_is_answered_like_the_first(as_agent, as_agent2, item):
    first = decide(as_agent, item, approval(item, text=PASSAGE), headers={"Idempotency-Key": "once"})
    decide(as_agent2, item, approval(item, text=PASSAGE), headers={"Idempotency-Key": "other"})

    again = decide(as_agent, item, approval(item, text=PASSAGE), headers={"Idempotency-Key": "once"})

    assert again.status_code == 200
    assert again.headers["Idempotency-Replayed"] == "true"
    assert again.json() == first.json()
    assert len(ledger_of(as_agent, item)) == 1


def test_what_the_records_do_not_support_is_refused_with_every_reason(as_agent, sources):
    item = as_agent.post("/drafts", draft_body("It takes 9 business days. We refunded you this morning.")).json()

    refusal = problem(decide(as_agent, item, approval(item)), 409)

    assert len(refusal["blockers"]) >= 2
    assert all(blocker["code"] and blocker["message"] for blocker in refusal["blockers"])
    assert "conflict" not in refusal
    assert as_agent.get(f"/drafts/{item['id']}").json()["state"] == "pending"


def test_an_edit_goes_out_in_the_reviewers_words(as_agent, item):
    said = f"Hello! {PASSAGE}"

    decided = decide(as_agent, item, {"kind": "edit", "text": said, "seen_version": 1}).json()

    assert decided["decision"]["text"] == said
    assert decided["version"] == 2


@pytest.mark.parametrize("kind", ["approve", "edit", "escalate"])
@pytest.mark.parametrize("text", ["", " ", "\u200b", "\n\u00a0"])
def test_an_empty_reply_goes_nowhere(as_agent, item, kind, text):
    body = {"kind": kind, "seen_version": 1, "text": text, "reason": "Is this right?"}

    assert fields(problem(decide(as_agent, item, body), 422)) == ["text"]
    assert as_agent.get(f"/drafts/{item['id']}").json()["version"] == 1


def test_a_decision_about_an_older_version_is_refused(as_agent, item):
    as_agent.patch(f"/drafts/{item['id']}", {"text": f"{PASSAGE} Bye.", "seen_version": 1})

    conflict = problem(decide(as_agent, item, approval(item)), 409)["conflict"]

    assert "version 2" in conflict["message"]


def test_an_item_that_a_colleague_has_taken_is_refused_and_the_text_kept(as_agent, as_agent2, item):
    as_agent.patch(f"/drafts/{item['id']}", {"question": {"key": KEY}})

    refusal = problem(decide(as_agent2, item, {"kind": "edit", "text": "Mine.", "seen_version": 1}), 409)

    assert refusal["conflict"]["who"] == "agent"
    assert refusal["conflict"]["your_text_kept"] is True


def test_an_escalation_shows_who_handed_it_on_and_why(as_agent, item):
    decided = decide(as_agent, item, {"kind": "escalate", "reason": "I am not sure about holidays."}).json()

    assert decided["state"] == "escalated"
    assert decided["decision"]["kind"] == "escalate"
    assert decided["decision"]["decided_by"] == "agent"
    assert decided["decision"]["reason"] == "I am not sure about holidays."
    assert decided["delivery"] is None


def test_a_draft_that_is_sent_back_is_delivered_nowhere(as_agent, item):
    decided = decide(as_agent, item, {"kind": "send_back", "reason": "Wrong tone."}).json()

    assert (decided["state"], decided["delivery"]) == ("sent_back", None)


def test_a_claim_can_be_marked_as_none_with_a_reason(as_agent, sources):
    text = f"{PASSAGE} Our team is currently reviewing your order."
    item = as_agent.post("/drafts", draft_body(text)).json()
    claims = [c for c in item["analysis"]["claims"] if c["tier"] == "claim" and c["verdict"] != "SUPPORTED"]
    marked = [{"start": c["start"], "end": c["end"], "class": c["class"], "reason": "A quotation."} for c in claims]

    response = decide(as_agent, item, approval(item, dismissed=marked))

    assert claims
    assert response.status_code == 200, response.content


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "kind"),
        ({"kind": "publish"}, "kind"),
        ({"kind": ["approve"]}, "kind"),
        ({"kind": "approve"}, "seen_version"),
        ({"kind": "approve", "seen_version": "1"}, "seen_version"),
        ({"kind": "approve", "seen_version": 0}, "seen_version"),
        ({"kind": "edit", "seen_version": 1}, "text"),
        ({"kind": "edit", "seen_version": 1, "text": "\u200b"}, "text"),
        ({"kind": "edit", "seen_version": 1, "text": 5}, "text"),
        ({"kind": "send_back"}, "reason"),
        ({"kind": "escalate", "reason": " "}, "reason"),
        ({"kind": "correct", "reason": "Wrong.", "owner": "owner"}, "answer_text"),
        ({"kind": "correct", "reason": "Wrong.", "answer_text": "Six days."}, "owner"),
        ({"kind": "correct", "reason": "Wrong.", "answer_text": "Six days.", "owner": "nobody"}, "owner"),
        ({"kind": "approve", "seen_version": 1, "dismissed": {"start": 0}}, "dismissed"),
        ({"kind": "approve", "seen_version": 1, "dismissed": [{"class": "STATUS"}]}, "dismissed[0].reason"),
        (
            {"kind": "approve", "seen_version": 1, "dismissed": [{"class": "MOOD", "reason": "x"}]},
            "dismissed[0].class",
        ),
        (
            {
                "kind": "approve",
                "seen_version": 1,
                "dismissed": [{"class": "STATUS", "reason": "x", "start": 3, "end": 9999}],
            },
            "dismissed[0]",
        ),
    ],
)
def test_an_unusable_decision_names_its_field_and_changes_nothing(as_agent, item, body, field):
    assert fields(problem(decide(as_agent, item, body), 422)) == [field]
    assert as_agent.get(f"/drafts/{item['id']}").json()["state"] == "pending"


def test_a_merged_ticket_keeps_the_reply_from_going_to_the_wrong_place(as_agent, item):
    merged = {"status": "merged", "fields": {"merged_into": "t-77"}}
    as_agent.patch(f"/tickets/{item['ticket']['id']}", merged)

    refusal = problem(decide(as_agent, item, approval(item)), 409)

    assert "merged" in refusal["detail"]
    assert "t-77" in refusal["detail"]
    kept = as_agent.get(f"/drafts/{item['id']}").json()
    assert (kept["text"], kept["ticket"]["status"], kept["delivery"]) == (PASSAGE, "merged", None)
