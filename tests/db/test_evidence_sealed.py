"""Evidence packs of a ledger that is sealed, and of one that somebody with every right has written anew."""

import hashlib
import json
from dataclasses import replace

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.utils import timezone

from drafts.evidence_verifier.verify_evidence import examine
from drafts.models import Conversation, EvidencePack
from drafts.services import evidence
from ledger.decisions.checkpoints import signed
from ledger.gateways import signing
from tests import builders
from tests.db.ledger_help import unprotected
from tests.db.sealing_help import begin_anew, folder, point_settings_at, sealed

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def name(people, settings, tmp_path, admin_connection):
    """A customer who was answered, in a ledger that nobody has sealed yet."""
    point_settings_at(settings, tmp_path)
    begin_anew(admin_connection)
    builders.return_policy(people["owner"], doc_id=builders.unique("returns"))
    return builders.locked(people["agent"])


def made(name, form="json", kept=None):
    conversation, now = Conversation.objects.get(external_id=name), timezone.now()
    return evidence.make(conversation_id=conversation.pk, form=form, actor=None, now=now, kept=kept).data


def content(data):
    return json.loads(data)["content"]


def test_a_sealed_entry_is_tied_to_the_first_checkpoint_that_covers_it(name, settings):
    before = content(made(name))
    kept = sealed(settings).note.encode()
    first = made(name)
    builders.locked(User.objects.get(username="agent"))
    sealed(settings)

    assert (before["checkpoints"], before["not_covered"]) == ([], [1])
    assert content(made(name)) == content(first)
    assert content(first)["not_covered"] == []
    assert examine(first, kept=kept).broken == []
    assert examine(made(name, "html"), kept=kept).broken == []


def test_a_pack_can_be_tied_to_a_checkpoint_that_somebody_kept(name, settings, tmp_path):
    sealed(settings)
    builders.locked(User.objects.get(username="agent"))
    later = sealed(settings)
    file = tmp_path / "kept"
    file.write_text(later.note, encoding="utf-8")

    call_command("evidence", name, out=tmp_path / "packs", checkpoint=file)

    packs = [path.read_bytes() for path in (tmp_path / "packs").glob("evidence-*")]
    assert [examine(pack, kept=later.note.encode()).broken for pack in packs] == [[], []]
    assert "not tied to checkpoint 2" in " ".join(examine(made(name), kept=later.note.encode()).broken)


def forged(settings, tmp_path, **changes):
    """A checkpoint that says something else than the newest, signed with our own key or the one that is given."""
    signer = changes.pop("signer", None) or signing.load("checkpoints")
    says = replace(folder(settings).newest().says, public_key=signer.public_key, **changes)
    file = tmp_path / "forged"
    file.write_text(signed(says, signer.sign).note, encoding="utf-8")
    return file


def stranger(tmp_path):
    signing.create(tmp_path / "stranger.pem")
    return signing.read(tmp_path / "stranger.pem", "")


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        pytest.param({"size": 10**6, "number": 2}, "covers 1000000 entries, and only", id="larger"),
        pytest.param({"root": bytes(32), "number": 2}, "has another root than the first", id="other-root"),
        pytest.param({"root": bytes(32)}, "reads otherwise in the database", id="other-form"),
    ],
)
def test_a_pack_is_tied_to_no_checkpoint_that_the_ledger_does_not_fit(name, settings, tmp_path, changes, said):
    sealed(settings)

    with pytest.raises(CommandError, match=said):
        call_command("evidence", name, out=tmp_path / "packs", checkpoint=forged(settings, tmp_path, **changes))

    assert not EvidencePack.objects.exists()
    assert not (tmp_path / "packs").exists()


def test_a_pack_is_tied_to_no_checkpoint_that_was_changed_or_that_a_stranger_signed(name, settings, tmp_path):
    changed, other = tmp_path / "changed", stranger(tmp_path)
    changed.write_text(sealed(settings).note.replace("number 1", "number 8"), encoding="utf-8")
    strange = forged(settings, tmp_path, signer=other)

    for file, said in ((changed, "does not bear the signature"), (strange, f"key {other.key_id}, which nobody here")):
        with pytest.raises(CommandError, match=said):
            call_command("evidence", name, out=tmp_path / "packs", checkpoint=file)
    assert not EvidencePack.objects.exists()


def test_a_kept_checkpoint_that_the_database_lost_still_ties_a_pack(name, settings, tmp_path, admin_connection):
    file = tmp_path / "kept"
    file.write_text(sealed(settings).note, encoding="utf-8")
    with unprotected(admin_connection):
        admin_connection.execute("TRUNCATE ledger.checkpoint")

    call_command("evidence", name, out=tmp_path / "packs", checkpoint=file)

    packs = [path.read_bytes() for path in (tmp_path / "packs").glob("evidence-*")]
    assert [examine(pack, kept=file.read_bytes()).broken for pack in packs] == [[], []]


def test_a_kept_checkpoint_from_before_the_conversation_ties_nothing(name, settings, people, tmp_path):
    kept = sealed(settings).note.encode()
    later = builders.locked(people["agent"])
    sealed(settings)
    file = tmp_path / "kept"
    file.write_bytes(kept)

    call_command("evidence", later, out=tmp_path / "packs", checkpoint=file)

    [pack] = [path.read_bytes() for path in (tmp_path / "packs").glob("evidence-*.json")]
    assert "covers none of these entries" in " ".join(examine(pack, kept=kept).broken)


def rewrite(session, name, text):
    """Put other words into an answer, and compute its hash, its head and its leaf anew."""
    with unprotected(session):
        payload, prev = session.execute(
            "SELECT payload, prev_hash FROM ledger.entry WHERE conversation_id = %s", [name]
        ).fetchone()
        said = {**json.loads(payload), "answer_text": text}
        forged = json.dumps(said).encode()
        digest = hashlib.sha256(b"\x00" + prev + hashlib.sha256(forged).digest()).digest()
        session.execute(
            "UPDATE ledger.entry SET payload = %s, entry_hash = %s, answer_text = %s WHERE conversation_id = %s",
            [forged, digest, text, name],
        )
        session.execute("UPDATE ledger.head SET entry_hash = %s WHERE conversation_id = %s", [digest, name])
        session.execute("UPDATE ledger.leaf SET entry_hash = %s WHERE conversation_id = %s", [digest, name])


def test_a_history_that_was_written_anew_shows_against_the_checkpoint(name, settings, admin_connection):
    kept = sealed(settings).note.encode()
    rewrite(admin_connection, name, "You can return it within 90 days.")

    forged = made(name)
    with unprotected(admin_connection):
        admin_connection.execute("TRUNCATE ledger.leaf, ledger.checkpoint")
    settings.CHECKPOINT_DIR += "-emptied"
    sealed(settings)
    sealed_anew = made(name)

    assert "does not cover ledger entry 1" in " ".join(examine(forged).broken)
    assert examine(sealed_anew).broken == []
    assert "reads otherwise" in " ".join(examine(sealed_anew, kept=kept).broken)


def test_rows_that_were_changed_go_into_the_pack_as_they_are_and_are_told(name, admin_connection):
    with unprotected(admin_connection):
        admin_connection.execute("UPDATE ledger.entry SET answer_text = 'x' WHERE conversation_id = %s", [name])

    pack, page = made(name), made(name, "html")

    assert "answer_text" in " ".join(examine(pack).broken)
    assert "answer_text differ from the stored bytes" in " ".join(content(pack)["found_when_made"])
    assert b"Something did not fit when this pack was made" in page
