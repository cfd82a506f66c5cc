"""The first day with the loaded sample, in a real browser: a reply is checked, mended, approved, and really leaves.

`manage.py run` serves it, with its own database, worker and beat, so that what is locked for the sample's customers
stays in a ledger that no other test reads. Each journey has customers of its own.
"""

import csv
import os
import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import CHROMIUM, opened
from tests.browser.test_accessibility import complaints
from tests.faults.test_run import free_port, run, wait_until_healthy

GRACE = "10"
"""Seconds in which a decision can be undone: longer than a slow machine takes to show the button and press it."""
SECONDS = 90
"""In which a reply arrives at the latest, or the test is over."""
LEFT = "Delivery: sent."
TWELVE_MONTHS = "Every repair carries a warranty of 12 months from the day of the repair, on parts and labour alike."
TWENTY_FOUR_MONTHS = "The warranty on your repair is 24 months."
KINDS = ".entry-head .note-number + .badge"
PREPARING = "Our warehouse team is currently preparing your parcel."


@pytest.fixture(scope="module")
def shop(open_module_path):
    """The address of an installation as `make run` starts it, with the sample; it ends with the module."""
    if not CHROMIUM.exists():
        pytest.fail(f"{CHROMIUM} is not installed: apt-get install chromium")
    own = {"DATA_DIR": str(open_module_path), "PORT": str(free_port()), "UNDO_SECONDS": GRACE, "LOAD_SAMPLE": "1"}
    inherited = {k: v for k, v in os.environ.items() if not k.startswith(("DATABASE_", "CELERY_", "PRIVATE_"))}
    with run(environment := {**inherited, **own}) as process:
        wait_until_healthy(environment, process)
        yield f"http://127.0.0.1:{own['PORT']}"


def looks_right(browser):
    """See that axe has no complaint about the page as it stands."""
    assert complaints(browser.page) == [], browser.page.url


def find(browser, name):
    """Find an item by its id from the queue, and open it."""
    browser.open("/")
    browser.page.get_by_label("Search").fill(name)
    browser.page.get_by_role("button", name="Search").click()
    expect(browser.page.locator(".queue-row")).to_have_count(1)
    browser.page.locator(".queue-row h2").get_by_role("link").click()
    expect(reply(browser)).to_be_visible()


def reply(browser):
    return browser.page.get_by_label("Reply to the customer")


def blockers(browser):
    return browser.page.locator(".blockers")


def approve(browser):
    expect(browser.page.get_by_role("heading", name="Nothing stands in the way")).to_be_visible()
    browser.page.locator("#approve").click()
    expect(browser.page.get_by_text("The reply was approved.")).to_be_visible()
    expect(browser.page.get_by_text("You can take this back until")).to_be_visible()


def arrives(browser, *, by_itself=True):
    """Wait until the page of a decided item says that its reply has left; without script one has to ask again."""
    told = browser.page.locator("#leaving")
    if by_itself:
        expect(told).to_contain_text(LEFT, timeout=SECONDS * 1000)
    for _ in range(SECONDS):
        if LEFT in told.inner_text():
            return
        browser.page.wait_for_timeout(1000)
        browser.page.reload()
    pytest.fail(f"the page never said {LEFT!r}")


def to_conversation(browser, name):
    browser.page.get_by_role("link", name=name, exact=True).click()
    expect(browser.page.get_by_role("heading", name=f"Conversation {name}")).to_be_visible()


def stands_once(browser, conversation, words):
    """See that a reply stands once in its thread, and once at the receiver, which counts how often it came."""
    ours = browser.page.locator("#thread .message-agent", has_text=words)
    expect(ours.last.get_by_text("Decided here")).to_be_visible()
    browser.open("/sample/receiver")
    arrived = browser.page.locator(".queue-row", has_text=f"Reply in {conversation}").filter(has_text=words)
    expect(arrived.first.locator("dd", has_text=re.compile("^once$"))).to_be_visible()
    return arrived.count()


def test_an_unbacked_sentence_is_removed_and_the_approved_reply_arrives_once(shop):
    with opened(shop) as browser:
        page = browser.page
        browser.log_in()
        looks_right(browser)
        page.get_by_role("link", name=re.compile("two-slot toaster")).click()
        page.get_by_role("button", name="Take this item").click()
        expect(page.get_by_text("You have taken this item.")).to_be_visible()
        expect(blockers(browser)).to_contain_text(PREPARING.removesuffix("."))
        looks_right(browser)

        page.get_by_role("button", name=re.compile("^Remove this sentence")).click()
        expect(reply(browser)).not_to_have_value(re.compile("warehouse"))
        expect(page.get_by_role("heading", name="What you changed")).to_be_visible()
        expect(page.locator("#changed del")).to_contain_text(PREPARING)
        edited = reply(browser).input_value()

        approve(browser)
        looks_right(browser)
        page.get_by_role("button", name="Undo").click()
        expect(page.get_by_text("Your decision was undone before its reply left.")).to_be_visible()
        expect(reply(browser)).to_have_value(edited)

        approve(browser)
        arrives(browser)
        to_conversation(browser, "walk-1-approve")
        looks_right(browser)
        expect(page.locator(KINDS)).to_have_text(["Answer", "Withdrawal", "Answer"])
        expect(page.locator("#thread .message-agent")).to_have_count(1)
        assert stands_once(browser, "walk-1-approve", "3 to 5 business days") == 1
        looks_right(browser)


