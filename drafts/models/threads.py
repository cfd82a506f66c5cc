"""What a customer's thread and its ticket look like. Every `_at` is an instant in UTC."""

from django.contrib.postgres.indexes import GinIndex
from django.db import models
from django.db.models import Q

from drafts.models.searching import words_of


class Conversation(models.Model):
    """A customer's thread, named as the bot or helpdesk names it."""

    external_id = models.TextField(unique=True)
    customer_id = models.TextField(null=True, blank=True)
    channel = models.TextField(null=True, blank=True)
    created_at = models.DateTimeField()

    class Meta:
        indexes = [
            models.Index(fields=["customer_id"], name="conversation_by_customer", opclasses=["text_pattern_ops"]),
            models.Index(fields=["channel"], name="conversation_by_channel"),
        ]
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
        indexes = [GinIndex(words_of("text"), name="message_words")]
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
