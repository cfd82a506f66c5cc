"""What is typed into the editor is kept by the server, shown again on opening, and never in a colleague's way."""

import pytest
from django.urls import reverse
from pytest_django.asserts import assertContains, assertNotContains, assertRedirects

from drafts.models import ReviewItem
from drafts.services import holding
from tests import builders
from tests.web.conftest import HTMX, press, signed_in

TYPED = builders.CLEAN.replace("Kind regards", "Warm regards")


@pytest.fixture
def item(policy):
    return builders.item()


def opened(client, item, **query):
    return client.get(reverse("review", args=[item.pk]), query)


def editor(response):
    """What stands in the editor, as a browser would send it."""
    return response.text.split('<textarea id="text"')[1].split(">\n", 1)[1].split("</textarea>")[0]


def free(item):
    ReviewItem.objects.filter(pk=item.pk).update(holder=None, lease_until=None)


def test_the_parts_beside_the_editor_come_and_the_editor_does_not(console, item):
    response = press(console, item, "check", text=TYPED, headers=HTMX)

    for part in ("checked", "said", "notes", "standing", "typed", "approve", "hold"):
        assertContains(response, f'id="{part}"')
    assertNotContains(response, '<textarea id="text"')
    assertContains(response, "Taken by you")
    assertContains(response, "Kept at")


def test_on_opening_the_editor_goes_on_where_one_stopped(console, item):
    press(console, item, "check", text=TYPED, headers=HTMX)

    response = opened(console, item)

    assert editor(response) == TYPED
    assertContains(response, "Kept at")
    assertContains(response, "Start again from the saved text")
    assertContains(response, "not saved yet")


def test_a_colleague_sees_the_saved_text(console, item, agent2):
    press(console, item, "check", text=TYPED, headers=HTMX)
    free(item)

    assert editor(opened(signed_in(agent2), item)) == builders.CLEAN


def test_starting_again_shows_the_saved_text_and_keeps_the_typed_one_aside(console, item, headers):
    press(console, item, "check", text=TYPED)

    response = press(console, item, "set-aside", text=TYPED, headers=headers)

    if not headers:
        assertRedirects(response, reverse("review", args=[item.pk]))
    response = opened(console, item)
    assert editor(response) == builders.CLEAN
    assertContains(response, "started again from the saved text")
    assertContains(response, f"?from=parked:{item.parked_texts.get().pk}")


def test_saving_and_approving_leave_nothing_typed(console, item):
    press(console, item, "check", text=TYPED)
    press(console, item, "approve", text=TYPED)

    assert not item.working_texts.exists()
    assertNotContains(opened(console, item), "Texts that were kept")


def test_while_a_colleague_holds_the_item_typing_is_kept_and_told(console, item, agent2):
    holding.take(item_id=item.pk, actor=agent2)

    response = press(console, item, "check", text=TYPED, headers=HTMX)

    assertContains(response, "Ben Okafor has taken this item")
    assertContains(response, "Your text is kept")
    assert item.working_texts.get().text == TYPED
    item.refresh_from_db()
    assert item.holder == agent2


def test_an_answer_and_a_reason_typed_beside_a_colleague_stay_in_their_fields(console, policy, agent2):
    item = builders.item(builders.UNBACKED)
    holding.take(item_id=item.pk, actor=agent2)
    claim = item.claims.filter(tier="claim").exclude(verdict="SUPPORTED").get()
    reason = {f"reason-{claim.cls}:{claim.start}:{claim.end}": "A figure of speech."}

    response = press(console, item, "check", text=builders.UNBACKED + ".", answer_text="Mine.", headers=HTMX, **reason)

    assertContains(response, 'value="A figure of speech."')
    assertContains(response, "Mine.</textarea>")


