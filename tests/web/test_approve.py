import re

from django.urls import reverse
from pytest_django.asserts import assertContains, assertNotContains, assertRedirects

from ledger import queries as ledger
from tests import builders
from tests.web.conftest import is_whole_page, press, worked


def test_approving_a_clean_draft_records_and_locks_the_answer(console, policy, agent, headers):
    item = builders.item()

    response = press(console, item, "approve", headers=headers, answer_text=builders.PASSAGE, proposed=builders.PASSAGE)

    assert worked(response, headers)
    item.refresh_from_db()
    assert (item.state, item.decided_by, item.decision.kind) == ("approved", agent, "approve")
    answers = ledger.live_answers(item.conversation.external_id)
    assert answers[builders.RETURN_KEY].answer_text == builders.PASSAGE


def test_without_script_the_browser_is_sent_back_to_the_page(console, policy):
    item = builders.item()

    response = press(console, item, "approve")

    assertRedirects(response, reverse("review", args=[item.pk]), fetch_redirect_response=False)
    assertContains(console.get(response.url), "The reply was approved.")


def test_htmx_gets_only_the_item(console, policy):
    response = press(console, builders.item(), "approve", headers={"HX-Request": "true"})

    assert not is_whole_page(response)
    assertContains(response, "Ada Moreau approved the text as it stood")
    assertContains(response, "waiting: no destination is set up yet")


def test_a_changed_text_is_approved_as_an_edit(console, policy, headers):
    item = builders.item(builders.UNBACKED)

    response = press(console, item, "approve", text=builders.CLEAN, headers=headers)

    assert worked(response, headers)
    item.refresh_from_db()
    assert (item.decision.kind, item.decision.text) == ("edit", builders.CLEAN)


def test_a_text_that_was_saved_first_is_approved_as_an_edit_too(console, policy, headers):
    item = builders.item(builders.UNBACKED)
    press(console, item, "save", text=builders.CLEAN)
    item.refresh_from_db()

    response = press(console, item, "approve", text=builders.CLEAN, headers=headers)

    assert worked(response, headers)
    item.refresh_from_db()
    assert (item.decision.kind, item.decision.text) == ("edit", builders.CLEAN)


def test_without_a_text_in_the_form_the_saved_one_is_approved(console, policy):
    item = builders.item(builders.UNBACKED)
    press(console, item, "save", text=builders.CLEAN)

    console.post(reverse("review-approve", args=[item.pk]), {"seen_version": "2"})

    item.refresh_from_db()
    assert (item.decision.kind, item.decision.text) == ("edit", builders.CLEAN)


def label(html):
    return re.search(r'id="approve"[^>]*>([^<]*)<', html)[1]


def test_the_button_names_what_it_approves(console, policy):
    item = builders.item()
    address = reverse("review", args=[item.pk])

    as_it_came = console.get(address)
    checked = press(console, item, "check", text=builders.CLEAN.replace("Kind", "Warm"))
    press(console, item, "save", text="My own words.")
    saved = console.get(address)

    assert [label(page.text) for page in (as_it_came, checked, saved)] == [
        "Approve as it is",
        "Approve this text",
        "Approve (1 thing in the way)",
    ]


def test_line_ends_of_a_browser_make_no_edit(console, policy):
    item = builders.item()

    press(console, item, "approve", text=builders.CLEAN.replace("\n", "\r\n"))

    item.refresh_from_db()
    assert (item.decision.kind, item.decision.text) == ("approve", builders.CLEAN)


def test_what_has_no_record_is_refused_with_what_to_do(console, policy, headers):
    item = builders.item(builders.UNBACKED)

    response = press(console, item, "approve", text=builders.UNBACKED, headers=headers)

    assertContains(response, "This cannot be approved yet", status_code=409)
    assertContains(response, "has no record behind it", status_code=409)
    assert is_whole_page(response) is not bool(headers)
    item.refresh_from_db()
    assert item.state == "pending"


def test_a_refused_edit_stands_in_the_form_and_is_kept(console, policy, headers):
    item = builders.item()
    typed = builders.UNBACKED.replace("Kind regards", "Warm regards")

    response = press(console, item, "approve", text=typed, headers=headers)

    assertContains(response, "Warm regards", status_code=409)
    assert [parked.text for parked in item.parked_texts.all()] == [typed]


def test_an_emptied_text_is_never_taken_for_the_stored_one(console, policy, headers):
    item = builders.item()

    response = press(console, item, "approve", text="  ", headers=headers)

    assertContains(response, "Something is missing", status_code=422)
    item.refresh_from_db()
    assert item.state == "pending"


def test_an_answer_that_does_not_stand_in_the_reply_is_not_locked(console, policy, headers):
    item = builders.item()

    response = press(console, item, "approve", answer_text="Within 90 days.", proposed="", headers=headers)

    assertContains(response, "does not stand in the reply", status_code=409)
    assertContains(response, "Within 90 days.", status_code=409)


def test_without_the_version_that_was_seen_nothing_is_approved(console, policy, headers):
    item = builders.item()

    response = press(console, item, "approve", seen_version="", headers=headers)

    assertContains(response, "Something is missing", status_code=422)


def test_the_page_offers_the_next_item_afterwards(console, policy):
    item, following = builders.item(), builders.item()

    response = press(console, item, "approve", headers={"HX-Request": "true"})

    assertContains(response, reverse("review", args=[following.pk]))
    assertNotContains(response, "Approve as it is")
