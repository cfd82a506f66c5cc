"""A program that writes entries and seals them, over and over, until it is killed; `write COUNT` only writes.

usage: python -m tests.faults.sealing [write COUNT]   (DATA_DIR names the installation; its database must be prepared)
"""

import os
import sys
from datetime import UTC, datetime
from pathlib import Path

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "console.settings")

import django

django.setup()

import psycopg
from django.conf import settings
from psycopg.conninfo import make_conninfo

from ledger.gateways import signing
from ledger.gateways.checkpoint_files import Folder
from ledger.services import sealing
from tests.db.ledger_help import append, own, raw

AT_ONCE = 10


def write(count: int) -> None:
    with psycopg.connect(make_conninfo(**settings.DATABASE_PLACE.app), autocommit=True) as session:
        for _ in range(count):
            append(session, raw(own("sealed"), commitment_class="information", answer_source=None))


def main() -> None:
    if sys.argv[1:2] == ["write"]:
        write(int(sys.argv[2]))
        return
    key = sealing.Key(signing.load("checkpoints"), signing.is_signed_by)
    print("ready", flush=True)
    while True:
        write(AT_ONCE)
        sealing.seal(key, Folder(Path(settings.CHECKPOINT_DIR)), now=datetime.now(UTC))


if __name__ == "__main__":
    main()
