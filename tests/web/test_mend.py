"""One press beside a blocker mends the text in the editor; the result is kept and not yet saved."""

import html
import re

import pytest
from django.urls import reverse
from django.utils import timezone
from pytest_django.asserts import assertContains, assertNotContains

from tests import builders
from tests.web.conftest import press, signed_in

NEXT_TO_CLAIM = builders.UNBACKED.replace(" Our agents are currently reviewing your order.", "")


def opened(client, item):
    return client.get(reverse("review", args=[item.pk]))


def buttons(response):
    """What can be pressed beside the blockers: the label, where it goes, and what it sends."""
    found = re.findall(
        r'<button type="submit" formaction="[^"]*/([a-z-]+)"(?: name="(\w+)" value="([^"]*)")?>([^<]*)', response.text
    )
    return {label: (action, html.unescape(value)) for action, name, value, label in found}


def pressed(client, item, label, text, headers=None):
    """Press the button of this label on the page that shows this text."""
    action, value = buttons(press(client, item, "check", text=text))[label]
    field = "mend" if action == "mend" else "insertion"
    return press(client, item, action, text=text, headers=headers, **{field: value})


def typed(item):
    return item.working_texts.get().text


def test_a_sentence_without_a_record_goes_by_one_press(console, policy, headers):
    item = builders.item(builders.UNBACKED)

    response = pressed(console, item, "Remove this sentence", builders.UNBACKED, headers)

    assert typed(item) == NEXT_TO_CLAIM
    assertContains(response, "The sentence was taken out.")
    assertContains(response, "Nothing stands in the way")
    item.refresh_from_db()
    assert item.version == 1


def test_the_mended_text_stands_in_the_editor_on_opening(console, policy):
    item = builders.item(builders.UNBACKED)
    pressed(console, item, "Remove this sentence", builders.UNBACKED)

    assertContains(opened(console, item), "not saved yet")


def test_another_value_is_replaced_by_the_locked_text(console, policy, agent):
    text = "Hello Ana,\n\nyou can return the lamp within 30 days of receipt.\n\nKind regards"
    item = builders.item(text, conversation=builders.locked(agent))

    response = pressed(console, item, "Replace by the locked text", text)

    assert typed(item) == f"Hello Ana,\n\n{builders.PASSAGE}\n\nKind regards"
    assertContains(response, "Nothing stands in the way")


def test_where_the_answer_must_be_corrected_the_old_one_is_not_offered(console, policy, agent):
    text = "Hello Ana,\n\nyou can return the lamp within 30 days of receipt.\n\nKind regards"
    conversation = builders.locked(agent)
    item = builders.item(text, conversation=conversation, facts={"received_on": "2026-09-01"})

    response = opened(console, item)

    assertContains(response, "Start a correction")
    assert not {"Replace by the locked text", "Insert the locked text", "Insert this text"} & set(buttons(response))


def test_a_reply_from_outside_is_confirmed_as_read(console, policy, agent):
    item = builders.item(builders.CLEAN)
    item.conversation.messages.create(
        external_id="hd-1", ordinal=2, role="agent", text="We called.", received_at=timezone.now()
    )

    press(console, item, "confirm")

    assertNotContains(opened(console, item), "this one is still needed")


def test_a_reply_from_outside_stands_in_the_way_with_its_button(console, policy, agent):
    item = builders.item(builders.CLEAN)
    item.conversation.messages.create(
        external_id="hd-1", ordinal=2, role="agent", text="We called.", received_at=timezone.now()
    )

    assert "I read that reply; this one is still needed" in buttons(opened(console, item))


def test_another_value_is_replaced_by_the_passage_of_the_policy(console, policy):
    text = "Hello Ana,\n\nyou can return the lamp within 30 days of receipt."
    item = builders.item(text)

    response = pressed(console, item, "Replace by the policy’s passage", text)

    assert typed(item) == f"Hello Ana,\n\n{builders.PASSAGE}"
    assertContains(response, "Nothing stands in the way")


def test_beside_the_locked_text_another_value_only_goes(console, policy, agent):
    text = f"Hello Ana,\n\n{builders.PASSAGE} You can return the lamp within 30 days of receipt."
    item = builders.item(text, conversation=builders.locked(agent))

    pressed(console, item, "Remove this sentence", text)

    assert typed(item) == f"Hello Ana,\n\n{builders.PASSAGE}"


def test_a_missing_fact_is_asked_for(console, policy):
    text = "Hello Ana,\n\nthanks for writing to us.\n\nKind regards"
    item = builders.item(text, facts={})

    response = pressed(console, item, "Ask for “received on”", text)

    assert "Please tell us on which day you received the item.\n\nKind regards" in typed(item)
    assertContains(response, "Nothing stands in the way")


def test_a_draft_that_states_a_value_without_the_fact_gives_way_to_the_question(console, policy):
    text = "Hello Ana,\n\nyou can return the lamp within 14 days of receipt.\n\nKind regards"
    item = builders.item(text, facts={}, selected_version="RET-1")

    response = pressed(console, item, "Only ask for “received on”", text)

    assert typed(item) == "Hello Ana,\n\nPlease tell us on which day you received the item.\n\nKind regards"
    assertContains(response, "Nothing stands in the way")


def test_hidden_characters_go(console, policy):
    text = builders.CLEAN.replace("Hello", "Hel\u200blo\u202e")
    item = builders.item(text)

    pressed(console, item, "Remove them", text)

    assert typed(item) == builders.CLEAN


def test_one_of_two_drafts_is_kept(console, policy):
    text = f"{builders.CLEAN}\n\n---\n\n{builders.CLEAN.replace('Ana', 'Anna')}"
    item = builders.item(text)

    pressed(console, item, "Keep only what follows", text)

    assert typed(item) == builders.CLEAN.replace("Ana", "Anna")


def test_keeping_the_first_of_two_drafts_leaves_the_saved_text_of_old(console, policy):
    text = f"{builders.CLEAN}\n\n---\n\n{builders.CLEAN.replace('Ana', 'Anna')}"
    item = builders.item(text)

    pressed(console, item, "Keep only what stands before it", text)

    assert typed(item) == builders.CLEAN


def test_a_required_text_is_inserted_beside_its_blocker(console, policy, agent):
    text = "Hello Ana,\n\nthanks for asking again."
    item = builders.item(text, conversation=builders.locked(agent))

    pressed(console, item, "Insert this text", text)

    assert builders.PASSAGE in item.draft_versions.get(number=2).text


@pytest.mark.parametrize(
    "value", ["", "nonsense", "sentence:9", "sentence:x:y", "sentence:0:99999", "keep:7", "hidden"]
)
def test_what_no_longer_fits_changes_nothing(console, policy, value, headers):
    item = builders.item()

    response = press(console, item, "mend", mend=value, headers=headers)

    assertContains(response, "Nothing was changed", status_code=422)
    assert not item.working_texts.exists()


def test_what_else_was_typed_survives_the_press(console, policy):
    item = builders.item(builders.UNBACKED)
    at = builders.UNBACKED.index("Our agents")

    response = press(
        console, item, "mend", text=builders.UNBACKED, mend=f"sentence:{at}:{at + 5}", reason__send_back="Half a reason"
    )

    assertContains(response, "Half a reason")


def test_whoever_only_reads_is_offered_nothing_to_press(people, policy):
    response = opened(signed_in(people["manager"]), builders.item(builders.UNBACKED))

    assertContains(response, "Cannot be approved because")
    assertNotContains(response, "Remove this sentence")
