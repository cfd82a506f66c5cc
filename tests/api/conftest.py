"""Callers of the API with every scope, and sources to ask about."""

import pytest

from tests.api.calling import KEY, Caller, draft_body, token_for, version_body


@pytest.fixture
def as_agent(people):
    return Caller(token_for(people["agent"]))


@pytest.fixture
def as_agent2(people):
    return Caller(token_for(people["agent2"]))


@pytest.fixture
def as_owner(people):
    return Caller(token_for(people["owner"]))


@pytest.fixture
def as_manager(people):
    return Caller(token_for(people["manager"]))


@pytest.fixture
def as_admin(people):
    return Caller(token_for(people["admin"]))


@pytest.fixture
def key_body():
    return {"question_canonical": "How long does a bicycle repair take?", "deciding_facts": ["handed_in_on"]}


@pytest.fixture
def sources(as_owner, key_body):
    """One key, and one version that answers it."""
    assert as_owner.put(f"/keys/{KEY}", key_body).status_code in {200, 201}
    assert as_owner.put("/policies/workshop/versions/W1", version_body()).status_code in {200, 201}


@pytest.fixture
def item(as_agent, sources):
    """A pending item that nothing blocks."""
    response = as_agent.post("/drafts", draft_body())
    assert response.status_code == 201, response.content
    return response.json()
