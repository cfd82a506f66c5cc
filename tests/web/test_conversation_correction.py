"""Correcting an answer from the conversation's ledger: preview, then issue, without a draft waiting."""

import html
import re

import pytest
from django.contrib.auth.models import User
from django.urls import reverse
from django.utils import timezone
from pytest_django.asserts import assertContains, assertNotContains

from drafts.models import Correction
from drafts.services import correcting
from drafts.services.correcting import CorrectionWanted
from ledger import queries as ledger
from tests import builders
from tests.web.conftest import signed_in
from tests.web.test_hostile_text import CORPUS, is_inert

NEW_ANSWER = "You can return an unused lamp within 14 days of receipt."
REASON = "The wording misled her."


@pytest.fixture
def conversation(policy, agent):
    """A customer who was answered with PASSAGE."""
    return builders.item(conversation=builders.locked(agent)).conversation


@pytest.fixture
def desk(manager):
    """The manager's browser."""
    return signed_in(manager)


def url_of(conversation, key=builders.RETURN_KEY):
    return reverse("conversation-correct", args=[conversation.pk, key])


def live(conversation):
    return ledger.live_answers(conversation.external_id)[builders.RETURN_KEY]


def press(client, conversation, step, **typed):
    """Press a button of the form, with everything that a browser would send."""
    fields = {
        "new_answer": NEW_ANSWER,
        "reason": REASON,
        "owner": "owner",
        "seen_entry": live(conversation).entry_id,
        **typed,
    }
    return client.post(url_of(conversation), {**fields, "step": step})


def field(response, name):
    """Return what stands in a text box or hidden field of the page, or None where there is none."""
    box = re.search(rf'<textarea id="{name}"[^>]*>\n(.*?)</textarea>', response.text, re.DOTALL)
    hidden = re.search(rf'<input type="hidden" name="{name}" value="([^"]*)"', response.text)
    found = box or hidden
    return html.unescape(found.group(1)) if found else None


def shown(response):
    """Return the fields as a browser would send them back, with its own line ends."""
    names = ("new_answer", "reason", "message", "composed", "seen_entry")
    return {name: (field(response, name) or "").replace("\n", "\r\n") for name in names}


def test_the_form_shows_what_was_told_and_what_applies(desk, conversation):
    response = desk.get(url_of(conversation))

    assertContains(response, "What the customer was told")
    assertContains(response, builders.PASSAGE)
    assertContains(response, "Returns in the online store, version RET-1, section 2")
    assertContains(response, "Preview the message")
    assertNotContains(response, "Issue the correction")


def test_two_steps_issue_a_correction(desk, conversation, manager, owner):
    preview = press(desk, conversation, "preview")
    message = field(preview, "message")

    issued = press(desk, conversation, "issue", **shown(preview))

    assert f"told you: “{builders.PASSAGE}”" in message
    assert f"What holds instead: “{NEW_ANSWER}”" in message
    assert (issued.status_code, issued.url) == (302, reverse("conversation", args=[conversation.pk]))
    assertContains(desk.get(issued.url), "The correction was issued and stands in the ledger.")
    made = Correction.objects.get(conversation=conversation)
    assert (made.new_text, made.reason, made.owner, made.corrected_by) == (NEW_ANSWER, REASON, owner, manager)
    assert made.message == message
    assert live(conversation).answer_text == NEW_ANSWER


def test_a_preview_without_a_reason_shows_the_message_and_asks_for_the_reason(desk, conversation):
    preview = press(desk, conversation, "preview", reason=" ")

    assert f"What holds instead: “{NEW_ANSWER}”" in field(preview, "message")
    assertContains(preview, "Say why the earlier answer is replaced.")
    assertContains(preview, "What stands in the way is written beside each field.")


def test_a_preview_writes_nothing(desk, conversation):
    press(desk, conversation, "preview")

    assert not Correction.objects.filter(conversation=conversation).exists()
    assert live(conversation).answer_text == builders.PASSAGE


def test_the_passage_can_be_taken_as_the_answer(desk, conversation):
    response = press(desk, conversation, "passage", new_answer="x")

    assert field(response, "new_answer") == builders.PASSAGE
    assert field(response, "reason") == REASON


