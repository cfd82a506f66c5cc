"""Somebody logs out in one tab while a policy is written in another: the text comes through to the saved draft."""

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from console.management.commands.create_people import SAMPLE_PASSWORD
from ledger.models import PolicyVersion
from tests import builders
from tests.browser.conftest import PHONE, WIDE, opened
from tests.browser.test_accessibility import complaints

BODY = "Lamps in winter\n\n2.1 Time\n\n" + "An unused lamp can be returned within 60 days.\n" * 400
REFUSED = "Failed to load resource"


def log_in_as_owner(page, url):
    page.goto(url + "/login")
    page.get_by_label("Name").fill("owner")
    page.get_by_label("Password").fill(SAMPLE_PASSWORD)
    page.get_by_role("button", name="Log in").click()
    page.get_by_role("heading", name="Queue").wait_for()


def log_out(page):
    page.evaluate("document.querySelector('details.menu').open = true")
    page.get_by_role("button", name="Log out").click()
    page.get_by_role("heading", name="Log in").wait_for()


@pytest.mark.parametrize("viewport", [WIDE, PHONE], ids=["wide", "phone"])
def test_a_policy_text_survives_a_log_out_in_another_tab(site, viewport):
    doc_id = builders.unique("winter")
    with opened(site, viewport=viewport) as browser:
        page, other = browser.page, browser.page.context.new_page()
        browser.log_in("owner")
        browser.open(reverse("policy-new"))
        for field, text in (("doc_id", doc_id), ("version", "WIN-1"), ("title", "Lamps in winter"), ("body", BODY),
                            ("deciding_date", "received_on"), ("channels", builders.CHANNEL)):  # fmt: skip
            page.locator(f"#{field}").fill(text)
        page.locator("#effective_from").fill("2026-01-01")
        other.goto(site + "/")
        log_out(other)

        page.get_by_role("button", name="Save the draft").last.click()
        page.get_by_role("heading", name="You are logged out").wait_for()
        expect(page.get_by_label("The whole text")).to_have_value(BODY)
        assert complaints(page) == []
        with page.context.expect_page() as tab:
            page.get_by_role("link", name="Log in (opens in a new tab)").click()
        log_in_as_owner(tab.value, site)
        page.get_by_role("button", name="Send it again").click()
        page.get_by_role("heading", name="The form was not accepted").wait_for()
        expect(page.get_by_label("The whole text")).to_have_value(BODY)
        assert complaints(page) == []
        page.get_by_role("button", name="Send it again").click()
        page.get_by_role("heading", name="Lamps in winter").wait_for()
        browser.faults[:] = [fault for fault in browser.faults if REFUSED not in fault]

    assert PolicyVersion.objects.get(document=doc_id).body.strip() == BODY.strip()
