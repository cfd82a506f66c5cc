"""Correct something: the situations in plain words, and the guided forms behind them."""

import html
import re
from datetime import date

import pytest
from django.urls import reverse
from django.utils import timezone
from pytest_django.asserts import assertContains, assertNotContains

from drafts.models import Correction, ReviewItem
from drafts.services import updates
from ledger import queries as ledger
from ledger.models import Conflict
from tests import builders
from tests.web.conftest import signed_in
from tests.web.test_hostile_text import CORPUS, is_inert

QUERIES = 30
OUTSIDE = "You can return any lamp within 60 days of receipt."
PAGES = (
    "conversation-situations",
    "conversation-two-documents",
    "conversation-not-found",
    "conversation-policy-changed",
)


@pytest.fixture
def told(policy, agent):
    """A customer who was answered with PASSAGE."""
    return builders.item(conversation=builders.locked(agent)).conversation


@pytest.fixture
def told_outside(policy):
    """A draft of a customer who was told another term past the desk."""
    reply = builders.message(f"Hello Ana,\n\n{OUTSIDE}\n\nBea", "agent", name="m-out")
    return builders.item(messages=[builders.message(), reply, builders.message("So 60 days?")])


def url(name, conversation, *more):
    return reverse(f"conversation-{name}", args=[conversation.pk, *more])


def shown(response):
    """Return the fields of the last form of a page as a browser would send them back."""
    boxes = re.findall(r'<textarea id="(\w+)"[^>]*>\n(.*?)</textarea>', response.text, re.DOTALL)
    hidden = re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', response.text)
    found = {name: html.unescape(value) for name, value in (*hidden, *boxes)}
    found.pop("csrfmiddlewaretoken", None)
    return {name: value.replace("\n", "\r\n") for name, value in found.items()}


def tell(conversation, text, role="agent"):
    updates.tell_message(
        conversation_id=conversation.external_id,
        message=builders.message(text, role),
        now=timezone.now(),
        calendar=builders.calendar(),
    )


def second_version(owner):
    """End the version behind the locked answer and let another one follow it."""
    builders.version(by=owner, effective_until=date(2026, 11, 1))
    builders.version(
        by=owner,
        name="RET-2",
        passage="An unused lamp can be returned within 30 days of receipt.",
        effective_from=date(2026, 11, 1),
    )


def test_the_situations_stand_in_plain_words_and_lead_on(console, told):
    response = console.get(url("situations", told))

    for wanted in (
        "An earlier answer was wrong",
        "An answer was given outside the desk",
        "Two documents conflict",
        "The customer quotes an answer that we cannot find",
        "The policy changed in the middle of the thread",
        builders.PASSAGE,
        url("correct", told, builders.RETURN_KEY),
        url("withdraw", told, builders.RETURN_KEY),
    ):
        assertContains(response, wanted)


def test_the_conversation_leads_there(console, told):
    assertContains(console.get(reverse("conversation", args=[told.pk])), url("situations", told))


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize(("role", "expected"), [("agent", 200), ("owner", 200), ("manager", 200), ("admin", 403)])
def test_roles(people, told, page, role, expected):
    assert signed_in(people[role]).get(reverse(page, args=[told.pk])).status_code == expected


@pytest.mark.parametrize("page", PAGES)
def test_a_page_takes_a_bounded_number_of_queries(console, told, page, django_assert_max_num_queries):
    builders.many(50, like=told.items.first())

    with django_assert_max_num_queries(QUERIES):
        assert console.get(reverse(page, args=[told.pk])).status_code == 200


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("asked", [{"key": "no::such"}, {"item": "x"}, {"item": "0" * 32}, {"key": "\x00"}])
def test_what_is_not_understood_chooses_nothing(console, told, page, asked):
    assert console.get(reverse(page, args=[told.pk]), asked).status_code == 200


# An answer given outside the desk


def test_the_words_said_outside_and_what_holds_are_proposed(console, told_outside):
    response = console.get(url("withdraw", told_outside.conversation, builders.RETURN_KEY))

    fields = shown(response)
    assert fields["withdrawn"] == OUTSIDE
    assert fields["new_answer"] == builders.PASSAGE
    assertContains(response, "differs from what is on record")


def withdraw(client, conversation, **changes):
    """Preview and issue, as a person does."""
    address = url("withdraw", conversation, builders.RETURN_KEY)
    begun = shown(client.get(address + changes.pop("query", "")))
    sent = {**begun, "outside_message": "m-out", "owner": "owner", "reason": "Wrong page read.", **changes}
    preview = client.post(address, {**sent, "step": "preview"})
    fields = {**sent, **shown(preview), "outside_message": "m-out", "owner": "owner", "reason": "Wrong page read."}
    return preview, client.post(address, {**fields, **changes, "step": "issue"})


