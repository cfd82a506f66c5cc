"""What people are told: on screen, and by mail where they have an address. Every `_at` is an instant in UTC.

A notice is an outbox row: it is written in the transaction that gives rise to it, and a worker brings it out by mail.
"""

import uuid

from django.conf import settings
from django.contrib.postgres.indexes import GinIndex
from django.db import models
from django.db.models import Q

from drafts.models.fields import NOT_BLANK


class Notice(models.Model):
    """One thing that one person is told once; `about` keeps the same news from being told twice."""

    class Mail(models.TextChoices):
        """Where its mail stands. `none` is for people without an address, and for what was over before it left."""

        NONE = "none"
        WAITING = "waiting"
        SENT = "sent"
        GIVEN_UP = "given_up"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    person = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    kind = models.CharField(max_length=40, help_text="Stable snake_case, for example conflict_opened.")
    about = models.TextField(
        help_text="What it is about, so that it is told once, e.g. conflict:ID:overdue:2026-11-30."
    )
    subject = models.TextField()
    text = models.TextField()
    path = models.TextField(blank=True, help_text="The page it leads to, beginning with /.")
    conflicts = models.JSONField(
        default=list, help_text="The ids of the conflicts that it asks to settle; once all are over, so is the notice."
    )
    created_at = models.DateTimeField()
    read_at = models.DateTimeField(null=True, blank=True)
    mail = models.CharField(max_length=8, choices=Mail, default=Mail.NONE)
    mail_due_at = models.DateTimeField(null=True, blank=True)
    mail_attempts = models.PositiveIntegerField(default=0)
    mailed_at = models.DateTimeField(null=True, blank=True)
    mail_because = models.TextField(blank=True, help_text="What came of the last attempt, in words.")

    class Meta:
        indexes = [
            models.Index(fields=["mail_due_at", "id"], condition=Q(mail="waiting"), name="notice_mail_due"),
            models.Index(fields=["person", "-created_at"], name="notice_of_person"),
            GinIndex(fields=["conflicts"], name="notice_of_conflicts"),
        ]
        constraints = [
            models.UniqueConstraint(fields=["person", "about"], name="notice_told_once"),
            models.CheckConstraint(condition=Q(subject__regex=NOT_BLANK), name="notice_has_a_subject"),
            models.CheckConstraint(
                condition=Q(mail="waiting", mail_due_at__isnull=False)
                | (~Q(mail="waiting") & Q(mail_due_at__isnull=True)),
                name="notice_waiting_mail_has_a_time",
            ),
            models.CheckConstraint(
                condition=Q(mail="sent", mailed_at__isnull=False) | (~Q(mail="sent") & Q(mailed_at__isnull=True)),
                name="notice_mailed_with_a_time",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.person_id}: {self.about}"
