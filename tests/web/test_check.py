from django.urls import reverse
from pytest_django.asserts import assertContains, assertNotContains

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
