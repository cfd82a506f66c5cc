"""Drift reports over history, worked through in steps by a worker. Every `_at` is an instant in UTC."""

import uuid

from django.conf import settings
from django.db import models
from django.db.models import F, Q


class DriftReport(models.Model):
    """One report: where its conversations come from, how far it is, and what it counted."""

    class State(models.TextChoices):
        """`failed` says why in `because`; a report whose worker is gone is taken up again when its lease is over."""

        WAITING = "waiting"
        RUNNING = "running"
        DONE = "done"
        FAILED = "failed"
        CANCELLED = "cancelled"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    name = models.TextField(help_text="The file's name, or the period of our own past.")
    source = models.CharField(max_length=8, choices=[("file", "file"), ("own_past", "own_past")])
    since = models.DateField(null=True, blank=True, help_text="First day of our own past, where it is limited.")
    until = models.DateField(null=True, blank=True, help_text="Last day of our own past.")
    started_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    created_at = models.DateTimeField()
    state = models.CharField(max_length=9, choices=State, default=State.WAITING)
    total = models.PositiveIntegerField(default=0, help_text="Conversations to be read.")
    done = models.PositiveIntegerField(default=0)
    broken = models.JSONField(default=list, help_text="Lines that could not be read: line number and why.")
    counts = models.JSONField(default=dict)
    finished_at = models.DateTimeField(null=True, blank=True)
    because = models.TextField(blank=True)
    leased_until = models.DateTimeField(null=True, blank=True)
    fence = models.PositiveBigIntegerField(default=0)
    tries = models.PositiveIntegerField(default=0, help_text="How often it was taken up since it last got further.")

    class Meta:
        indexes = [models.Index(fields=["-created_at"], name="drift_report_newest")]
        constraints = [
            models.CheckConstraint(condition=Q(done__lte=F("total")), name="drift_report_progress"),
            models.CheckConstraint(
                condition=Q(state__in=("done", "failed", "cancelled"), finished_at__isnull=False)
                | Q(state__in=("waiting", "running"), finished_at__isnull=True),
                name="drift_report_state_and_end",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name}: {self.state}"


class DriftPart(models.Model):
    """What a report still has to read; gone as soon as it is read, so that nothing counts twice and nothing is kept.

    While the report waits, a part is a piece of the uploaded file. While it runs, it is a batch: conversations as JSON
    Lines, or a JSON list of the database keys of our own.
    """

    report = models.ForeignKey(DriftReport, models.CASCADE, related_name="parts")
    number = models.PositiveIntegerField()
    content = models.BinaryField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["report", "number"], name="drift_part_once")]

    def __str__(self) -> str:
        return f"{self.report_id} #{self.number}"


class DriftRow(models.Model):
    """One conversation and question that the report lists, in the shape of `manage.py drift`."""

    report = models.ForeignKey(DriftReport, models.CASCADE, related_name="rows")
    conversation_id = models.TextField()
    question_key = models.TextField()
    times_asked = models.PositiveIntegerField()
    distinct = models.PositiveIntegerField(help_text="How many distinct answers there are.")
    distinct_answers = models.JSONField(default=list)
    evidence = models.JSONField(default=list)
    documents = models.JSONField(default=list, help_text="The passages of policies that match each answer.")
    corrected = models.PositiveIntegerField(
        default=0, help_text="Changes of the answer that a recorded correction stands behind; they are no drift."
    )

    class Meta:
        indexes = [models.Index(fields=["report", "-distinct", "-times_asked", "id"], name="drift_row_worst_first")]
        constraints = [
            models.UniqueConstraint(fields=["report", "conversation_id", "question_key"], name="drift_row_once"),
        ]

    def __str__(self) -> str:
        return f"{self.conversation_id}: {self.question_key}"
