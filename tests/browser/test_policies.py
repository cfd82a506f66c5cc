"""A policy owner writes a version with a marked passage, sees the conflict it would begin, and publishes it."""

import pytest
from django.urls import reverse

from ledger.decisions.vocabulary import DocumentKind, VersionStatus
from ledger.models import Conflict, PolicyVersion
from tests import builders
from tests.browser.conftest import PHONE, opened
from tests.browser.test_accessibility import SHAPES, complaints

PASSAGE = "An unused lamp can be returned within 60 days of receipt."
BODY = f"Lamps in winter\n\n2.1 Time\n\n{PASSAGE} Nothing else changes.\n"
MARK = """(passage) => {
  const whole = document.getElementById("body"), start = whole.value.indexOf(passage);
  whole.focus();
  whole.setSelectionRange(start, start + passage.length);
}"""


def test_a_policy_owner_writes_marks_previews_and_publishes(site):
    doc_id = builders.unique("winter")
    with opened(site) as browser:
        page = browser.page
        browser.log_in("owner")
        browser.open(reverse("policies"))
        page.get_by_role("link", name="New document").click()
        for field, text in (("doc_id", doc_id), ("version", "WIN-1"), ("title", "Lamps in winter"), ("body", BODY),
                            ("deciding_date", "received_on"), ("channels", builders.CHANNEL)):  # fmt: skip
            page.locator(f"#{field}").fill(text)
        page.locator("#effective_from").fill("2026-01-01")
        page.locator("#key-0").select_option(builders.RETURN_KEY)
        page.get_by_role("button", name="Tie the marked passage").click()
        page.get_by_text("Mark a passage in the whole text first.").wait_for()
        page.evaluate(MARK, PASSAGE)
        page.get_by_role("button", name="Tie the marked passage").click()
        assert page.locator("#passage-0").input_value() == PASSAGE
        assert page.locator("#section-0").input_value() == "2.1 Time"
        assert complaints(page) == []
        page.get_by_role("button", name="Save and see what it changes").click()
        page.get_by_role("heading", name="A conflict would begin").wait_for()
        assert complaints(page) == []
        page.get_by_role("button", name="Publish WIN-1").click()
        page.get_by_text("WIN-1 is published.").wait_for()
        page.get_by_role("heading", name="Also answered elsewhere").wait_for()
        assert page.locator("article .badge", has_text="Active").count() == 1

    row = PolicyVersion.objects.get(document=doc_id)
    assert (row.status, row.body, row.statements.get().text) == ("active", BODY, PASSAGE)
    assert Conflict.objects.get(state="open").found_by == "publishing"


def test_without_script_a_passage_is_pasted(site):
    doc_id = builders.unique("winter")
    with opened(site, java_script_enabled=False, viewport=PHONE) as browser:
        page = browser.page
        browser.log_in("owner")
        browser.open(reverse("policy-new"))
        assert page.get_by_role("button", name="Tie the marked passage").count() == 0
        for field, text in (("doc_id", doc_id), ("version", "WIN-1"), ("title", "Lamps in winter"), ("body", BODY),
                            ("deciding_date", "received_on"), ("channels", builders.CHANNEL)):  # fmt: skip
            page.locator(f"#{field}").fill(text)
        page.locator("#effective_from").fill("2026-01-01")
        page.get_by_role("button", name="Add a passage").click()
        page.locator("#key-1").select_option(builders.RETURN_KEY)
        page.locator("#passage-1").fill(PASSAGE)
        page.get_by_role("button", name="Remove passage 1").click()
        assert page.locator("#passage-0").input_value() == PASSAGE
        page.get_by_role("button", name="Save the draft").last.click()
        page.get_by_text("The draft WIN-1 is saved.").wait_for()

    assert PolicyVersion.objects.get(document=doc_id).status == "draft"


@pytest.fixture
def documents(site, people):
    """A draft, a manufacturer's sheet and one that may answer; gone with the tables when the test ends."""
    doc_id, sheet = builders.unique("winter"), builders.unique("sheet")
    builders.version(by=people["owner"], doc_id=doc_id, name="W-0", title="Lamps", channels=frozenset({"counter"}))
    builders.version(by=people["owner"], doc_id=doc_id, name="W-1", title="Lamps", passage=PASSAGE, body=BODY,
                     channels=frozenset({"counter"}), status=VersionStatus.DRAFT)  # fmt: skip
    builders.version(by=people["owner"], doc_id=sheet, name="S-1", kind=DocumentKind.THIRD_PARTY, title="The sheet")
    return doc_id, sheet


@SHAPES
def test_no_page_of_policy_owners_has_a_fault(site, people, documents, scheme, viewport):
    doc_id, sheet = documents
    draft, active = ({"document": doc_id, "version": name} for name in ("W-1", "W-0"))
    addresses = [
        reverse("policy-new"),
        reverse("policy-new", query={"document": doc_id, "from": "W-0"}),
        *(reverse(f"policy-{name}", query=draft) for name in ("edit", "publish", "discard")),
        reverse("policy-end", query=active),
        reverse("policy-permission", query={"document": sheet}),
        reverse("policies-applied", query={"channel": builders.CHANNEL}),
        reverse("policies-applied"),
        reverse("policy-told", query={"key": builders.RETURN_KEY}),
        reverse("policy", args=[doc_id]),
    ]
    with opened(site, color_scheme=scheme, viewport=viewport) as browser:
        browser.log_in("owner")
        for address in addresses:
            browser.open(address)
            assert (address, complaints(browser.page)) == (address, [])
            assert browser.page.evaluate("document.documentElement.scrollWidth") <= viewport["width"], address
        browser.open(reverse("policy-permission", query={"document": sheet}))
        browser.page.get_by_role("button", name="Let it answer for us").click()
        browser.page.get_by_text("Say why, in a sentence").wait_for()
        browser.faults[:] = [fault for fault in browser.faults if "422" not in fault]
        assert complaints(browser.page) == []


def test_somebody_else_has_to_publish_is_readable_too(site, people, documents, django_user_model):
    doc_id, _ = documents
    second = django_user_model.objects.create_user("owner2", password="x", first_name="Olga", last_name="Berg")
    second.groups.set(people["owner"].groups.all())
    PolicyVersion.objects.filter(document=doc_id, version="W-1").update(prepared_by=people["owner"])
    with opened(site) as browser:
        browser.log_in("owner")
        browser.open(reverse("policy-publish", query={"document": doc_id, "version": "W-1"}))
        browser.page.get_by_role("heading", name="Somebody else has to publish it").wait_for()
        assert complaints(browser.page) == []