def test_it_is_withdrawn_in_two_steps(console, told_outside, agent):
    preview, issued = withdraw(console, told_outside.conversation)

    assert f"told you: “{OUTSIDE}”" in html.unescape(preview.text)
    assert issued.status_code == 302, html.unescape(issued.text)[-3000:]
    made = Correction.objects.get(conversation=told_outside.conversation)
    assert (made.old_text, made.new_text, made.decision) == (OUTSIDE, builders.PASSAGE, None)
    page = console.get(reverse("conversation", args=[told_outside.conversation.pk]))
    assertContains(page, "said outside the desk, were withdrawn")
    assertContains(console.get(reverse("corrections")), "Said outside the desk")
    assertContains(console.get(reverse("correction", args=[made.pk])), OUTSIDE)


def test_started_from_a_draft_it_closes_the_draft(console, told_outside):
    _, issued = withdraw(console, told_outside.conversation, query=f"?item={told_outside.pk}")

    assert issued.status_code == 302
    told_outside.refresh_from_db()
    assert told_outside.state == "corrected"
    assert Correction.objects.get(conversation=told_outside.conversation).decision == told_outside.decision


def test_a_draft_that_moved_on_is_not_closed_unseen(console, told_outside, agent2):
    ReviewItem.objects.filter(pk=told_outside.pk).update(version=2)
    told_outside.draft_versions.create(number=2, text="Other words.", author=agent2, created_at=timezone.now())

    _, refused = withdraw(console, told_outside.conversation, query=f"?item={told_outside.pk}", seen_version="1")

    assertContains(refused, "moved on to version 2", status_code=409)


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"withdrawn": "You may keep it for ever."}, "withdrawn"),
        ({"withdrawn": ""}, "withdrawn"),
        ({"new_answer": OUTSIDE}, "new_answer"),
        ({"owner": ""}, "owner"),
    ],
)
def test_what_cannot_be_is_refused_beside_its_field(console, told_outside, changes, field):
    _, refused = withdraw(console, told_outside.conversation, **changes)

    assert refused.status_code in {409, 422}
    assert f'aria-describedby="problem-{field}"' in refused.text
    assert ledger.entries(told_outside.conversation.external_id) == ()


def test_where_nothing_was_said_outside_there_is_nothing_to_withdraw(console, told):
    response = console.get(url("withdraw", told, builders.RETURN_KEY))

    assertContains(response, "Nothing to withdraw", status_code=404)


def test_the_review_page_leads_from_the_blocker_to_the_form(console, told_outside):
    response = console.get(reverse("review", args=[told_outside.pk]))

    assertContains(response, url("withdraw", told_outside.conversation, builders.RETURN_KEY))
    assertContains(response, url("situations", told_outside.conversation))


# Two documents conflict


def test_nothing_goes_out_while_documents_compete_and_the_conflict_is_opened(console, told, owner):
    builders.version(by=owner, doc_id="promotion", name="PROMO", passage="Return any lamp within 60 days of receipt.")
    Conflict.objects.all().delete()
    address = url("two-documents", told)

    before = console.get(address)
    opened = console.post(address, {"key": builders.RETURN_KEY})
    after = console.get(address)

    assertContains(before, "Nothing goes out until one of these wins")
    assertContains(before, "Return any lamp within 60 days of receipt.")
    conflict = Conflict.objects.get(state="open")
    assert (opened.status_code, opened.url) == (302, reverse("conflict", args=[conflict.pk]))
    assertContains(after, "Open the conflict")
    assertNotContains(after, "Open it for the policy owner")


def test_settled_it_offers_the_correction(console, told, owner):
    builders.version(by=owner, status="retired")
    builders.version(by=owner, name="RET-2", passage="An unused lamp can be returned within 30 days of receipt.")

    response = console.get(url("two-documents", told))

    assertContains(response, "One document answers this for this customer")
    assertContains(response, url("correct", told, builders.RETURN_KEY))


def test_without_an_answer_it_leads_to_the_draft_that_waits(console, policy):
    waiting = builders.item()

    response = console.get(url("two-documents", waiting.conversation))

    assertContains(response, "Give it in a draft that waits")
    assertContains(response, reverse("review", args=[waiting.pk]))


def test_where_nothing_competes_no_conflict_is_opened(console, told):
    response = console.post(url("two-documents", told), {"key": builders.RETURN_KEY})

    assertContains(response, "No two documents compete", status_code=409)


# A quoted answer


