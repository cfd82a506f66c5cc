"""What was told to a customer past the desk is withdrawn by a correction that the ledger and the log both tell."""

import pytest
from django.utils import timezone

from drafts import queries
from drafts.decisions.analysis import analyse
from drafts.decisions.transitions import DecisionKind
from drafts.models import Correction, Delivery, Event, Notice
from drafts.services import correcting, deciding, undoing, updates
from drafts.services.correcting import CorrectionRefused, CorrectionWanted, OutsideWords
from ledger import queries as ledger
from tests import builders

OUTSIDE = "You can return any lamp within 60 days of receipt."
REPLY = f"Hello Ana,\n\n{OUTSIDE}\n\nKind regards,\nBea"


@pytest.fixture
def policy(owner):
    return builders.return_policy(owner)


@pytest.fixture
def asked(policy):
    """A customer who was told another term past the desk, and a draft that waits."""
    thread = [builders.message(), builders.message(REPLY, "agent", name="m-out"), builders.message("So 60 days?")]
    return builders.item(messages=thread)


@pytest.fixture
def answered(policy, agent):
    """A customer whose answer is locked, and who was told another term past the desk since."""
    name = builders.locked(agent)
    tell(name, REPLY)
    return name


def tell(name, text, role="agent", mid="m-out"):
    updates.tell_message(
        conversation_id=name,
        message=builders.message(text, role, name=mid),
        now=timezone.now(),
        calendar=builders.calendar(),
    )


def wanted(*, answer=builders.PASSAGE, words=OUTSIDE, message_id="m-out", owner="owner", text=None):
    said = OutsideWords(message_id, words)
    return CorrectionWanted(answer, "A colleague read the wrong page.", owner, text, said)


def correct(name, by, **changes):
    return correcting.correct(
        conversation_id=name,
        question_key=builders.RETURN_KEY,
        wanted=wanted(**changes),
        actor=by,
        now=timezone.now(),
        calendar=builders.calendar(),
    )


def blocked_by(item):
    return [b.code for b in analyse(queries.given_for(item, now=timezone.now())).blockers]


def test_the_right_answer_is_locked_and_the_words_said_outside_are_withdrawn(asked, agent, owner):
    made = correct(asked.conversation.external_id, agent)

    entry = ledger.entry(made.entry_id)
    assert (entry["kind"], entry["answer_text"], entry["locked"]) == ("ANSWER", builders.PASSAGE, True)
    assert (entry["reason"], entry["owner"], entry["decision_id"]) == (None, None, str(made.pk))
    assert (made.old_text, made.new_text, made.owner) == (OUTSIDE, builders.PASSAGE, owner)
    assert made.outside_message.external_id == "m-out"
    assert made.source_document == "returns"
    assert f"“{OUTSIDE}” That answer was wrong and we withdraw it" in made.message
    assert f"What holds instead: “{builders.PASSAGE}”" in made.message
    assert Delivery.objects.get(correction=made).text == made.message


def test_where_an_answer_is_locked_it_is_told_again(answered, agent):
    made = correct(answered, agent)

    entries = ledger.entries(answered)
    assert [e["kind"] for e in entries] == ["ANSWER", "REPLAY"]
    assert entries[1]["replays"] == entries[0]["entry_id"]
    assert entries[0]["replay_count"] == 1
    assert str(made.entry_id) == entries[1]["entry_id"]


def test_the_log_lists_it_like_any_correction(asked, agent, manager):
    made = correct(asked.conversation.external_id, agent)

    listed = queries.corrections_page(manager, queries.Narrowing(document="returns"), limit=5)

    assert [one.correction.pk for one in listed] == [made.pk]
    assert listed[0].source["version"] == "RET-1"


def test_it_no_longer_stands_in_the_way_of_drafts(asked, agent):
    assert "thread_answer_differs" in blocked_by(asked)

    correct(asked.conversation.external_id, agent)

    asked.refresh_from_db()
    assert "thread_answer_differs" not in blocked_by(asked)
    assert asked.analysis["locked"]["answer_text"] == builders.PASSAGE


def test_what_is_undone_stands_in_the_way_again(asked, agent):
    builders.destination()
    made = correct(asked.conversation.external_id, agent)

    undoing.undo_correction(correction_id=made.pk, actor=agent, now=timezone.now(), calendar=builders.calendar())

    assert ledger.live_answers(asked.conversation.external_id) == {}
    assert "thread_answer_differs" in blocked_by(asked)


