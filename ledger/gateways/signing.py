"""Ed25519 keys in files: sign with our own, check a signature with a public one.

There are two keys on purpose. The web signs evidence when somebody asks for it; checkpoints of the ledger are signed by
workers and commands, so the web need not be able to read that key.
"""

import os
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, NoReturn

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_pem_private_key,
)
from django.conf import settings

from ledger.decisions.checkpoints import key_id_of

type Purpose = Literal["checkpoints", "evidence"]

VARIABLES: dict[Purpose, str] = {"checkpoints": "CHECKPOINT_KEY_FILE", "evidence": "EVIDENCE_KEY_FILE"}
PUBLIC_KEY_LENGTH = 32


class KeyUnusable(Exception):
    """A signing key cannot be had; the message says which file, why, and what to do."""


@dataclass(frozen=True, slots=True)
class Signer:
    """A private key, ready to sign. It never shows itself: repr and errors name the public key's id only."""

    key_id: str
    public_key: bytes
    sign: Callable[[bytes], bytes]

    def __repr__(self) -> str:
        return f"Signer({self.key_id})"


def is_signed_by(public_key: bytes, message: bytes, signature: bytes) -> bool:
    """Say whether the owner of a raw 32-byte public key signed exactly this message; never raises."""
    try:
        Ed25519PublicKey.from_public_bytes(public_key).verify(signature, message)
    except (InvalidSignature, ValueError):
        return False
    return True


def load(purpose: Purpose) -> Signer:
    """Return the key for a purpose: the file that the setting names, else one in DATA_DIR that is made at first use.

    Raises KeyUnusable where the named file is missing, or a file cannot be read or holds no Ed25519 key.
    """
    file = key_file(purpose)
    if is_ours(purpose) and not file.exists():
        create(file)
    return read(file, VARIABLES[purpose])


def key_file(purpose: Purpose) -> Path:
    """Return where the key for a purpose stands, or will."""
    named = getattr(settings, VARIABLES[purpose])
    return Path(named) if named else _keys_directory() / f"{purpose}.pem"


def known_public_keys(purpose: Purpose) -> frozenset[bytes]:
    """Return the public keys that are ours: of the key in use, where its file can be read, and of retired ones.

    Makes no key. A retired key's public half stands in DATA_DIR/keys, in hexadecimal digits.
    """
    found = {read_public(file) for file in _keys_directory().glob(f"{purpose}-*.pub")}
    file = key_file(purpose)
    if file.exists():
        found.add(read(file, VARIABLES[purpose]).public_key)
    return frozenset(found)


def read_public(file: Path) -> bytes:
    """Return the raw public key that a file holds in 64 hexadecimal digits. Raises KeyUnusable."""
    try:
        key = bytes.fromhex(file.read_text(encoding="ascii").strip())
    except OSError as error:
        _refuse(file, f"cannot be read ({error.strerror})", error)
    except ValueError as error:
        _refuse(file, "holds no public key in hexadecimal digits", error)
    if len(key) != PUBLIC_KEY_LENGTH:
        _refuse(file, f"holds {len(key)} bytes where a public key has {PUBLIC_KEY_LENGTH}", None)
    return key


def next_key_file(purpose: Purpose) -> Path:
    """Return where the key waits that will be ours next."""
    return _keys_directory() / f"{purpose}.next.pem"


def keep_public(purpose: Purpose, retired: Signer) -> None:
    """Keep the public half of a key that retires, so that what it signed is still known as ours. Raises KeyUnusable."""
    file = _keys_directory() / f"{purpose}-{retired.key_id}.pub"
    try:
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        file.write_text(f"{retired.public_key.hex()}\n", "ascii")
    except OSError as error:
        _refuse(file, f"cannot be written ({error.strerror})", error)


def succeed(purpose: Purpose) -> None:
    """Let the waiting key take the place of the one in use, which is gone then. Raises KeyUnusable."""
    file = key_file(purpose)
    try:
        next_key_file(purpose).replace(file)
    except OSError as error:
        _refuse(file, f"cannot be replaced ({error.strerror})", error)


def is_ours(purpose: Purpose) -> bool:
    """Say whether we keep the key's file ourselves, rather than the operator."""
    return not getattr(settings, VARIABLES[purpose])


def create(file: Path) -> None:
    """Make a new key in a file that only its owner may read; where one is there already, leave it.

    Two processes at once agree on one key: the file appears whole or not at all. Raises KeyUnusable.
    """
    pem = Ed25519PrivateKey.generate().private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    draft = file.with_name(f"{file.name}.{secrets.token_hex(4)}")
    try:
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as opened:
            opened.write(pem)
            opened.flush()
            os.fsync(opened.fileno())
        try:
            file.hardlink_to(draft)
        except FileExistsError:
            pass  # another process was quicker; its key counts
        finally:
            draft.unlink()
    except OSError as error:
        _refuse(file, f"cannot be written ({error.strerror})", error)


def read(file: Path, setting: str) -> Signer:
    """Return the key in a file; `setting` names the variable that the operator would change. Raises KeyUnusable."""
    try:
        pem = file.read_bytes()
    except FileNotFoundError as error:
        raise KeyUnusable(
            f"There is no key file {file}, which {setting} names: put the key back, or make one with "
            f"`openssl genpkey -algorithm ed25519 -out {file}`."
        ) from error
    except OSError as error:
        _refuse(file, f"cannot be read ({error.strerror})", error)
    try:
        key = load_pem_private_key(pem, password=None)
    except (ValueError, TypeError) as error:  # cryptography: no PEM, an unknown algorithm, a pass phrase
        _refuse(file, "holds no key that can be read (a PEM file without pass phrase is needed)", error)
    if not isinstance(key, Ed25519PrivateKey):
        _refuse(file, "holds a key of another kind than Ed25519", None)
    public_key = key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
    return Signer(key_id_of(public_key), public_key, key.sign)


def _keys_directory() -> Path:
    return Path(settings.DATA_DIR) / "keys"


def _refuse(file: Path, why: str, cause: Exception | None) -> NoReturn:
    raise KeyUnusable(f"The key file {file} {why}: put it right, or work as the user it belongs to.") from cause
