"""Typing a reply in a real browser: it is checked and kept without disturbing whoever types."""

import re

import pytest
from playwright.sync_api import expect

from console.management.commands.create_people import SAMPLE_PASSWORD
from drafts.models import ReviewItem, WorkingText
from tests import builders
from tests.browser.conftest import PHONE, opened

SCRIPT = pytest.mark.parametrize("script", [True, False], ids=["script", "no-script"])


@pytest.fixture
def item(site):
    return builders.item(builders.UNBACKED, messages=[builders.message("Until when may I return the lamp?")])


def colleague_takes(browser, item):
    other = browser.page.context.browser.new_context().new_page()
    other.goto(browser.url + "/login")
    other.get_by_label("Name").fill("agent2")
    other.get_by_label("Password").fill(SAMPLE_PASSWORD)
    other.get_by_role("button", name="Log in").click()
    other.goto(f"{browser.url}/review/{item.pk}/")
    other.get_by_role("button", name="Take this item").click()
    expect(other.get_by_text("You have taken this item.")).to_be_visible()


def editor(page):
    return page.get_by_label("Reply to the customer")


def caret(page):
    return page.evaluate("[document.activeElement.id, document.activeElement.selectionStart]")


def caret_to(page, place):
    editor(page).focus()
    page.evaluate("(at) => document.getElementById('text').setSelectionRange(at, at)", place)


def test_a_check_while_typing_moves_neither_caret_nor_page(site, item):
    with opened(site, viewport={"width": 1280, "height": 500}) as browser:
        page = browser.page
        browser.log_in()
        browser.open(f"/review/{item.pk}/")
        caret_to(page, 10)
        before = page.evaluate("[scrollY, document.getElementById('text').getBoundingClientRect().top]")
        page.keyboard.type(" dear")
        expect(page.get_by_text("Kept at")).to_be_visible()

        assert caret(page) == ["text", 15]
        assert page.evaluate("[scrollY, document.getElementById('text').getBoundingClientRect().top]") == before
        page.keyboard.type("est")
        expect(editor(page)).to_have_value(re.compile("^Hello Ana, dearest"))

    assert ReviewItem.objects.get(pk=item.pk).holder.username == "agent"


def test_what_is_typed_survives_the_closing_of_the_tab(site, item):
    with opened(site) as browser:
        browser.log_in()
        browser.open(f"/review/{item.pk}/")
        editor(browser.page).fill("Hello Ana, half a sen")
        expect(browser.page.get_by_text("Kept at")).to_be_visible()
        second = browser.page.context.new_page()
        browser.page.close()
        second.goto(f"{site}/review/{item.pk}/")
        expect(editor(second)).to_have_value("Hello Ana, half a sen")
        second.get_by_role("button", name="Start again from the saved text").click()
        expect(editor(second)).to_have_value(builders.UNBACKED)

    assert item.parked_texts.get().text == "Hello Ana, half a sen"


def test_an_answer_that_was_overtaken_by_more_typing_is_dropped(site, item):
    with opened(site) as browser:
        page = browser.page
        browser.log_in()
        browser.open(f"/review/{item.pk}/")
        held = []
        page.route("**/check", lambda route: held.append(route) if not held else route.continue_())
        editor(page).fill(builders.CLEAN)
        page.wait_for_function("() => document.querySelector('.htmx-request')")
        page.wait_for_timeout(100)
        late = held[0].fetch()
        editor(page).press("End")
        page.keyboard.type("x")
        held[0].fulfill(response=late)
        expect(page.get_by_text("Kept at")).to_be_visible()
        expect(page.locator("#changed ins")).to_contain_text("x")
        browser.faults[:] = [fault for fault in browser.faults if "/check" not in fault]

    assert WorkingText.objects.get(item=item).text != builders.CLEAN


def test_a_reason_that_is_being_typed_is_not_disturbed_by_a_check(site, item):
    with opened(site) as browser:
        page = browser.page
        browser.log_in()
        browser.open(f"/review/{item.pk}/")
        editor(page).press("Control+End")
        page.keyboard.type(" Bye.")
        page.get_by_text("It is no claim, because").click()
        page.get_by_label("Why this is not a claim").click()
        page.keyboard.type("A figure ")
        expect(page.get_by_text("Kept at")).to_be_visible()
        expect(page.get_by_label("Why this is not a claim")).to_be_focused()
        page.keyboard.type("of speech")
        expect(page.get_by_label("Why this is not a claim")).to_have_value("A figure of speech")


