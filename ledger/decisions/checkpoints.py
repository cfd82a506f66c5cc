"""What a checkpoint says, in the form of a signed note: plain text that anybody can read, then one signature line.

    countersign/ledger/<16 digits, from the first entry's hash>      whose ledger
    <number of entries covered>
    <root over them, base64>
    number <of this checkpoint>
    extends <the earlier one's number> <SHA-256 of its whole file>   or: extends nothing
    sealed_at <instant, UTC>
    key <public key that signs, 64 hexadecimal digits>
    next_key <public key that signs from the next one on>            only where the key changes

    — <the first line> <base64 of 4 digits of the key's hash and the Ed25519 signature>

The first three lines and the signature are those of C2SP tlog-checkpoint and signed-note, so that tools and witnesses
made for transparency logs can read them. What is signed ends before the empty line, its line feed included.
"""

import base64
import binascii
import hashlib
import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime

KEY_ID_DIGITS = 16
_ORIGIN = "countersign/ledger/"
_INSTANT = "%Y-%m-%dT%H:%M:%S.%fZ"
_SIGNATURE_LENGTH = 64
_NOTE = re.compile(
    r"""(?P<text>(?P<origin>countersign/ledger/[0-9a-f]{16})\n
    (?P<size>[1-9][0-9]{0,17})\n
    (?P<root>[A-Za-z0-9+/]{43}=)\n
    number\ (?P<number>[1-9][0-9]{0,17})\n
    extends\ (?:nothing|(?P<previous>[1-9][0-9]{0,17})\ (?P<previous_hash>[0-9a-f]{64}))\n
    sealed_at\ (?P<sealed_at>[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{6}Z)\n
    key\ (?P<key>[0-9a-f]{64})\n
    (?:next_key\ (?P<next_key>[0-9a-f]{64})\n)?)
    \n—\ (?P<signer>[^\s]+)\ (?P<signature>[A-Za-z0-9+/]{91}=)\n""",
    re.VERBOSE,
)

type Verifies = Callable[[bytes, bytes, bytes], bool]
"""Says whether the owner of a raw public key signed a message: key, message, signature."""


class NotACheckpoint(ValueError):
    """A text is no checkpoint; the message says why."""


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """The claim that the first `size` entries have this root, made at an instant by the owner of a key.

    `previous` and `previous_hash` name the checkpoint that it extends; both are None on the first.
    """

    origin: str
    size: int
    root: bytes
    number: int
    previous: int | None
    previous_hash: bytes | None
    sealed_at: datetime
    public_key: bytes
    next_key: bytes | None = None

    @property
    def key_id(self) -> str:
        """The short name of the key that signs."""
        return key_id_of(self.public_key)


@dataclass(frozen=True, slots=True)
class SignedCheckpoint:
    """A checkpoint as it was signed; `note` is the whole text, signature included."""

    says: Checkpoint
    signature: bytes
    note: str

    @property
    def note_hash(self) -> bytes:
        """What the next checkpoint names this one by: the SHA-256 of the whole text."""
        return hashlib.sha256(self.note.encode()).digest()


def key_id_of(public_key: bytes) -> str:
    """Return the short name of a public key: the first 16 hexadecimal digits of its SHA-256."""
    return hashlib.sha256(public_key).hexdigest()[:KEY_ID_DIGITS]


def origin_of(first_entry_hash: bytes) -> str:
    """Return the name of a ledger: no two have the same first entry."""
    return _ORIGIN + hashlib.sha256(first_entry_hash).hexdigest()[:16]


def text_of(checkpoint: Checkpoint) -> str:
    """Return the text that is signed."""
    extends = "nothing"
    if checkpoint.previous is not None and checkpoint.previous_hash is not None:
        extends = f"{checkpoint.previous} {checkpoint.previous_hash.hex()}"
    lines = [
        checkpoint.origin,
        str(checkpoint.size),
        base64.b64encode(checkpoint.root).decode(),
        f"number {checkpoint.number}",
        f"extends {extends}",
        f"sealed_at {checkpoint.sealed_at.astimezone(UTC).strftime(_INSTANT)}",
        f"key {checkpoint.public_key.hex()}",
    ]
    if checkpoint.next_key is not None:
        lines.append(f"next_key {checkpoint.next_key.hex()}")
    return "".join(f"{line}\n" for line in lines)


def signed(checkpoint: Checkpoint, sign: Callable[[bytes], bytes]) -> SignedCheckpoint:
    """Sign a checkpoint."""
    text = text_of(checkpoint)
    signature = sign(text.encode())
    mark = base64.b64encode(_mark(checkpoint.origin, checkpoint.public_key) + signature).decode()
    return SignedCheckpoint(checkpoint, signature, f"{text}\n— {checkpoint.origin} {mark}\n")


def read(note: str) -> SignedCheckpoint:
    """Return what a signed text says; whether the signature is right is another question (`is_genuine`).

    There is one way of writing each checkpoint; anything else raises NotACheckpoint.
    """
    found = _NOTE.fullmatch(note)
    if found is None:
        raise NotACheckpoint("this is no checkpoint of a ledger, or one that was changed")
    try:
        said = _checkpoint(found)
        signature = base64.b64decode(found["signature"], validate=True)
    except (ValueError, binascii.Error) as error:
        raise NotACheckpoint(f"this is no checkpoint of a ledger: {error}") from error
    is_canonical = text_of(said) == found["text"] and found["signer"] == said.origin
    if not is_canonical or signature[:-_SIGNATURE_LENGTH] != _mark(said.origin, said.public_key):
        raise NotACheckpoint("its lines do not belong together")
    return SignedCheckpoint(said, signature[-_SIGNATURE_LENGTH:], note)


def is_genuine(checkpoint: SignedCheckpoint, verifies: Verifies) -> bool:
    """Say whether the key that a checkpoint names has signed it; whether that key is ours is another question."""
    return verifies(checkpoint.says.public_key, text_of(checkpoint.says).encode(), checkpoint.signature)


def _checkpoint(found: re.Match[str]) -> Checkpoint:
    return Checkpoint(
        origin=found["origin"],
        size=int(found["size"]),
        root=base64.b64decode(found["root"], validate=True),
        number=int(found["number"]),
        previous=int(found["previous"]) if found["previous"] else None,
        previous_hash=bytes.fromhex(found["previous_hash"]) if found["previous_hash"] else None,
        sealed_at=datetime.strptime(found["sealed_at"], _INSTANT).replace(tzinfo=UTC),
        public_key=bytes.fromhex(found["key"]),
        next_key=bytes.fromhex(found["next_key"]) if found["next_key"] else None,
    )


def _mark(origin: str, public_key: bytes) -> bytes:
    """Return the four bytes by which a signed note tells keys apart (C2SP signed-note; 01 means Ed25519)."""
    return hashlib.sha256(origin.encode() + b"\n\x01" + public_key).digest()[:4]
