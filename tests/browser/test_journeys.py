"""What an agent does from the log-in to the decision, in a real browser, with and without script."""

import re

import pytest
from playwright.sync_api import expect

from drafts.models import ReviewItem
from ledger import queries as ledger
from tests import builders
from tests.browser.conftest import PHONE, opened


@pytest.fixture
def item(site):
    """A draft that claims something no record backs."""
    return builders.item(builders.UNBACKED, messages=[builders.message("Until when may I return the lamp?")])


def is_recorded(item):
    """Say whether the approval stands in the ledger to the letter."""
    item.refresh_from_db()
    live = ledger.live_answers(item.conversation.external_id)[builders.RETURN_KEY]
    return (item.state, live.answer_text) == ("approved", builders.PASSAGE)


def test_an_agent_edits_until_nothing_stands_in_the_way_and_approves(site, item):
    with opened(site) as browser:
        page = browser.page
        browser.log_in()
        page.get_by_role("link", name="Until when may I return the lamp?").click()
        expect(page.get_by_role("heading", name="Cannot be approved because")).to_be_visible()
        page.get_by_label("Reply to the customer").fill(builders.CLEAN)
        expect(page.get_by_role("heading", name="Nothing stands in the way")).to_be_visible()
        page.get_by_role("button", name=re.compile("^Approve")).click()
        expect(page.get_by_text("The reply was approved.")).to_be_visible()
        expect(page.get_by_text("Ada Moreau approved an edited text").first).to_be_visible()

    assert is_recorded(item)


def test_the_same_journey_without_script(site, item):
    with opened(site, java_script_enabled=False) as browser:
        page = browser.page
        browser.log_in()
        page.get_by_role("link", name="Until when may I return the lamp?").click()
        page.get_by_label("Reply to the customer").fill(builders.CLEAN)
        page.locator(".bar").get_by_role("button", name="Check").click()
        expect(page.get_by_role("heading", name="Nothing stands in the way")).to_be_visible()
        page.get_by_role("button", name=re.compile("^Approve")).click()
        expect(page.get_by_text("The reply was approved.")).to_be_visible()

    assert is_recorded(item)


@pytest.mark.parametrize("script", [True, False], ids=["script", "no-script"])
def test_a_refusal_keeps_what_was_typed(site, item, script):
    with opened(site, java_script_enabled=script) as browser:
        page = browser.page
        browser.log_in()
        browser.open(f"/review/{item.pk}/")
        page.get_by_label("Reply to the customer").fill(builders.UNBACKED + " My own line.")
        page.get_by_role("button", name=re.compile("^Approve")).click()
        expect(page.get_by_role("heading", name="This cannot be approved yet")).to_be_visible()
        expect(page.get_by_label("Reply to the customer")).to_have_value(re.compile("My own line"))
        browser.faults[:] = [fault for fault in browser.faults if "409" not in fault]

    assert ReviewItem.objects.get(pk=item.pk).state == "pending"


@pytest.mark.parametrize("script", [True, False], ids=["script", "no-script"])
def test_what_is_missing_has_the_focus_in_its_open_part(site, item, script):
    with opened(site, java_script_enabled=script) as browser:
        page = browser.page
        browser.log_in()
        browser.open(f"/review/{item.pk}/")
        page.get_by_text("Send the draft back").click()
        page.get_by_role("button", name="Send back").click()
        why = page.get_by_label("Why this draft cannot be used")
        expect(why).to_be_focused()
        expect(why).to_be_in_viewport()
        expect(why).to_have_accessible_description(re.compile("Say why"))
        browser.faults[:] = [fault for fault in browser.faults if "422" not in fault]


def test_the_button_names_what_it_approves_while_the_text_is_typed(site, item):
    with opened(site) as browser:
        page = browser.page
        browser.log_in()
        browser.open(f"/review/{item.pk}/")
        text = page.get_by_label("Reply to the customer")
        expect(page.locator("#approve")).to_have_text("Approve (1 thing in the way)")
        text.fill(builders.CLEAN)
        expect(page.locator("#approve")).to_have_text("Approve this text")
        text.fill(builders.UNBACKED)
        expect(page.locator("#approve")).to_have_text("Approve (1 thing in the way)")
        text.fill(builders.CLEAN)
        page.get_by_role("button", name="Save").click()
        expect(page.get_by_text("The text was saved.")).to_be_visible()
        expect(page.locator("#approve")).to_have_text("Approve this text")


def test_a_refusal_is_told_to_whoever_listens(site, item):
    with opened(site) as browser:
        browser.log_in()
        browser.open(f"/review/{item.pk}/")
        browser.page.get_by_label("Reply to the customer").fill(builders.UNBACKED + " My own line.")
        browser.page.get_by_role("button", name=re.compile("^Approve")).click()
        expect(browser.page.locator("#notice")).to_be_focused()
        browser.faults[:] = [fault for fault in browser.faults if "409" not in fault]


