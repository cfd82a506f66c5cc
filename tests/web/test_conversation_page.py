"""One conversation: what its customer has been told, the thread, and the ledger line by line."""

import re
import uuid

import pytest
from django.urls import reverse
from django.utils import timezone
from pytest_django.asserts import assertContains, assertNotContains

from drafts.services import correcting, updates
from drafts.services.correcting import CorrectionWanted
from ledger import queries as ledger
from ledger.decisions.vocabulary import KeyOrigin
from ledger.services import entries
from tests import builders
from tests.web.conftest import signed_in
from tests.web.test_hostile_text import CORPUS, is_inert

QUERIES = 20
NEW_ANSWER = "You can return an unused lamp within 14 days of receipt."
LOOSE = "A lamp that was not used can be returned within 14 days of receipt."


def conversation_of(name):
    return builders.item(conversation=name).conversation


def url_of(conversation):
    return reverse("conversation", args=[conversation.pk])


def correct(name, *, owner, actor, new_answer=NEW_ANSWER, reason="The wording misled her."):
    return correcting.correct(
        conversation_id=name,
        question_key=builders.RETURN_KEY,
        wanted=CorrectionWanted(new_answer, reason, owner.get_username()),
        actor=actor,
        now=timezone.now(),
        calendar=builders.calendar(),
    )


def withdraw(name, superseded, by):
    """Undo an entry as it is done before a reply has left."""
    return entries.record_withdrawal(
        supersedes=superseded,
        reason="It has not left yet.",
        conversation_id=name,
        customer_id=None,
        channel=None,
        question_key=builders.RETURN_KEY,
        asked_key=None,
        matched_by=KeyOrigin.PERSON,
        decided_by=by.get_username(),
        decision_id=str(uuid.uuid4()),
        effective_at=timezone.now(),
    )


@pytest.fixture
def told(policy, agent, manager, owner):
    """A customer who was answered, told again and corrected; the conversation's name."""
    name = builders.locked(agent)
    builders.approve(builders.item(conversation=name, messages=[builders.message("How long again?")]), agent)
    correct(name, owner=owner, actor=manager)
    return name


def entries_shown(response):
    """Return each entry of the page as one line of plain words, by its place."""
    found = re.findall(r'<li class="entry [^"]*" id="entry-(\d+)"[^>]*>(.*?)</li>', response.text, re.DOTALL)
    return {int(place): " ".join(re.sub(r"<[^>]+>", " ", body).split()) for place, body in found}


def thread_of(response):
    """Return the part of the page that holds the messages."""
    return response.text.split('id="thread"')[1].split('id="ledger"')[0]


def test_the_ledger_is_told_line_by_line_in_order(console, told):
    lines = entries_shown(console.get(url_of(conversation_of(told))))

    assert list(lines) == [1, 2, 3]
    assert "Answer " in lines[1]
    assert "answered, and the answer was locked" in lines[1]
    assert "Replaced by entry 3" in lines[1]
    assert "repeated the locked answer word for word" in lines[2]
    assert "Repeats entry 1" in lines[2]
    assert "corrected the answer" in lines[3]
    assert "Replaces entry 1" in lines[3]
    assert "Counts now" in lines[3]
    assert "Counts now" not in lines[1]


def test_a_line_tells_question_text_source_and_both_clocks(console, told):
    line = entries_shown(console.get(url_of(conversation_of(told))))[1]

    for wanted in (
        "How long after receipt can an item be returned?",
        builders.RETURN_KEY,
        "given by the form",
        builders.PASSAGE,
        "Returns in the online store",
        "version RET-1",
        "section 2",
        "In force from 1 Jan 2026",
        "The passage as it was then",
        "Commits to within 14 days, counted from receipt",
        "Counts from",
        "Written down",
        "by the database's clock",
        "received on : 2 Oct 2026",
        "Repeated 1 time",
    ):
        assert wanted in line, wanted


def test_a_correction_tells_reason_owner_and_the_message(console, told, owner):
    line = entries_shown(console.get(url_of(conversation_of(told))))[3]

    assert "Reason: The wording misled her." in line
    assert f"Owner: {owner.get_full_name()}" in line
    assert "That answer was wrong and we withdraw it" in line


def test_the_hash_is_short_on_screen_and_whole_on_request(console, told):
    stored = ledger.entries(told)[0]["entry_hash"]

    line = entries_shown(console.get(url_of(conversation_of(told))))[1]

    assert f"Hash {stored[:12]} …" in line.replace("…", " …")
    assert stored in line


def test_what_counts_now_stands_on_top_with_its_correction_link(console, told):
    conversation = conversation_of(told)

    response = console.get(url_of(conversation))

    top = response.text.split('id="thread"')[0]
    assert NEW_ANSWER in top
    assert builders.PASSAGE not in top
    assert reverse("conversation-correct", args=[conversation.pk, builders.RETURN_KEY]) in top


def test_a_withdrawn_correction_brings_the_answer_before_it_back(console, told, manager):
    withdraw(told, ledger.live_answers(told)[builders.RETURN_KEY].entry_id, manager)

    response = console.get(url_of(conversation_of(told)))

    line = entries_shown(response)[4]
    assert "took the correction back before it left" in line
    assert "Takes back entry 3" in line
    assert "Brings back entry 1" in line
    assert "Taken back by entry 4" in entries_shown(response)[3]
    assert builders.PASSAGE in response.text.split('id="thread"')[0]


def test_a_withdrawn_first_answer_leaves_nothing_told(console, policy, agent):
    name = builders.locked(agent)
    withdraw(name, ledger.live_answers(name)[builders.RETURN_KEY].entry_id, agent)

    response = console.get(url_of(conversation_of(name)))

    assertContains(response, "No answer is locked for this customer any more")


