"""Questions that several documents answer at once, and what became of them. Every `_at` is an instant in UTC."""

import uuid

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from ledger.models.keys import QuestionKey
from ledger.models.policies import PolicyVersion
from ledger.models.shared import VISIBLE


class Conflict(models.Model):
    """A key that more than one active document answers on a channel; nothing goes out until it is settled."""

    OPEN, RESOLVED, OBSOLETE = "open", "resolved", "obsolete"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    question_key = models.ForeignKey(QuestionKey, models.PROTECT, related_name="conflicts")
    channel = models.TextField()
    state = models.CharField(max_length=8, choices=[(s, s) for s in (OPEN, RESOLVED, OBSOLETE)], default=OPEN)
    found_by = models.CharField(
        max_length=10,
        choices=[(how, how) for how in ("publishing", "nightly", "ask")],
        db_default="ask",
        help_text="What noticed it: a version being published, the nightly search, or a customer's question.",
    )
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+")
    opened_at = models.DateTimeField()
    due_at = models.DateTimeField(help_text="Closing time of the business day it was found on.")
    resolved_at = models.DateTimeField(null=True, blank=True, help_text="When it was settled or found obsolete.")
    resolved_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+")
    reason = models.TextField(null=True, blank=True)
    kept = models.ForeignKey(PolicyVersion, models.PROTECT, null=True, blank=True, related_name="+")

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["question_key", "channel"], condition=Q(state="open"), name="conflict_open_once_per_key"
            ),
            models.CheckConstraint(
                condition=Q(
                    state="open",
                    resolved_at__isnull=True,
                    resolved_by__isnull=True,
                    reason__isnull=True,
                    kept__isnull=True,
                )
                | Q(
                    state="resolved",
                    resolved_at__isnull=False,
                    resolved_by__isnull=False,
                    reason__isnull=False,
                    reason__regex=VISIBLE,
                    kept__isnull=False,
                )
                | Q(
                    state="obsolete",
                    resolved_at__isnull=False,
                    resolved_by__isnull=True,
                    reason__isnull=True,
                    kept__isnull=True,
                ),
                name="conflict_state_and_outcome",
            ),
            models.CheckConstraint(
                condition=Q(resolved_at__isnull=True) | Q(resolved_at__gte=F("opened_at")),
                name="conflict_settled_after_it_opened",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.question_key_id} on {self.channel}: {self.state}"


class ConflictVersion(models.Model):
    """A policy version that takes part in a conflict, and what became of it when the conflict was settled."""

    conflict = models.ForeignKey(Conflict, models.CASCADE, related_name="members")
    version = models.ForeignKey(PolicyVersion, models.PROTECT, related_name="+")
    outcome = models.CharField(
        max_length=8, null=True, blank=True, choices=[(o, o) for o in ("kept", "retired", "narrowed")]
    )
    narrowed_to = models.JSONField(
        null=True, blank=True, help_text="The channels, effective_from and effective_until it was narrowed to."
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["conflict", "version"], name="conflict_version_once"),
            models.CheckConstraint(
                condition=Q(narrowed_to__isnull=True) | Q(outcome="narrowed"), name="conflict_version_narrowed_to"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.conflict_id}: {self.version}"
