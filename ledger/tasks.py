"""What workers do for the ledger: seal what is new, once a minute."""

import logging
from pathlib import Path

from celery import shared_task
from django.conf import settings
from django.db import InterfaceError, OperationalError
from django.utils import timezone

from ledger.gateways import signing
from ledger.gateways.checkpoint_files import Folder, FolderUnusable
from ledger.services import sealing

SEAL = "ledger.seal"

logger = logging.getLogger(__name__)


@shared_task(name=SEAL)  # type: ignore[untyped-decorator] # Celery has no types
def seal() -> None:
    """Sign a checkpoint over entries that none covers yet, and bring it outside; the next minute tries again."""
    try:
        key = sealing.Key(signing.load("checkpoints"), signing.is_signed_by)
        made = sealing.seal(key, Folder(Path(settings.CHECKPOINT_DIR)), now=timezone.now())
    except (signing.KeyUnusable, sealing.SealRefused, FolderUnusable) as problem:
        logger.error("The ledger was not sealed: %s", problem)  # noqa: TRY400 - a sentence for operators, no traceback
    except (OperationalError, InterfaceError) as error:
        logger.warning("The ledger was not sealed (%s); the next minute tries again.", str(error).strip())
    else:
        if made is not None:
            logger.info("Checkpoint %s covers %s entries.", made.says.number, made.says.size)
