"""Evidence packs as the services make them, checked by the verifier that is handed out."""

import hashlib
import json
import re
import subprocess
import sys
from dataclasses import replace
from datetime import timedelta

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from drafts.decisions import evidence as packing
from drafts.evidence_verifier.verify_evidence import examine
from drafts.models import Attempt, Conversation, EvidencePack, MessageRevision
from drafts.services import correcting, evidence
from drafts.services.correcting import CorrectionWanted
from ledger.gateways import signing
from tests import builders

NEW_ANSWER = "You can return an unused lamp within 14 days of receipt."


@pytest.fixture(autouse=True)
def keys(settings, tmp_path):
    """Keys that vanish with the test."""
    settings.DATA_DIR, settings.EVIDENCE_KEY_FILE = tmp_path / "data", ""


@pytest.fixture
def conversation(people):
    """A customer who was answered, told again, and corrected."""
    builders.return_policy(people["owner"])
    name = builders.locked(people["agent"])
    builders.approve(builders.item(conversation=name), people["agent"])
    correct(name, people)
    return Conversation.objects.get(external_id=name)


def correct(name, people):
    return correcting.correct(
        conversation_id=name,
        question_key=builders.RETURN_KEY,
        wanted=CorrectionWanted(NEW_ANSWER, "Unclear.", "owner"),
        actor=people["manager"],
        now=timezone.now(),
        calendar=builders.calendar(),
    )


def made(conversation, actor, form="json", now=None):
    return evidence.make(conversation_id=conversation.pk, form=form, actor=actor, now=now or timezone.now())


def content(pack):
    return json.loads(pack.data)["content"]


@pytest.mark.parametrize("form", evidence.FORMS)
def test_what_was_made_is_verified_by_a_program_that_knows_nothing_of_us(conversation, manager, form):
    pack = made(conversation, manager, form)

    report = examine(pack.data, wanted=signing.load("evidence").key_id)

    assert report.broken == []
    assert "3 entries without a gap" in " ".join(report.holds)


@pytest.mark.parametrize("form", evidence.FORMS)
def test_the_same_records_person_and_instant_give_the_same_bytes(conversation, manager, form):
    now = timezone.now()

    assert made(conversation, manager, form, now).data == made(conversation, manager, form, now).data


def test_another_instant_changes_the_bytes_and_not_the_digest_of_the_records(conversation, manager, agent):
    one, other = made(conversation, manager), made(conversation, agent, now=timezone.now() + timedelta(hours=1))

    assert one.data != other.data
    assert json.loads(one.data)["content_sha256"] == json.loads(other.data)["content_sha256"]


@pytest.mark.parametrize("form", evidence.FORMS)
def test_who_had_it_made_is_kept_with_the_digest_of_the_very_bytes(conversation, manager, form):
    pack = made(conversation, manager, form)

    row = EvidencePack.objects.get(conversation=conversation)
    assert (row.made_by, row.form, row.made_at) == (manager, form, pack.made_at)
    assert row.sha256 == hashlib.sha256(pack.data).hexdigest()
    assert row.key_id == signing.load("evidence").key_id


@pytest.mark.parametrize("form", evidence.FORMS)
def test_a_pack_can_be_made_again_until_something_is_added(conversation, manager, form):
    pack = made(conversation, manager, form)
    row = EvidencePack.objects.get(conversation=conversation)

    again = evidence.make_again(row.pk)
    conversation.messages.create(
        external_id="later", ordinal=99, role="customer", text="One more thing.", received_at=timezone.now()
    )

    assert again.data == pack.data
    with pytest.raises(evidence.NotTheSame):
        evidence.make_again(row.pk)
    assert EvidencePack.objects.count() == 1


def test_it_holds_everything_that_is_kept(conversation, manager, agent):
    told = content(made(conversation, manager))

    assert [entry["columns"]["kind"] for entry in told["entries"]] == ["ANSWER", "REPLAY", "CORRECTION"]
    assert told["entries"][0]["columns"]["answer_source"]["passage"] == builders.PASSAGE
    assert {turn["role"] for turn in told["transcript"]} == {"customer"}
    assert [one["kind"] for one in told["decisions"]] == ["approve", "approve"]
    assert [(one["reason"], one["owner"], one["new_text"]) for one in told["corrections"]] == [
        ("Unclear.", "owner", NEW_ANSWER)
    ]
    assert len(told["deliveries"]) == 3
    assert told["people"]["agent"] == agent.get_full_name()
    assert told["found_when_made"] == []


