"""axe finds nothing on the pages of conflicts, policies and keys; a policy owner settles a conflict by keyboard."""

import pytest
from django.urls import reverse

from ledger.models import Conflict, PolicyVersion
from tests import builders
from tests.browser.conftest import PHONE, opened
from tests.browser.test_accessibility import SHAPES, complaints


@pytest.fixture
def conflict(site, people):
    """Two documents, one question; gone with the tables, apart from the ledger, when the test ends."""
    doc_id = builders.unique("leaflet")
    builders.version(by=people["owner"], doc_id=doc_id, name="LEAF-1", passage="Within 30 days.", title="Leaflet")
    builders.item()
    return Conflict.objects.get(state="open")


@SHAPES
def test_no_page_has_a_fault(site, conflict, scheme, viewport):
    document = PolicyVersion.objects.get(version="LEAF-1").document_id
    addresses = [
        reverse("conflicts"),
        reverse("conflict", args=[conflict.pk]),
        reverse("policies"),
        reverse("policy", args=[document]),
        reverse("keys"),
        reverse("key", args=[builders.RETURN_KEY]),
    ]
    with opened(site, color_scheme=scheme, viewport=viewport) as browser:
        browser.log_in("owner")
        for address in addresses:
            browser.open(address)
            assert (address, complaints(browser.page)) == (address, [])
            assert browser.page.evaluate("document.documentElement.scrollWidth") <= viewport["width"]


def test_a_policy_owner_settles_a_conflict_by_keyboard(site, conflict):
    address = reverse("conflict", args=[conflict.pk])
    with opened(site, viewport=PHONE) as browser:
        page = browser.page
        browser.log_in("owner")
        browser.open(address)
        page.get_by_role("button", name="Settle this conflict").press("Enter")
        assert page.get_by_role("radio").first.evaluate("one => one === document.activeElement")
        assert complaints(page) == []
        page.get_by_role("radio", name="Keep RET-1").press("Space")
        assert page.get_by_role("checkbox", name="Retire RET-1").count() == 0
        page.get_by_label("Why this version holds").fill("The leaflet ran out.")
        page.get_by_role("button", name="Settle this conflict").press("Enter")
        page.get_by_text("The conflict is settled. 1 draft was analysed again.").wait_for()
        assert complaints(page) == []
        browser.faults[:] = [fault for fault in browser.faults if "422" not in fault]

    conflict.refresh_from_db()
    assert (conflict.state, conflict.reason) == ("resolved", "The leaflet ran out.")
