"""The replies that are to leave, where they go, and every attempt to bring them there. Every `_at` is in UTC."""

import uuid

from django.conf import settings
from django.db import models
from django.db.models import Q

from drafts.decisions.delivering import DUE_STATES, FINAL_STATES, DeliveryState, Outcome
from drafts.models.deciding import Correction, Decision
from drafts.models.fields import NOT_BLANK, choices
from drafts.models.threads import Conversation

SECRET_PREFIX = "whsec_"  # noqa: S105 - how a secret begins, not one


class Destination(models.Model):
    """Where replies go: a web address that takes signed requests, for all channels or for the named ones."""

    name = models.TextField(unique=True)
    url = models.TextField()
    secret = models.TextField(help_text="Signs requests; base64 with the prefix whsec_.")
    channels = models.JSONField(default=list, help_text="The channels it serves; none named means all.")
    is_active = models.BooleanField(default=True)
    created_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(name__regex=NOT_BLANK), name="destination_has_a_name"),
            models.CheckConstraint(condition=Q(("secret__startswith", SECRET_PREFIX)), name="destination_has_a_secret"),
        ]

    def __str__(self) -> str:
        return self.name


class Delivery(models.Model):
    """Outbox row: a decided reply that is still to be sent, written with the decision. Its id names it for ever."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    conversation = models.ForeignKey(Conversation, models.PROTECT, related_name="deliveries")
    decision = models.OneToOneField(Decision, models.PROTECT, null=True, blank=True, related_name="delivery")
    correction = models.OneToOneField(Correction, models.PROTECT, null=True, blank=True, related_name="delivery")
    destination = models.ForeignKey(Destination, models.PROTECT, null=True, blank=True, related_name="deliveries")
    text = models.TextField()
    state = models.CharField(max_length=20, choices=choices(DeliveryState), default=DeliveryState.NO_DESTINATION)
    created_at = models.DateTimeField()
    undo_until = models.DateTimeField(help_text="Until then whoever decided may take it back.")
    due_at = models.DateTimeField(null=True, blank=True, help_text="When the next attempt may begin.")
    offered_at = models.DateTimeField(null=True, blank=True, help_text="When a worker was last told of it.")
    leased_until = models.DateTimeField(
        null=True, blank=True, help_text="An attempt that has not ended by then is lost."
    )
    fence = models.PositiveBigIntegerField(default=0, help_text="Raised by every claim; an outdated worker is refused.")
    attempts = models.PositiveIntegerField(default=0)
    delivered_at = models.DateTimeField(null=True, blank=True)
    because = models.TextField(null=True, blank=True, help_text="Why it waits, was taken back, or was given up.")
    settled_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+",
        help_text="Who said what became of it, where nobody else could know.",
    )  # fmt: skip

    class Meta:
        verbose_name_plural = "deliveries"
        ordering = ["created_at", "id"]
        indexes = [
            models.Index(fields=["due_at", "id"], name="delivery_due", condition=Q(state__in=DUE_STATES)),
            models.Index(fields=["leased_until"], name="delivery_leased", condition=Q(state=DeliveryState.SENDING)),
            models.Index(fields=["state", "created_at", "id"], name="delivery_by_state"),
            models.Index(fields=["created_at", "id"], name="delivery_by_age"),
        ]
        constraints = [
            models.CheckConstraint(
                condition=Q(decision__isnull=False, correction__isnull=True)
                | Q(decision__isnull=True, correction__isnull=False),
                name="delivery_of_one_thing",
            ),
            models.CheckConstraint(condition=Q(text__regex=NOT_BLANK), name="delivery_has_text"),
            models.CheckConstraint(
                condition=Q(state__in=[s.value for s in DeliveryState]), name="delivery_state_known"
            ),
            models.CheckConstraint(
                condition=Q(state=DeliveryState.SENT, delivered_at__isnull=False)
                | (~Q(state=DeliveryState.SENT) & Q(delivered_at__isnull=True)),
                name="delivery_sent_at_some_time",
            ),
            models.CheckConstraint(
                condition=Q(state=DeliveryState.SENDING, leased_until__isnull=False)
                | (~Q(state=DeliveryState.SENDING) & Q(leased_until__isnull=True)),
                name="delivery_leased_while_sending",
            ),
            models.CheckConstraint(
                condition=~Q(state__in=[DeliveryState.SCHEDULED, DeliveryState.RETRYING]) | Q(due_at__isnull=False),
                name="delivery_that_waits_is_due",
            ),
            models.CheckConstraint(
                condition=~Q(state__in=FINAL_STATES) | Q(due_at__isnull=True), name="delivery_that_ended_is_not_due"
            ),
            models.CheckConstraint(
                condition=Q(state__in=[DeliveryState.NO_DESTINATION, DeliveryState.UNDONE, DeliveryState.RETURNED])
                | Q(destination__isnull=False)
                | Q(settled_by__isnull=False),
                name="delivery_leaves_for_somewhere",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.id} {self.state}"


class Attempt(models.Model):
    """One request to a destination: written before it, completed after it. One without an end was interrupted."""

    delivery = models.ForeignKey(Delivery, models.PROTECT, related_name="tries")
    number = models.PositiveIntegerField()
    fence = models.PositiveBigIntegerField()
    url = models.TextField()
    started_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True, blank=True)
    outcome = models.CharField(max_length=12, choices=choices(Outcome), null=True, blank=True)
    status = models.PositiveIntegerField(null=True, blank=True, help_text="The answer's HTTP status.")
    said = models.TextField(default="", blank=True, help_text="The beginning of the answer, or the error.")

    class Meta:
        ordering = ["delivery", "number"]
        constraints = [
            models.UniqueConstraint(fields=["delivery", "number"], name="attempt_numbered_once"),
            models.CheckConstraint(
                condition=Q(ended_at__isnull=True, outcome__isnull=True)
                | Q(ended_at__isnull=False, outcome__isnull=False),
                name="attempt_ends_somehow",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.delivery_id} {self.number}: {self.outcome}"