def test_two_reviewers_meet_and_the_second_keeps_their_text(site, item):
    with opened(site) as browser:
        page = browser.page
        browser.log_in()
        browser.open(f"/review/{item.pk}/")
        other = page.context.browser.new_context().new_page()
        other.goto(site + "/login")
        other.get_by_label("Name").fill("agent2")
        other.get_by_label("Password").fill("countersign-demo")
        other.get_by_role("button", name="Log in").click()
        other.goto(f"{site}/review/{item.pk}/")
        other.get_by_label("Reply to the customer").fill(builders.CLEAN)
        other.get_by_role("button", name=re.compile("^Approve")).click()
        expect(other.get_by_text("The reply was approved.")).to_be_visible()

        page.get_by_label("Reply to the customer").fill("Hello Ana, my own words.")
        page.get_by_role("button", name="Save").click()
        expect(page.get_by_role("heading", name="Ben Okafor already decided this item")).to_be_visible()
        expect(page.get_by_label("Your text")).to_have_value("Hello Ana, my own words.")
        browser.faults[:] = [fault for fault in browser.faults if "409" not in fault]

    assert item.parked_texts.get().text == "Hello Ana, my own words."


def test_enter_in_a_reason_checks_and_decides_nothing(site, item):
    with opened(site) as browser:
        page = browser.page
        browser.log_in()
        browser.open(f"/review/{item.pk}/")
        page.get_by_text("It is no claim, because").first.click()
        page.get_by_label("Why this is not a claim").first.fill("A figure of speech.")
        page.keyboard.press("Enter")
        expect(page.get_by_label("Why this is not a claim").first).to_have_value("A figure of speech.")

    assert ReviewItem.objects.get(pk=item.pk).state == "pending"


def test_a_search_stands_in_the_address_and_survives_the_way_back(site, item):
    with opened(site) as browser:
        page = browser.page
        browser.log_in()
        page.get_by_role("searchbox").fill("lamp")
        page.get_by_role("button", name="Search").click()
        expect(page).to_have_url(re.compile(r"[?&]q=lamp"))
        page.get_by_role("link", name="Until when may I return the lamp?").click()
        page.go_back()
        expect(page.get_by_role("searchbox")).to_have_value("lamp")


def test_a_mark_leads_to_its_note_and_back(site, item):
    with opened(site) as browser:
        page = browser.page
        browser.log_in()
        browser.open(f"/review/{item.pk}/")
        page.locator(".ref-unsupported").first.click()
        expect(page.locator(".note-unsupported").first).to_be_in_viewport()
        page.locator(".note-unsupported").first.get_by_role("link").click()
        expect(page.locator("mark.mark-unsupported").first).to_be_in_viewport()


def test_everything_can_be_reached_and_decided_by_keyboard(site, item):
    with opened(site) as browser:
        page = browser.page
        browser.log_in()
        browser.open(f"/review/{item.pk}/")
        page.keyboard.press("Tab")
        expect(page.get_by_role("link", name="Skip to the content")).to_be_focused()
        reached = reach_all(page)

    assert {
        "Approve (1 thing in the way)",
        "Save",
        "Check",
        "Take this item",
        "text",
        "Escalate to a policy owner",
    } <= reached
    assert "Send the draft back" in reached


def reach_all(page):
    """Press Tab through the whole page and return what had the focus."""
    reached = set()
    for _ in range(120):
        page.keyboard.press("Tab")
        name = page.evaluate("(document.activeElement.id || document.activeElement.textContent || '').trim()")
        if name and name in reached and name == "Skip to the content":
            break
        reached.add(name)
        reached.add(page.evaluate("(document.activeElement.textContent || '').trim()"))
    return reached


def test_a_hostile_draft_runs_nothing(site):
    hostile = '<img src=x onerror=alert(1)><script>alert(2)</script>"><svg onload=alert(3)>'
    item = builders.item(f"Hello {hostile}", messages=[builders.message(hostile)], model=hostile)
    with opened(site) as browser:
        browser.page.on("dialog", lambda dialog: browser.faults.append(dialog.message))
        browser.log_in()
        browser.open("/")
        browser.open(f"/review/{item.pk}/")
        browser.page.get_by_label("Reply to the customer").press_sequentially(" more")
        expect(browser.page.get_by_role("heading", name="The text as typed, not saved")).to_be_visible()


@pytest.mark.parametrize("path", ["/", "/login", "item"])
def test_no_page_is_wider_than_a_phone(site, item, path):
    with opened(site, viewport=PHONE) as browser:
        if path != "/login":
            browser.log_in()
        browser.open(f"/review/{item.pk}/" if path == "item" else path)
        width = browser.page.evaluate("document.documentElement.scrollWidth")

    assert width <= PHONE["width"]