@SCRIPT
def test_a_sentence_without_a_record_goes_by_one_press(site, item, script):
    with opened(site, java_script_enabled=script) as browser:
        page = browser.page
        browser.log_in()
        browser.open(f"/review/{item.pk}/")
        page.evaluate("document.getElementById('text').style.height = '20rem'")  # as if its corner had been dragged
        page.get_by_role("button", name=re.compile("^Remove this sentence")).click()
        expect(page.get_by_text("The sentence was taken out.")).to_be_visible()
        expect(editor(page)).to_have_value(builders.CLEAN)
        expect(page.get_by_role("heading", name="Nothing stands in the way")).to_be_visible()


@SCRIPT
def test_the_message_of_a_correction_is_in_view_once_it_is_composed(site, agent, script):
    conversation = builders.unique("conversation")
    builders.locked(agent, conversation=conversation)
    item = builders.item(conversation=conversation)
    with opened(site, viewport=PHONE, java_script_enabled=script) as browser:
        page = browser.page
        browser.log_in()
        browser.open(f"/review/{item.pk}/")
        page.get_by_text("Correct what the customer was told").click()
        page.get_by_label("The answer that holds from now on").fill(builders.PASSAGE)
        page.get_by_role("button", name="Show the message").click()
        expect(page.get_by_text("This is what the customer would read. Nothing was sent yet.")).to_be_visible()
        expect(page.get_by_label("Message to the customer")).to_be_focused()
        expect(page.get_by_label("Message to the customer")).to_be_in_viewport()


def test_who_was_logged_out_elsewhere_is_told_so_and_keeps_the_text(site, item):
    with opened(site) as browser:
        page = browser.page
        browser.log_in()
        browser.open(f"/review/{item.pk}/")
        page.context.clear_cookies(name="sessionid")
        editor(page).fill("Hello Ana, still here.")
        expect(page.get_by_text("You are logged out.")).to_be_visible()
        expect(page.locator("#trouble")).to_be_hidden()
        expect(editor(page)).to_have_value("Hello Ana, still here.")
        browser.faults[:] = [fault for fault in browser.faults if "401" not in fault]


@SCRIPT
def test_a_decision_is_undone_before_its_reply_leaves(site, item, script):
    with opened(site, java_script_enabled=script) as browser:
        page = browser.page
        browser.log_in()
        browser.open(f"/review/{item.pk}/")
        editor(page).fill(builders.CLEAN)
        page.get_by_role("button", name=re.compile("^Approve")).click()
        expect(page.get_by_text("You can take this back until")).to_be_visible()
        page.get_by_role("button", name="Undo").click()
        expect(page.get_by_text("Your decision was undone before its reply left.")).to_be_visible()
        expect(editor(page)).to_have_value(builders.CLEAN)

    assert ReviewItem.objects.get(pk=item.pk).state == "pending"


def test_approving_what_is_held_up_leads_to_the_list(site, item):
    with opened(site) as browser:
        browser.log_in()
        browser.open(f"/review/{item.pk}/")
        browser.page.get_by_role("button", name="Approve (1 thing in the way)").click()
        expect(browser.page.locator("#blockers-title")).to_be_focused()
        expect(browser.page.locator("#blockers-title")).to_be_in_viewport()

    assert not item.parked_texts.exists()


def test_whoever_types_while_a_colleague_holds_the_item_is_told(site, item):
    with opened(site) as browser:
        browser.log_in()
        browser.open(f"/review/{item.pk}/")
        colleague_takes(browser, item)
        editor(browser.page).press("Control+End")
        browser.page.keyboard.type(" Mine.")
        expect(browser.page.locator("#typed").get_by_text("Ben Okafor has taken this item")).to_be_visible()
        expect(browser.page.locator("#checked").get_by_text("Ben Okafor has taken this item")).to_be_visible()
        expect(editor(browser.page)).to_have_value(re.compile("Mine"))

    assert WorkingText.objects.get(item=item).text.endswith("Mine.")


@pytest.mark.parametrize("viewport", [PHONE, {"width": 800, "height": 900}, {"width": 1440, "height": 900}])
def test_the_button_that_approves_is_always_in_view(site, item, viewport):
    with opened(site, viewport=viewport) as browser:
        page = browser.page
        browser.log_in()
        browser.open(f"/review/{item.pk}/")
        for place in ("#text", "#draft-title", "#notes-title"):
            page.locator(place).scroll_into_view_if_needed()
            expect(page.locator("#approve")).to_be_in_viewport()
