"""Evidence packs over the API: the very bytes that the verifier takes."""

import hashlib

import pytest

from drafts.decisions import evidence as packing
from drafts.evidence_verifier.verify_evidence import examine
from drafts.models import EvidencePack
from tests.api.calling import approval, problem


@pytest.fixture(autouse=True)
def keys(settings, tmp_path):
    """Keys that vanish with the test."""
    settings.DATA_DIR, settings.EVIDENCE_KEY_FILE = tmp_path, ""


def address(item):
    return f"/conversations/{item['conversation_id']}/evidence"


def test_a_pack_comes_as_it_was_signed_and_is_recorded(as_agent, as_manager, item, manager):
    assert as_agent.post(f"/drafts/{item['id']}/decision", approval(item)).status_code == 200

    response = as_manager.get(address(item))

    assert (response.status_code, response.headers["Content-Type"]) == (200, "application/json")
    assert examine(response.content).broken == []
    row = EvidencePack.objects.get()
    assert (row.made_by, row.form) == (manager, "json")
    assert row.sha256 == hashlib.sha256(response.content).hexdigest()


def test_an_unknown_conversation_is_not_found(as_agent, item):
    problem(as_agent.get("/conversations/nobody/evidence"), 404)


def test_what_is_too_large_is_refused_whole(as_agent, item, monkeypatch):
    monkeypatch.setattr(packing, "MOST_TURNS", 0)

    problem(as_agent.get(address(item)), 422)
    assert not EvidencePack.objects.exists()


def test_without_a_key_nothing_is_signed(as_agent, item, settings):
    settings.EVIDENCE_KEY_FILE = "/nowhere/key.pem"

    problem(as_agent.get(address(item)), 503)
    assert not EvidencePack.objects.exists()