def test_a_conversation_without_answers_says_so(console, policy):
    response = console.get(url_of(builders.item().conversation))

    assertContains(response, "No answer is locked for this customer.")
    assertContains(response, "Nothing has been promised in this conversation.")


def test_ids_and_review_items_are_shown_with_their_states(console, policy, agent):
    first = builders.item()
    builders.approve(first, agent)
    second = builders.item(builders.UNBACKED, conversation=first.conversation.external_id)

    response = console.get(url_of(first.conversation))

    assertContains(response, first.conversation.external_id)
    assertContains(response, "customer-1")
    assertContains(response, builders.CHANNEL)
    for item, state in ((first, "Approved"), (second, "Waiting")):
        assertContains(response, reverse("review", args=[item.pk]))
        assertContains(response, f">{state}</span>")


def test_many_items_lead_on_to_the_queue(console, policy):
    item = builders.item()
    builders.many(60, like=item)

    response = console.get(url_of(item.conversation))

    assert response.text.split('id="items"')[1].count('href="/review/') == 50
    assertContains(response, f"/?state=all&amp;q={item.conversation.external_id}")


def test_a_long_thread_is_shown_in_parts_in_reading_order(console, policy):
    item = builders.item(messages=[builders.message(f"turn number {n:03}") for n in range(1, 71)])
    url = url_of(item.conversation)

    newest = re.findall(r"turn number (\d+)", thread_of(console.get(url)))
    earlier = re.findall(r"turn number (\d+)", thread_of(console.get(url, {"before": "41"})))

    assert newest == [f"{n:03}" for n in range(41, 71)]
    assert earlier == [f"{n:03}" for n in range(11, 41)]


def test_a_long_ledger_is_shown_in_parts_and_its_links_lead_there(console, policy, agent, monkeypatch):
    monkeypatch.setattr("console.views.timeline.SHOWN_AT_ONCE", 2)
    name = builders.locked(agent)
    for _ in range(3):
        builders.approve(builders.item(conversation=name, messages=[builders.message("Again?")]), agent)
    url = url_of(conversation_of(name))

    newest, earlier = console.get(url), console.get(url, {"entries_before": "3"})

    assert list(entries_shown(newest)) == [3, 4]
    assert list(entries_shown(earlier)) == [1, 2]
    assertContains(newest, f'href="{url}?entries_before=3#ledger"')
    assertContains(newest, f'href="{url}?entries_before=2#entry-1"')
    assertNotContains(earlier, "Show earlier entries")


@pytest.mark.parametrize("place", ["x", "-1", "9" * 30, "²", "\x00", "0"])
def test_a_place_that_is_not_understood_is_no_error(console, told, place):
    response = console.get(url_of(conversation_of(told)), {"before": place, "entries_before": place})

    assert response.status_code == 200


@pytest.mark.parametrize("number", ["0", "99999999", "9" * 25])
def test_a_conversation_that_is_not_there_is_not_found(console, db, number):
    assert console.get(f"/conversations/{number}/").status_code == 404


def test_whoever_has_no_role_finds_no_conversation(django_user_model, policy):
    client = signed_in(django_user_model.objects.create_user("nobody-yet", password="x"))

    assert client.get(url_of(builders.item().conversation)).status_code == 404


@pytest.mark.parametrize(("role", "may"), [("agent", True), ("owner", True), ("manager", True), ("admin", False)])
def test_only_whoever_may_correct_is_offered_to(people, told, role, may):
    response = signed_in(people[role]).get(url_of(conversation_of(told)))

    assert ("Correct this answer" in response.text) is may


def test_a_page_takes_as_many_queries_for_a_long_ledger_as_for_a_short_one(
    console, told, agent, django_assert_max_num_queries
):
    for _ in range(5):
        again = builders.item(NEW_ANSWER, conversation=told, messages=[builders.message("Again?")])
        builders.approve(again, agent)
    conversation = conversation_of(told)

    with django_assert_max_num_queries(QUERIES):
        console.get(url_of(conversation))


def shown(hostile):
    """A name of a version holds no character that cannot be seen."""
    return "".join(letter for letter in hostile if letter.isprintable())


@pytest.mark.parametrize("hostile", CORPUS)
def test_hostile_text_is_inert(console, owner, agent, hostile):
    owner.first_name = agent.first_name = hostile
    owner.save()
    agent.save()
    passage = f"Within 14 days of receipt. {hostile}"
    builders.key(by=owner, question_canonical=f"How long? {hostile}")
    builders.version(by=owner, title=hostile, name=f"V {shown(hostile)}", passage=builders.PASSAGE)
    item = builders.item(
        conversation=builders.unique(hostile),
        external_id=builders.unique(hostile),
        customer=hostile,
        messages=[builders.message(f"How long? {hostile}"), builders.message(hostile, "note")],
    )
    builders.approve(item, agent)
    name = item.conversation.external_id
    correct(name, owner=owner, actor=agent, reason=hostile)
    updates.tell_message(
        conversation_id=name,
        message=builders.message(f"{passage} {hostile}"),
        now=item.created_at,
        calendar=builders.calendar(),
    )

    assert is_inert(console.get(url_of(item.conversation)))
    assert is_inert(console.get(reverse("corrections")))
    assert is_inert(console.get(reverse("corrections"), {"q": hostile, "owner": hostile, "since": hostile}))
    assert is_inert(console.get(reverse("conversations"), {"q": hostile, "before": hostile}))
    assert is_inert(console.get(reverse("conversations")))


def test_the_page_is_read_and_never_posted_to(console, policy):
    assert console.post(url_of(builders.item().conversation)).status_code == 405
