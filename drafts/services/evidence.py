"""Make an evidence pack, and keep who had which one made. The bytes are handed out and not kept."""

import hashlib
import re
from dataclasses import dataclass
from datetime import datetime
from typing import Literal
from uuid import UUID

from django.conf import settings
from django.contrib.auth.models import User
from django.db import connection, transaction

from drafts.decisions.evidence import pack
from drafts.decisions.evidence_document import document
from drafts.decisions.evidence_records import Making
from drafts.models import Conversation, EvidencePack
from drafts.queries.evidence import records_of
from ledger.decisions.checkpoints import SignedCheckpoint
from ledger.gateways import signing

type Form = Literal["json", "html"]
FORMS: tuple[Form, ...] = ("json", "html")
LONGEST_SLUG = 48


class NotTheSame(Exception):
    """A pack made again differs from the one that was made: the records have changed since, or the key has."""


@dataclass(frozen=True, slots=True)
class Made:
    """A pack as it leaves: its bytes, and how they are known again."""

    conversation: str
    data: bytes
    form: Form
    sha256: str
    made_at: datetime
    key_id: str

    @property
    def file_name(self) -> str:
        """A name for the file: the conversation's, in letters that every system takes, and a digest that tells apart.

        Two conversations may differ in what no file name can hold, or in their last letters alone.
        """
        spelled = re.sub(r"[^A-Za-z0-9]+", "-", self.conversation)[:LONGEST_SLUG].strip("-") or "conversation"
        digest = hashlib.sha256(self.conversation.encode()).hexdigest()[:8]
        return f"evidence-{spelled}-{digest}-{self.made_at:%Y%m%dT%H%M%SZ}.{self.form}"


@transaction.atomic(durable=True)
def make(
    *, conversation_id: int, form: Form, actor: User | None, now: datetime, kept: SignedCheckpoint | None = None
) -> Made:
    """Make a pack of all that is kept about a conversation, by its database key, and record that it was made.

    Without an actor it is made from the command line. `kept` is a checkpoint from outside that the pack is tied to.
    Raises Conversation.DoesNotExist, evidence.TooLarge, signing.KeyUnusable; then nothing is recorded.
    """
    _see_one_moment()
    made = _made(Conversation.objects.get(pk=conversation_id), form, actor, now, kept)
    EvidencePack.objects.create(
        conversation_id=conversation_id,
        form=form,
        made_by=actor,
        made_at=now,
        sha256=made.sha256,
        key_id=made.key_id,
    )
    return made


@transaction.atomic(durable=True)
def make_again(pack_id: UUID, kept: SignedCheckpoint | None = None) -> Made:
    """Make a recorded pack once more, byte for byte. Raises EvidencePack.DoesNotExist, NotTheSame."""
    _see_one_moment()
    row = EvidencePack.objects.select_related("conversation", "made_by").get(pk=pack_id)
    form: Form = "html" if row.form == "html" else "json"
    made = _made(row.conversation, form, row.made_by, row.made_at, kept)
    if made.sha256 != row.sha256:
        raise NotTheSame(
            f"The records now give the digest {made.sha256}, and the pack was recorded with {row.sha256}: "
            "something was added to the conversation or sealed since, or another key signs now."
        )
    return made


def _see_one_moment() -> None:
    """Read everything as it stood at one moment, whatever others write meanwhile."""
    if len(connection.atomic_blocks) == 1:  # a test's own transaction has read already
        with connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")


def _made(
    conversation: Conversation, form: Form, actor: User | None, now: datetime, kept: SignedCheckpoint | None
) -> Made:
    signer = signing.load("evidence")
    making = Making(
        at=now,
        by=actor.get_username() if actor else "",
        by_name=(actor.get_full_name() or actor.get_username()) if actor else "the command line",
        zone=settings.TIME_ZONE,
        public_key=signer.public_key,
        key_id=signer.key_id,
    )
    records = records_of(conversation, kept)
    packed = pack(records, making, signer.sign)
    data = packed.data if form == "json" else document(records, making, packed, signer.sign)
    return Made(conversation.external_id, data, form, hashlib.sha256(data).hexdigest(), now, signer.key_id)
