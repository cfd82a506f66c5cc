"""What the review workflow remembers. What must never happen is refused by constraints and triggers.

Whole replies and customers' words live in these tables, which can be erased; what was promised lives in the ledger.
Every `_at` is an instant in UTC.
"""

import uuid

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from drafts.decisions.transitions import CLOSED_STATES, DECIDED_STATES, ItemState
from drafts.decisions.vocabulary import ClaimClass, Tier, Verdict
from ledger.decisions.vocabulary import KeyOrigin, KeyStatus


def choices(enum: type) -> list[tuple[str, str]]:
    """Build Django choices from a StrEnum of the decisions."""
    return [(member.value, member.value) for member in enum]  # type: ignore[attr-defined]  # iterating a StrEnum class


NOT_BLANK = (
    r"[^\s\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f"
    r"\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0]"
)


class Conversation(models.Model):
    """A customer's thread, named as the bot or helpdesk names it."""

    external_id = models.TextField(unique=True)
    customer_id = models.TextField(null=True, blank=True)
    channel = models.TextField(null=True, blank=True)
    created_at = models.DateTimeField()

    class Meta:
        constraints = [models.CheckConstraint(condition=~Q(external_id=""), name="conversation_has_a_name")]

    def __str__(self) -> str:
        return self.external_id


class Message(models.Model):
    """One turn of the thread; `ordinal` is its place, counted from one."""

    conversation = models.ForeignKey(Conversation, models.PROTECT, related_name="messages")
    external_id = models.TextField()
    ordinal = models.PositiveIntegerField()
    role = models.CharField(max_length=10, choices=[("customer", "customer"), ("agent", "agent"), ("note", "note")])
    text = models.TextField()
    sent_at = models.DateTimeField(null=True, blank=True)
    received_at = models.DateTimeField()
    through_desk = models.BooleanField(default=False, help_text="This reply is one that was decided here.")

    class Meta:
        ordering = ["conversation", "ordinal"]
        constraints = [
            models.UniqueConstraint(fields=["conversation", "external_id"], name="message_once_per_conversation"),
            models.UniqueConstraint(fields=["conversation", "ordinal"], name="message_has_its_own_place"),
            models.CheckConstraint(condition=Q(role__in=["customer", "agent", "note"]), name="message_role_known"),
        ]

    def __str__(self) -> str:
        return f"{self.conversation_id}/{self.external_id}"


class MessageRevision(models.Model):
    """What a message said before it was edited, and when we learnt of that text."""

    message = models.ForeignKey(Message, models.PROTECT, related_name="revisions")
    text = models.TextField()
    learnt_at = models.DateTimeField()
    replaced_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.message_id} until {self.replaced_at:%Y-%m-%d %H:%M}"


class Ticket(models.Model):
    """The newest state of a helpdesk's ticket; every earlier one is a snapshot."""

    external_id = models.TextField(primary_key=True)
    fields = models.JSONField(default=dict)
    as_of = models.DateTimeField()

    def __str__(self) -> str:
        return self.external_id


class TicketSnapshot(models.Model):
    """A ticket as it was told to us at one time."""

    ticket = models.ForeignKey(Ticket, models.PROTECT, related_name="snapshots")
    fields = models.JSONField()
    as_of = models.DateTimeField()
    received_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.ticket_id} as of {self.as_of:%Y-%m-%d %H:%M}"


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
    due_at = models.DateTimeField(null=True, blank=True)

    holder = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="items_held"
    )
    lease_until = models.DateTimeField(null=True, blank=True)
    fence = models.PositiveBigIntegerField(default=0)

    created_at = models.DateTimeField()
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
            models.Index(fields=["state", "created_at", "id"], name="item_by_state"),
            models.Index(fields=["question_key"], name="item_open_by_key", condition=~Q(state__in=CLOSED_STATES)),
        ]
        constraints = [
            models.CheckConstraint(
                condition=Q(state__in=DECIDED_STATES, decided_at__isnull=False, decided_by__isnull=False)
                | (~Q(state__in=DECIDED_STATES) & Q(decided_at__isnull=True, decided_by__isnull=True)),
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
    item = models.OneToOneField(ReviewItem, models.PROTECT, related_name="decision")
    kind = models.CharField(max_length=10, choices=Kind)
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

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=~Q(kind="correct") | Q(reason__regex=NOT_BLANK, owner__isnull=False),
                name="decision_to_correct_has_reason_and_owner",
            ),
            models.CheckConstraint(
                condition=~Q(kind="send_back") | Q(reason__regex=NOT_BLANK), name="decision_to_send_back_has_reason"
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


class Correction(models.Model):
    """A dated, reasoned, owned replacement of an answer, and the words in which the customer is told."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    conversation = models.ForeignKey(Conversation, models.PROTECT, related_name="corrections")
    decision = models.OneToOneField(Decision, models.PROTECT, null=True, blank=True, related_name="correction")
    entry_id = models.UUIDField(unique=True, help_text="The ledger entry that this correction wrote.")
    question_key = models.TextField()
    old_text = models.TextField()
    new_text = models.TextField()
    message = models.TextField()
    reason = models.TextField()
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    corrected_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    corrected_at = models.DateTimeField()

    class Meta:
        ordering = ["-corrected_at", "id"]
        constraints = [models.CheckConstraint(condition=Q(reason__regex=NOT_BLANK), name="correction_has_a_reason")]

    def __str__(self) -> str:
        return f"{self.question_key} in {self.conversation_id}"


class Delivery(models.Model):
    """Outbox row: a decided reply that is still to be sent, written with the decision."""

    class State(models.TextChoices):
        """Where a reply stands; without a destination it waits and says so."""

        NO_DESTINATION = "no_destination"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    conversation = models.ForeignKey(Conversation, models.PROTECT, related_name="deliveries")
    decision = models.OneToOneField(Decision, models.PROTECT, null=True, blank=True, related_name="delivery")
    correction = models.OneToOneField(Correction, models.PROTECT, null=True, blank=True, related_name="delivery")
    text = models.TextField()
    state = models.CharField(max_length=20, choices=State, default=State.NO_DESTINATION)
    attempts = models.PositiveIntegerField(default=0)
    delivered_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField()

    class Meta:
        verbose_name_plural = "deliveries"
        constraints = [
            models.CheckConstraint(
                condition=Q(decision__isnull=False, correction__isnull=True)
                | Q(decision__isnull=True, correction__isnull=False),
                name="delivery_of_one_thing",
            ),
            models.CheckConstraint(condition=Q(text__regex=NOT_BLANK), name="delivery_has_text"),
        ]

    def __str__(self) -> str:
        return f"{self.id} {self.state}"


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
