"""What people did with items. Every `_at` is an instant in UTC."""

import uuid

from django.conf import settings
from django.db import models
from django.db.models import Q

from drafts.decisions.transitions import ItemState
from drafts.models.fields import NOT_BLANK
from drafts.models.items import ReviewItem
from drafts.models.threads import Conversation, Message

WITHDRAWN_WITH_REASON = Q(withdrawn_at__isnull=True, withdrawn_by__isnull=True, withdrawn_because__isnull=True) | Q(
    withdrawn_at__isnull=False, withdrawn_because__isnull=False, withdrawn_because__regex=NOT_BLANK
)


class Dismissal(models.Model):
    """A person's word that a marked stretch is no claim, or that a finding was looked at; managers count these."""

    item = models.ForeignKey(ReviewItem, models.PROTECT, related_name="dismissals")
    subject = models.CharField(max_length=60, help_text="The claim's class, or the finding's code.")
    quote = models.TextField()
    reason = models.TextField()
    dismissed_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT)
    dismissed_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["item", "subject", "quote"], name="dismissed_once"),
            models.CheckConstraint(condition=Q(reason__regex=NOT_BLANK), name="dismissal_has_a_reason"),
        ]

    def __str__(self) -> str:
        return f"{self.subject}: {self.quote[:40]}"


class Decision(models.Model):
    """What a person decided about an item, bound to the version and the text they saw."""

    class Kind(models.TextChoices):
        """The final decisions; an escalation hands an item on and is none."""

        APPROVE = "approve"
        EDIT = "edit"
        CORRECT = "correct"
        SEND_BACK = "send_back"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    item = models.ForeignKey(ReviewItem, models.PROTECT, related_name="decisions")
    kind = models.CharField(max_length=10, choices=Kind)
    from_state = models.CharField(
        max_length=12,
        default=ItemState.PENDING,
        help_text="Where the item stood; it goes back there if this is undone.",
    )
    seen_version = models.PositiveIntegerField()
    text = models.TextField(blank=True)
    answer_text = models.TextField(null=True, blank=True)
    reason = models.TextField(null=True, blank=True)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="corrections_owned"
    )
    branch = models.CharField(max_length=60)
    root_key = models.TextField(
        null=True, blank=True, help_text="The root key the reply answers, where one was established."
    )
    entry_ids = models.JSONField(default=list, help_text="The ledger entries this decision wrote.")
    decided_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="decisions")
    decided_at = models.DateTimeField()
    withdrawn_at = models.DateTimeField(null=True, blank=True)
    withdrawn_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+",
        help_text="Who undid it; nobody where the last look before sending stopped it.",
    )  # fmt: skip
    withdrawn_because = models.TextField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["item"], condition=Q(withdrawn_at__isnull=True), name="decision_stands_once_per_item"
            ),
            models.CheckConstraint(condition=WITHDRAWN_WITH_REASON, name="decision_withdrawn_for_a_reason"),
            models.CheckConstraint(
                condition=~Q(kind="correct") | Q(reason__isnull=False, reason__regex=NOT_BLANK, owner__isnull=False),
                name="decision_to_correct_has_reason_and_owner",
            ),
            models.CheckConstraint(
                condition=~Q(kind="send_back") | Q(reason__isnull=False, reason__regex=NOT_BLANK),
                name="decision_to_send_back_has_reason",
            ),
            models.CheckConstraint(
                condition=Q(kind="send_back") | Q(text__regex=NOT_BLANK), name="decision_that_sends_has_text"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} by {self.decided_by_id}"


class Escalation(models.Model):
    """An item handed to a policy owner, who decides it."""

    item = models.ForeignKey(ReviewItem, models.PROTECT, related_name="escalations")
    reason = models.TextField()
    escalated_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT)
    escalated_at = models.DateTimeField()

    class Meta:
        constraints = [models.CheckConstraint(condition=Q(reason__regex=NOT_BLANK), name="escalation_has_a_reason")]

    def __str__(self) -> str:
        return f"{self.item_id} escalated"


class ParkedText(models.Model):
    """A reviewer's text that a colleague's decision or change overtook; nothing typed is ever lost."""

    item = models.ForeignKey(ReviewItem, models.PROTECT, related_name="parked_texts")
    text = models.TextField()
    author = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT)
    because = models.TextField()
    parked_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.item_id} by {self.author_id}"


class WorkingText(models.Model):
    """What a person is typing, kept while they type, so that a closed tab loses nothing; one per person and item."""

    item = models.ForeignKey(ReviewItem, models.PROTECT, related_name="working_texts")
    author = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    text = models.TextField()
    seen_version = models.PositiveIntegerField()
    typed_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["item", "author"], name="working_text_one_per_person")]

    def __str__(self) -> str:
        return f"{self.item_id} by {self.author_id}"


class Correction(models.Model):
    """A dated, reasoned, owned replacement of an answer, and the words in which the customer is told.

    `outside_message` is set where the withdrawn words were said past the desk: no entry holds them, so the entry is
    the ANSWER that gives the right one, or the REPLAY of the locked answer that holds.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    conversation = models.ForeignKey(Conversation, models.PROTECT, related_name="corrections")
    decision = models.OneToOneField(Decision, models.PROTECT, null=True, blank=True, related_name="correction")
    entry_id = models.UUIDField(unique=True, help_text="The ledger entry that this correction wrote.")
    outside_message = models.ForeignKey(Message, models.PROTECT, null=True, blank=True, related_name="corrections")
    source_document = models.TextField(
        blank=True,
        db_default="",
        help_text="The document that its entry rests on, copied so that the log can be narrowed.",
    )
    question_key = models.TextField()
    old_text = models.TextField()
    new_text = models.TextField()
    message = models.TextField()
    reason = models.TextField()
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    corrected_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    corrected_at = models.DateTimeField()
    withdrawn_at = models.DateTimeField(null=True, blank=True, help_text="When it was undone before it left.")
    withdrawn_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+")
    withdrawn_because = models.TextField(null=True, blank=True)

    class Meta:
        ordering = ["-corrected_at", "id"]
        indexes = [models.Index(fields=["-corrected_at", "id"], name="correction_newest")]
        constraints = [
            models.CheckConstraint(condition=Q(reason__regex=NOT_BLANK), name="correction_has_a_reason"),
            models.CheckConstraint(condition=WITHDRAWN_WITH_REASON, name="correction_withdrawn_for_a_reason"),
        ]

    def __str__(self) -> str:
        return f"{self.question_key} in {self.conversation_id}"


class Event(models.Model):
    """One line of an item's history, written when it happened and never changed."""

    item = models.ForeignKey(ReviewItem, models.PROTECT, related_name="events")
    kind = models.CharField(max_length=40)
    actor = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True)
    detail = models.JSONField(default=dict)
    happened_at = models.DateTimeField()

    class Meta:
        ordering = ["item", "id"]

    def __str__(self) -> str:
        return self.kind