def test_edits_attempts_and_notes_are_in_it(conversation, manager):
    now, message = timezone.now(), conversation.messages.first()
    MessageRevision.objects.create(message=message, text="How short?", learnt_at=now, replaced_at=now)
    conversation.messages.create(external_id="n", ordinal=50, role="note", text="Angry.", received_at=now)
    Attempt.objects.create(
        delivery=conversation.deliveries.first(), number=1, fence=1, url="https://a:b@desk.example:8443/in?token=secret",
        started_at=now, ended_at=now, outcome="taken", status=200, said="ok",
    )  # fmt: skip

    pack = made(conversation, manager)
    told = content(pack)

    assert told["transcript"][0]["earlier_texts"][0]["text"] == "How short?"
    assert told["transcript"][-1]["role"] == "note"
    tries = [attempt for delivery in told["deliveries"] for attempt in delivery["attempts"]]
    assert [attempt["address"] for attempt in tries] == ["https://desk.example:8443/in?…"]
    assert b"secret" not in pack.data
    assert examine(pack.data).broken == []


def test_what_is_gone_is_named(conversation, manager):
    conversation.messages.create(external_id="e", ordinal=9, role="customer", text="", received_at=timezone.now())

    absent = " ".join(content(made(conversation, manager))["absent"])

    assert "no longer kept: 3, 4, 5, 6, 7, 8." in absent
    assert "whose text is no longer kept: 9." in absent
    assert "no time of sending" in absent


def test_a_conversation_without_anything_gives_a_pack_that_says_so(people, manager):
    empty = Conversation.objects.create(external_id=builders.unique("empty"), created_at=timezone.now())

    for form in evidence.FORMS:
        assert examine(made(empty, manager, form).data).broken == []


def test_nothing_is_recorded_where_there_is_too_much_for_one_pack(conversation, manager, monkeypatch):
    monkeypatch.setattr(packing, "MOST_TURNS", 3)

    with pytest.raises(packing.TooLarge, match="at most 3"):
        made(conversation, manager)
    assert not EvidencePack.objects.exists()


def test_a_long_conversation_is_whole(conversation, manager, django_assert_max_num_queries):
    now = timezone.now()
    conversation.messages.bulk_create(
        conversation.messages.model(
            conversation=conversation, external_id=f"x{n}", ordinal=n, role="customer", text=f"Number {n}",
            received_at=now,
        )
        for n in range(10, 3010)
    )  # fmt: skip

    with django_assert_max_num_queries(25):
        pack = made(conversation, manager, "html")

    assert examine(pack.data).broken == []
    assert b"Number 3009" in pack.data


def test_the_command_writes_both_forms_and_the_program_that_checks_them(conversation, tmp_path):
    call_command("evidence", conversation.external_id, out=tmp_path, user="manager")

    files = sorted(path.name for path in tmp_path.iterdir() if path.is_file())
    assert [name.rpartition(".")[2] for name in files] == ["html", "json", "py"]
    assert EvidencePack.objects.filter(made_by__username="manager").count() == 2
    for name in files[:2]:
        run = subprocess.run(
            [sys.executable, "-I", tmp_path / files[2], tmp_path / name], capture_output=True, check=False, env={}
        )
        assert run.returncode == 0, run.stdout
        assert EvidencePack.objects.filter(sha256=hashlib.sha256((tmp_path / name).read_bytes()).hexdigest()).exists()


@pytest.mark.parametrize(
    ("name", "spelled"),
    [
        ("ticket-4711", "ticket-4711"),
        ("shop/ticket 4711", "shop-ticket-4711"),
        ("../../etc/passwd", "etc-passwd"),
        ('a"b\r\nX: y', "a-b-X-y"),
        ("会話", "conversation"),
        ("a" * 300, "a" * 48),
    ],
)
def test_a_file_bears_the_conversations_name_in_letters_that_every_system_takes(conversation, manager, name, spelled):
    pack = replace(made(conversation, manager), conversation=name)

    assert re.fullmatch(rf"evidence-{spelled}-[0-9a-f]{{8}}-\d{{8}}T\d{{6}}Z\.json", pack.file_name)
    assert pack.file_name != replace(pack, conversation=f"{name}/").file_name


def test_the_command_makes_a_recorded_pack_again(conversation, tmp_path):
    call_command("evidence", conversation.external_id, out=tmp_path / "one")
    row = EvidencePack.objects.get(form="html")

    call_command("evidence", again=row.sha256, out=tmp_path / "two")

    one, two = next((tmp_path / "one").glob("*.html")), next((tmp_path / "two").glob("*.html"))
    assert one.read_bytes() == two.read_bytes()
    assert row.made_by is None


@pytest.mark.parametrize(
    ("arguments", "options"),
    [
        ((), {}),
        (("nobody",), {}),
        ((), {"again": "00"}),
        (("{name}",), {"user": "nobody"}),
        (("{name}",), {"checkpoint": __file__}),
        (("{name}",), {"out": "/dev/null/folder"}),
    ],
    ids=["nothing-named", "unknown", "no-such-pack", "no-such-user", "no-checkpoint", "no-folder"],
)
def test_the_command_says_what_it_cannot_do(conversation, tmp_path, arguments, options):
    named = [argument.format(name=conversation.external_id) for argument in arguments]

    with pytest.raises(CommandError):
        call_command("evidence", *named, **{"out": str(tmp_path), **options})