def test_a_message_in_own_words_is_kept_and_leaves_as_it_was_typed(desk, conversation):
    preview = press(desk, conversation, "preview")
    own = f"Dear Ana,\n\n{field(preview, 'message')}\n\nKind regards,\nThe lamp shop"

    issued = press(desk, conversation, "issue", **{**shown(preview), "message": own})

    assert issued.status_code == 302
    assert Correction.objects.get(conversation=conversation).message == own


def test_nothing_leaves_that_was_not_read(desk, conversation):
    response = press(desk, conversation, "issue")

    assertContains(response, "Read the message below first", status_code=409)
    assert NEW_ANSWER in field(response, "message")
    assert press(desk, conversation, "issue", **shown(response)).status_code == 302


def test_a_composed_message_follows_an_answer_that_was_changed_after_the_preview(desk, conversation):
    preview = press(desk, conversation, "preview")
    changed = "An unused lamp may be returned within 14 days of receipt."

    response = press(desk, conversation, "issue", **{**shown(preview), "new_answer": changed})

    assertContains(response, "Read the message below first", status_code=409)
    assert changed in field(response, "message")
    assert live(conversation).answer_text == builders.PASSAGE


@pytest.mark.parametrize(
    ("typed", "name", "told"),
    [
        pytest.param({"new_answer": " \n"}, "new_answer", "Write the answer that holds from now on.", id="answer"),
        pytest.param({"reason": ""}, "reason", "Say why the earlier answer is replaced.", id="reason"),
        pytest.param({"owner": ""}, "owner", "Say who answers for the correction.", id="owner"),
        pytest.param({"new_answer": "x\x00y"}, "new_answer", "", id="null-character"),
    ],
)
def test_what_is_missing_is_marked_and_everything_typed_is_kept(desk, conversation, typed, name, told):
    response = press(desk, conversation, "issue", **{"message": "My own words.", **typed})

    assert response.status_code == 422
    assertContains(response, f'aria-describedby="problem-{name}"', status_code=422)
    assertContains(response, told, status_code=422)
    assert field(response, "message") == "My own words."
    assert live(conversation).answer_text == builders.PASSAGE


@pytest.mark.parametrize("step", ["preview", "issue"])
def test_an_answer_that_the_policy_does_not_back_is_refused_beside_its_field(desk, conversation, step):
    wrong = "You can return an unused lamp within 30 days of receipt."
    preview = press(desk, conversation, "preview", new_answer=wrong)

    response = press(desk, conversation, step, **{**shown(preview), "new_answer": wrong})

    body = html.unescape(response.text)
    assert 'aria-describedby="problem-new_answer"' in body
    assert "The new answer must say what the passage says" in body
    assert (field(response, "new_answer"), field(response, "reason")) == (wrong, REASON)
    assert live(conversation).answer_text == builders.PASSAGE


@pytest.mark.parametrize(
    ("words", "told"),
    [
        pytest.param("We were wrong. Sorry.", "The message must name what was said", id="names-nothing"),
        pytest.param("{composed} Our agents are currently reviewing your order.", "reviewing", id="claim"),
        pytest.param("{composed} You may also return it within 60 days.", "another value", id="another-value"),
    ],
)
def test_the_message_is_checked_like_any_draft(desk, conversation, words, told):
    preview = press(desk, conversation, "preview")
    own = words.format(composed=field(preview, "message"))

    response = press(desk, conversation, "issue", **{**shown(preview), "message": own})

    assert response.status_code == 409
    assert 'aria-describedby="problem-message"' in response.text
    assert told in html.unescape(response.text)
    assert field(response, "message") == own
    assert live(conversation).answer_text == builders.PASSAGE


def test_an_answer_that_was_corrected_meanwhile_is_not_corrected_again_unseen(desk, conversation, owner, agent):
    preview = press(desk, conversation, "preview")
    sent = shown(preview)
    other = "An unused lamp may be returned within 14 days of receipt."
    correcting.correct(
        conversation_id=conversation.external_id,
        question_key=builders.RETURN_KEY,
        wanted=CorrectionWanted(other, "Sooner.", owner.get_username()),
        actor=agent,
        now=timezone.now(),
        calendar=builders.calendar(),
    )

    response = press(desk, conversation, "issue", **sent)

    assertContains(response, "The answer was changed while you wrote", status_code=409)
    assertContains(response, other, status_code=409)
    assert field(response, "reason") == REASON
    assert live(conversation).answer_text == other


