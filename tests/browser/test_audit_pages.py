"""The pages of the audit: axe finds nothing on them, and a manager settles a reply from outside."""

from django.utils import timezone

from drafts.models import OutsideCommitment
from drafts.services import updates
from tests import builders
from tests.browser.conftest import opened
from tests.browser.test_accessibility import SHAPES, complaints

OTHER = "An unused lamp can be returned within 30 days of receipt."


def told_outside(people):
    """A customer who was answered here, and told something else in the helpdesk."""
    talk = builders.locked(people["agent"])
    updates.tell_message(
        conversation_id=talk,
        message=builders.message(OTHER, role="agent"),
        now=timezone.now(),
        calendar=builders.calendar(),
    )
    return talk


@SHAPES
def test_axe_finds_nothing_on_the_pages_of_the_audit(site, people, scheme, viewport):
    told_outside(people)
    builders.version(by=people["owner"], doc_id=builders.unique("leaflet"), name="L-1", passage=OTHER)
    with opened(site, color_scheme=scheme, viewport=viewport) as browser:
        browser.log_in("manager")
        browser.open("/audit/")
        assert complaints(browser.page) == [], "before the first run"
        browser.page.get_by_role("button", name="Run now").click()
        browser.page.get_by_text("The audit ran.").wait_for()
        run = browser.page.locator("a[href^='/audit/runs/']").first.get_attribute("href")
        for path in ("/audit/", *(f"/audit/checks/{number}/" for number in (2, 3, 4)), run, "/audit/answers/"):
            browser.open(path)
            for summary in browser.page.locator("main summary:visible").all():
                summary.click()
            assert complaints(browser.page) == [], path


def test_a_manager_settles_a_reply_and_sees_the_number_go_down(site, people):
    told_outside(people)
    with opened(site) as browser:
        browser.log_in("manager")
        browser.open("/audit/checks/3/")
        browser.page.locator("summary", has_text="Settle with a reason").click()
        browser.page.get_by_label("What does the customer hold now").fill("Phoned her: she holds the 14 days.")
        browser.page.get_by_role("button", name="Settle").click()
        browser.page.get_by_text("Settled. Your reason is kept").wait_for()

    assert OutsideCommitment.objects.get().settled_because == "Phoned her: she holds the 14 days."
