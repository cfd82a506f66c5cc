"""Escalate, send back, correct, choose a question, settle, confirm, take and release."""

from datetime import UTC, date, datetime

import pytest
from django.urls import reverse
from pytest_django.asserts import assertContains, assertNotContains

from drafts.models import Correction
from drafts.services import holding, updates
from ledger import queries as ledger
from tests import builders
from tests.web.conftest import press, signed_in, worked

NEW_PASSAGE = "An unused lamp can be returned within 30 days of receipt."


def test_escalating_hands_the_item_to_a_policy_owner_with_the_text(console, policy, headers):
    item = builders.item()

    response = press(
        console, item, "escalate", text="My own words.", reason__escalate="Which one holds?", headers=headers
    )

    assert worked(response, headers)
    item.refresh_from_db()
    assert (item.state, item.handler, item.version) == ("escalated", "policy_owner", 2)
    assert item.escalations.get().reason == "Which one holds?"


def test_sending_back_closes_the_item_with_the_reason(console, policy, headers):
    item = builders.item()

    response = press(console, item, "send-back", reason__send_back="It answers nothing.", headers=headers)

    assert worked(response, headers)
    assertContains(console.get(f"/review/{item.pk}/"), "It answers nothing.")
    item.refresh_from_db()
    assert item.state == "sent_back"


@pytest.mark.parametrize("action", ["escalate", "send-back"])
def test_without_a_reason_nothing_happens_and_the_text_stays(console, policy, action, headers):
    item = builders.item()

    response = press(console, item, action, text="My own words.", headers=headers)

    assertContains(response, "Say why", status_code=422)
    assertContains(response, "My own words.", status_code=422)
    item.refresh_from_db()
    assert (item.state, item.version) == ("pending", 1)


def test_choosing_the_question_establishes_it_by_a_person(console, policy, agent, headers):
    item = builders.item(question=None, messages=[builders.message("And the lamp?")])

    response = press(console, item, "question", question=builders.RETURN_KEY, headers=headers)

    assert worked(response, headers)
    item.refresh_from_db()
    assert (item.question_key, item.question_by, item.question_set_by) == (builders.RETURN_KEY, "person", agent)


def test_a_person_can_say_that_no_commitment_is_asked_for(console, policy, headers):
    item = builders.item()

    response = press(console, item, "question", question="none", headers=headers)

    assert worked(response, headers)
    item.refresh_from_db()
    assert (item.question_status, item.question_key) == ("none", None)


def test_what_an_unclear_message_may_ask_stands_first(console, policy, owner):
    builders.key("aftercare::shade", by=owner, question_canonical="How is a shade cared for?")
    item = builders.item(question=None, messages=[builders.message("What are your conditions for returns?")])

    page = console.get(reverse("review", args=[item.pk])).text

    assert item.question_status == "uncertain"
    assert page.index(f'value="{builders.RETURN_KEY}"') < page.index('value="aftercare::shade"')
    assert f"({builders.RETURN_KEY}, likely)" in page


@pytest.mark.parametrize(("question", "told"), [("", "Choose one"), ("no_such::key", "not in the registry")])
def test_a_question_that_is_none_is_refused(console, policy, question, told, headers):
    response = press(console, builders.item(), "question", question=question, headers=headers)

    assertContains(response, told, status_code=422)


def test_choosing_the_question_keeps_an_unsaved_text_on_the_page(console, policy, headers):
    response = press(console, builders.item(), "question", question="none", text="My own words.", headers=headers)

    assertContains(response, "My own words.")


def claim_of(item):
    return item.claims.filter(tier="claim").exclude(verdict="SUPPORTED").get()


def test_marking_a_claim_as_none_takes_its_blocker_away(console, policy, headers):
    item = builders.item(builders.UNBACKED)
    claim = claim_of(item)
    value = f"{claim.cls}:{claim.start}:{claim.end}"

    response = press(
        console,
        item,
        "settle",
        text=builders.UNBACKED,
        dismiss=value,
        headers=headers,
        **{f"reason-{value}": "A figure of speech."},
    )

    assert worked(response, headers)
    assert item.dismissals.get().reason == "A figure of speech."
    assertContains(console.get(f"/review/{item.pk}/"), "Nothing stands in the way")


def test_a_claim_is_found_again_where_an_unsaved_text_moved_it(console, policy):
    item = builders.item(builders.UNBACKED)
    claim = claim_of(item)
    moved = "Good morning. " + builders.UNBACKED
    value = f"{claim.cls}:{claim.start + 14}:{claim.end + 14}"

    response = press(console, item, "settle", text=moved, dismiss=value, **{f"reason-{value}": "A figure of speech."})

    assertContains(response, "Good morning.")
    assert item.dismissals.get().quote == builders.UNBACKED[claim.start : claim.end]


def test_a_claim_in_an_unsaved_text_is_marked_after_saving(console, policy, headers):
    item = builders.item()
    value = "STATUS:0:10"

    response = press(
        console, item, "settle", text="Brand new!", dismiss=value, headers=headers, **{f"reason-{value}": "Because."}
    )

    assertContains(response, "Save the text, then mark them", status_code=422)
    assertContains(response, "Brand new!", status_code=422)


@pytest.mark.parametrize("value", ["", "nonsense", "STATUS:9:3", "STATUS:1:99999", "made_up::"])
def test_what_cannot_be_settled_is_refused(console, policy, value, headers):
    item = builders.item()

    response = press(console, item, "settle", dismiss=value, headers=headers, **{f"reason-{value}": "Because."})

    assert response.status_code == 422
    assert not item.dismissals.exists()