def test_pressing_twice_corrects_once(desk, conversation):
    sent = shown(press(desk, conversation, "preview"))

    first, second = (press(desk, conversation, "issue", **sent) for _ in range(2))

    assert (first.status_code, second.status_code) == (302, 409)
    assert Correction.objects.filter(conversation=conversation).count() == 1


def test_an_owner_who_no_longer_works_here_is_refused_beside_the_field(desk, conversation, agent2):
    sent = shown(press(desk, conversation, "preview"))
    User.objects.filter(pk=agent2.pk).update(is_active=False)

    response = press(desk, conversation, "issue", **sent, owner="agent2")

    assertContains(response, 'aria-describedby="problem-owner"', status_code=409)
    assertNotContains(response, 'value="agent2"', status_code=409)


@pytest.mark.parametrize(("role", "expected"), [("agent", 200), ("owner", 200), ("manager", 200), ("admin", 403)])
@pytest.mark.parametrize("method", ["get", "post"])
def test_roles(people, conversation, role, expected, method):
    client = signed_in(people[role])

    response = client.get(url_of(conversation)) if method == "get" else press(client, conversation, "preview")

    assert response.status_code == expected


def test_strangers_are_told_that_they_are_logged_out(client, conversation):
    assertContains(press(client, conversation, "issue"), "You are logged out", status_code=401)


def test_a_form_of_another_site_changes_nothing(manager, conversation):
    from django.test import Client

    strict = Client(enforce_csrf_checks=True)
    strict.force_login(manager)

    assert press(strict, conversation, "issue").status_code == 403


def test_a_step_that_does_not_exist_is_refused(desk, conversation):
    assert press(desk, conversation, "send-now").status_code == 422


def test_nothing_is_corrected_where_nothing_was_told(desk, policy):
    conversation = builders.item().conversation

    response = desk.get(url_of(conversation))

    assertContains(response, "Nothing to correct", status_code=404)
    assert desk.post(url_of(conversation), {"step": "preview", "new_answer": NEW_ANSWER}).status_code == 404


@pytest.mark.parametrize("key", ["no::such_key", "x", "<script>", "a/b/../c", "%00", "returns::" + "x" * 3000])
def test_a_question_that_is_not_known_is_not_found(desk, conversation, key):
    assert desk.get(url_of(conversation, key)).status_code == 404


def test_where_no_version_answers_the_whole_form_says_why(desk, conversation, owner):
    builders.version(by=owner, doc_id="promotion", name="PROMO", passage="Return any lamp within 60 days of receipt.")

    response = press(desk, conversation, "preview")

    assertContains(response, "No single policy version answers this question for this customer")
    assertNotContains(response, "Take the passage as the answer")


@pytest.mark.parametrize("hostile", CORPUS)
def test_hostile_text_in_every_field_is_inert(desk, conversation, hostile):
    names = ("new_answer", "reason", "owner", "message", "composed", "seen_entry")

    for step in ("passage", "preview", "issue", hostile):
        assert is_inert(press(desk, conversation, step, **dict.fromkeys(names, hostile)))


def test_a_draft_that_reuses_the_old_answer_says_so_at_once(conversation, desk):
    """Its page names the correction, its analysis marks the old words, and it cannot be approved any more."""
    waiting = conversation.items.get(state="pending")
    composed = field(press(desk, conversation, "preview"), "message")
    assert press(desk, conversation, "issue", message=composed).status_code == 302

    waiting.refresh_from_db()
    assert "locked_text_missing" in {finding["code"] for finding in waiting.analysis["findings"]}
    assert any(NEW_ANSWER in blocker for blocker in waiting.analysis["blockers"])
    page = desk.get(reverse("review", args=[waiting.pk]))
    assertContains(page, f"corrected the answer to {builders.RETURN_KEY}. This draft")
