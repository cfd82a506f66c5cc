"""Which evidence left the product, for whom. Every `_at` is an instant in UTC."""

import uuid

from django.conf import settings
from django.db import models
from django.db.models import Q

from drafts.models.threads import Conversation


class EvidencePack(models.Model):
    """One evidence pack that was made: by whom, when, and the digest of its exact bytes; the bytes are not kept."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    conversation = models.ForeignKey(Conversation, models.PROTECT, related_name="evidence_packs")
    form = models.CharField(max_length=4, choices=[("json", "json"), ("html", "html")])
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+")
    made_at = models.DateTimeField()
    sha256 = models.CharField(max_length=64)
    key_id = models.TextField(help_text="Fingerprint of the key that signed it.")

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(sha256__regex="^[0-9a-f]{64}$"), name="evidence_pack_digest"),
        ]

    def __str__(self) -> str:
        return f"{self.conversation_id} {self.form} {self.made_at:%Y-%m-%d %H:%M}"
