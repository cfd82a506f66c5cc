"""A real Chromium against a real server.

Playwright keeps an event loop in the thread of the test while a browser is open, and Django refuses the database there.
So a test prepares its rows, opens the browser as a `with` block, and looks at the rows again when the block has ended.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from playwright.sync_api import Page, Request, expect, sync_playwright

from console.management.commands.create_people import SAMPLE_PASSWORD
from tests import builders

CHROMIUM = Path("/usr/bin/chromium")
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
WATCH_POLICY = """
addEventListener("securitypolicyviolation", (event) => {
  console.error("policy: " + event.violatedDirective + " " + event.blockedURI);
});
"""
PATIENCE = 15_000
"""Milliseconds in which a page must come to what is expected of it, on a slow machine too."""
WIDE, PHONE = {"width": 1440, "height": 900}, {"width": 390, "height": 844}
expect.set_options(timeout=PATIENCE)


@dataclass
class Browser:
    """One page, where it is served, and everything that went wrong in it."""

    page: Page
    url: str
    faults: list[str] = field(default_factory=list)

    def open(self, path: str) -> None:
        """Go to an address of the server under test."""
        self.page.goto(self.url + path)

    def log_in(self, name: str = "agent") -> None:
        """Log in by the form, as people do."""
        self.open("/login")
        self.page.get_by_label("Name").fill(name)
        self.page.get_by_label("Password").fill(SAMPLE_PASSWORD)
        self.page.get_by_role("button", name="Log in").click()
        self.page.get_by_role("heading", name="Queue").wait_for()

    def note_failed(self, request: Request) -> None:
        """Note a request that failed; one that was broken off did not: a page that is left does so, and a download."""
        if request.failure != "net::ERR_ABORTED":
            self.faults.append(f"{request.url}: {request.failure}")


@contextmanager
def opened(url: str, **options: object) -> Iterator[Browser]:
    """Open a browser; the block fails on any error in its console, any refused request and any policy violation."""
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=str(CHROMIUM), args=list(FLAGS))
        context = chromium.new_context(**{"viewport": WIDE, **options})
        context.set_default_timeout(PATIENCE)
        context.add_init_script(WATCH_POLICY)
        browser = Browser(context.new_page(), url)
        browser.page.on("console", lambda one: one.type == "error" and browser.faults.append(one.text))
        browser.page.on("pageerror", lambda error: browser.faults.append(str(error)))
        browser.page.on("requestfailed", browser.note_failed)
        yield browser
        chromium.close()
    assert browser.faults == []


@pytest.fixture
def site(live_server, people):
    """The address of a server whose database holds the sample people and one policy; it fails without Chromium."""
    if not CHROMIUM.exists():
        pytest.fail(f"{CHROMIUM} is not installed: apt-get install chromium")
    builders.return_policy(people["owner"], doc_id=builders.unique("returns"))
    return live_server.url
