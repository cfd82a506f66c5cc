"""The registry of question keys. Every `_at` is an instant in UTC."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from ledger.decisions.keys import KEY_GRAMMAR
from ledger.decisions.vocabulary import CommitmentClass
from ledger.models.shared import VISIBLE, choices


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