def test_what_was_typed_beside_a_colleague_stands_among_the_kept_texts(console, item, agent2):
    press(console, item, "check", text=TYPED)
    free(item)
    holding.take(item_id=item.pk, actor=agent2)

    response = opened(console, item)

    assertContains(response, "You were typing this; it is not saved.")
    assertContains(response, "Warm regards")


def test_a_colleagues_new_version_parks_what_was_typed(console, item, agent2):
    press(console, item, "check", text=TYPED)
    free(item)
    press(signed_in(agent2), item, "save", text="Hello Ana, Ben's words.")
    free(item)

    response = opened(console, item)

    assert editor(response).startswith("Hello Ana, Ben")
    assertContains(response, "Ben Okafor saved version 2 while this was being typed.")
    assertContains(response, "Warm regards")


def test_an_old_tab_that_types_on_is_told_and_can_put_its_text_into_the_editor(console, item, agent2):
    press(signed_in(agent2), item, "save", text="Hello Ana, Ben's words.")
    free(item)

    told = press(console, item, "check", text=TYPED, headers=HTMX)
    beside = opened(console, item)
    taken_up = opened(console, item, **{"from": "typed:0"})

    assertContains(told, "moved on to version 2")
    assertContains(beside, "You were typing this on version 1.")
    assert editor(taken_up) == TYPED


def test_an_old_tab_of_a_decided_item_is_told_so(console, item, agent2):
    builders.approve(item, agent2)

    told = press(console, item, "check", text=TYPED, headers=HTMX)

    assertContains(told, "Ben Okafor already decided this item")
    assertContains(opened(console, item), "You were typing this when the item was closed.")


def test_nobody_sees_what_somebody_else_is_typing(console, item, agent2):
    press(console, item, "check", text=TYPED)

    assertNotContains(opened(signed_in(agent2), item), "Warm regards")


def test_a_text_that_cannot_be_kept_is_told_beside_the_editor(console, item):
    response = press(console, item, "check", text="x" * 65_600, headers=HTMX)

    assertContains(response, "Shorten it", status_code=422)
    assert not item.working_texts.exists()


def test_the_answer_to_lock_follows_the_text_until_somebody_changes_it(console, item):
    text = builders.CLEAN.replace("An unused lamp", "The unused lamp")
    said = "The unused lamp can be returned within 14 days of receipt."

    follows = press(console, item, "check", text=text, answer_text=builders.PASSAGE, proposed=builders.PASSAGE)
    changed = press(console, item, "check", text=text, answer_text="My own.", proposed=builders.PASSAGE)

    assertContains(follows, f"{said}</textarea>", count=1)
    assertContains(changed, "My own.</textarea>", count=1)


def test_what_was_changed_is_shown_against_the_models_draft(console, item):
    response = press(console, item, "check", text=TYPED, headers=HTMX)

    assertContains(response, "What you changed")
    assertContains(response, '<del><span class="visually-hidden">taken out: </span>Kind</del>')
    assertContains(response, '<ins><span class="visually-hidden">put in: </span>Warm</ins>')
    assertContains(response, '<details id="changed" open>')


def test_a_large_change_starts_folded(console, item):
    response = press(console, item, "check", text="Something else. " * 60, headers=HTMX)

    assertContains(response, '<details id="changed">')


@pytest.mark.parametrize(
    ("text", "label"),
    [(builders.CLEAN, "Approve as it is"), (TYPED, "Approve this text"), ("Hello.", "Approve (1 thing in the way)")],
)
def test_the_approve_button_says_what_it_does_or_what_holds_it_up(console, item, text, label):
    response = press(console, item, "check", text=text, headers=HTMX)

    button = response.text.split('id="approve"')[1].split("</button>")[0]
    assert button.endswith(f">{label}")
    assert ("held-up" in response.text) is ("in the way" in label)


def test_checking_takes_a_bounded_number_of_queries(console, item, django_assert_max_num_queries):
    with django_assert_max_num_queries(65):
        press(console, item, "check", text=TYPED, headers=HTMX)
