"""What a reviewer types is kept while they type, until they hand it in; what is overtaken is parked with the reason."""

import pytest
from django.utils import timezone

from drafts.decisions.transitions import DecisionKind
from drafts.models import ReviewItem, WorkingText
from drafts.services import deciding, editing, holding, typing, updates
from tests import builders

TYPED = "Hello Ana,\n\nI am still typing this"


@pytest.fixture
def item(owner, policy):
    return builders.item()


@pytest.fixture
def policy(owner):
    return builders.return_policy(owner)


def keep(item, person, text=TYPED, seen=1):
    return typing.keep(item_id=item.pk, text=text, seen_version=seen, actor=person, now=timezone.now())


def save(item, person, text, seen=1):
    return editing.save_text(
        item_id=item.pk, text=text, seen_version=seen, actor=person, now=timezone.now(), calendar=builders.calendar()
    )


def parked(item):
    return [(one.text, one.author, one.because) for one in item.parked_texts.order_by("pk")]


def test_the_first_letter_takes_the_item_and_keeps_the_text(item, agent):
    typed = keep(item, agent)

    item.refresh_from_db()
    assert (typed.hindered, item.holder, item.version) == (None, agent, 1)
    assert WorkingText.objects.get(item=item, author=agent).text == TYPED


def test_each_letter_replaces_what_was_kept_before(item, agent):
    keep(item, agent, "Hello A")
    keep(item, agent, "Hello Ana")

    assert WorkingText.objects.get(item=item).text == "Hello Ana"
    assert parked(item) == []


def test_the_saved_text_is_nothing_to_keep_and_takes_nothing(item, agent):
    typed = keep(item, agent, builders.CLEAN)

    item.refresh_from_db()
    assert (typed.kept_at, item.holder) == (None, None)


def test_typing_back_to_the_saved_text_leaves_nothing_kept(item, agent):
    keep(item, agent)
    keep(item, agent, builders.CLEAN)

    assert not WorkingText.objects.filter(item=item).exists()


def test_what_is_typed_while_a_colleague_holds_the_item_is_kept_beside_it(item, agent, agent2):
    holding.take(item_id=item.pk, actor=agent2)

    typed = keep(item, agent)

    item.refresh_from_db()
    assert (typed.hindered.who, item.holder) == ("agent2", agent2)
    assert WorkingText.objects.get(item=item, author=agent).text == TYPED


@pytest.mark.parametrize("wanted", [DecisionKind.EDIT, DecisionKind.SEND_BACK])
def test_a_decision_with_the_typed_text_leaves_nothing_kept(item, agent, wanted):
    text = builders.CLEAN.replace("Kind", "Warm")
    keep(item, agent, text[:-1])

    deciding.decide(
        item_id=item.pk,
        wanted=deciding.Wanted(wanted, 1, text, reason="Not usable."),
        actor=agent,
        now=timezone.now(),
        calendar=builders.calendar(),
    )

    assert not WorkingText.objects.filter(item=item).exists()
    assert parked(item) == []


def test_saving_leaves_nothing_kept(item, agent):
    keep(item, agent)

    save(item, agent, TYPED + " and more")

    assert not WorkingText.objects.filter(item=item).exists()
    assert parked(item) == []


def test_a_colleagues_new_version_parks_what_was_being_typed(item, agent, agent2):
    keep(item, agent)
    ReviewItem.objects.filter(pk=item.pk).update(holder=None, lease_until=None)

    save(item, agent2, "Hello Ana, Ben's words.")

    assert parked(item) == [(TYPED, agent, "Ben Okafor saved version 2 while this was being typed.")]


def test_a_colleagues_decision_parks_what_was_being_typed(item, agent, agent2):
    keep(item, agent)
    ReviewItem.objects.filter(pk=item.pk).update(holder=None, lease_until=None)

    builders.approve(item, agent2)

    assert parked(item) == [(TYPED, agent, "The item was decided while this was being typed.")]


def test_a_reply_from_outside_parks_what_was_being_typed(item, agent):
    keep(item, agent)

    updates.tell_message(
        conversation_id=item.conversation.external_id,
        message=builders.message("We answered you by phone.", "agent"),
        now=timezone.now(),
        calendar=builders.calendar(),
    )

    assert parked(item) == [(TYPED, agent, "The draft was retired while this was being typed.")]


def test_an_old_tab_that_types_on_after_the_decision_loses_nothing(item, agent, agent2):
    builders.approve(item, agent2)

    typed = keep(item, agent)

    assert typed.hindered.message == "agent2 already decided this item (approve)."
    assert WorkingText.objects.get(item=item, author=agent).text == TYPED


def test_a_text_typed_on_another_version_is_parked_before_it_is_replaced(item, agent):
    save(item, agent, "Hello Ana, version two.")
    keep(item, agent, "typed in the old tab", seen=1)

    keep(item, agent, "typed in the new tab", seen=2)

    assert parked(item) == [("typed in the old tab", agent, "It was typed on version 1; another text was typed since.")]


def test_starting_again_parks_what_was_typed(item, agent):
    keep(item, agent)

    typing.set_aside(item_id=item.pk, text=TYPED, actor=agent, now=timezone.now())
    typing.set_aside(item_id=item.pk, text=builders.CLEAN, actor=agent, now=timezone.now())

    assert parked(item) == [(TYPED, agent, "Ada Moreau started again from the saved text.")]
    assert not WorkingText.objects.filter(item=item).exists()


def test_a_save_that_came_too_late_keeps_its_text_once(item, agent, agent2):
    keep(item, agent)
    builders.approve(ReviewItem.objects.get(pk=item.pk), agent)
    keep(item, agent2, "Too late")

    save(item, agent2, "Too late")

    assert [text for text, author, _ in parked(item) if author == agent2] == ["Too late"]
    assert not WorkingText.objects.filter(item=item, author=agent2).exists()
