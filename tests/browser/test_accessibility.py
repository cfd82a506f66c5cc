"""axe finds nothing on any page, in light and dark, wide and narrow."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.utils import timezone

from drafts.services import correcting, holding
from drafts.services.correcting import CorrectionWanted
from ledger import queries as ledger
from tests import builders, drifting
from tests.browser.conftest import PHONE, WIDE, opened
from tests.web.delivering import in_state

RULES = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}
EMPTY_FILE = {"name": "empty.jsonl", "mimeType": "application/jsonl", "buffer": b""}
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
        browser.page.locator("summary", has_text="Filters").click()
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
        for summary in browser.page.locator("summary:visible").all():
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


@SHAPES
def test_a_conversation_its_correction_and_the_log(site, people, scheme, viewport):
    conversation = builders.item(conversation=builders.locked(people["agent"])).conversation
    correction = f"/conversations/{conversation.pk}/correct/{builders.RETURN_KEY}"
    issue(conversation, people)
    with opened(site, color_scheme=scheme, viewport=viewport) as browser:
        browser.log_in("manager")
        for path in (f"/conversations/{conversation.pk}/", correction, "/corrections/", "/conversations/"):
            browser.open(path)
            for summary in browser.page.locator("summary:visible").all():
                summary.click()
            assert complaints(browser.page) == [], path
        browser.open(correction)
        browser.page.get_by_label("The answer that holds from now on").fill("Within 30 days.")
        browser.page.get_by_role("button", name="Preview the message").last.click()
        browser.page.get_by_label("Message to the customer").wait_for()
        assert complaints(browser.page) == []
        browser.faults[:] = [fault for fault in browser.faults if "422" not in fault]
        browser.open("/corrections/?since=2026-02-02&until=2026-02-01")
        browser.faults[:] = [fault for fault in browser.faults if "422" not in fault]
        assert complaints(browser.page) == []


@SHAPES
def test_situations_ledger_customer_and_print(site, people, scheme, viewport):
    conversation = builders.item(conversation=builders.locked(people["agent"])).conversation
    issue(conversation, people)
    begin = f"/conversations/{conversation.pk}"
    paths = (f"{begin}/ledger/", f"{begin}/correct/", f"{begin}/two-documents", f"{begin}/policy-changed")
    with opened(site, color_scheme=scheme, viewport=viewport) as browser:
        browser.log_in("manager")
        for path in (*paths, "/customers/customer-1/", "/customers/", "/corrections/print"):
            browser.open(path)
            for summary in browser.page.locator("main summary:visible").all():
                summary.click()
            assert complaints(browser.page) == [], path
        browser.open(f"{begin}/quoted-answer")
        browser.page.get_by_label("Their words").fill("You said a fortnight.")
        browser.page.get_by_role("button", name="Look for it").click()
        browser.page.get_by_role("heading", name="This may be it").wait_for()
        assert complaints(browser.page) == []


@SHAPES
def test_a_guided_correction_of_what_was_said_outside(site, people, scheme, viewport):
    said = builders.message("You can return any lamp within 60 days of receipt.", "agent")
    item = builders.item(messages=[builders.message(), said, builders.message("So 60 days?")])
    with opened(site, color_scheme=scheme, viewport=viewport) as browser:
        browser.log_in()
        browser.open(f"/review/{item.pk}/")
        browser.page.get_by_role("link", name="Withdraw what was said outside the desk").click()
        browser.page.get_by_label("How the wrong answer came about").fill("The wrong page was read.")
        assert complaints(browser.page) == []
        browser.page.get_by_role("button", name="Preview the message").last.click()
        browser.page.get_by_label("Message to the customer").wait_for()
        assert complaints(browser.page) == []
        browser.page.get_by_role("button", name="Issue the correction").click()
        browser.page.get_by_text("The correction was issued and stands in the ledger.").wait_for()
        assert complaints(browser.page) == []
    item.refresh_from_db()
    assert item.state == "corrected"


def issue(conversation, people):
    """Correct what a customer was told."""
    correcting.correct(
        conversation_id=conversation.external_id,
        question_key=builders.RETURN_KEY,
        wanted=CorrectionWanted("You can return an unused lamp within 14 days of receipt.", "Unclear.", "owner"),
        actor=people["manager"],
        now=timezone.now(),
        calendar=builders.calendar(),
    )


@SHAPES
def test_deliveries_destinations_and_the_sample_receiver(site, people, scheme, viewport):
    builders.destination("sample-receiver")
    replies = [in_state(name, people["agent"]) for name in ("dead", "retrying", "scheduled", "sent")]
    with opened(site, color_scheme=scheme, viewport=viewport) as browser:
        browser.log_in()
        for path in ("/deliveries/", *(f"/deliveries/{reply.pk}/" for reply in replies), "/sample/receiver"):
            browser.open(path)
            assert complaints(browser.page) == [], path
    with opened(site, color_scheme=scheme, viewport=viewport) as browser:
        browser.log_in("admin")
        browser.open("/destinations/")
        for summary in browser.page.locator("summary:visible").all():
            summary.click()
        assert complaints(browser.page) == []
        browser.page.get_by_role("textbox", name="Name", exact=True).fill("helpdesk")
        browser.page.get_by_label("Address").last.fill("https://helpdesk.example/replies")
        browser.page.get_by_role("button", name="Add").click()
        browser.page.get_by_label("Secret", exact=True).wait_for()
        assert complaints(browser.page) == []


def test_what_is_not_found(site):
    with opened(site) as browser:
        browser.log_in()
        browser.open("/nowhere")
        browser.faults[:] = [fault for fault in browser.faults if "404" not in fault]
        assert complaints(browser.page) == []


@SHAPES
def test_a_text_that_is_being_typed(site, people, scheme, viewport):
    item = builders.item(builders.UNBACKED)
    with opened(site, color_scheme=scheme, viewport=viewport) as browser:
        browser.log_in()
        browser.open(f"/review/{item.pk}/")
        browser.page.get_by_label("Reply to the customer").fill("Hello Ana,\n\nyou can return it within 90 days.")
        browser.page.get_by_text("Kept at").wait_for()
        assert complaints(browser.page) == []


@SHAPES
def test_a_part_that_was_refused(site, people, scheme, viewport):
    item = builders.item(builders.UNBACKED)
    with opened(site, color_scheme=scheme, viewport=viewport) as browser:
        browser.log_in()
        browser.open(f"/review/{item.pk}/")
        browser.page.get_by_text("Send the draft back").click()
        browser.page.get_by_role("button", name="Send back").click()
        browser.page.locator("#problem").wait_for()
        browser.faults[:] = [fault for fault in browser.faults if "422" not in fault]
        assert complaints(browser.page) == []


@SHAPES
def test_a_decision_that_can_be_undone_and_one_that_came_back(site, people, scheme, viewport):
    item = builders.item()
    with opened(site, color_scheme=scheme, viewport=viewport) as browser:
        browser.log_in()
        browser.open(f"/review/{item.pk}/")
        browser.page.get_by_role("button", name="Approve as it is").click()
        browser.page.get_by_role("button", name="Undo").wait_for()
        assert complaints(browser.page) == []
        browser.page.get_by_role("button", name="Undo").click()
        browser.page.get_by_text("Your decision was undone").wait_for()
        browser.open(f"/review/{item.pk}/")
        browser.page.get_by_text("took this reply back before it left").wait_for()
        assert complaints(browser.page) == []


@SHAPES
def test_drift_reports(site, people, scheme, viewport):
    asked = "How long can I return the lamp?"
    answers = [f"An unused lamp can be returned within {days} days of receipt." for days in (14, 30)]
    given = [*drifting.mixed(3), drifting.conversation("c-9", *answers, asked=asked), "{broken"]
    done, waiting = drifting.read(people["manager"], given), drifting.begun(people["manager"], given)
    with opened(site, color_scheme=scheme, viewport=viewport) as browser:
        browser.log_in("manager")
        of_done = [f"{done.pk}/{path}" for path in ("", "?q=nothing", "print", "delete")]
        for path in ("", *of_done, f"{waiting.pk}/"):
            browser.open(f"/drift/{path}")
            for summary in browser.page.locator("main summary:visible").all():
                summary.click()
            assert complaints(browser.page) == [], path
        browser.open("/drift/")
        browser.page.locator("#file").set_input_files(files=[EMPTY_FILE])
        browser.page.get_by_role("button", name="Read the file").click()
        browser.page.get_by_text("The file is empty.").wait_for()
        browser.faults[:] = [fault for fault in browser.faults if "422" not in fault]
        assert complaints(browser.page) == []


@SHAPES
def test_keys_conflicts_and_notices(site, people, scheme, viewport):
    builders.version(by=people["owner"], doc_id=builders.unique("leaflet"), name="LEAF-1", passage="Within 30 days.")
    builders.item()
    (conflict,) = ledger.conflicts(state="open")
    with opened(site, color_scheme=scheme, viewport=viewport) as browser:
        browser.log_in("owner")
        change = f"/keys/{builders.RETURN_KEY}/change"
        paths = ("/notices/", "/conflicts/", f"/conflicts/{conflict.id}/", "/keys/add", change, "/keys/file")
        for path in (*paths, f"/keys/{builders.RETURN_KEY}/"):
            browser.open(path)
            for summary in browser.page.locator("main summary:visible").all():
                summary.click()
            assert complaints(browser.page) == [], path
        browser.open(change)
        browser.page.get_by_role("button", name="Show what it would change").click()
        browser.page.get_by_role("heading", name="What this would change").wait_for()
        assert complaints(browser.page) == []
