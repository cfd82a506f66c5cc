"""Corrections, the ledger and the audit over the API."""

import pytest

from tests.api.calling import KEY, PASSAGE, approval, draft_body, fields, problem, version_body

pytestmark = pytest.mark.django_db

NEW = "A bicycle repair takes at most 8 business days from drop-off."


@pytest.fixture
def told(as_agent, as_owner, item):
    """A conversation that was told an answer whose source has since been replaced."""
    as_agent.post(f"/drafts/{item['id']}/decision", approval(item))
    as_owner.put("/policies/workshop/versions/W1", version_body(status="retired"))
    right = [{"question_key": KEY, "section": "4", "text": NEW}]
    as_owner.put("/policies/workshop/versions/W2", version_body(statements=right))
    return item["conversation_id"]


def correction(told, **changes):
    return {
        "conversation_id": told,
        "question_key": KEY,
        "answer_text": NEW,
        "reason": "The old figure was a misprint.",
        "owner": "owner",
        **changes,
    }


def test_a_correction_without_a_draft_tells_the_customer_both_answers(as_agent, told):
    response = as_agent.post("/corrections", correction(told))

    issued = response.json()
    assert response.status_code == 201, response.content
    assert (issued["old_text"], issued["new_text"]) == (PASSAGE, NEW)
    assert (issued["owner"], issued["corrected_by"]) == ("owner", "agent")
    assert "5 business days" in issued["message"]
    assert "8 business days" in issued["message"]
    listed = as_agent.get(f"/corrections?conversation={told}").json()["items"]
    assert [each["id"] for each in listed] == [issued["id"]]


@pytest.mark.parametrize(
    ("asked", "count"),
    [
        ("", 1),
        (f"key={KEY}", 1),
        ("key=other::key", 0),
        ("owner=owner", 1),
        ("owner=nobody", 0),
        ("source=workshop", 1),
        ("source=elsewhere", 0),
        ("q=misprint%20figure", 1),
        ("q=misprint%20otherwise", 0),
        ("since=2020-01-01&until=2999-12-31", 1),
        ("until=2020-01-01", 0),
        ("since=2999-12-31", 0),
    ],
)
def test_the_list_is_narrowed_like_the_log_on_screen(as_agent, told, asked, count):
    as_agent.post("/corrections", correction(told))

    response = as_agent.get(f"/corrections?conversation={told}&{asked}")

    assert len(response.json()["items"]) == count
    if count:
        assert response.json()["items"][0]["source_document"] == "workshop"


@pytest.mark.parametrize("asked", ["since=01.02.2026", "since=1500-01-01", "until=9999-12-31", "owner=%00"])
def test_a_filter_that_is_not_understood_is_refused(as_agent, told, asked):
    problem(as_agent.get(f"/corrections?{asked}"), 422)


def test_both_texts_stay_in_the_ledger_and_the_new_one_is_locked(as_agent, told):
    as_agent.post("/corrections", correction(told))

    entries = as_agent.get(f"/conversations/{told}/ledger").json()["entries"]

    assert [(e["kind"], e["answer_text"], e["locked"]) for e in entries] == [
        ("ANSWER", PASSAGE, False),
        ("CORRECTION", NEW, True),
    ]
    assert entries[1]["supersedes"] == entries[0]["entry_id"]
    assert entries[1]["correction_event"]
    assert all(len(e["entry_hash"]) == 64 and e["position"] for e in entries)


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"reason": ""}, "reason"),
        ({"reason": "\u200b"}, "reason"),
        ({"owner": ""}, "owner"),
        ({"owner": "nobody"}, "owner"),
        ({"answer_text": None}, "answer_text"),
        ({"question_key": "nobody::knows"}, "question_key"),
        ({"conversation_id": "never-heard-of"}, "conversation_id"),
        ({"text": 4}, "text"),
    ],
)
def test_a_refused_correction_names_its_field(as_agent, told, change, field):
    assert fields(problem(as_agent.post("/corrections", correction(told, **change)), 422)) == [field]
    assert as_agent.get(f"/corrections?conversation={told}").json()["items"] == []


def test_where_nothing_was_said_there_is_nothing_to_correct(as_agent, item):
    refusal = problem(as_agent.post("/corrections", correction(item["conversation_id"])), 409)

    assert [b["code"] for b in refusal["blockers"]] == ["nothing_to_correct"]


def test_a_conversation_that_was_told_nothing_has_an_empty_ledger(as_agent, item):
    ledger = as_agent.get(f"/conversations/{item['conversation_id']}/ledger").json()

    assert ledger == {"conversation_id": item["conversation_id"], "entries": []}


@pytest.mark.parametrize("path", ["/conversations/%00/ledger", f"/conversations/{'x' * 300}/ledger"])
def test_a_conversation_that_cannot_be_is_not_found(as_agent, path):
    problem(as_agent.get(path), 404)


def test_the_audit_has_five_checks(as_manager, item):
    checks = as_manager.get("/audit").json()["checks"]

    assert [check["id"] for check in checks] == [1, 2, 3, 4, 5]
    assert all(check["healthy"] is (check["rows"] <= check["threshold"]) for check in checks)


def test_words_said_past_the_desk_are_withdrawn_as_the_blocker_says(as_agent, item):
    as_agent.post(f"/drafts/{item['id']}/decision", approval(item))
    thread = item["conversation_id"]
    wrong = "A bicycle repair takes at most 9 business days from drop-off."
    reply = {"id": "m-out", "role": "agent", "text": f"Hello,\n\n{wrong}", "sent_at": "2026-03-04T10:00:00Z"}
    as_agent.post("/messages", {"conversation_id": thread, "message": reply})
    again = draft_body()
    again["conversation"]["id"] = thread
    again["conversation"]["messages"][0]["id"] = "m3"
    waiting = as_agent.post("/drafts", again).json()
    (blocker,) = [b for b in waiting["analysis"]["blocked_by"] if b["code"] == "thread_answer_differs"]
    assert "in message m-out, by a correction" in blocker["message"]

    refused = problem(as_agent.post("/corrections", correction(thread, answer_text=PASSAGE)), 409)
    assert [b["code"] for b in refused["blockers"]] == ["correction_changes_nothing"]
    assert "`outside`, with message_id and words" in refused["detail"]
    assert "in message m-out. Withdraw those words instead: name that message and its words" in refused["detail"]
    assert f"“{wrong}”" in refused["detail"]

    outside = {"message_id": "m-out", "words": wrong}
    made = as_agent.post("/corrections", correction(thread, answer_text=PASSAGE, outside=outside))
    assert made.status_code == 201, made.content
    assert (made.json()["old_text"], made.json()["new_text"]) == (wrong, PASSAGE)
    shown = as_agent.get(f"/drafts/{waiting['id']}").json()
    assert "thread_answer_differs" not in [b["code"] for b in shown["analysis"]["blocked_by"]]
