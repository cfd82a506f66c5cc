"""What the ledger refuses whoever writes it: each rule is met by an entry that breaks only that rule."""

import psycopg
import pytest

from ledger.decisions.chain import entry_hash, genesis
from tests.db.ledger_help import KEY, PASSAGE, SOURCE, append, own, raw

BLANKS = [
    "",
    " ",
    "\t\n",
    "\u200b",
    "\u2060\ufeff",
    "\u00a0\u3000",
    "\u00ad",
    "\u3164",
    "\U000e0020\U000e007f",
    "\ufe0f",
]


@pytest.fixture
def session(admin_connection):
    """A session with the run-time role's rights, whose rows vanish again."""
    with admin_connection.transaction(force_rollback=True):
        admin_connection.execute("SET LOCAL ROLE countersign_app")
        yield admin_connection


@pytest.fixture
def talk():
    return own("talk")


def refused(session, entry, error=psycopg.errors.CheckViolation):
    with pytest.raises(error) as refusal, session.transaction():
        append(session, entry)
    return refusal.value.diag


def correction(talk, live, **changes):
    return raw(talk, **{"kind": "CORRECTION", "supersedes": live, "reason": "A slip.", "owner": "olga", **changes})


@pytest.mark.parametrize(
    "key",
    [
        "Guarantee_term::bicycle", "guarantee_term::bicycle ", " guarantee_term::bicycle", "guarantee_term::bicycle\n",
        "guarantee_term::bi\u200bcycle", "guarantee_term::bi\u0441ycle", "guarantee_term::\uff42icycle",
        "guarantee_term::bicycle\u0301", "guarantee_term:bicycle", "guarantee_term::", "",
    ],
)  # fmt: skip
def test_a_look_alike_of_a_key_opens_no_second_lock(session, talk, key):
    append(session, raw(talk))

    assert refused(session, raw(talk, question_key=key)).constraint_name == "entry_key_grammar"


def test_a_second_root_is_refused(session, talk):
    append(session, raw(talk))

    diagnosis = refused(session, raw(talk), psycopg.errors.UniqueViolation)

    assert diagnosis.constraint_name == "entry_one_first_answer"


@pytest.mark.parametrize("blank", BLANKS)
@pytest.mark.parametrize("field", ["reason", "owner"])
def test_a_correction_without_a_visible_reason_or_owner_is_refused(session, talk, field, blank):
    live, _ = append(session, raw(talk))

    assert refused(session, correction(talk, live, **{field: blank})).constraint_name == "entry_correction_complete"


@pytest.mark.parametrize("field", ["reason", "owner"])
def test_a_correction_that_lacks_its_reason_or_owner_is_refused(session, talk, field):
    live, _ = append(session, raw(talk))

    assert refused(session, correction(talk, live, **{field: None})).constraint_name == "entry_correction_complete"


def test_a_correction_of_nothing_is_refused(session, talk):
    refused(session, correction(talk, None))


def test_a_correction_of_another_conversation_key_or_itself_is_refused(session, talk):
    live, _ = append(session, raw(talk))
    elsewhere, _ = append(session, raw(own("talk")))
    other_key, _ = append(session, raw(talk, question_key="guarantee_term::tandem"))

    refused(session, correction(talk, elsewhere), psycopg.errors.UniqueViolation)
    refused(session, correction(talk, other_key), psycopg.errors.UniqueViolation)
    refused(session, correction(talk, live, question_key="guarantee_term::tandem"), psycopg.errors.UniqueViolation)
    itself = "11111111-1111-4111-8111-111111111111"
    refused(session, correction(talk, itself, id=itself), psycopg.errors.UniqueViolation)


def test_a_correction_of_a_replay_or_of_a_superseded_entry_is_refused(session, talk):
    live, _ = append(session, raw(talk))
    replay, _ = append(session, raw(talk, kind="REPLAY", replays=live))
    append(session, correction(talk, live))

    refused(session, correction(talk, live), psycopg.errors.UniqueViolation)
    refused(session, correction(talk, replay), psycopg.errors.UniqueViolation)