def test_it_can_close_the_item_that_waits(asked, agent, owner):
    decision = deciding.Wanted(
        DecisionKind.CORRECT,
        seen_version=asked.version,
        reason="A colleague read the wrong page.",
        owner="owner",
        answer_text=builders.PASSAGE,
        outside=OutsideWords("m-out", OUTSIDE),
    )

    outcome = deciding.decide(
        item_id=asked.pk, wanted=decision, actor=agent, now=timezone.now(), calendar=builders.calendar()
    )

    assert isinstance(outcome, deciding.Decided), getattr(outcome, "blockers", outcome)
    made = Correction.objects.get(decision=outcome.decision)
    assert outcome.decision.entry_ids == [str(made.entry_id)]
    assert (outcome.decision.reason, outcome.decision.owner) == (made.reason, owner)
    undoing.undo(item_id=asked.pk, actor=agent, now=timezone.now(), calendar=builders.calendar())
    made.refresh_from_db()
    assert made.withdrawn_at is not None
    assert ledger.live_answers(asked.conversation.external_id) == {}


def test_an_answer_given_so_can_be_corrected_in_turn(asked, agent):
    correct(asked.conversation.external_id, agent)
    better = "You can return an unused lamp within 14 days of receipt."

    made = correcting.correct(
        conversation_id=asked.conversation.external_id,
        question_key=builders.RETURN_KEY,
        wanted=CorrectionWanted(better, "Clearer.", "owner"),
        actor=agent,
        now=timezone.now(),
        calendar=builders.calendar(),
    )

    assert (made.old_text, made.outside_message) == (builders.PASSAGE, None)
    assert [e["kind"] for e in ledger.entries(asked.conversation.external_id)] == ["ANSWER", "CORRECTION"]


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        pytest.param({"message_id": "nothing"}, "no_reply_from_outside", id="no-such-message"),
        pytest.param({"words": "You can return it within 90 days."}, "withdrawn_words_not_said", id="other-words"),
        pytest.param({"words": "Hello Ana,"}, "withdrawn_words_do_not_differ", id="says-nothing"),
        pytest.param({"answer": OUTSIDE}, "value_differs_from_selected_version", id="the-same-again"),
        pytest.param({"text": "We are sorry."}, "withdrawn_answer_not_named", id="names-nothing"),
    ],
)
def test_a_first_answer_is_refused(asked, agent, changes, code):
    with pytest.raises(CorrectionRefused) as refused:
        correct(asked.conversation.external_id, agent, **changes)

    assert code in [b.code for b in refused.value.blockers]
    assert ledger.entries(asked.conversation.external_id) == ()
    assert not Correction.objects.filter(conversation=asked.conversation).exists()


def test_beside_a_locked_answer_no_other_words_are_taken(answered, agent):
    with pytest.raises(CorrectionRefused) as refused:
        correct(answered, agent, answer="You can return an unused lamp within 14 days of receipt.")

    assert [b.code for b in refused.value.blockers] == ["locked_text_missing"]


def test_without_the_deciding_date_nothing_can_replace_it(policy, agent):
    thread = [builders.message(), builders.message(REPLY, "agent", name="m-out")]
    waiting = builders.item(messages=thread, facts={})

    with pytest.raises(CorrectionRefused) as refused:
        correct(waiting.conversation.external_id, agent)

    assert "no_source_for_correction" in [b.code for b in refused.value.blockers]


def test_a_correction_from_the_ledger_says_where_to_go_instead(asked, agent):
    with pytest.raises(CorrectionRefused) as refused:
        correcting.correct(
            conversation_id=asked.conversation.external_id,
            question_key=builders.RETURN_KEY,
            wanted=CorrectionWanted(builders.PASSAGE, "Wrong.", "owner"),
            actor=agent,
            now=timezone.now(),
            calendar=builders.calendar(),
        )

    assert [b.code for b in refused.value.blockers] == ["nothing_to_correct"]
    assert "outside the desk, in message m-out. Withdraw those words instead" in refused.value.blockers[0].message
    assert f"“{OUTSIDE}”" in refused.value.blockers[0].message


def test_another_person_who_owns_it_is_told_once(asked, agent, owner):
    made = correct(asked.conversation.external_id, agent)

    told = Notice.objects.get(person=owner, kind="correction_owned")
    assert (told.about, told.path) == (f"correction:{made.pk}:owner", f"/corrections/{made.pk}/")
    assert agent.get_full_name() in told.text


def test_nobody_is_told_what_they_did_themselves(asked, agent):
    correct(asked.conversation.external_id, agent, owner="agent")

    assert not Notice.objects.filter(kind="correction_owned").exists()


def test_open_drafts_that_ask_it_get_a_line(asked, agent):
    made = correct(asked.conversation.external_id, agent)

    line = Event.objects.get(item=asked, kind="item:answer:corrected")
    assert (line.actor, line.detail["correction"]) == (agent, str(made.pk))
    assert line.detail["reuses"] is False
