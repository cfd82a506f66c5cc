"""What the tests of sealing and verification share: keys and a folder of their own, and a ledger that begins empty.

Rows of the ledger outlive a test, so those of earlier tests are taken away first, as only a superuser can.
"""

from datetime import timedelta
from pathlib import Path

from django.utils import timezone

from ledger.decisions.anchors import Copy
from ledger.gateways import signing
from ledger.gateways.checkpoint_files import Folder
from ledger.services import sealing
from tests.db.ledger_help import unprotected


def begin_anew(admin_connection):
    """Empty the ledger."""
    with unprotected(admin_connection):
        admin_connection.execute("TRUNCATE ledger.entry, ledger.fact, ledger.head, ledger.leaf, ledger.checkpoint")


def point_settings_at(settings, directory):
    """Give keys and copies a place that vanishes with the test."""
    settings.DATA_DIR = directory
    settings.CHECKPOINT_KEY_FILE = settings.EVIDENCE_KEY_FILE = ""
    settings.CHECKPOINT_DIR = str(directory / "checkpoints")


def folder(settings):
    return Folder(Path(settings.CHECKPOINT_DIR))


def key(**changes):
    return sealing.Key(signing.load("checkpoints"), signing.is_signed_by, **changes)


def sealed(settings, *, later=timedelta(0), **changes):
    """Seal what is new, and return the checkpoint."""
    return sealing.seal(key(), folder(settings), now=timezone.now() + later, **changes)


def copies(settings) -> list[Copy]:
    return list(folder(settings).copies())