def test_a_claim_is_not_settled_without_a_reason(console, policy, headers):
    item = builders.item(builders.UNBACKED)
    claim = claim_of(item)

    response = press(
        console,
        item,
        "settle",
        text=builders.UNBACKED,
        dismiss=f"{claim.cls}:{claim.start}:{claim.end}",
        headers=headers,
    )

    assertContains(response, "managers read these reasons", status_code=422)


def customer_writes(item, text="Are you still there?"):
    updates.tell_message(
        conversation_id=item.conversation.external_id,
        message=builders.message(text),
        now=datetime.now(UTC),
        calendar=builders.calendar(),
    )


def test_a_newer_message_is_noted_as_read(console, policy, headers):
    item = builders.item()
    customer_writes(item)
    assertContains(console.get(f"/review/{item.pk}/"), "Newer than the draft")

    response = press(console, item, "confirm", headers=headers)

    assert worked(response, headers)
    assertContains(console.get(f"/review/{item.pk}/"), "Nothing stands in the way")


def test_taking_and_giving_back(console, policy, agent, headers):
    item = builders.item()

    assert worked(press(console, item, "take", headers=headers), headers)
    item.refresh_from_db()
    assert item.holder == agent

    assert worked(press(console, item, "release", headers=headers), headers)
    item.refresh_from_db()
    assert item.holder is None


def test_nobody_gives_back_what_a_colleague_took(console, policy, agent2, headers):
    item = builders.item()
    holding.take(item_id=item.pk, actor=agent2)

    assert press(console, item, "release", headers=headers).status_code == 422
    item.refresh_from_db()
    assert item.holder == agent2


@pytest.fixture
def wrong_answer(policy, agent, owner):
    """An item of a customer who was told 14 days, while 30 hold."""
    conversation = builders.locked(agent)
    builders.version(
        by=owner, name="RET-0", passage=NEW_PASSAGE, effective_from=date(2025, 1, 1),
        effective_until=date(2026, 1, 1),
    )  # fmt: skip
    return builders.item(NEW_PASSAGE, conversation=conversation, facts={"received_on": "2025-10-02"})


def corrected(console, item, headers=None, **changed):
    fields = {
        "new_answer": NEW_PASSAGE, "reason__correct": "The date was read wrongly.", "owner": "owner", **changed
    }  # fmt: skip
    return press(console, item, "correct", text=NEW_PASSAGE, headers=headers, **fields)


def test_a_correction_replaces_the_answer_and_tells_the_customer(console, wrong_answer, headers):
    response = corrected(console, wrong_answer, headers)

    assert worked(response, headers), response.text
    correction = Correction.objects.get(decision__item=wrong_answer)
    assert (correction.new_text, correction.owner.username) == (NEW_PASSAGE, "owner")
    assert builders.PASSAGE in correction.message
    live = ledger.live_answers(wrong_answer.conversation.external_id)[builders.RETURN_KEY]
    assert live.answer_text == NEW_PASSAGE


def test_the_message_of_a_correction_is_shown_before_it_is_sent(console, wrong_answer, headers):
    response = press(console, wrong_answer, "preview", text=NEW_PASSAGE, new_answer=NEW_PASSAGE, headers=headers)

    assertContains(response, "that answer does not apply to you, and we withdraw it")
    assertContains(response, "This is what the customer would read. Nothing was sent yet.", count=1)
    assertContains(response, 'aria-describedby="notice" autofocus>')
    assert response.headers.get("HX-Reswap") == "outerHTML show:none"
    wrong_answer.refresh_from_db()
    assert wrong_answer.state == "pending"


def test_only_who_may_correct_is_offered_as_the_owner_of_a_correction(console, wrong_answer, people, headers):
    assertNotContains(console.get(reverse("review", args=[wrong_answer.pk])), '<option value="admin"')

    response = corrected(console, wrong_answer, headers, owner="admin")

    assertContains(response, "may correct", status_code=422)


def test_a_preview_needs_the_new_answer(console, wrong_answer, headers):
    response = press(console, wrong_answer, "preview", new_answer=" ", headers=headers)

    assertContains(response, "Write the answer that holds", status_code=422)


@pytest.mark.parametrize(
    ("missing", "told"), [("new_answer", "answer that holds"), ("reason__correct", "Say why"), ("owner", "an owner")]
)
def test_a_correction_lacks_nothing(console, wrong_answer, missing, told, headers):
    response = corrected(console, wrong_answer, headers, **{missing: ""})

    assertContains(response, told, status_code=422)
    assert not Correction.objects.filter(decision__item=wrong_answer).exists()


def test_a_correction_without_a_source_is_refused_and_stays_typed(console, wrong_answer, headers):
    response = corrected(console, wrong_answer, headers, new_answer="Within 99 days of receipt.")

    assertContains(response, "Within 99 days of receipt.", status_code=409)
    assertContains(response, "The date was read wrongly.", status_code=409)


def test_only_a_customer_who_was_told_something_can_be_corrected(console, policy):
    assertNotContains(console.get(f"/review/{builders.item().pk}/"), "Correct what the customer was told")


def test_a_policy_owner_decides_an_escalated_item(console, policy, people):
    item = builders.item()
    press(console, item, "escalate", reason__escalate="Which one holds?")

    press(signed_in(people["owner"]), item, "approve")

    item.refresh_from_db()
    assert (item.state, item.decided_by) == ("approved", people["owner"])
