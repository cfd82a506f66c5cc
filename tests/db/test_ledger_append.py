"""What may follow what: answers, replays, corrections and withdrawals of one question."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest
from django.db import connection, transaction

from ledger import queries
from ledger.decisions.facts import Bound, Fact, FactKind
from ledger.decisions.vocabulary import VersionStatus
from ledger.models import PolicyVersion
from ledger.services import entries
from tests.db.ledger_help import (
    ADJACENT,
    FIVE_YEARS,
    HOURS,
    KEY,
    NOW,
    PASSAGE,
    answered,
    asking,
    corrected,
    own,
    published,
    replayed,
    undone,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def talk():
    return own("talk")


@pytest.fixture
def terms():
    return published()


def live(talk):
    return queries.live_answers(talk).get(KEY)


def test_a_first_answer_is_locked_with_its_source_and_facts(talk, terms):
    entry_id = answered(talk, terms)

    locked = live(talk)

    assert (locked.entry_id, locked.answer_text, locked.doc_id, locked.version, locked.section) == (
        entry_id, PASSAGE, terms.doc_id, "T1", "§ 4",
    )  # fmt: skip
    assert (locked.facts, locked.replay_count) == ({"bought_on": "2026-02-01"}, 0)


def test_a_second_answer_is_refused(talk, terms):
    answered(talk, terms)

    with pytest.raises(entries.AnswerAlreadyLocked):
        answered(talk, terms, FIVE_YEARS)

    assert len(queries.entries(talk)) == 1


def test_another_conversation_and_another_key_have_answers_of_their_own(talk, terms):
    answered(talk, terms)

    answered(own("talk"), terms)
    answered(talk, terms, question_key=HOURS, asked_key=HOURS)

    assert set(queries.live_answers(talk)) == {KEY, HOURS}


def test_replays_are_counted_and_bring_facts_that_were_not_known(talk, terms):
    entry_id = answered(talk, terms, facts={"bought_on": "2026-02-01", "colour": None})

    replayed(talk, entry_id, facts={"colour": "red"})
    replayed(talk, entry_id, facts={"colour": None})

    assert (live(talk).replay_count, live(talk).facts) == (2, {"bought_on": "2026-02-01", "colour": "red"})


def test_a_replay_through_an_adjacent_key_stands_on_the_root_key(talk, terms):
    entry_id = answered(talk, terms)

    entries.record_replay(**asking(talk, asked_key=ADJACENT), replays=entry_id)

    replay = queries.entries(talk)[-1]
    assert (replay["question_key"], replay["asked_key"], replay["answer_text"]) == (KEY, ADJACENT, PASSAGE)


def test_a_correction_takes_the_place_of_the_answer_and_both_texts_stay(talk, terms):
    old = answered(talk, terms)
    new = corrected(talk, old, terms)

    told = queries.entries(talk)

    assert (live(talk).entry_id, live(talk).answer_text) == (new, FIVE_YEARS)
    assert [(e["answer_text"], e["locked"]) for e in told] == [(PASSAGE, False), (FIVE_YEARS, True)]
    assert told[1]["supersedes"] == old
    event = told[1]["correction_event"]
    assert (event["old_text"], event["new_text"], event["owner"]) == (PASSAGE, FIVE_YEARS, "olga")


def test_a_correction_can_be_corrected(talk, terms):
    first = corrected(talk, answered(talk, terms), terms)

    second = corrected(talk, first, terms, PASSAGE)

    assert live(talk).entry_id == second


def test_only_the_live_entry_can_be_corrected_or_replayed(talk, terms):
    old = answered(talk, terms)
    corrected(talk, old, terms)

    with pytest.raises(entries.EntrySuperseded):
        corrected(talk, old, terms)
    with pytest.raises(entries.EntrySuperseded):
        replayed(talk, old)


def test_after_a_withdrawal_nothing_is_locked_and_the_next_answer_follows_it(talk, terms):
    withdrawal = undone(talk, answered(talk, terms))
    assert live(talk) is None

    again = answered(talk, terms, FIVE_YEARS)

    assert live(talk).entry_id == again
    assert queries.entries(talk)[-1]["supersedes"] == withdrawal


def test_an_undone_correction_brings_the_answer_before_it_back(talk, terms):
    old = answered(talk, terms)
    undone(talk, corrected(talk, old, terms))

    assert live(talk).entry_id == old
    assert [e["entry_id"] for e in queries.entries(talk) if e["locked"]] == [old]


def test_a_correction_after_an_undone_one_names_the_answer_that_stood(talk, terms):
    old = answered(talk, terms)
    undone(talk, corrected(talk, old, terms, "Every bicycle has a guarantee of 24 months."))

    new = corrected(talk, old, terms)

    event = next(e["correction_event"] for e in queries.entries(talk) if e["entry_id"] == new)
    assert (live(talk).entry_id, event["old_text"]) == (new, PASSAGE)


def test_an_undone_second_correction_brings_the_right_answer_back(talk, terms):
    old = answered(talk, terms)
    undone(talk, corrected(talk, old, terms))

    undone(talk, corrected(talk, old, terms))

    assert live(talk).entry_id == old
    with pytest.raises(entries.AnswerAlreadyLocked):
        answered(talk, terms)


def test_an_undone_replay_no_longer_counts(talk, terms):
    entry_id = answered(talk, terms)
    replay = replayed(talk, entry_id)

    undone(talk, replay)

    assert (live(talk).entry_id, live(talk).replay_count) == (entry_id, 0)
    with pytest.raises(entries.EntrySuperseded):
        undone(talk, replay)


def test_an_answer_that_was_repeated_since_can_only_be_corrected(talk, terms):
    entry_id = answered(talk, terms)
    replay = replayed(talk, entry_id)

    with pytest.raises(entries.EntryRepeatedSince):
        undone(talk, entry_id)

    undone(talk, replay)
    undone(talk, entry_id)
    assert live(talk) is None


def test_an_answer_that_an_undone_correction_brought_back_was_told_and_stays(talk, terms):
    old = answered(talk, terms)
    undone(talk, corrected(talk, old, terms))

    with pytest.raises(entries.EntryRepeatedSince):
        undone(talk, old)


def test_a_withdrawal_is_not_withdrawn(talk, terms):
    withdrawal = undone(talk, answered(talk, terms))

    with pytest.raises(entries.EntrySuperseded):
        undone(talk, withdrawal)


def test_the_same_decision_writes_an_entry_once(talk, terms):
    withdrawal_of_first = answered(talk, terms, decision_id="one")
    undone(talk, withdrawal_of_first)

    with pytest.raises(entries.EntryRefused):
        answered(talk, terms, decision_id="one")


def test_typed_facts_are_stored_one_to_a_row(talk, terms):
    fact = Fact(
        FactKind.DURATION, "months", Decimal("36.50"), Decimal(40), Bound.RANGE, anchor="purchase",
        applies_to="frame+fork", start=31, end=40, topics=frozenset({"guarantee", "bicycle"}),
    )  # fmt: skip

    entries.record_answer(
        **asking(talk), answer_text=PASSAGE, version=terms, statement=terms.statements[0], typed_facts=[fact, fact]
    )

    stored = queries.entries(talk)[0]["typed_facts"]
    assert stored == [
        {
            "kind": "duration", "unit": "months", "low": "36.50", "high": "40", "bound": "range", "per": None,
            "anchor": "purchase", "applies_to": "frame+fork", "polarity": True, "start": 31, "end": 40,
            "topics": ["bicycle", "guarantee"],
        }
    ] * 2  # fmt: skip
    assert not [p for line in queries.verify() if line.conversation_id == talk for p in line.problems]


def test_the_databases_clock_is_the_time_of_record(talk, terms):
    before = datetime.now(UTC)

    answered(talk, terms, effective_at=NOW - timedelta(days=900))

    assert before <= live(talk).locked_at <= datetime.now(UTC)


@pytest.mark.parametrize("change", [{"text": "Another passage."}, {"status": VersionStatus.RETIRED}])
def test_an_answer_rests_on_what_the_policy_says_now(talk, terms, change):
    stored = PolicyVersion.objects.get(document=terms.doc_id)
    if "text" in change:
        stored.statements.update(**change)
    else:
        PolicyVersion.objects.filter(pk=stored.pk).update(**change, retired_at=NOW)

    with pytest.raises(entries.SourceChanged):
        answered(talk, terms)


def test_a_key_that_nobody_registered_cannot_be_answered(talk, terms):
    with pytest.raises(entries.EntryRefused, match="registry"):
        answered(talk, terms, question_key="gift_wrap::any")


@pytest.mark.django_db(transaction=True)
def test_an_entry_needs_the_transaction_of_its_decision(talk):
    with transaction.atomic():
        terms = published()

    with pytest.raises(RuntimeError):
        replayed(talk, "00000000-0000-0000-0000-000000000000")
    assert not connection.in_atomic_block
    assert live(talk) is None
    assert terms.version == "T1"


def test_what_is_hashed_does_not_hang_on_the_sessions_settings(talk, terms):
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL timezone = 'Pacific/Kiritimati'")
        cursor.execute("SET LOCAL datestyle = 'ISO, DMY'")
        cursor.execute("SET LOCAL bytea_output = 'escape'")
    live = answered(talk, terms, retrieved_score=0.1 + 0.2)
    corrected(talk, live, terms)
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL timezone = 'UTC'")

    assert [line.problems for line in queries.verify() if line.conversation_id == talk] == [()]
