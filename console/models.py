"""What the console remembers: tokens, answers to requests with idempotency keys, the sample's receiver and loading."""

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q

from console.scopes import Scope

SCOPES = [scope.value for scope in Scope]


class ApiToken(models.Model):
    """A token acts as its user, within its scopes. Only the SHA-256 of its secret is kept."""

    name = models.TextField()
    digest = models.CharField(max_length=64, unique=True)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="api_tokens")
    scopes = ArrayField(models.TextField())
    created_at = models.DateTimeField()
    last_used_at = models.DateTimeField(null=True, blank=True)
    expires_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["id"]
        constraints = [
            models.CheckConstraint(condition=Q(scopes__contained_by=SCOPES), name="token_scopes_known"),
            models.CheckConstraint(condition=~Q(scopes=[]), name="token_has_a_scope"),
            models.CheckConstraint(condition=~Q(name=""), name="token_has_a_name"),
            models.CheckConstraint(condition=Q(digest__regex="^[0-9a-f]{64}$"), name="token_digest_is_sha256"),
        ]

    def __str__(self) -> str:
        return f"{self.name} ({self.pk})"


class IdempotencyRecord(models.Model):
    """A request that carried a key: its fingerprint while it runs, and its answer afterwards."""

    token = models.ForeignKey(ApiToken, models.PROTECT, related_name="idempotency_records")
    key = models.CharField(max_length=255)
    fingerprint = models.CharField(max_length=64)
    started_at = models.DateTimeField()
    status = models.PositiveSmallIntegerField(null=True, blank=True)
    body = models.TextField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["token", "key"], name="idempotency_key_once_per_token"),
            models.CheckConstraint(
                condition=Q(status__isnull=True, body__isnull=True) | Q(status__isnull=False, body__isnull=False),
                name="idempotency_answer_is_whole",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.token_id}/{self.key}"


class ReceivedReply(models.Model):
    """A reply that arrived at the sample receiver, once per id however often it came."""

    webhook_id = models.TextField(unique=True)
    conversation = models.TextField()
    text = models.TextField()
    received_at = models.DateTimeField(help_text="When it came first.")
    last_at = models.DateTimeField()
    times = models.PositiveIntegerField(default=1, help_text="How often it came.")

    class Meta:
        indexes = [models.Index(fields=["received_at", "id"], name="received_reply_by_age")]

    def __str__(self) -> str:
        return self.webhook_id


class SampleLoading(models.Model):
    """The first loading of the sample and how far it came, so that one that was cut short goes on where it stopped."""

    started_at = models.DateTimeField(help_text="The instant that the sample's times count from.")
    steps_done = models.PositiveIntegerField(default=0)
    is_finished = models.BooleanField(default=False)

    def __str__(self) -> str:
        return f"{self.started_at:%Y-%m-%d} ({self.steps_done})"
