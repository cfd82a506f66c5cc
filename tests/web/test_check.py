import pytest
from django.urls import reverse
from pytest_django.asserts import assertContains, assertNotContains

from drafts.services import holding
from tests import builders
from tests.web.conftest import is_whole_page, press, signed_in


def test_checking_tells_what_is_wrong_keeps_the_text_and_takes_the_item(console, policy, agent, headers):
    item = builders.item()

    response = press(console, item, "check", text=builders.UNBACKED, headers=headers)

    assertContains(response, "Cannot be approved because")
    assertContains(response, "The text as typed, not saved")
    assert is_whole_page(response) is not bool(headers)
    item.refresh_from_db()
    assert (item.version, item.holder) == (1, agent)
    assert item.working_texts.get().text == builders.UNBACKED


def test_checking_the_saved_text_stores_nothing_and_takes_nothing(console, policy, headers):
    item = builders.item()

    press(console, item, "check", headers=headers)

    item.refresh_from_db()
    assert item.holder is None
    assert not item.working_texts.exists()


def test_checking_a_mended_text_opens_the_way(console, policy, headers):
    item = builders.item(builders.UNBACKED)

    response = press(console, item, "check", text=builders.CLEAN, headers=headers)

    assertContains(response, "Nothing stands in the way")
    assertContains(response, builders.PASSAGE)


def test_htmx_gets_the_checked_text_and_the_notes_beside_it_but_not_the_editor(console, policy):
    response = press(console, builders.item(), "check", text=builders.UNBACKED, headers={"HX-Request": "true"})

    assertContains(response, 'id="checked"')
    assertContains(response, 'hx-swap-oob="true"')
    assertNotContains(response, '<textarea id="text"')


def test_a_link_cannot_check(console, policy):
    assert console.get(reverse("review-check", args=[builders.item().pk])).status_code == 405


def test_reasons_typed_beside_the_text_survive_a_check(console, policy):
    response = press(console, builders.item(), "check", reason__send_back="Too short, said I")

    assertContains(response, "Too short, said I")


def test_a_manager_sees_the_stored_text_only(people, policy):
    response = press(signed_in(people["manager"]), builders.item(), "check", text="Mine.")

    assertContains(response, "Deciding is for support agents and policy owners.")
    assertNotContains(response, "Mine.")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        pytest.param("  ", "The reply is empty.", id="empty"),
        pytest.param("A" * 70_000, "The text is too long: at most 65,536 plain letters fit", id="too-long"),
    ],
)
def test_a_text_that_cannot_go_out_is_never_shown_as_free(console, policy, text, told, headers):
    response = press(console, builders.item(), "check", text=text, headers=headers)

    assert told in response.text.split('id="blockers-title"')[1]
    assert_held_up(response)


def test_an_item_that_a_colleague_holds_is_not_shown_as_free(console, policy, agent2, headers):
    item = builders.item()
    holding.take(item_id=item.pk, actor=agent2)

    response = press(console, item, "check", headers=headers)

    assert "Ben Okafor has taken this item until" in response.text.split('id="blockers-title"')[1]
    assertNotContains(response, "Nothing stands in the way")
    assertNotContains(response, "Nothing in the way")


def test_a_field_that_cannot_be_read_stands_in_the_way_of_approving(console, policy, headers):
    response = press(console, builders.item(), "check", reason__escalate="B" * 70_000, headers=headers)

    assertContains(response, "Something typed on this page could not be used.", status_code=response.status_code)
    assert_held_up(response)


def assert_held_up(response):
    """Neither the list nor the button nor the line beside it says that the text is free."""
    assert "Nothing stands in the way" not in response.text
    assert "Nothing in the way" not in response.text
    assert 'class="primary held-up"' in response.text
