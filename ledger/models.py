"""What the ledger remembers, and the sources it rests on.

`Entry`, `TypedFact` and `Head` lie in the database schema `ledger`, which the run-time role can only read; the one door
to them is the database function `ledger.append` (see the migrations). Everything else is an ordinary table whose rules
are constraints here and triggers there. Dates are calendar dates in the organisation's zone, every `_at` is in UTC.
"""

import uuid

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from ledger.decisions.keys import KEY_GRAMMAR
from ledger.decisions.vocabulary import CommitmentClass, DocumentKind, EntryKind, KeyOrigin, VersionStatus

VISIBLE = (
    r"[^\s\u0001-\u0020\u007f-\u00a0\u00ad\u034f\u061c\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f\u2000-\u200f"
    r"\u2028-\u202f\u205f-\u206f\u2800\u3000\u3164\ufe00-\ufe0f\ufeff\uffa0\U000e0000-\U000e0fff]"
)
"""Matches a text that has something to see; PostgreSQL reads the escapes itself."""


def choices(enum: type) -> list[tuple[str, str]]:
    """Build Django choices from a StrEnum of the decisions."""
    return [(member.value, member.value) for member in enum]  # type: ignore[attr-defined]  # iterating a StrEnum class


class QuestionKey(models.Model):
    """The address of one commitment topic. An adjacent key has a parent, and the sentence that sets it off."""

    key = models.TextField(primary_key=True)
    question_canonical = models.TextField()
    commitment_class = models.CharField(max_length=16, choices=choices(CommitmentClass))
    deciding_facts = models.JSONField(default=list, help_text="Names of the facts that an answer depends on.")
    parent = models.ForeignKey("self", models.PROTECT, null=True, blank=True, related_name="adjacent")
    boundary = models.TextField(null=True, blank=True)
    examples = models.JSONField(default=list, help_text="Phrasings in which customers ask this.")
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+")
    changed_at = models.DateTimeField()
    changed_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+")

    class Meta:
        constraints = [  # a CHECK passes on NULL, so a text that may be absent is asked for before it is looked at
            models.CheckConstraint(condition=Q(key__regex=KEY_GRAMMAR), name="question_key_grammar"),
            models.CheckConstraint(condition=Q(question_canonical__regex=VISIBLE), name="question_key_has_a_question"),
            models.CheckConstraint(
                condition=Q(parent__isnull=True, boundary__isnull=True)
                | Q(parent__isnull=False, boundary__isnull=False, boundary__regex=VISIBLE),
                name="question_key_parent_and_boundary",
            ),
            models.CheckConstraint(condition=~Q(parent=F("key")), name="question_key_not_its_own_parent"),
            models.CheckConstraint(
                condition=Q(commitment_class__in=[c.value for c in CommitmentClass]), name="question_key_class_known"
            ),
        ]

    def __str__(self) -> str:
        return self.key


class PolicyDocument(models.Model):
    """A document whose versions follow each other; its deciding date chooses between them."""

    doc_id = models.TextField(primary_key=True)
    kind = models.CharField(max_length=16, choices=choices(DocumentKind))
    deciding_date = models.TextField(help_text="The fact whose day selects the version, for example received_on.")

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(doc_id__regex=VISIBLE), name="policy_document_has_a_name"),
            models.CheckConstraint(
                condition=Q(kind__in=[kind.value for kind in DocumentKind]), name="policy_document_kind_known"
            ),
            models.CheckConstraint(
                condition=Q(deciding_date__regex=r"^[a-z][a-z0-9_]*$"), name="policy_document_deciding_date"
            ),
        ]

    def __str__(self) -> str:
        return self.doc_id