@pytest.mark.parametrize("blank", BLANKS)
@pytest.mark.parametrize("field", ["answer_text", "question_canonical", "decided_by", "decision_id"])
def test_what_was_said_and_by_whom_is_visible(session, talk, field, blank):
    refused(session, raw(talk, **{field: blank}))


@pytest.mark.parametrize(
    "source",
    [
        pytest.param(None, id="none"),
        pytest.param({}, id="empty"),
        pytest.param([], id="a-list"),
        pytest.param({**SOURCE, "doc_id": " "}, id="no-document"),
        pytest.param({**SOURCE, "version": None}, id="no-version"),
        pytest.param({**SOURCE, "passage": ""}, id="no-passage"),
        pytest.param({**SOURCE, "effective_from": "soon"}, id="no-date"),
    ],
)
@pytest.mark.parametrize("commitment_class", ["binding_policy", "estimate"])
def test_a_commitment_without_a_whole_source_is_refused(session, talk, source, commitment_class):
    entry = raw(talk, answer_source=source, commitment_class=commitment_class)

    assert refused(session, entry).constraint_name == "entry_commitment_has_a_source"


def test_information_needs_no_source(session, talk):
    assert append(session, raw(talk, answer_source=None, commitment_class="information"))[1] == 1


def test_the_digest_of_a_passage_is_computed_here(session, talk):
    entry_id, _ = append(session, raw(talk, answer_source={**SOURCE, "passage_digest": "made up"}))

    row = session.execute(
        "SELECT answer_source ->> 'passage_digest' = encode(sha256(convert_to(%s, 'UTF8')), 'hex')"
        " FROM ledger.entry WHERE id = %s",
        [PASSAGE, entry_id],
    ).fetchone()
    assert row == (True,)


@pytest.mark.parametrize(
    "member", ["recorded_at", "position", "prev_hash", "entry_hash", "payload", "restores", "format_version", "locked"]
)
def test_what_the_database_decides_cannot_be_given(session, talk, member):
    assert member in refused(session, raw(talk, **{member: "2020-01-01"})).message_primary


@pytest.mark.parametrize(
    "change",
    [
        pytest.param({"kind": "ERASURE"}, id="kind"),
        pytest.param({"matched_by": "guess"}, id="origin"),
        pytest.param({"commitment_class": "promise"}, id="class"),
        pytest.param({"deciding_facts": ["day"]}, id="facts"),
        pytest.param({"reason": "Because."}, id="an-answer-has-no-reason"),
        pytest.param({"owner": "olga"}, id="an-answer-has-no-owner"),
        pytest.param({"conversation_id": "\u200b"}, id="conversation"),
        pytest.param({"answer_text": "x" * 300_000}, id="too-long"),
    ],
)
def test_an_entry_out_of_shape_is_refused(session, talk, change):
    refused(session, raw(talk, **change))


@pytest.mark.parametrize("kind", ["REPLAY", "WITHDRAWAL"])
def test_a_replay_or_withdrawal_of_nothing_is_refused(session, talk, kind):
    refused(session, raw(talk, kind=kind))


def test_a_replay_repeats_what_was_said_whatever_it_is_given(session, talk):
    live, _ = append(session, raw(talk))

    replay, _ = append(session, raw(talk, kind="REPLAY", replays=live, answer_text="Another text."))

    assert session.execute("SELECT answer_text FROM ledger.entry WHERE id = %s", [replay]).fetchone() == (PASSAGE,)


def test_a_failed_entry_leaves_no_trace(session, talk):
    append(session, raw(talk))
    refused(session, raw(talk, question_key="guarantee_term::tandem", decided_by=""))

    assert append(session, raw(talk, question_key="guarantee_term::tandem"))[1] == 2


def test_hashes_are_those_of_the_rule(session, talk):
    for key in (KEY, "guarantee_term::tandem"):
        append(session, raw(talk, question_key=key))

    rows = session.execute(
        "SELECT payload, prev_hash, entry_hash FROM ledger.entry WHERE conversation_id = %s ORDER BY position", [talk]
    ).fetchall()
    first = entry_hash(genesis(talk), rows[0][0])
    assert [(before, after) for _, before, after in rows] == [
        (genesis(talk), first), (first, entry_hash(first, rows[1][0])),
    ]  # fmt: skip
