import re
from datetime import UTC, datetime, timedelta

import pytest
from django.urls import reverse
from pytest_django.asserts import assertContains, assertNotContains

from drafts.services import updates
from ledger import queries as ledger
from tests import builders
from tests.web.conftest import press, signed_in

QUERIES_OF_AN_ITEM = 45


def opened(client, item):
    return client.get(reverse("review", args=[item.pk]))


def test_the_page_tells_what_the_reply_may_rest_on(console, policy):
    item = builders.item(
        builders.UNBACKED,
        ticket={"status": "open", "team": None, "refund": {"status": "issued"}},
        selected_version="RET-1",
        raw_output="Analysis: one version.",
        missing_fields=("opened",),
    )

    response = opened(console, item)

    for told in (
        "How long after receipt can an item be returned?",
        "One source answers",
        "Returns in the online store",
        builders.PASSAGE,
        "1 Jan 2026",
        "refund.status",
        "Empty: <bdi>team</bdi>",
        "Analysis: one version.",
        "replybot-4",
        "No record",
        "What would support it",
        "has no record behind it",
        "The draft arrived from replybot-4.",
    ):
        assertContains(response, told)


def test_a_claim_is_marked_in_place_and_leads_to_its_note_and_back(console, policy):
    page = opened(console, builders.item(builders.UNBACKED)).text

    assert '<mark class="mark-unsupported ">' in page
    number = page.split('class="ref ref-unsupported" href="#note-')[1].split('"')[0]
    assert f'id="note-{number}"' in page
    assert f'href="#place-{number}"' in page
    assert f'id="place-{number}"' in page


def test_times_are_told_in_the_zone_of_the_organisation(console, policy, settings):
    settings.TIME_ZONE = "Europe/Lisbon"
    summer = datetime(2026, 7, 1, 12, 30, tzinfo=UTC)
    item = builders.item(messages=[builders.message(at=summer)])

    assertContains(opened(console, item), "1 Jul 2026, 13:30")


def test_an_edited_message_shows_what_it_said_before(console, policy):
    item = builders.item(messages=[builders.message("How long is it?", name="m1")])
    updates.tell_message(
        conversation_id=item.conversation.external_id,
        message=builders.message("How long do I have?", name="m1"),
        now=datetime.now(UTC),
        calendar=builders.calendar(),
    )

    response = opened(console, item)

    assertContains(response, "How long do I have?")
    assertContains(response, "How long is it?")
    assertContains(response, "Edited; 1 earlier text")


def test_internal_notes_are_named_as_such(console, policy):
    item = builders.item(messages=[builders.message(), builders.message("Called twice.", "note")])

    assertContains(opened(console, item), "Internal note")


def test_a_locked_answer_is_shown_and_must_be_repeated(console, policy, agent):
    conversation = builders.locked(agent)

    response = opened(console, builders.item("Thanks for asking again.", conversation=conversation))

    for told in ("Asked before", "This customer was told", "It is not in the reply yet", "Insert this text"):
        assertContains(response, told)


def test_a_missing_date_is_named_and_no_version_is_shown(console, policy):
    response = opened(console, builders.item("Please tell us when the lamp arrived.", facts={}))

    assertContains(response, "The date that decides which version applies is missing")
    assertContains(response, "received on")
    assertNotContains(response, "In force")


def test_several_sources_are_listed_and_none_wins(console, policy, owner):
    builders.version(by=owner, doc_id="promotion", name="PRO-1", passage="A lamp can be returned within 60 days.")

    response = opened(console, builders.item())

    assertContains(response, "Sources conflict")
    assertContains(response, "promotion PRO-1")
    assertContains(response, "Policy owner")
    [(conflict_id, _)] = ledger.open_conflicts_of([builders.RETURN_KEY])[builders.RETURN_KEY]
    assertContains(response, reverse("conflict", args=[conflict_id]))


def test_the_page_leads_to_the_whole_conversation(console, policy):
    item = builders.item()

    assertContains(opened(console, item), reverse("conversation", args=[item.conversation_id]))


def test_what_was_said_long_before_the_answered_message_is_folded(console, policy):
    item = builders.item(messages=[builders.message(f"message {n}") for n in range(1, 8)])

    page = opened(console, item).text

    folded, shown = page.split("Earlier messages (4)</summary>")[1].split("</details>", 1)
    assert "message 4" in folded
    assert "message 5" in shown


def test_a_retired_item_says_why_and_keeps_the_texts(console, policy):
    item = builders.item(builders.UNBACKED)
    press(console, item, "save", text=builders.CLEAN)
    updates.tell_message(
        conversation_id=item.conversation.external_id,
        message=builders.message("We answered you by phone.", "agent"),
        now=datetime.now(UTC),
        calendar=builders.calendar(),
    )

    response = opened(console, item)

    assertContains(response, "This draft was retired")
    assertContains(response, "We answered you by phone.")
    assertContains(response, "Draft versions (2)")
    assertNotContains(response, "Approve this text")


