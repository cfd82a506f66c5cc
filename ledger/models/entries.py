"""The append-only part: entries, their typed facts, the heads of the chains, and the published view.

These lie in the database schema `ledger`, which the run-time role can only read; the one door to them is the database
function `ledger.append` (see the migrations). Every `_at` is an instant in UTC.
"""

from django.db import models

from ledger.decisions.vocabulary import CommitmentClass, EntryKind, KeyOrigin
from ledger.models.shared import choices


class Entry(models.Model):
    """One append-only fact of a conversation. Read here; written by the database function `ledger.append` alone."""

    id = models.UUIDField(primary_key=True)
    conversation_id = models.TextField()
    customer_id = models.TextField(null=True)
    channel = models.TextField(null=True)
    position = models.BigIntegerField(help_text="Place in the conversation's chain, counted from one.")
    kind = models.TextField(choices=choices(EntryKind))
    question_key = models.TextField(help_text="The root key: what is locked.")
    asked_key = models.TextField(help_text="The key that was asked, root or adjacent.")
    question_canonical = models.TextField()
    matched_by = models.TextField(choices=choices(KeyOrigin))
    answer_text = models.TextField()
    answer_source = models.JSONField(null=True)
    commitment_class = models.TextField(choices=choices(CommitmentClass))
    deciding_facts = models.JSONField(default=dict)
    supersedes = models.OneToOneField("self", models.DO_NOTHING, null=True, db_column="supersedes", related_name="+")
    replays = models.ForeignKey("self", models.DO_NOTHING, null=True, db_column="replays", related_name="+")
    restores = models.ForeignKey("self", models.DO_NOTHING, null=True, db_column="restores", related_name="+")
    reason = models.TextField(null=True)
    owner = models.TextField(null=True)
    decided_by = models.TextField()
    decision_id = models.TextField()
    effective_at = models.DateTimeField(help_text="When the statement counts from, as the application says.")
    recorded_at = models.DateTimeField(help_text="When the database wrote it, by its own clock.")
    payload = models.BinaryField(help_text="The exact bytes that were hashed.")
    format_version = models.SmallIntegerField()
    prev_hash = models.BinaryField()
    entry_hash = models.BinaryField(unique=True)

    class Meta:
        managed = False
        db_table = 'ledger"."entry'

    def __str__(self) -> str:
        return f"{self.conversation_id} #{self.position} {self.kind}"


class TypedFact(models.Model):
    """One value that an answer commits to, in the normal form of `ledger.decisions.facts.Fact`."""

    pk = models.CompositePrimaryKey("entry_id", "ordinal")
    entry = models.ForeignKey(Entry, models.DO_NOTHING, related_name="typed_facts")
    ordinal = models.IntegerField()
    kind = models.TextField()
    unit = models.TextField()
    low = models.DecimalField(max_digits=40, decimal_places=12, null=True)
    high = models.DecimalField(max_digits=40, decimal_places=12, null=True)
    bound = models.TextField()
    per = models.TextField(null=True)
    anchor = models.TextField(null=True)
    applies_to = models.TextField(null=True)
    polarity = models.BooleanField()
    start = models.IntegerField(db_column="span_start")
    end = models.IntegerField(db_column="span_end")
    topics = models.JSONField()

    class Meta:
        managed = False
        db_table = 'ledger"."fact'

    def __str__(self) -> str:
        return f"{self.kind} {self.low}–{self.high} {self.unit}"


class Head(models.Model):
    """The newest entry of each conversation: what the next one builds on."""

    conversation_id = models.TextField(primary_key=True)
    position = models.BigIntegerField()
    entry_hash = models.BinaryField()

    class Meta:
        managed = False
        db_table = 'ledger"."head'

    def __str__(self) -> str:
        return f"{self.conversation_id}: {self.position}"


class PublishedEntry(models.Model):
    """A row of the SQL view `answer_ledger`: one for each ANSWER, REPLAY and CORRECTION."""

    entry_id = models.UUIDField(primary_key=True)
    conversation_id = models.TextField()
    customer_id = models.TextField(null=True)
    question_key = models.TextField()
    question_canonical = models.TextField()
    matched_by = models.TextField()
    answer_text = models.TextField()
    answer_source = models.JSONField(null=True)
    commitment_class = models.TextField()
    locked = models.BooleanField()
    locked_at = models.DateTimeField()
    supersedes = models.UUIDField(null=True)
    replay_count = models.IntegerField()
    correction_event = models.JSONField(null=True)

    class Meta:
        managed = False
        db_table = 'ledger"."answer_ledger'

    def __str__(self) -> str:
        return f"{self.conversation_id}: {self.answer_text}"
