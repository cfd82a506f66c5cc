"""Who gets in: tokens, scopes, roles, and every operation of the description walked with each."""

import logging
import re
from datetime import timedelta

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone

from console import tokens
from console.api.urls import api
from console.models import ApiToken
from console.scopes import Scope
from tests.api.calling import Caller, draft_body, problem, token_for

pytestmark = pytest.mark.django_db

MATRIX = {
    # operation: (scopes of which one is enough, roles that may)
    "POST /drafts": ({"drafts"}, {"agent", "owner", "manager", "admin"}),
    "GET /drafts": ({"drafts", "read"}, {"agent", "owner", "manager", "admin"}),
    "GET /drafts/{item_id}": ({"drafts", "read"}, {"agent", "owner", "manager", "admin"}),
    "PATCH /drafts/{item_id}": ({"decide"}, {"agent", "owner"}),
    "POST /drafts/{item_id}/decision": ({"decide"}, {"agent", "owner"}),
    "POST /asks": ({"asks"}, {"agent", "owner", "manager", "admin"}),
    "PATCH /tickets/{ticket_id}": ({"tickets"}, {"agent", "owner", "manager", "admin"}),
    "POST /messages": ({"drafts", "tickets"}, {"agent", "owner", "manager", "admin"}),
    "GET /keys": ({"read", "policies"}, {"agent", "owner", "manager", "admin"}),
    "GET /keys/{key}": ({"read", "policies"}, {"agent", "owner", "manager", "admin"}),
    "PUT /keys/{key}": ({"policies"}, {"owner"}),
    "GET /policies": ({"read", "policies"}, {"agent", "owner", "manager", "admin"}),
    "GET /policies/{doc_id}/versions/{version}": ({"read", "policies"}, {"agent", "owner", "manager", "admin"}),
    "PUT /policies/{doc_id}/versions/{version}": ({"policies"}, {"owner"}),
    "GET /conflicts": ({"read", "policies"}, {"agent", "owner", "manager", "admin"}),
    "GET /conflicts/{conflict_id}": ({"read", "policies"}, {"agent", "owner", "manager", "admin"}),
    "POST /conflicts/{conflict_id}/resolution": ({"policies"}, {"owner"}),
    "GET /conversations/{conversation_id}/ledger": ({"read"}, {"agent", "owner", "manager", "admin"}),
    "GET /conversations/{conversation_id}/evidence": ({"read"}, {"agent", "owner", "manager", "admin"}),
    "POST /corrections": ({"decide"}, {"agent", "owner", "manager"}),
    "GET /corrections": ({"read"}, {"agent", "owner", "manager", "admin"}),
    "GET /audit": ({"read"}, {"agent", "owner", "manager", "admin"}),
}
METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS")


def described():
    schema = api.get_openapi_schema()
    return {
        f"{method.upper()} {path.removeprefix('/api/v1')}"
        for path, operations in schema["paths"].items()
        for method in operations
    }


def call(caller, operation, **more):
    method, path = operation.split(" ")
    return caller(method, re.sub(r"{\w+}", "00000000-0000-4000-8000-000000000000", path), {}, **more)


def test_every_operation_stands_in_the_matrix():
    assert described() == set(MATRIX)


@pytest.mark.parametrize("operation", MATRIX)
def test_an_operation_opens_to_its_scopes_and_roles_alone(people, operation):
    scopes, roles = MATRIX[operation]

    for name in ("agent", "owner", "manager", "admin"):
        for scope in Scope:
            response = call(Caller(token_for(people[name], scope)), operation)
            opened = response.status_code != 403
            assert opened is (scope in scopes and name in roles), (name, scope, response.status_code)
            assert response.status_code not in {401, 500}


@pytest.mark.parametrize("operation", MATRIX)
def test_nobody_gets_in_without_a_token(db, operation):
    response = call(Caller(None), operation)

    problem(response, 401)
    assert response.headers["WWW-Authenticate"].startswith("Bearer")
    assert response.headers["Cache-Control"] == "no-store"


@pytest.mark.parametrize("path", sorted({operation.split(" ")[1] for operation in MATRIX}))
def test_any_other_method_is_refused_with_those_that_are_taken(as_owner, path):
    taken = {operation.split(" ")[0] for operation in MATRIX if operation.split(" ")[1] == path}

    for method in set(METHODS) - taken:
        response = call(as_owner, f"{method} {path}")
        assert response.status_code == 405
        assert set(response.headers["Allow"].split(", ")) == taken
        assert response.headers["Content-Type"] == "application/problem+json"


