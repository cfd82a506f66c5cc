"""The ledger of one conversation: what was asked and said, both clocks, what became of its source, and its files."""

import csv
import io
import json
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone
from pytest_django.asserts import assertContains, assertNotContains

from console.views.entry_rows import apart
from drafts.decisions.transitions import DecisionKind
from drafts.services import correcting, deciding, editing
from drafts.services.correcting import CorrectionWanted
from ledger import queries as ledger
from tests import builders
from tests.web.test_conversation_page import entries_shown

QUERIES = 20
CANCEL_KEY = "cancellation_window::online_store"
CANCEL = "An order can be cancelled within 24 hours of placing it."


@pytest.fixture
def conversation(policy, agent):
    return builders.item(
        conversation=builders.locked(agent), messages=[builders.message("How long again?")]
    ).conversation


@pytest.fixture
def two_keys(conversation, owner, agent):
    """The customer was answered on a second question too."""
    builders.key(CANCEL_KEY, by=owner, question_canonical="Until when can an order be cancelled?")
    builders.version(by=owner, doc_id="cancelling", name="C-1", passage=CANCEL, key=CANCEL_KEY)
    item = builders.item(
        f"Hello Ana,\n\n{CANCEL}\n\nThe lamp shop",
        conversation=conversation.external_id,
        question=CANCEL_KEY,
        messages=[builders.message("And cancelling?")],
    )
    assert isinstance(builders.approve(item, agent), deciding.Decided)
    return conversation


def url(conversation, kind=""):
    return reverse(f"conversation-ledger{kind}", args=[conversation.pk])


def test_an_ask_tells_its_question_how_it_is_known_and_what_the_gate_made_of_it(console, conversation):
    response = console.get(url(conversation))

    for wanted in (
        "How long again?",
        "given by the form",
        "One source answers",
        "Asked before",
        reverse("key", args=[builders.RETURN_KEY]),
    ):
        assertContains(response, wanted)


def test_a_question_that_a_person_chose_names_the_person(console, conversation, agent, owner):
    waiting = conversation.items.get(state="pending")
    builders.key(CANCEL_KEY, by=owner, question_canonical="Until when can an order be cancelled?")
    editing.choose_key(
        item_id=waiting.pk, key=CANCEL_KEY, actor=agent, now=timezone.now(), calendar=builders.calendar()
    )

    assertContains(console.get(url(conversation)), f"chosen by {agent.get_full_name()}")


def test_asks_stand_before_the_answers_that_followed_them(console, conversation):
    text = console.get(url(conversation)).text

    places = [text.index(wanted) for wanted in (builders.QUESTION, 'id="entry-1"', "How long again?")]
    assert places == sorted(places)


def test_an_entry_leads_to_its_key_policy_draft_and_correction(console, conversation, manager):
    made = correcting.correct(
        conversation_id=conversation.external_id,
        question_key=builders.RETURN_KEY,
        wanted=CorrectionWanted("You can return an unused lamp within 14 days of receipt.", "Clearer.", "owner"),
        actor=manager,
        now=timezone.now(),
        calendar=builders.calendar(),
    )
    decided = conversation.items.get(state="approved")

    response = console.get(url(conversation))

    for wanted in (
        reverse("policy", args=["returns"]),
        reverse("review", args=[decided.pk]),
        reverse("correction", args=[made.pk]),
    ):
        assertContains(response, wanted)
    assertContains(response, "Commits to")


@pytest.mark.parametrize(
    ("change", "told"),
    [
        pytest.param({"status": "retired"}, "This version was retired on", id="retired"),
        pytest.param({"effective_until": "2027-03-01"}, "Its dates were changed since", id="dates"),
    ],
)
def test_what_became_of_the_source_is_said(console, conversation, owner, change, told):
    assertNotContains(console.get(url(conversation)), told)
    changed = {**change}
    if "effective_until" in changed:
        changed["effective_until"] = timezone.localdate().replace(year=2027, month=3, day=1)
    builders.version(by=owner, **changed)

    response = console.get(url(conversation))

    assertContains(response, told)
    assertContains(response, "The passage as it was then")


@pytest.mark.parametrize(
    ("seconds", "told"),
    [
        (0, ""),
        (59, ""),
        (60, "1 minute after"),
        (7300, "2 hours after"),
        (-90_000, "1 day before"),
    ],
)
def test_clocks_that_are_noticeably_apart_are_told(seconds, told):
    now = timezone.now()

    words = apart(now, now + timedelta(seconds=seconds))

    assert (told in words) if told else words == ""


def test_it_can_be_narrowed_to_one_question(console, two_keys):
    every = entries_shown(console.get(url(two_keys)))
    one = console.get(url(two_keys), {"key": CANCEL_KEY})

    assert list(every) == [1, 2]
    assert list(entries_shown(one)) == [2]
    assertNotContains(one, "How long again?")
    assertContains(one, f'<option value="{CANCEL_KEY}" selected')
    assertContains(console.get(url(two_keys), {"key": "no::such"}), "2 entries")


def test_everything_stands_on_one_page_for_paper(console, conversation, agent, monkeypatch):
    monkeypatch.setattr("console.views.timeline.SHOWN_AT_ONCE", 1)
    builders.approve(conversation.items.get(state="pending"), agent)

    assert len(entries_shown(console.get(url(conversation)))) == 1
    assert len(entries_shown(console.get(url(conversation), {"all": "1"}))) == 2


def test_the_json_file_is_what_the_api_gives(console, conversation):
    response = console.get(url(conversation, "-json"))

    told = json.loads(response.content)
    assert told["conversation_id"] == conversation.external_id
    stored = ledger.entries(conversation.external_id)
    assert [e["entry_hash"] for e in told["entries"]] == [e["entry_hash"] for e in stored]
    assert told["entries"][0]["locked_at"].endswith("Z")
    assert response["Content-Disposition"].startswith("attachment")


def test_the_table_holds_every_entry_and_no_formula(console, conversation):
    response = console.get(url(conversation, "-csv"))
    content = b"".join(response.streaming_content).decode("utf-8-sig")

    (row,) = csv.DictReader(io.StringIO(content, newline=""))
    stored = ledger.entries(conversation.external_id)[0]
    assert (row["kind"], row["counts_now"], row["answer_text"]) == ("ANSWER", "yes", builders.PASSAGE)
    assert row["typed_facts"] == "within 14 days, counted from receipt"
    assert (row["entry_hash"], row["prev_hash"]) == (stored["entry_hash"], stored["prev_hash"])
    assert row["source_document"] == "returns"


def test_files_are_narrowed_like_the_page(console, two_keys):
    told = json.loads(console.get(url(two_keys, "-json"), {"key": CANCEL_KEY}).content)

    assert [entry["question_key"] for entry in told["entries"]] == [CANCEL_KEY]


def test_an_empty_ledger_says_so(console, policy):
    conversation = builders.item().conversation

    assertContains(console.get(url(conversation)), "Nothing has been promised in this conversation.")


def test_a_long_line_takes_no_more_queries(console, conversation, agent, django_assert_max_num_queries):
    for _ in range(5):
        item = builders.item(conversation=conversation.external_id, messages=[builders.message("Again?")])
        wanted = deciding.Wanted(DecisionKind.APPROVE, item.version)
        deciding.decide(item_id=item.pk, wanted=wanted, actor=agent, now=timezone.now(), calendar=builders.calendar())

    with django_assert_max_num_queries(QUERIES):
        console.get(url(conversation))
