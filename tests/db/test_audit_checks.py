"""Every audit check is driven above zero by a planted fault, and back to zero by what the product itself offers.

The product refuses most of these faults, so they are planted as somebody would who can switch its triggers and
constraints off. Ledger rows outlive a test: each conversation is put back as it was, and only its own rows count.
"""

import uuid
from contextlib import contextmanager
from datetime import timedelta

import pytest
from django.db import connection, transaction
from django.utils import timezone
from psycopg.types.json import Jsonb

from drafts.decisions.transitions import DecisionKind, ItemState
from drafts.models import Decision, OutsideCommitment
from drafts.queries import auditing
from drafts.services import correcting, outside_commitments, undoing, updates
from drafts.services.preparing_corrections import CorrectionWanted
from ledger.queries import auditing as ledger_auditing
from ledger.services.settling import Settlement
from tests import builders
from tests.db.ledger_help import kept, unprotected, written_columns

pytestmark = pytest.mark.django_db(transaction=True)
OTHER = "An unused lamp can be returned within 30 days of receipt."
REWORDED = "You can return an unused lamp within 14 days of receipt."


@pytest.fixture
def doc_id():
    return builders.unique("returns")


@pytest.fixture
def talk(owner, agent, doc_id):
    """A customer who was answered."""
    builders.return_policy(owner, doc_id=doc_id)
    return builders.locked(agent, conversation=builders.unique("talk"))


def found(number, talk):
    return [row for row in auditing.audit_rows(number) if row["conversation_id"] == talk]


def correct(talk, by, text=REWORDED):
    """Correct what a customer was told."""
    return correcting.correct(
        conversation_id=talk,
        question_key=builders.RETURN_KEY,
        wanted=CorrectionWanted(text, "It was wrong.", by.username),
        actor=by,
        now=timezone.now(),
        calendar=builders.calendar(),
    )


@contextmanager
def unchecked(admin, *constraints):
    """Take constraints of the ledger away for a while, as no product can."""
    known = dict(
        admin.execute(
            "SELECT conname, pg_get_constraintdef(oid) FROM pg_constraint WHERE conrelid = 'ledger.entry'::regclass"
        ).fetchall()
    )
    for name in constraints:
        admin.execute(f"ALTER TABLE ledger.entry DROP CONSTRAINT {name}")
    try:
        yield
    finally:
        for name in constraints:
            admin.execute(f"ALTER TABLE ledger.entry ADD CONSTRAINT {name} {known[name]}")


HASHED = "sha256('\\x00'::bytea || prev_hash || sha256(payload))"


def plant(admin, talk, **changes):
    """Append an entry past the one door: a copy of the conversation's newest, changed as said, well chained."""
    row = admin.execute(
        "SELECT to_jsonb(e) FROM ledger.entry e WHERE conversation_id = %s ORDER BY position DESC LIMIT 1", [talk]
    ).fetchone()[0]
    planted = {
        **row,
        "id": str(uuid.uuid4()),
        "position": row["position"] + 1,
        "prev_hash": row["entry_hash"],
        "decision_id": str(uuid.uuid4()),
        "supersedes": row["id"],
        **changes,
    }
    names = written_columns(admin)
    with unprotected(admin):
        admin.execute(
            f"INSERT INTO ledger.entry ({names}) SELECT {names.replace('entry_hash', HASHED)}"
            " FROM jsonb_populate_record(NULL::ledger.entry, %s)",
            [Jsonb(planted)],
        )
        admin.execute(
            "UPDATE ledger.head h SET position = e.position, entry_hash = e.entry_hash FROM ledger.entry e"
            " WHERE h.conversation_id = e.conversation_id AND e.id = %s",
            [planted["id"]],
        )
    return planted["id"]


def test_a_healthy_conversation_shows_nowhere(talk, manager):
    correct(talk, manager)

    assert [found(number, talk) for number in (1, 3, 4, 5)] == [[], [], [], []]


def test_check_1_a_second_answer_is_joined_by_a_correction_after_it(talk, manager, admin_connection):
    with kept(admin_connection, talk):
        plant(admin_connection, talk, answer_text=OTHER)
        before = found(1, talk)

        correct(talk, manager, builders.PASSAGE)

        assert [(row["question_key"], row["distinct_answers"]) for row in before] == [(builders.RETURN_KEY, 2)]
        assert sorted(before[0]["answers"]) == sorted([builders.PASSAGE, OTHER])
        assert found(1, talk) == []


def test_check_1_a_correction_before_the_last_answer_joins_nothing(talk, manager, admin_connection):
    with kept(admin_connection, talk):
        correct(talk, manager)
        plant(admin_connection, talk, kind="ANSWER", answer_text=OTHER, reason=None, owner=None)

        assert len(found(1, talk)) == 1


def test_check_1_a_correction_that_was_undone_joins_nothing(talk, manager, admin_connection):
    with kept(admin_connection, talk):
        plant(admin_connection, talk, answer_text=OTHER)
        correction = correct(talk, manager, builders.PASSAGE)
        undoing.undo_correction(
            correction_id=correction.pk, actor=manager, now=timezone.now(), calendar=builders.calendar()
        )

        assert len(found(1, talk)) == 1


def test_check_1_a_replay_that_says_something_else_is_a_second_answer(talk, manager, admin_connection):
    with kept(admin_connection, talk):
        told = admin_connection.execute("SELECT id FROM ledger.entry WHERE conversation_id = %s", [talk]).fetchone()[0]
        plant(admin_connection, talk, kind="REPLAY", replays=str(told), supersedes=None, answer_text=OTHER)
        before = found(1, talk)

        correct(talk, manager)

        assert [sorted(row["answers"]) for row in before] == [sorted([builders.PASSAGE, OTHER])]
        assert found(1, talk) == []


