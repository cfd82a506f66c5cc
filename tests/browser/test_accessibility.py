"""axe finds nothing on any page, in light and dark, wide and narrow."""

import pytest
from axe_playwright_python.sync_playwright import Axe

from drafts.services import holding
from tests import builders
from tests.browser.conftest import PHONE, WIDE, opened

RULES = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}
SHAPES = pytest.mark.parametrize(
    ("scheme", "viewport"), [("light", WIDE), ("dark", WIDE), ("light", PHONE)], ids=["light", "dark", "phone"]
)


def complaints(page):
    """Return what axe finds, by rule and place."""
    found = Axe().run(page, options=RULES).response["violations"]
    return [(one["id"], [node["html"][:200] for node in one["nodes"]]) for one in found]


@SHAPES
def test_log_in(site, scheme, viewport):
    with opened(site, color_scheme=scheme, viewport=viewport) as browser:
        browser.open("/login")
        assert complaints(browser.page) == []


@SHAPES
def test_queue(site, people, scheme, viewport):
    builders.item(builders.UNBACKED)
    holding.take(item_id=builders.item().pk, actor=people["agent2"])
    with opened(site, color_scheme=scheme, viewport=viewport) as browser:
        browser.log_in()
        browser.page.get_by_text("More filters").click()
        assert complaints(browser.page) == []


@SHAPES
def test_review(site, people, scheme, viewport):
    conversation = builders.locked(people["agent"])
    item = builders.item(
        f"Hello\u202e Ana,\n\nreturns are possible within 30 days. {builders.UNBACKED} We hope to hear from you.",
        conversation=conversation,
        ticket={"status": "open", "assignee": "maya", "team": None},
        raw_output="Draft 1: yes",
        selected_version="RET-1",
    )
    with opened(site, color_scheme=scheme, viewport=viewport) as browser:
        browser.log_in()
        browser.open(f"/review/{item.pk}/")
        for summary in browser.page.locator("summary").all():
            summary.click()
        assert complaints(browser.page) == []


@SHAPES
def test_a_decided_item(site, people, scheme, viewport):
    item = builders.item(builders.UNBACKED)
    builders.approve(item, people["agent"], text=builders.CLEAN)
    with opened(site, color_scheme=scheme, viewport=viewport) as browser:
        browser.log_in()
        browser.open(f"/review/{item.pk}/")
        assert complaints(browser.page) == []


def test_what_is_not_found(site):
    with opened(site) as browser:
        browser.log_in()
        browser.open("/nowhere")
        browser.faults[:] = [fault for fault in browser.faults if "404" not in fault]
        assert complaints(browser.page) == []
