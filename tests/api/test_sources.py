"""Keys, policy versions and conflicts over the API."""

import pytest

from tests.api.calling import KEY, PASSAGE, approval, draft_body, fields, problem, version_body

pytestmark = pytest.mark.django_db


def test_a_key_is_created_replaced_and_listed(as_owner, key_body):
    created = as_owner.put(f"/keys/{KEY}", key_body)
    replaced = as_owner.put(f"/keys/{KEY}", {**key_body, "examples": ["How many days?"], "owner": "owner"})

    assert (created.status_code, replaced.status_code) == (201, 200)
    assert as_owner.get(f"/keys/{KEY}").json() == {
        "key": KEY,
        "question_canonical": key_body["question_canonical"],
        "commitment_class": "binding_policy",
        "deciding_facts": ["handed_in_on"],
        "parent": None,
        "boundary": None,
        "examples": ["How many days?"],
        "owner": "owner",
    }
    assert KEY in [each["key"] for each in as_owner.get("/keys?limit=200").json()["items"]]


@pytest.mark.parametrize("key", ["Repair::bicycle", "repair", "repair::bi cycle", "repair::bіcycle", "re%00pair::b"])
def test_a_key_outside_the_grammar_is_refused(as_owner, key_body, key):
    response = as_owner.put(f"/keys/{key}", key_body)

    assert response.status_code in {404, 422}
    problem(response, response.status_code)


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"question_canonical": " "}, "question_canonical"),
        ({"commitment_class": "rumour"}, "commitment_class"),
        ({"deciding_facts": "handed_in_on"}, "deciding_facts"),
        ({"parent": "nobody::knows", "boundary": "No."}, "parent"),
        ({"parent": KEY, "boundary": "No."}, "parent"),
        ({"owner": "nobody"}, "owner"),
        ({"owner": "agent"}, "owner"),
    ],
)
def test_a_refused_key_names_its_field(as_owner, key_body, change, field):
    assert fields(problem(as_owner.put(f"/keys/{KEY}", {**key_body, **change}), 422)) == [field]


@pytest.mark.parametrize(("path", "field"), [("work%E2%80%8Bshop/versions/W9", "doc_id"),
                                             ("workshop/versions/W%E2%80%AE9", "version")])  # fmt: skip
def test_a_name_that_cannot_be_told_apart_is_refused(as_owner, sources, path, field):
    assert fields(problem(as_owner.put(f"/policies/{path}", version_body()), 422)) == [field]


def test_a_field_that_nobody_reads_is_refused_with_the_one_that_may_be_meant(as_owner, sources, key_body):
    slipped = as_owner.put("/policies/workshop/versions/W9", version_body(effective_untill="2026-06-01"))
    of_key = as_owner.put(f"/keys/{KEY}", {**key_body, "deciding_fact": []})

    assert fields(problem(slipped, 422)) == ["effective_untill"]
    assert "Did you mean effective_until?" in slipped.json()["detail"]
    assert "Did you mean deciding_facts?" in problem(of_key, 422)["detail"]
    problem(as_owner.get("/policies/workshop/versions/W9"), 404)


def test_a_version_is_published_and_shown(as_owner, sources):
    shown = as_owner.get("/policies/workshop/versions/W1").json()

    assert shown == {**version_body(), "doc_id": "workshop", "version": "W1", "status": "active", "body": None}
    listed = as_owner.get("/policies?limit=200").json()["items"]
    assert ("workshop", "W1") in [(each["doc_id"], each["version"]) for each in listed]


def test_the_documents_id_in_the_path_wins(as_owner, sources):
    as_owner.put("/policies/workshop/versions/W1", version_body(doc_id="elsewhere", title="New title"))

    assert as_owner.get("/policies/workshop/versions/W1").json()["title"] == "New title"


def test_a_later_version_closes_its_open_ended_predecessor(as_owner, sources):
    as_owner.put("/policies/workshop/versions/W2", version_body(effective_from="2026-07-01"))
    again = as_owner.put("/policies/workshop/versions/W1", version_body())

    assert again.status_code == 200
    assert as_owner.get("/policies/workshop/versions/W1").json()["effective_until"] == "2026-07-01"