class PolicyVersion(models.Model):
    """A dated text of one document: `effective_from` included, `effective_until` excluded, for named channels."""

    document = models.ForeignKey(PolicyDocument, models.PROTECT, related_name="versions")
    version = models.TextField()
    title = models.TextField()
    channels = models.JSONField(help_text="Names of the channels it holds on; none stands for all.")
    effective_from = models.DateField()
    effective_until = models.DateField(null=True, blank=True)
    status = models.CharField(max_length=8, choices=choices(VersionStatus), default=VersionStatus.ACTIVE)
    published_at = models.DateTimeField(null=True, blank=True)
    published_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+")
    retired_at = models.DateTimeField(null=True, blank=True)
    retired_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["document", "version"], name="policy_version_once_per_document"),
            models.CheckConstraint(condition=Q(version__regex=VISIBLE), name="policy_version_has_a_name"),
            models.CheckConstraint(
                condition=Q(effective_until__isnull=True) | Q(effective_from__lt=F("effective_until")),
                name="policy_version_ends_after_it_begins",
            ),
            models.CheckConstraint(
                condition=Q(status__in=[status.value for status in VersionStatus]), name="policy_version_status_known"
            ),
            models.CheckConstraint(
                condition=Q(status=VersionStatus.DRAFT, published_at__isnull=True, retired_at__isnull=True)
                | Q(status=VersionStatus.ACTIVE, published_at__isnull=False, retired_at__isnull=True)
                | Q(status=VersionStatus.RETIRED, retired_at__isnull=False),
                name="policy_version_status_and_times",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.document_id}/{self.version}"


class PolicyStatement(models.Model):
    """The passage of a version that answers one question key; at most one for each."""

    version = models.ForeignKey(PolicyVersion, models.CASCADE, related_name="statements")
    question_key = models.ForeignKey(QuestionKey, models.PROTECT, related_name="+")
    section = models.TextField(blank=True)
    text = models.TextField()

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(fields=["version", "question_key"], name="policy_statement_one_per_key"),
            models.CheckConstraint(condition=Q(text__regex=VISIBLE), name="policy_statement_says_something"),
        ]

    def __str__(self) -> str:
        return f"{self.version} {self.section}: {self.question_key_id}"


class PolicyCoverage(models.Model):
    """Where and when a document has an active version: one row per channel, written by a trigger alone.

    An exclusion constraint in the migrations keeps two versions of one document from overlapping.
    """

    version = models.ForeignKey(PolicyVersion, models.DO_NOTHING, related_name="coverage")
    document = models.ForeignKey(PolicyDocument, models.DO_NOTHING, related_name="+")
    channel = models.TextField()
    valid_from = models.DateField()
    valid_until = models.DateField(null=True)

    class Meta:
        verbose_name_plural = "policy coverage"

    def __str__(self) -> str:
        return f"{self.version} on {self.channel}"


class Conflict(models.Model):
    """A key that more than one active document answers on a channel; nothing goes out until it is settled."""

    OPEN, RESOLVED, OBSOLETE = "open", "resolved", "obsolete"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    question_key = models.ForeignKey(QuestionKey, models.PROTECT, related_name="conflicts")
    channel = models.TextField()
    state = models.CharField(max_length=8, choices=[(s, s) for s in (OPEN, RESOLVED, OBSOLETE)], default=OPEN)
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+")
    opened_at = models.DateTimeField()
    due_at = models.DateTimeField(help_text="Closing time of the business day it was found on.")
    resolved_at = models.DateTimeField(null=True, blank=True, help_text="When it was settled or found obsolete.")
    resolved_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+")
    reason = models.TextField(null=True, blank=True)
    kept = models.ForeignKey(PolicyVersion, models.PROTECT, null=True, blank=True, related_name="+")

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["question_key", "channel"], condition=Q(state="open"), name="conflict_open_once_per_key"
            ),
            models.CheckConstraint(
                condition=Q(
                    state="open",
                    resolved_at__isnull=True,
                    resolved_by__isnull=True,
                    reason__isnull=True,
                    kept__isnull=True,
                )
                | Q(
                    state="resolved",
                    resolved_at__isnull=False,
                    resolved_by__isnull=False,
                    reason__isnull=False,
                    reason__regex=VISIBLE,
                    kept__isnull=False,
                )
                | Q(
                    state="obsolete",
                    resolved_at__isnull=False,
                    resolved_by__isnull=True,
                    reason__isnull=True,
                    kept__isnull=True,
                ),
                name="conflict_state_and_outcome",
            ),
            models.CheckConstraint(
                condition=Q(resolved_at__isnull=True) | Q(resolved_at__gte=F("opened_at")),
                name="conflict_settled_after_it_opened",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.question_key_id} on {self.channel}: {self.state}"


class ConflictVersion(models.Model):
    """A policy version that takes part in a conflict."""

    conflict = models.ForeignKey(Conflict, models.CASCADE, related_name="members")
    version = models.ForeignKey(PolicyVersion, models.PROTECT, related_name="+")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["conflict", "version"], name="conflict_version_once")]

    def __str__(self) -> str:
        return f"{self.conflict_id}: {self.version}"


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
