"""Keys are made once, stay private, and what is wrong with one is said in words."""

import stat
from concurrent.futures import ThreadPoolExecutor

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey
from cryptography.hazmat.primitives.serialization import BestAvailableEncryption, Encoding, NoEncryption, PrivateFormat

from ledger.decisions.checkpoints import key_id_of
from ledger.gateways import signing


@pytest.fixture(autouse=True)
def data_directory(settings, tmp_path):
    settings.DATA_DIR = tmp_path
    settings.CHECKPOINT_KEY_FILE = settings.EVIDENCE_KEY_FILE = ""
    return tmp_path


def test_a_key_is_made_at_first_use_and_kept(data_directory):
    first, again = signing.load("evidence"), signing.load("evidence")

    assert (first.key_id, len(first.public_key)) == (again.key_id, 32)
    assert first.key_id == key_id_of(first.public_key)
    assert stat.S_IMODE((data_directory / "keys" / "evidence.pem").stat().st_mode) == 0o600
    assert [file.name for file in (data_directory / "keys").iterdir()] == ["evidence.pem"]


def test_checkpoints_and_evidence_have_keys_of_their_own():
    assert signing.load("checkpoints").key_id != signing.load("evidence").key_id


def test_many_at_once_agree_on_one_key():
    with ThreadPoolExecutor(16) as pool:
        keys = set(pool.map(lambda _: signing.load("evidence").key_id, range(64)))

    assert len(keys) == 1


def test_what_was_signed_is_recognised_and_nothing_else():
    signer, other = signing.load("checkpoints"), signing.load("evidence")
    signature = signer.sign(b"said")

    assert signing.is_signed_by(signer.public_key, b"said", signature)
    assert not signing.is_signed_by(signer.public_key, b"Said", signature)
    assert not signing.is_signed_by(other.public_key, b"said", signature)
    assert not signing.is_signed_by(signer.public_key, b"said", signature[:-1])
    assert not signing.is_signed_by(b"short", b"said", signature)


def test_a_signer_does_not_show_its_key():
    assert repr(signing.load("evidence")) == f"Signer({signing.load('evidence').key_id})"


def test_the_setting_names_the_file(settings, tmp_path):
    file = tmp_path / "elsewhere.pem"
    signing.create(file)
    settings.EVIDENCE_KEY_FILE = str(file)

    assert signing.load("evidence").key_id == signing.read(file, "EVIDENCE_KEY_FILE").key_id


def test_a_named_file_that_is_missing_is_not_made(settings, tmp_path):
    settings.EVIDENCE_KEY_FILE = str(tmp_path / "none.pem")

    with pytest.raises(signing.KeyUnusable, match=r"no key file .*none.pem, which EVIDENCE_KEY_FILE names"):
        signing.load("evidence")
    assert not (tmp_path / "none.pem").exists()


def of_another_kind(file):
    file.write_bytes(X25519PrivateKey.generate().private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))


def with_a_pass_phrase(file):
    lock = BestAvailableEncryption(b"secret")
    file.write_bytes(Ed25519PrivateKey.generate().private_bytes(Encoding.PEM, PrivateFormat.PKCS8, lock))


@pytest.mark.parametrize(
    ("put", "said"),
    [
        pytest.param(lambda file: file.write_bytes(b""), "no key that can be read", id="empty"),
        pytest.param(lambda file: file.write_bytes(b"\x00garbage"), "no key that can be read", id="garbage"),
        pytest.param(of_another_kind, "another kind than Ed25519", id="other-kind"),
        pytest.param(with_a_pass_phrase, "no key that can be read", id="pass-phrase"),
        pytest.param(lambda file: file.mkdir(), "cannot be read", id="directory"),
    ],
)
def test_a_file_that_is_no_key_is_refused_in_words(settings, tmp_path, put, said):
    file = tmp_path / "key.pem"
    put(file)
    settings.CHECKPOINT_KEY_FILE = str(file)

    with pytest.raises(signing.KeyUnusable, match=said):
        signing.load("checkpoints")


def test_a_folder_that_cannot_be_made_is_refused_in_words(settings, tmp_path):
    (tmp_path / "file").write_text("")
    settings.DATA_DIR = tmp_path / "file"

    with pytest.raises(signing.KeyUnusable, match="cannot be written"):
        signing.load("evidence")