def test_check_2_a_contested_key_is_settled_by_resolving_its_conflict(owner, doc_id):
    builders.return_policy(owner, doc_id=doc_id)
    leaflet = builders.unique("leaflet")
    builders.version(by=owner, doc_id=leaflet, name="L-1", passage=OTHER)
    before = list(auditing.audit_rows(2))
    builders.item(facts={"received_on": "2026-10-02"})

    with connection.cursor() as cursor:
        cursor.execute("SELECT id FROM ledger_conflict WHERE state = 'open'")
        conflicts = [row[0] for row in cursor.fetchall()]
    updates.resolve_conflict(
        conflict_id=conflicts[0],
        wanted=Settlement(keep="RET-1", retire=["L-1"], reason="The leaflet is old."),
        actor=owner,
        now=timezone.now(),
        calendar=builders.calendar(),
    )

    assert [(row["question_key"], row["documents"]) for row in before] == [
        (builders.RETURN_KEY, sorted([doc_id, leaflet]))
    ]
    assert list(auditing.audit_rows(2)) == []


def told_outside(talk, text, *, at=None):
    """An agent replies in the helpdesk, past the desk."""
    updates.tell_message(
        conversation_id=talk,
        message=builders.message(text, role="agent"),
        now=at or timezone.now(),
        calendar=builders.calendar(),
    )


def test_check_3_a_commitment_from_outside_is_settled_by_a_person_with_a_reason(talk, manager):
    told_outside(talk, f"Hi Ana! {OTHER}")
    before = found(3, talk)

    outside_commitments.settle(
        commitment_id=before[0]["commitment_id"],
        reason="I phoned her; she holds the 14 days.",
        actor=manager,
        now=timezone.now(),
        calendar=builders.calendar(),
    )

    assert [(row["text"], row["differs"], row["said_by"]) for row in before] == [(OTHER, True, "outside the desk")]
    assert found(3, talk) == []


def test_check_3_a_commitment_from_outside_is_settled_by_a_correction_on_its_key(talk, manager):
    told_outside(talk, OTHER)
    before = found(3, talk)

    correct(talk, manager)

    assert (len(before), found(3, talk)) == (1, [])


def test_check_3_a_decided_repeat_without_its_replay_is_settled_by_a_correction(talk, agent, manager):
    repeat = builders.item(f"Hello Ana,\n\n{builders.PASSAGE}", conversation=talk)
    with transaction.atomic():
        decision = Decision.objects.create(
            item=repeat, kind=DecisionKind.APPROVE, seen_version=1, text="You have two weeks.",
            branch="repeat_ask_ledger_entry_exists", root_key=builders.RETURN_KEY, decided_by=agent,
            decided_at=timezone.now(),
        )  # fmt: skip
        repeat.state, repeat.decision = ItemState.APPROVED, decision
        repeat.decided_by, repeat.decided_at = agent, decision.decided_at
        repeat.save(update_fields=["state", "decision", "decided_by", "decided_at"])
    before = found(3, talk)

    correct(talk, manager)

    assert [(row["text"], row["said_by"], row["item_id"]) for row in before] == [
        ("You have two weeks.", "agent", str(repeat.pk))
    ]
    assert found(3, talk) == []


def test_check_4_a_correction_without_reason_is_made_good_by_a_complete_one(talk, manager, admin_connection):
    with unchecked(admin_connection, "entry_correction_complete"), kept(admin_connection, talk):
        plant(admin_connection, talk, kind="CORRECTION", answer_text=OTHER, reason=" \u200b", owner=None)
        before = found(4, talk)

        correct(talk, manager)

        assert [(row["question_key"], row["answer_text"]) for row in before] == [(builders.RETURN_KEY, OTHER)]
        assert found(4, talk) == []


def test_check_5_an_answer_without_a_source_is_made_good_by_a_correction_with_one(talk, manager, admin_connection):
    with unchecked(admin_connection, "entry_commitment_has_a_source"), kept(admin_connection, talk):
        plant(admin_connection, talk, answer_source=None)
        before = found(5, talk)

        correct(talk, manager)

        assert [(row["question_key"], row["answer_text"]) for row in before] == [
            (builders.RETURN_KEY, builders.PASSAGE)
        ]
        assert found(5, talk) == []


def test_a_check_counts_all_rows_and_shows_the_part_asked_for(talk):
    for number in range(5):
        at = timezone.now() + timedelta(seconds=number)
        told_outside(talk, f"You can return it within {20 + number} days.", at=at)
    every = list(auditing.audit_rows(3))

    first, second, beyond = (auditing.audit_check(3, start=start, limit=2) for start in (0, 2, len(every)))

    assert [first.count, second.count, beyond.count] == [len(every)] * 3
    assert [*first.rows, *second.rows] == every[:4]
    assert (beyond.rows, first.healthy, OutsideCommitment.objects.count()) == ((), False, len(every))


@pytest.mark.parametrize(
    ("predicate", "index"),
    [
        (ledger_auditing.INCOMPLETE, "entry_incomplete_corrections"),
        (ledger_auditing.UNSOURCED, "entry_unsourced"),
    ],
)
def test_what_breaks_a_rule_is_found_in_an_index_of_its_own(db, predicate, index):
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan = off")
        cursor.execute(f"EXPLAIN SELECT id FROM ledger.entry WHERE {predicate}")
        plan = "\n".join(row[0] for row in cursor.fetchall())

    others = {"entry_corrections"}  # as good where there are hardly any rows
    assert index in plan or any(other in plan for other in others)
