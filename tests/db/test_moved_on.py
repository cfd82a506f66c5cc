"""A decision that cannot stand after all: nothing is decided by halves, no text is lost, and a retry goes through."""

import pytest
from django.utils import timezone

from drafts.decisions.transitions import DecisionKind
from drafts.models import DraftVersion, ParkedText
from drafts.services.deciding import Wanted, decide
from drafts.services.outcomes import Decided, Refused
from tests import builders

pytestmark = pytest.mark.django_db(transaction=True)


def edit(item, by, text: str):
    wanted = Wanted(DecisionKind.EDIT, seen_version=item.version, text=text)
    return decide(item_id=item.pk, wanted=wanted, actor=by, now=timezone.now(), calendar=builders.calendar())


def test_an_edit_that_met_a_changing_policy_is_parked_and_goes_through_later(people, owner_connection):
    doc = builders.unique("returns")
    builders.key(by=people["owner"])
    builders.version(by=people["owner"], doc_id=doc)
    item = builders.item()
    text = f"{builders.PASSAGE} Kind regards from my own hand."

    with owner_connection.transaction():
        owner_connection.execute("SELECT 1 FROM ledger_policyversion WHERE document_id = %s FOR UPDATE", [doc])
        refused = edit(item, people["agent"], text)
    item.refresh_from_db()

    assert isinstance(refused, Refused)
    assert [b.code for b in refused.blockers] == ["moved_on_meanwhile"]
    assert ParkedText.objects.get(item=item).text == text
    assert (item.version, DraftVersion.objects.filter(item=item).count()) == (1, 1)
    assert isinstance(edit(item, people["agent"], text), Decided)


def test_the_message_of_a_refused_correction_is_parked(people):
    doc = builders.unique("returns")
    builders.key(by=people["owner"])
    builders.version(by=people["owner"], doc_id=doc)
    item = builders.item()
    wanted = Wanted(
        DecisionKind.CORRECT, text="We were wrong.", reason="A slip", owner="owner", answer_text=builders.PASSAGE
    )

    refused = decide(
        item_id=item.pk, wanted=wanted, actor=people["agent"], now=timezone.now(), calendar=builders.calendar()
    )

    assert [b.code for b in refused.blockers] == ["nothing_to_correct"]
    assert ParkedText.objects.get(item=item).text == "We were wrong."