def test_an_item_of_a_merged_ticket_keeps_the_reviewers_text(console, policy):
    item = builders.item(ticket={"status": "open"})
    press(console, item, "save", text="Hello Ana,\n\nmy own words.")
    updates.update_ticket(
        ticket_id=item.ticket.external_id,
        changes={"status": "merged", "fields": {"merged_into": "T-2"}},
        as_of=None,
        now=datetime.now(UTC),
        calendar=builders.calendar(),
    )

    response = opened(console, item)

    assertContains(response, "This ticket was merged into ticket T-2")
    assertContains(response, "my own words.")


@pytest.mark.parametrize("role", ["manager", "admin"])
def test_managers_and_administrators_read_without_forms(people, policy, role):
    response = opened(signed_in(people[role]), builders.item())

    assertContains(response, "You can read this item. Deciding is for support agents and policy owners.")
    assertNotContains(response, '<textarea id="text"')
    assertNotContains(response, "formaction")


def test_reading_an_item_takes_a_bounded_number_of_queries(console, policy, django_assert_max_num_queries):
    start = datetime(2026, 11, 1, tzinfo=UTC)
    messages = [builders.message(f"Question {n}?", at=start + timedelta(minutes=n)) for n in range(60)]
    item = builders.item(builders.UNBACKED * 5, messages=messages)

    with django_assert_max_num_queries(QUERIES_OF_AN_ITEM):
        opened(console, item)


def test_an_item_is_read_and_never_posted_to(console, policy):
    assert console.post(reverse("review", args=[builders.item().pk])).status_code == 405


def test_an_instant_of_the_ticket_is_told_in_the_zone_of_the_organisation_with_what_was_written(
    console, policy, settings
):
    settings.TIME_ZONE = "Europe/Lisbon"
    due = "2026-07-01T11:41:00+00:00"
    item = builders.item(ticket={"first_response_due_at": due, "callback_at": "tomorrow at 9", "shipped": "2026-07-02"})

    page = opened(console, item).text

    assert '<bdi>First response due</bdi></th><td title="2026-07-01T11:41:00+00:00">' in page
    assert "1 Jul 2026, 12:41" in page
    assert "<bdi>tomorrow at 9</bdi>" in page
    assert "2 Jul 2026" in page


def test_a_finding_that_stands_in_the_way_is_told_once_and_named_beside(console, policy):
    page = opened(console, builders.item("You have 30 days.", facts={})).text

    assert page.count("The reply states a value, but no version applies") == 1
    assert re.search(r'Value stated, but no version applies</span> <a class="note-number" id="note-\d+"', page)
    leads = set(re.findall(r'href="#(blocker-\d+)">Why', page))
    assert leads
    assert leads <= set(re.findall(r'id="(blocker-\d+)"', page))


def test_what_is_said_of_several_places_is_told_once_and_each_place_can_be_mended(console, owner):
    builders.key("repair_price::workshop", by=owner, question_canonical="What does a repair cost?")
    text = "The drum costs €40. The belt costs €50. The seal costs €60."
    item = builders.item(text, question="repair_price::workshop")

    page = opened(console, item).text

    assert page.count("The reply states a value, but no version applies") == 1
    assert "3 places:" in page
    assert page.count(">Remove this sentence<") == 3


def test_one_press_that_settles_several_reasons_is_offered_once(console, policy):
    item = builders.item("Under RET-1 you have 30 days.", facts={}, selected_version="RET-1")

    assert opened(console, item).text.count("Only ask for “received on”") == 1


def test_a_customer_was_told_on_the_day_of_the_decision(console, policy, agent):
    response = opened(console, builders.item("Thanks again.", conversation=builders.locked(agent)))

    assertContains(response, "Told on <time")
    assertNotContains(response, ", locked <time")


def test_a_list_in_the_ticket_is_written_in_words(console, policy):
    done = [{"name": "refund", "error": False}, {"name": "call_back", "error": True}]

    page = opened(console, builders.item(ticket={"fields": {"actions_done": done}, "tags": ["lamp", "vip"]})).text

    assert "<bdi>name: refund, error: no; name: call_back, error: yes</bdi>" in page
    assert "<bdi>lamp, vip</bdi>" in page


@pytest.mark.parametrize("verdict", ["Supported", "No record"])
def test_what_is_only_possibly_a_claim_is_shown_without_a_verdict(console, policy, verdict):
    item = builders.item(
        "You can return the lamp within 30 days of receipt.",
        facts={},
        ticket={"first_response_due_at": "2026-11-30T11:41:00+00:00"},
    )

    page = opened(console, item).text

    assert "Possible, not blocking" in page
    assert verdict not in page
