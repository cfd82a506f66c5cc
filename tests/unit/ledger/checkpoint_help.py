"""Checkpoints for tests without a database: keys made on the spot, and checkpoints over some leaves."""

import hashlib
from datetime import UTC, datetime, timedelta

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from ledger.decisions.checkpoints import Checkpoint, origin_of, signed
from ledger.decisions.merkle import root_of

NOON = datetime(2026, 5, 4, 12, 0, 0, 250, tzinfo=UTC)
LEAVES = [hashlib.sha256(str(number).encode()).digest() for number in range(12)]


class Key:
    def __init__(self):
        self._key = Ed25519PrivateKey.generate()
        self.public_key = self._key.public_key().public_bytes_raw()
        self.sign = self._key.sign


def checkpoint(key, size, *, after=None, **changes):
    """Return a signed checkpoint over the first `size` leaves, after another one."""
    given = {
        "origin": origin_of(LEAVES[0]),
        "size": size,
        "root": root_of(LEAVES[:size]),
        "number": after.says.number + 1 if after else 1,
        "previous": after.says.number if after else None,
        "previous_hash": after.note_hash if after else None,
        "sealed_at": NOON + timedelta(minutes=after.says.number if after else 0),
        "public_key": key.public_key,
        **changes,
    }
    return signed(Checkpoint(**given), key.sign)