def test_versions_of_one_document_that_share_a_day_are_refused_by_name(as_owner, sources):
    as_owner.put("/policies/workshop/versions/W2", version_body(effective_from="2026-07-01"))

    response = as_owner.put(
        "/policies/workshop/versions/W3", version_body(effective_from="2026-06-30", effective_until="2026-07-02")
    )

    refusal = problem(response, 409)
    assert "W1" in refusal["detail"]
    assert "W2" in refusal["detail"]
    problem(as_owner.get("/policies/workshop/versions/W3"), 404)


def test_what_an_answer_rests_on_cannot_be_rewritten(as_agent, as_owner, item):
    as_agent.post(f"/drafts/{item['id']}/decision", approval(item))
    rewritten = [{"question_key": KEY, "section": "4", "text": "A repair takes 9 days."}]

    response = as_owner.put("/policies/workshop/versions/W1", version_body(statements=rewritten))

    problem(response, 409)
    assert as_owner.get("/policies/workshop/versions/W1").json()["statements"][0]["text"] == PASSAGE


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"kind": "rumour"}, "kind"),
        ({"channels": []}, "channels"),
        ({"channels": "chat"}, "channels"),
        ({"channels": ["*"]}, "channels"),
        ({"deciding_date": None}, "deciding_date"),
        ({"effective_from": "01/02/2026"}, "effective_from"),
        ({"effective_from": None}, "effective_from"),
        ({"effective_until": "2026-01-01"}, "effective_until"),
        ({"status": "old"}, "status"),
        ({"statements": {}}, "statements"),
        ({"statements": [{"question_key": "nobody::knows", "section": "", "text": "x"}]}, "statements[0].question_key"),
        ({"statements": [{"question_key": KEY, "section": "1", "text": " "}]}, "statements[0].text"),
    ],
)
def test_a_refused_version_names_its_field(as_owner, sources, change, field):
    response = as_owner.put("/policies/workshop/versions/W9", version_body(**change))

    assert fields(problem(response, 422)) == [field]


def test_a_version_is_sent_with_its_whole_text_and_shown_with_it(as_owner, sources):
    body = f"Workshop terms\r\n\r\n{PASSAGE}\r\n"

    sent = as_owner.put("/policies/workshop/versions/W1", version_body(body=body))
    again = as_owner.put("/policies/workshop/versions/W1", version_body())
    listed = as_owner.get("/policies").json()["items"]

    assert sent.status_code == again.status_code == 200
    assert again.json()["body"] == body.replace("\r\n", "\n")
    assert "body" not in listed[0]
    assert as_owner.put("/policies/workshop/versions/W1", version_body(body="")).json()["body"] is None


@pytest.mark.parametrize(("body", "field"), [("Another text.", "statements[0].text"), (7, "body")])
def test_a_whole_text_without_the_passage_is_refused(as_owner, sources, body, field):
    response = as_owner.put("/policies/workshop/versions/W1", version_body(body=body))

    assert fields(problem(response, 422)) == [field]


def test_sending_a_third_partys_version_never_lets_it_answer(as_agent, as_owner, sources):
    as_owner.put("/policies/workshop/versions/W1", version_body(status="retired"))
    permitted = as_owner.put("/policies/sheet/versions/S1", version_body(kind="third_party", permitted=True))
    assert fields(problem(permitted, 422)) == ["permitted"]
    as_owner.put("/policies/sheet/versions/S1", version_body(kind="third_party"))

    item = as_agent.post("/drafts", draft_body()).json()

    router = item["analysis"]["router"]
    assert (router["version"], router["refusal"]) == (None, "channel_unsupported")


@pytest.mark.parametrize("name", ["V%00", "%20", "V%0A1", "V%E2%80%A8", "x" * 257])
def test_a_version_cannot_be_called_just_anything(as_owner, sources, name):
    problem(as_owner.put(f"/policies/workshop/versions/{name}", version_body()), 404)


@pytest.fixture
def conflict(as_agent, as_owner, sources):
    """A second document answers the same question, and a draft has met both."""
    other = [{"question_key": KEY, "section": "", "text": "Bicycle repairs take 10 business days."}]
    as_owner.put("/policies/flyer/versions/F1", version_body(kind="promotion", statements=other))
    item = as_agent.post("/drafts", draft_body()).json()
    (found,) = [c for c in as_owner.get("/conflicts?state=open").json()["items"] if c["question_key"] == KEY]
    return found, item


