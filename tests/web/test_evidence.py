"""Evidence packs on the page of a conversation: made by a form, handed out as a file, listed with who had them made."""

import hashlib
import re
from datetime import timedelta
from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django.asserts import assertContains, assertNotContains

from drafts.decisions import evidence as packing
from drafts.evidence_verifier import verify_evidence
from drafts.evidence_verifier.verify_evidence import examine
from drafts.models import EvidencePack
from tests import builders
from tests.web.conftest import signed_in

VERIFIER = "/evidence/verify_evidence.py"


@pytest.fixture(autouse=True)
def keys(settings, tmp_path):
    """Keys that vanish with the test."""
    settings.DATA_DIR, settings.EVIDENCE_KEY_FILE = tmp_path, ""


@pytest.fixture
def conversation(policy, agent):
    """A customer who was answered."""
    return builders.item(conversation=builders.locked(agent)).conversation


def make(client, conversation, form="json", **more):
    return client.post(reverse("conversation-evidence", args=[conversation.pk]), {"form": form}, **more)


@pytest.mark.parametrize("form", ["json", "html"])
def test_a_pack_is_handed_out_as_a_file_that_can_do_nothing(console, conversation, form):
    response = make(console, conversation, form)

    assert response.status_code == 200
    named = re.escape(conversation.external_id)
    assert re.fullmatch(
        rf'attachment; filename="evidence-{named}-[0-9a-f]{{8}}-\d{{8}}T\d{{6}}Z\.{form}"',
        response["Content-Disposition"],
    )
    assert response["Content-Security-Policy"].startswith("sandbox; default-src 'none';")
    assert (response["Cache-Control"], response["X-Content-Type-Options"]) == ("no-store", "nosniff")
    assert examine(response.content).broken == []
    assert EvidencePack.objects.get().sha256 == hashlib.sha256(response.content).hexdigest()


def test_the_page_lists_the_packs_that_were_made(console, conversation, agent):
    url = reverse("conversation", args=[conversation.pk])
    assertContains(console.get(url), "No pack has been made of this conversation yet.")
    make(console, conversation)
    make(console, conversation, "html")

    page = console.get(url)

    assertContains(page, "Packs made: 2")
    assertContains(page, f"</time>, by <bdi>{agent.get_full_name()}</bdi></p>", count=2)
    for pack in EvidencePack.objects.all():
        assertContains(page, pack.sha256)
        assertContains(page, pack.key_id)


def test_a_long_list_of_packs_shows_the_newest(console, conversation):
    first = EvidencePack.objects.create(
        conversation=conversation, form="json", made_at=conversation.created_at, sha256="0" * 64, key_id="k"
    )
    for number in range(20):
        EvidencePack.objects.create(
            conversation=conversation, form="json", made_at=conversation.created_at + timedelta(days=1),
            sha256=f"{number + 1:064}", key_id="k",
        )  # fmt: skip

    page = console.get(reverse("conversation", args=[conversation.pk]))

    assertContains(page, "Packs made: more than 20")
    assertNotContains(page, first.sha256)


@pytest.mark.parametrize("form", ["", "pdf", "JSON", "json\x00"])
def test_any_other_form_is_refused_in_words(console, conversation, form):
    response = make(console, conversation, form)

    assertContains(response, "Choose one of the two forms.", status_code=422)
    assert not EvidencePack.objects.exists()


def test_what_is_too_large_is_refused_whole(console, conversation, monkeypatch):
    monkeypatch.setattr(packing, "MOST_TURNS", 1)

    assertContains(make(console, conversation), "half a pack would prove little", status_code=422)
    assert not EvidencePack.objects.exists()


def test_without_a_key_nothing_is_signed_and_nothing_recorded(console, conversation, settings):
    settings.EVIDENCE_KEY_FILE = "/nowhere/key.pem"

    assertContains(make(console, conversation), "Nothing can be signed.", status_code=503)
    assert not EvidencePack.objects.exists()


def test_a_conversation_that_is_not_there_or_not_for_this_person_is_not_found(console, conversation, django_user_model):
    nobody = signed_in(django_user_model.objects.create_user("nobody-yet", password="x"))

    assert (
        console.post(reverse("conversation-evidence", args=[conversation.pk + 999]), {"form": "json"}).status_code
        == 404
    )
    assert make(nobody, conversation).status_code == 404
    assert not EvidencePack.objects.exists()


def test_it_is_made_by_a_form_with_a_token_and_by_no_link(agent, conversation):
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(agent)

    assert make(strict, conversation).status_code == 403
    assert strict.get(reverse("conversation-evidence", args=[conversation.pk])).status_code == 405


def test_the_verifier_is_handed_out_to_anybody_as_it_is(client):
    response = client.get(VERIFIER)

    assert response.content == Path(verify_evidence.__file__).read_bytes()
    assert response["Content-Disposition"] == 'attachment; filename="verify_evidence.py"'
    assert client.post(VERIFIER).status_code == 405
