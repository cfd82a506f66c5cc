"""When sources change, the open drafts that ask about them are analysed again, whichever question it is."""

import pytest

from drafts.models import ReviewItem
from ledger.decisions.vocabulary import VersionStatus
from tests import builders

pytestmark = pytest.mark.django_db
OTHER = "delivery_time::online_store"


def test_a_draft_that_asks_it_as_its_second_question_is_analysed_again(people):
    owner = people["owner"]
    builders.return_policy(owner)
    builders.key(OTHER, by=owner, question_canonical="How long does delivery take?", deciding_facts=())
    item = builders.item()
    ReviewItem.objects.filter(pk=item.pk).update(also_asked=[{"key": OTHER, "by": "form", "score": None}])

    builders.version(
        by=owner, doc_id="delivery", name="DEL-1", key=OTHER, passage="Delivery takes 3 days.",
        status=VersionStatus.ACTIVE,
    )  # fmt: skip

    item.refresh_from_db()
    assert [one["question_key"]["key"] for one in item.analysis["also"]] == [OTHER]