def test_sources_that_compete_are_one_open_conflict_and_hold_the_item(as_agent, as_owner, conflict):
    found, item = conflict
    as_agent.post("/drafts", draft_body())

    assert item["analysis"]["gate"]["branch"] == "first_ask_multiple_active_sources_conflict"
    assert item["analysis"]["gate"]["handler"] == "policy_owner"
    assert sorted(found["versions"]) == ["F1", "W1"]
    assert found["state"] == "open"
    assert found["due_at"].endswith("Z")
    assert as_owner.get(f"/conflicts/{found['id']}").json() == found
    assert {c["id"]: c["rows"] for c in as_owner.get("/audit").json()["checks"]}[2] >= 1
    assert len([c for c in as_owner.get("/conflicts").json()["items"] if c["question_key"] == KEY]) == 1


def test_a_resolution_frees_the_held_item(as_agent, as_owner, conflict):
    found, item = conflict
    body = {"keep": "W1", "retire": ["F1"], "reason": "The flyer ran out in spring."}

    response = as_owner.post(f"/conflicts/{found['id']}/resolution", body)

    assert response.status_code == 200
    assert response.json()["state"] == "resolved"
    branch = as_agent.get(f"/drafts/{item['id']}").json()["analysis"]["gate"]["branch"]
    assert branch == "first_ask_key_resolved_single_active_source"
    problem(as_owner.post(f"/conflicts/{found['id']}/resolution", body), 409)


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"reason": ""}, "reason"),
        ({"reason": None}, "reason"),
        ({"keep": "W7"}, "keep"),
        ({"keep": None}, "keep"),
        ({"retire": ["W7"]}, "retire[0]"),
        ({"retire": "F1"}, "retire"),
        ({"narrow": [{"version": "W7"}]}, "narrow[0].version"),
        ({"narrow": [{"version": "F1", "channels": []}]}, "narrow[0]"),
        ({"retire": [], "narrow": [{"version": "F1"}]}, "narrow[0].version"),
        ({"retire": [], "narrow": [{"version": "F1", "channels": []}]}, "narrow[0].channels"),
        ({"retire": [], "narrow": [{"version": "F1", "channels": ["moon"]}]}, "narrow[0].channels"),
        ({"retire": [], "narrow": [{"version": "F1", "effective_until": "soon"}]}, "narrow[0].effective_until"),
        ({"retire": [], "narrow": [{"version": "F1", "effective_from": "1999-01-01"}]}, "narrow[0].effective_from"),
        ({"seen": "an older page"}, "seen"),
    ],
)
def test_a_refused_resolution_names_its_field(as_owner, conflict, change, field):
    found, _item = conflict
    body = {"keep": "W1", "retire": ["F1"], "reason": "The flyer ran out.", **change}

    assert fields(problem(as_owner.post(f"/conflicts/{found['id']}/resolution", body), 422)) == [field]
    assert as_owner.get(f"/conflicts/{found['id']}").json()["state"] == "open"


def test_a_resolution_narrows_a_version_and_says_so(as_agent, as_owner, conflict):
    found, item = conflict
    shown = as_owner.get(f"/conflicts/{found['id']}").json()
    (flyer,) = [member for member in shown["members"] if member["name"] == "F1"]
    kept = [channel for channel in flyer["channels"] if channel != shown["channel"]]
    way = {"channels": kept} if kept else {"effective_until": "2026-01-02"}
    body = {"keep": "W1", "narrow": [{"version": "F1", **way}], "reason": "Only there.", "seen": shown["seen"]}

    response = as_owner.post(f"/conflicts/{found['id']}/resolution", body)

    assert response.status_code == 200, response.text
    (flyer,) = [member for member in response.json()["members"] if member["name"] == "F1"]
    assert flyer["outcome"] == "narrowed"
    assert flyer["narrowed_to"][next(iter(way))] == next(iter(way.values()))
    branch = as_agent.get(f"/drafts/{item['id']}").json()["analysis"]["gate"]["branch"]
    assert branch == "first_ask_key_resolved_single_active_source"


@pytest.mark.parametrize("name", ["7", "%00", "0b6d7a4e-32f4-4c6e-9d27-7f1f0f3a5c11"])
def test_an_unknown_conflict_is_not_found(as_owner, name):
    problem(as_owner.get(f"/conflicts/{name}"), 404)
    body = {"keep": "a", "retire": [], "reason": "b"}
    problem(as_owner.post(f"/conflicts/{name}/resolution", body), 404)
