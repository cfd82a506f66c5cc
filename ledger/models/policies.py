"""Documents, their dated versions and the passages that answer questions.

Dates are calendar dates in the organisation's zone, every `_at` is an instant in UTC.
"""

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from ledger.decisions.vocabulary import DocumentKind, VersionStatus
from ledger.models.keys import QuestionKey
from ledger.models.shared import VISIBLE, choices


class PolicyDocument(models.Model):
    """A document whose versions follow each other; its deciding date chooses between them."""

    doc_id = models.TextField(primary_key=True)
    kind = models.CharField(max_length=16, choices=choices(DocumentKind))
    deciding_date = models.TextField(help_text="The fact whose day selects the version, for example received_on.")
    answers_because = models.TextField(
        null=True, blank=True, help_text="Why a third party's document may answer for us; without it, it never does."
    )
    answers_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+")
    answers_since = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(doc_id__regex=VISIBLE), name="policy_document_has_a_name"),
            models.CheckConstraint(
                condition=Q(kind__in=[kind.value for kind in DocumentKind]), name="policy_document_kind_known"
            ),
            models.CheckConstraint(
                condition=Q(deciding_date__regex=r"^[a-z][a-z0-9_]*$"), name="policy_document_deciding_date"
            ),
            models.CheckConstraint(
                condition=Q(answers_because__isnull=True, answers_by__isnull=True, answers_since__isnull=True)
                | Q(
                    kind=DocumentKind.THIRD_PARTY,
                    answers_because__isnull=False,
                    answers_because__regex=VISIBLE,
                    answers_by__isnull=False,
                    answers_since__isnull=False,
                ),
                name="policy_document_answers_with_reason",
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
    body = models.TextField(
        blank=True, db_default="", help_text="The whole text; every passage stands in it. May be unknown."
    )
    prepared_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+")
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
