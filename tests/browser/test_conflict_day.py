"""A conflict from the first ask to the locked answer, with two people at once: whoever asks and whoever settles."""

from contextlib import contextmanager

from playwright.sync_api import expect

from drafts.models import Notice
from ledger import queries as ledger
from ledger.decisions.vocabulary import DocumentKind
from tests import builders
from tests.browser.conftest import WATCH_POLICY, WIDE, Browser, opened

MAILED = "owner@countersign.example"


@contextmanager
def second(browser):
    """Another person's browser beside the first one."""
    context = browser.page.context.browser.new_context(viewport=WIDE)
    context.add_init_script(WATCH_POLICY)
    other = Browser(context.new_page(), browser.url, browser.faults)
    other.page.on("console", lambda one: one.type == "error" and browser.faults.append(one.text))
    other.page.on("pageerror", lambda error: browser.faults.append(str(error)))
    yield other
    context.close()


def test_an_owner_settles_and_the_agents_open_page_shows_that_the_answer_is_free(site, people):
    builders.version(
        by=people["owner"], doc_id=builders.unique("leaflet"), name="LEAF-1", title="Summer leaflet",
        passage="Lamps can be returned within 30 days of receipt.", kind=DocumentKind.PROMOTION,
    )  # fmt: skip
    item = builders.item()
    assert item.branch == "first_ask_multiple_active_sources_conflict"

    with opened(site) as agent, second(agent) as owner:
        agent.log_in()
        agent.open(f"/review/{item.pk}/")
        agent.page.get_by_role("button", name="Take this item").click()
        expect(agent.page.get_by_role("button", name="Give back")).to_be_visible()
        expect(agent.page.locator("#approve.held-up")).to_be_visible()

        owner.log_in("owner")
        owner.page.get_by_role("link", name="Notices 1 new").click()
        owner.page.get_by_role("button", name="Open Conflict to settle: return_window::online_store").click()
        owner.page.get_by_role("heading", name="The passages").wait_for()
        owner.page.get_by_role("radio", name="Keep RET-1").check()
        owner.page.get_by_label("Why this version holds").fill("The leaflet ran out in spring.")
        owner.page.get_by_role("button", name="Settle this conflict").click()
        owner.page.get_by_text("The conflict is settled. 1 draft was analysed again.").wait_for()

        agent.page.get_by_role("heading", name="The conflict is settled; an answer is free").wait_for()
        expect(agent.page.locator("#approve:not(.held-up)")).to_be_visible()
        expect(agent.page.locator("#said")).to_contain_text("One source answers")
        agent.page.get_by_role("button", name="Approve as it is").click()
        agent.page.get_by_text("The reply was approved.").wait_for()

    answered = ledger.live_answers(item.conversation.external_id)[builders.RETURN_KEY]
    assert answered.answer_text == builders.PASSAGE
    told = Notice.objects.filter(kind="conflict_settled").values_list("person__username", "path")
    assert list(told) == [("agent", f"/review/{item.pk}/")]


def test_the_open_queue_tells_what_was_settled(site, people):
    builders.version(
        by=people["owner"], doc_id=builders.unique("leaflet"), name="LEAF-1", title="Summer leaflet",
        passage="Lamps can be returned within 30 days of receipt.", kind=DocumentKind.PROMOTION,
    )  # fmt: skip
    builders.item()
    (conflict,) = ledger.conflicts(state="open")

    with opened(site) as agent, second(agent) as owner:
        agent.log_in()
        owner.log_in("owner")
        owner.open(f"/conflicts/{conflict.id}/")
        owner.page.get_by_role("radio", name="Keep RET-1").check()
        owner.page.get_by_label("Why this version holds").fill("The leaflet ran out in spring.")
        owner.page.get_by_role("button", name="Settle this conflict").click()
        owner.page.get_by_text("The conflict is settled.").wait_for()

        agent.page.locator("#freed").get_by_text("is settled").wait_for()
        agent.page.get_by_role("link", name="Show its 1 open draft").click()
        agent.page.get_by_role("link", name=builders.QUESTION).wait_for()