def search(client, conversation, quoted):
    return client.post(url("not-found", conversation), {"key": builders.RETURN_KEY, "quoted": quoted, "step": "search"})


@pytest.mark.parametrize("quoted", ["", "  \n"])
def test_without_any_words_it_says_that_nothing_was_looked_for(console, told, quoted):
    response = search(console, told, quoted)

    assertContains(response, "Write down the customer’s words first", status_code=422)
    assertNotContains(response, "Nothing like it was found", status_code=422)


def test_a_quoted_answer_is_found_in_the_ledger_by_its_value(console, told):
    response = search(console, told, "you said a fortnight")

    assertContains(response, "This may be it")
    assertContains(response, builders.PASSAGE)
    assertContains(response, "the same value: <bdi>14 days")
    assertContains(response, url("correct", told, builders.RETURN_KEY))


def test_it_is_found_in_another_conversation_of_the_customer_and_outside_the_desk(console, told, agent):
    other = builders.item(conversation=builders.unique("other")).conversation
    tell(other, OUTSIDE)

    response = search(console, told, "Your colleague said 60 days")

    assertContains(response, reverse("conversation", args=[other.pk]))
    assertContains(response, "It was sent outside the desk")
    assertContains(response, url("withdraw", other, builders.RETURN_KEY))


def test_what_is_nowhere_is_answered_by_a_draft_that_asks_for_the_date(console, told):
    searched = search(console, told, "you promised five years")
    sent = {**shown(searched), "step": "send"}

    first = console.post(url("not-found", told), sent)
    again = console.post(url("not-found", told), sent)

    assertContains(searched, "Nothing like it was found")
    item = ReviewItem.objects.get(external_id=shown(searched)["external_id"])
    assert first.status_code == 302, first.text
    assert first.url == again.url == reverse("review", args=[item.pk])
    text = item.draft_versions.get().text
    assert "On which day were you given it" in text
    assert "in writing" in text
    assert builders.PASSAGE in text
    assert (item.question_key, item.question_by) == (builders.RETURN_KEY, "person")
    assert item.blocker_count == 0, item.analysis["blockers"]


def test_the_text_is_checked_before_it_goes_into_the_queue(console, told):
    fields = shown(search(console, told, "you promised five years"))
    changed = {**fields, "text": "Our agents are currently reviewing your order.", "step": "compose"}

    response = console.post(url("not-found", told), changed)

    assertContains(response, "This would stand in the way of approving it")
    assert shown(response)["text"] == "Our agents are currently reviewing your order."


def test_an_empty_reply_is_refused(console, told):
    fields = shown(search(console, told, "you promised five years"))

    response = console.post(
        url("not-found", told), {**fields, "text": "", "composed": "x", "quoted": "", "step": "send"}
    )

    assertContains(response, "There is no text", status_code=409)


# The policy changed


def test_it_says_which_policy_applies_and_puts_the_reply_into_the_queue(console, told, owner):
    second_version(owner)
    before = ledger.entries(told.external_id)
    page = console.get(url("policy-changed", told))

    sent = console.post(url("policy-changed", told), {**shown(page), "step": "send"})

    assertContains(page, "version RET-1 applies")
    assertContains(page, "the day of receipt, 2 October 2026")
    item = ReviewItem.objects.get(external_id=shown(page)["external_id"])
    assert (sent.status_code, sent.url) == (302, reverse("review", args=[item.pk]))
    assert item.branch == "policy_changed_mid_thread"
    assert item.blocker_count == 0, item.analysis["blockers"]
    assert ledger.entries(told.external_id) == before


def test_where_nothing_changed_it_says_so(console, told):
    assertContains(console.get(url("policy-changed", told)), "Nothing has changed here")


@pytest.mark.parametrize("hostile", CORPUS)
def test_hostile_text_in_every_field_is_inert(console, told_outside, hostile):
    conversation = told_outside.conversation
    tell(conversation, f"You can return it within 90 days of receipt. {hostile}")
    fields = dict.fromkeys(
        ("quoted", "text", "composed", "external_id", "withdrawn", "outside_message", "new_answer", "reason", "owner",
         "message", "seen_entry", "seen_version", "item"), hostile,
    )  # fmt: skip

    for name in ("not-found", "policy-changed"):
        for step in ("search", "compose", hostile):
            assert is_inert(console.post(url(name, conversation), {**fields, "step": step}))
    for step in ("words", "passage", "preview", "issue", hostile):
        assert is_inert(console.post(url("withdraw", conversation, builders.RETURN_KEY), {**fields, "step": step}))
    assert is_inert(console.get(url("withdraw", conversation, builders.RETURN_KEY)))
    assert is_inert(search(console, conversation, f"within 90 days {hostile}"))