@pytest.mark.parametrize(
    ("conversation", "script"),
    [pytest.param("walk-2-repeat", True, id="script"), pytest.param("dryer-told-otherwise", False, id="no-script")],
)
def test_another_value_is_refused_and_the_locked_text_goes_out_once_more(shop, conversation, script):
    with opened(shop, java_script_enabled=script) as browser:
        page = browser.page
        browser.log_in()
        find(browser, f"{conversation}-2")
        if not script:
            reply(browser).fill(f"Hello,\n\nNo problem. {TWENTY_FOUR_MONTHS}\n\nAlder Home Repair")
        page.locator("#approve").click()
        if script:
            expect(page.locator("#blockers-title")).to_be_focused()
        else:
            expect(page.get_by_role("heading", name="This cannot be approved yet")).to_be_visible()
            page.get_by_role("link", name="Go to what stands in the way").click()
        expect(page.locator("#blockers-title")).to_be_in_viewport()
        expect(blockers(browser)).to_contain_text(f"This customer was told: “{TWELVE_MONTHS}”")
        browser.faults[:] = [fault for fault in browser.faults if "409" not in fault]

        page.get_by_role("button", name=re.compile("^Replace by the locked text")).first.click()
        expect(reply(browser)).to_have_value(re.compile(TWELVE_MONTHS))
        expect(reply(browser)).not_to_have_value(re.compile("24 months"))
        approve(browser)
        arrives(browser, by_itself=script)
        to_conversation(browser, conversation)
        expect(page.locator("ul.live")).to_contain_text("repeated 1 time")
        expect(page.locator(KINDS)).to_have_text(["Answer", "Replay"])
        assert stands_once(browser, conversation, TWELVE_MONTHS) == 2


def test_a_settled_conflict_frees_the_item_that_waited_for_it(shop):
    with opened(shop) as browser:
        page = browser.page
        browser.log_in("owner")
        page.get_by_role("navigation", name="Main").get_by_role("link", name="Conflicts").click()
        looks_right(browser)
        page.get_by_role("link", name=re.compile("warranty", re.IGNORECASE)).first.click()
        expect(page.locator(".passages > li")).to_have_count(4)
        assert len({round(card.bounding_box()["y"]) for card in page.locator(".passages > li").all()}) == 1
        expect(page.locator(".held")).to_contain_text("walk-3-conflict")
        looks_right(browser)

        page.get_by_role("radio", name=re.compile("Keep WAR-3")).check()
        page.get_by_label("Why this version holds").fill("The autumn weeks are over.")
        page.get_by_role("button", name="Settle this conflict").click()
        expect(page.get_by_text("The conflict is settled.")).to_be_visible()
        looks_right(browser)

    with opened(shop) as browser:
        browser.log_in()
        find(browser, "walk-3-conflict")
        expect(browser.page.locator("#said")).to_contain_text("One source answers")
        browser.page.get_by_role("button", name=re.compile("^Replace by the policy’s passage")).first.click()
        approve(browser)
        arrives(browser)
        to_conversation(browser, "walk-3-conflict")
        assert stands_once(browser, "walk-3-conflict", TWELVE_MONTHS) == 1


def test_a_manager_finds_a_correction_and_takes_it_away_as_a_file(shop, tmp_path):
    with opened(shop) as browser:
        page = browser.page
        browser.log_in("manager")
        page.get_by_role("navigation", name="Main").get_by_role("link", name="Corrections").click()
        page.get_by_label("Words in the reason").fill("wrong order date")
        page.get_by_label("Owner").select_option("Ben Okafor")
        page.get_by_role("button", name="Show").click()
        expect(page.locator(".log-row")).to_have_count(1)
        expect(page.locator(".log-row")).to_contain_text("walk-4-correction")
        looks_right(browser)
        with page.expect_download() as awaited:
            page.get_by_role("link", name="Table for a spreadsheet (CSV)").click()
        awaited.value.save_as(tmp_path / "corrections.csv")

    with (tmp_path / "corrections.csv").open(encoding="utf-8-sig", newline="") as file:
        [row] = csv.DictReader(file)
    assert (row["conversation_id"], row["owner"]) == ("walk-4-correction", "agent2")
    assert ("€6.90" in row["old_text"], "€4.90" in row["new_text"]) == (True, True)