@pytest.mark.parametrize("path", ["", "/", "/nothing", "/drafts/", "/drafts/x/y", "/docs", "/../healthz"])
def test_an_unknown_address_is_a_problem_document(as_agent, path):
    problem(as_agent.get(path or "/"), 404)


def test_a_token_that_is_revoked_opens_nothing_at_once(agent):
    caller = Caller(token_for(agent))
    before = caller.get("/drafts").status_code
    tokens.revoke(ApiToken.objects.get(user=agent), now=timezone.now())

    assert before == 200
    problem(caller.get("/drafts"), 401)


def test_a_token_that_is_expired_opens_nothing(agent):
    problem(Caller(token_for(agent, expires_at=timezone.now() - timedelta(seconds=1))).get("/drafts"), 401)


def test_a_token_of_a_disabled_person_opens_nothing(agent):
    caller = Caller(token_for(agent))
    agent.is_active = False
    agent.save()

    problem(caller.get("/drafts"), 401)


def test_a_token_reaches_no_further_than_its_user_when_a_role_is_taken_away(agent):
    caller = Caller(token_for(agent))
    agent.groups.clear()

    problem(caller.get("/drafts"), 403)


@pytest.mark.parametrize(
    "header",
    ["", "Bearer", "Bearer ", "Basic YWdlbnQ6eA==", "Bearer cs_short", "Bearer a b", "Token x", "Bearer " + "é" * 46],
)
def test_anything_but_a_whole_token_is_refused(db, header):
    response = Client().get("/api/v1/drafts", headers={"Authorization": header})

    problem(response, 401)


def test_a_token_in_the_address_is_refused_even_beside_a_good_one(agent):
    secret = token_for(agent)

    problem(Caller(None).get(f"/drafts?access_token={secret}"), 401)
    problem(Caller(secret).get(f"/drafts?cursor={secret}"), 401)


def test_a_session_opens_no_operation_and_a_token_no_page(agent):
    browser = Client()
    browser.force_login(agent)

    problem(browser.get("/api/v1/drafts"), 401)
    page = Client().get("/", headers={"Authorization": f"Bearer {token_for(agent)}"})
    assert page.status_code == 302


def test_a_refusal_is_logged_without_the_token(agent, caplog):
    secret = token_for(agent, Scope.ASKS)

    with caplog.at_level(logging.WARNING, logger="countersign.access"):
        Caller(secret).get("/drafts")
        Caller(None).get(f"/drafts?token={secret}")

    messages = [record.getMessage() for record in caplog.records if record.name == "countersign.access"]
    assert len(messages) == 2
    assert "agent" in messages[0]
    assert secret not in caplog.text


def test_only_a_digest_of_the_token_is_kept_and_its_use_is_noted(agent):
    secret = token_for(agent)
    Caller(secret).get("/drafts")

    token = ApiToken.objects.get(user=agent)

    assert secret.startswith("cs_")
    assert secret not in str(vars(token))
    assert token.last_used_at is not None


def test_another_use_within_a_minute_writes_nothing(agent, django_assert_num_queries):
    secret = token_for(agent)
    tokens.recognise(secret, now=timezone.now())

    with django_assert_num_queries(1):
        assert tokens.recognise(secret, now=timezone.now()) is not None


def test_the_command_prints_a_token_that_works(people, capsys):
    call_command("create_token", "chat bot", scopes="drafts, read", user="agent")

    caller = Caller(capsys.readouterr().out.strip())

    assert caller.get("/drafts").status_code == 200
    problem(caller.post("/asks", draft_body()), 403)


def test_the_command_says_which_scopes_the_role_never_allows(people, capsys):
    call_command("create_token", "all", scopes=",".join(Scope), user="admin")

    said = capsys.readouterr()

    assert said.out.startswith("cs_")
    assert "decide" in said.err
    assert "policies" in said.err


@pytest.mark.parametrize(
    "options",
    [
        {"scopes": "everything", "user": "agent"},
        {"scopes": "", "user": "agent"},
        {"scopes": "read", "user": "nobody"},
        {"scopes": "read", "user": "agent", "expires": "tomorrow"},
    ],
)
def test_the_command_refuses_what_it_cannot_issue(people, options):
    with pytest.raises(CommandError):
        call_command("create_token", "x", **options)

    assert not ApiToken.objects.exists()


def test_a_token_is_listed_and_revoked_by_name(agent, capsys):
    secret = token_for(agent, Scope.READ, name="nightly")

    call_command("list_tokens", format="json")
    listed = capsys.readouterr().out
    call_command("revoke_token", "nightly")

    assert '"nightly"' in listed
    assert secret not in listed
    problem(Caller(secret).get("/drafts"), 401)
    with pytest.raises(CommandError):
        call_command("revoke_token", "nightly")
