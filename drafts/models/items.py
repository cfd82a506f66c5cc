"""The review item with its texts, and what the newest analysis found in them. Every `_at` is an instant in UTC."""

import uuid

from django.conf import settings
from django.contrib.postgres.indexes import GinIndex
from django.db import models
from django.db.models import F, Q

from drafts.decisions.transitions import CLOSED_STATES, DECIDED_STATES, ItemState
from drafts.decisions.vocabulary import ClaimClass, Tier, Verdict
from drafts.models.fields import choices
from drafts.models.searching import words_of
from drafts.models.threads import Conversation, Message, Ticket
from ledger.decisions.vocabulary import KeyOrigin, KeyStatus


class ReviewItem(models.Model):
    """A draft waiting for a decision, with its findings."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    external_id = models.TextField(unique=True)
    content_digest = models.CharField(max_length=64)
    conversation = models.ForeignKey(Conversation, models.PROTECT, related_name="items")
    reply_to = models.ForeignKey(Message, models.PROTECT, null=True, blank=True, related_name="answered_by")
    ticket = models.ForeignKey(Ticket, models.PROTECT, null=True, blank=True, related_name="items")
    state = models.CharField(max_length=12, choices=choices(ItemState), default=ItemState.PENDING)
    version = models.PositiveIntegerField(default=1)
    seen_ordinal = models.PositiveIntegerField(default=0, help_text="The newest message its reviewer has answered.")
    facts = models.JSONField(default=dict)

    question_status = models.CharField(max_length=12, choices=choices(KeyStatus))
    question_key = models.TextField(null=True, blank=True)
    question_by = models.CharField(max_length=10, choices=choices(KeyOrigin), null=True, blank=True)
    question_score = models.FloatField(null=True, blank=True)
    question_set_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="keys_chosen"
    )
    also_asked = models.JSONField(default=list)

    model_name = models.TextField(null=True, blank=True)
    raw_output = models.TextField(null=True, blank=True)
    selected_version = models.TextField(null=True, blank=True)
    missing_fields = models.JSONField(default=list)
    retrieved = models.JSONField(default=list)

    analysis = models.JSONField(default=dict, help_text="The newest analysis, for lists; decisions compute it afresh.")
    branch = models.CharField(max_length=60, default="")
    handler = models.CharField(max_length=15, default="reviewer")
    blocker_count = models.PositiveIntegerField(default=0)
    due_at = models.DateTimeField(null=True, blank=True, help_text="When a policy owner must settle its conflict.")
    deadline_at = models.DateTimeField(
        null=True, blank=True, help_text="The earliest of what is due: the conflict, or what the ticket promises."
    )

    holder = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="items_held"
    )
    lease_until = models.DateTimeField(null=True, blank=True)
    fence = models.PositiveBigIntegerField(default=0)

    created_at = models.DateTimeField()
    decision = models.OneToOneField(
        "drafts.Decision", models.PROTECT, null=True, blank=True, related_name="decided_item",
        help_text="The decision that stands; one that was undone is among `decisions`.",
    )  # fmt: skip
    decided_at = models.DateTimeField(null=True, blank=True)
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="items_decided"
    )
    retired_at = models.DateTimeField(null=True, blank=True)
    retired_because = models.TextField(null=True, blank=True)

    class Meta:
        ordering = ["created_at", "id"]
        indexes = [
            models.Index(fields=["created_at", "id"], name="item_open_in_order", condition=~Q(state__in=CLOSED_STATES)),
            models.Index(
                fields=["deadline_at", "created_at", "id"],
                name="item_open_by_deadline",
                condition=~Q(state__in=CLOSED_STATES),
            ),
            models.Index(fields=["created_at", "id"], name="item_in_order"),
            models.Index(
                fields=["decided_at", "created_at", "id"],
                name="item_decided_in_order",
                condition=Q(decided_at__isnull=False),
            ),
            models.Index(
                fields=["retired_at", "created_at", "id"],
                name="item_retired_in_order",
                condition=Q(retired_at__isnull=False),
            ),
            models.Index(fields=["state", "created_at", "id"], name="item_by_state"),
            models.Index(fields=["question_key"], name="item_open_by_key", condition=~Q(state__in=CLOSED_STATES)),
            GinIndex(
                fields=["also_asked"],
                name="item_open_by_further_key",
                opclasses=["jsonb_path_ops"],
                condition=~Q(state__in=CLOSED_STATES),
            ),
        ]
        constraints = [
            models.CheckConstraint(
                condition=Q(
                    state__in=DECIDED_STATES,
                    decided_at__isnull=False,
                    decided_by__isnull=False,
                    decision__isnull=False,
                )
                | (
                    ~Q(state__in=DECIDED_STATES)
                    & Q(decided_at__isnull=True, decided_by__isnull=True, decision__isnull=True)
                ),
                name="item_decided_by_someone_at_some_time",
            ),
            models.CheckConstraint(
                condition=Q(state=ItemState.RETIRED, retired_at__isnull=False, retired_because__isnull=False)
                | (~Q(state=ItemState.RETIRED) & Q(retired_at__isnull=True, retired_because__isnull=True)),
                name="item_retired_for_a_reason",
            ),
            models.CheckConstraint(
                condition=Q(holder__isnull=True, lease_until__isnull=True)
                | Q(holder__isnull=False, lease_until__isnull=False),
                name="item_held_until_a_time",
            ),
            models.CheckConstraint(
                condition=Q(
                    question_status=KeyStatus.ESTABLISHED, question_key__isnull=False, question_by__isnull=False
                )
                | (~Q(question_status=KeyStatus.ESTABLISHED) & Q(question_key__isnull=True)),
                name="item_key_only_when_established",
            ),
            models.CheckConstraint(condition=Q(version__gte=1), name="item_version_from_one"),
            models.CheckConstraint(condition=Q(state__in=[s.value for s in ItemState]), name="item_state_known"),
        ]

    def __str__(self) -> str:
        return self.external_id


class DraftVersion(models.Model):
    """One text of a draft: the first is the model's and is kept for ever, later ones are people's."""

    item = models.ForeignKey(ReviewItem, models.PROTECT, related_name="draft_versions")
    number = models.PositiveIntegerField()
    text = models.TextField()
    author = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True)
    created_at = models.DateTimeField()

    class Meta:
        ordering = ["item", "number"]
        indexes = [GinIndex(words_of("text"), name="draft_version_words")]
        constraints = [models.UniqueConstraint(fields=["item", "number"], name="draft_version_numbered_once")]

    def __str__(self) -> str:
        return f"{self.item_id} v{self.number}"


class Claim(models.Model):
    """A claim found in one draft version, with its verdict at the newest analysis."""

    item = models.ForeignKey(ReviewItem, models.PROTECT, related_name="claims")
    version = models.PositiveIntegerField()
    start = models.PositiveIntegerField()
    end = models.PositiveIntegerField()
    cls = models.CharField(max_length=10, choices=choices(ClaimClass))
    sub = models.CharField(max_length=20, null=True, blank=True)
    tier = models.CharField(max_length=10, choices=choices(Tier))
    rule = models.TextField()
    verdict = models.CharField(max_length=15, choices=choices(Verdict))
    record = models.TextField(null=True, blank=True)
    needs = models.TextField(null=True, blank=True)

    class Meta:
        ordering = ["item", "start"]
        constraints = [models.CheckConstraint(condition=Q(start__lt=F("end")), name="claim_has_a_span")]

    def __str__(self) -> str:
        return f"{self.cls} {self.start}-{self.end}"


class Finding(models.Model):
    """A finding of the newest analysis of one draft version."""

    item = models.ForeignKey(ReviewItem, models.PROTECT, related_name="findings")
    version = models.PositiveIntegerField()
    code = models.CharField(max_length=60)
    message = models.TextField()
    start = models.PositiveIntegerField(null=True, blank=True)
    end = models.PositiveIntegerField(null=True, blank=True)
    blocking = models.BooleanField()

    class Meta:
        ordering = ["item", "id"]
        indexes = [models.Index(fields=["code"], name="finding_by_code")]

    def __str__(self) -> str:
        return self.code
