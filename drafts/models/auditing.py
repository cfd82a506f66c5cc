"""What the audit found at which time, and commitments made past the desk. Every `_at` is an instant in UTC."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from drafts.models.fields import NOT_BLANK
from drafts.models.threads import Conversation, Message


class AuditRun(models.Model):
    """One run of the five checks."""

    how = models.CharField(max_length=8, choices=[(how, how) for how in ("nightly", "person", "command")])
    started_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+")
    started_at = models.DateTimeField()
    finished_at = models.DateTimeField()
    is_healthy = models.BooleanField()

    class Meta:
        indexes = [models.Index(fields=["-started_at"], name="audit_run_newest")]
        constraints = [
            models.CheckConstraint(condition=Q(finished_at__gte=models.F("started_at")), name="audit_run_ends_later"),
            models.CheckConstraint(
                condition=Q(how="person", started_by__isnull=False) | ~Q(how="person"), name="audit_run_of_a_person"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.how} {self.started_at:%Y-%m-%d %H:%M}"


class AuditResult(models.Model):
    """How many rows broke one check in one run, with the first of them as they were then."""

    run = models.ForeignKey(AuditRun, models.CASCADE, related_name="results")
    check_number = models.PositiveSmallIntegerField()
    rows = models.PositiveIntegerField()
    threshold = models.PositiveIntegerField(default=0)
    first_rows = models.JSONField(default=list)

    class Meta:
        ordering = ["check_number"]
        constraints = [
            models.UniqueConstraint(fields=["run", "check_number"], name="audit_result_once_per_check"),
            models.CheckConstraint(
                condition=Q(check_number__gte=1, check_number__lte=5), name="audit_result_check_known"
            ),
        ]

    def __str__(self) -> str:
        return f"check {self.check_number}: {self.rows}"


class OutsideCommitment(models.Model):
    """A sentence of a public reply that did not come through the desk and commits us to something.

    `entry_id` names the locked answer it was held against, where there was one; `differs` says whether it states
    another value. It is settled by a person with a reason, or by a correction that came after it.
    """

    message = models.ForeignKey(Message, models.PROTECT, related_name="outside_commitments")
    conversation = models.ForeignKey(Conversation, models.PROTECT, related_name="outside_commitments")
    question_key = models.TextField(blank=True, help_text="The root key, empty where the topic is not known.")
    sentence = models.TextField()
    entry_id = models.UUIDField(null=True, blank=True)
    differs = models.BooleanField(default=False)
    found_at = models.DateTimeField()
    settled_at = models.DateTimeField(null=True, blank=True)
    settled_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+")
    settled_because = models.TextField(null=True, blank=True)

    class Meta:
        indexes = [
            models.Index(fields=["conversation", "question_key"], name="outside_by_conversation"),
            models.Index(fields=["found_at", "id"], condition=Q(settled_at__isnull=True), name="outside_unsettled"),
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["message", "question_key", "sentence"], name="outside_commitment_once_per_message"
            ),
            models.CheckConstraint(condition=Q(sentence__regex=NOT_BLANK), name="outside_commitment_says_something"),
            models.CheckConstraint(
                condition=Q(settled_at__isnull=True, settled_by__isnull=True, settled_because__isnull=True)
                | Q(settled_at__isnull=False, settled_because__isnull=False, settled_because__regex=NOT_BLANK),
                name="outside_commitment_settled_with_reason",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.conversation_id}: {self.sentence[:40]}"
