"""Evidence packs as the services make them, checked by the verifier that is handed out."""

from datetime import timedelta

import pytest
from django.utils import timezone

from drafts.evidence_verifier import verify_evidence
from drafts.models import Conversation, EvidencePack
from drafts.services import correcting, evidence
from drafts.services.correcting import CorrectionWanted
from tests import builders

NOW = timezone.now()


@pytest.fixture
def conversation(people):
    """A customer who was answered, told again, and corrected."""
    builders.return_policy(people["owner"])
    name = builders.locked(people["agent"])
    builders.approve(builders.item(conversation=name), people["agent"])
    correcting.correct(
        conversation_id=name,
        question_key=builders.RETURN_KEY,
        wanted=CorrectionWanted("You can return an unused lamp within 14 days of receipt.", "Unclear.", "owner"),
        actor=people["manager"],
        now=timezone.now(),
        calendar=builders.calendar(),
    )
    return Conversation.objects.get(external_id=name)


def made(conversation, actor, form="json", now=NOW):
    return evidence.make(conversation_id=conversation.pk, form=form, actor=actor, now=now)


@pytest.mark.parametrize("form", evidence.FORMS)
def test_what_was_made_is_verified_by_a_program_that_knows_nothing_of_us(conversation, manager, form):
    pack = made(conversation, manager, form)

    report = verify_evidence.examine(pack.data)

    assert report.broken == []
    assert "3 entries without a gap" in " ".join(report.holds)
