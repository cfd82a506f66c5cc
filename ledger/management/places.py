"""Where commands find what the settings name."""

from pathlib import Path

from django.conf import settings

from ledger.gateways.checkpoint_files import Folder


def checkpoint_folder() -> Folder:
    """Return the folder that copies of checkpoints go to."""
    return Folder(Path(settings.CHECKPOINT_DIR))
