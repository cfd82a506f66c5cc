"""The description: open to read, complete, and true of what the API answers."""

import json

import pytest
from django.test import Client

from console.api.schemas import answers
from tests.api.calling import KEY, approval, draft_body

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def schema():
    response = Client().get("/api/v1/openapi.json")
    assert response.status_code == 200
    return response.json()


def references(node):
    if isinstance(node, dict):
        yield from (value for name, value in node.items() if name == "$ref")
        node = list(node.values())
    if isinstance(node, list):
        for each in node:
            yield from references(each)


def test_every_reference_leads_somewhere(schema):
    known = {f"#/components/schemas/{name}" for name in schema["components"]["schemas"]}

    assert set(references(schema)) <= known
    assert not {name for name in schema["components"]["schemas"] if "$defs" in json.dumps(schema)}


def test_every_operation_says_what_it_takes_and_answers(schema):
    for path, operations in schema["paths"].items():
        named = {part[1:-1] for part in path.split("/") if part.startswith("{")}
        for method, operation in operations.items():
            described = {p["name"] for p in operation["parameters"] if p["in"] == "path"}
            assert described == named, path
            assert ("requestBody" in operation) is (method in {"post", "put", "patch"}), path
            assert operation["security"], path
            assert {"401", "403"} <= set(operation["responses"]), path
            assert any(status.startswith("2") for status in operation["responses"]), path


def test_fields_are_described_under_the_names_they_are_sent_with(schema, as_agent, sources):
    item = as_agent.post("/drafts", draft_body("We will call you back tomorrow.")).json()

    described = schema["components"]["schemas"]["ClaimAnswer"]
    assert set(described["required"]) == set(described["properties"]) == set(item["analysis"]["claims"][0])


def test_operations_have_names_of_their_own(schema):
    names = [operation["operationId"] for operations in schema["paths"].values() for operation in operations.values()]

    assert len(names) == len(set(names))


def test_it_is_read_only(client):
    assert Client().post("/api/v1/openapi.json").status_code == 405


def test_answers_are_as_described(as_agent, as_owner, item):
    body = draft_body()
    del body["draft"]
    answers.AskAnswer.model_validate(as_agent.post("/asks", body).json())
    answers.ItemAnswer.model_validate(item)
    decided = as_agent.post(f"/drafts/{item['id']}/decision", approval(item)).json()
    answers.ItemAnswer.model_validate(decided)
    answers.ItemPage.model_validate(as_agent.get("/drafts").json())
    answers.KeyPage.model_validate(as_agent.get("/keys").json())
    answers.VersionPage.model_validate(as_agent.get("/policies").json())
    answers.SourceConflictPage.model_validate(as_agent.get("/conflicts").json())
    answers.AuditAnswer.model_validate(as_owner.get("/audit").json())
    answers.CorrectionPage.model_validate(as_agent.get("/corrections").json())
    answers.KeyAnswer.model_validate(as_agent.get(f"/keys/{KEY}").json())
    answers.LedgerAnswer.model_validate(as_agent.get(f"/conversations/{item['conversation_id']}/ledger").json())
    ticket = as_agent.patch(f"/tickets/{item['ticket']['id']}", {"status": "open"}).json()
    answers.TicketAnswer.model_validate(ticket)
