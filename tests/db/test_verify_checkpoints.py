"""What a superuser can do to the ledger, and which layer of the check finds it.

Everything here is done past every right and trigger.
"""

import json
import shutil
from dataclasses import replace
from datetime import timedelta
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db import transaction

from ledger import queries
from ledger.decisions.chain import entry_hash, genesis
from ledger.decisions.checkpoints import signed
from ledger.gateways import signing
from ledger.management import outside
from ledger.queries import verification
from tests.db.ledger_help import answered, corrected, own, published, replayed, unprotected
from tests.db.sealing_help import begin_anew, folder, point_settings_at, sealed

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def anew(settings, tmp_path, admin_connection):
    point_settings_at(settings, tmp_path)
    begin_anew(admin_connection)
    yield
    begin_anew(admin_connection)


@pytest.fixture
def talk():
    return another()


def another():
    """A conversation with an answer, a replay and a correction."""
    name = own("talk")
    with transaction.atomic():
        terms = published()
        live = answered(name, terms)
        replayed(name, live)
        corrected(name, live, terms)
    return name


@pytest.fixture
def told(talk, settings):
    """Two sealed conversations, and one that is not sealed yet."""
    sealed(settings)
    second = another()
    sealed(settings)
    another()
    return talk, second


@pytest.fixture
def tamper(admin_connection, told):
    """Run statements about the first conversation as a superuser with every trigger off."""

    def run(*statements, of=told[0]):
        with unprotected(admin_connection):
            for statement in statements:
                admin_connection.execute(statement, {"talk": of})

    return run


def verify(**options):
    """Run the command; return its exit status, the layers that found something, the totals and the whole text."""
    out, status = StringIO(), 0
    try:
        call_command("verify_ledger", format="json", stdout=out, **options)
    except SystemExit as ended:
        status = ended.code
    *problems, totals = [json.loads(line) for line in out.getvalue().splitlines()]
    return status, {problem["layer"] for problem in problems}, totals, out.getvalue()


def rechained(admin_connection, talk, *, text="Something else."):
    """Write a conversation anew with another text, every hash and the head right, as a careful forger would."""
    rows = admin_connection.execute(
        "SELECT id, payload, ledger.instant_text(recorded_at) FROM ledger.entry WHERE conversation_id = %s"
        " ORDER BY position",
        [talk],
    ).fetchall()
    previous = genesis(talk)
    with unprotected(admin_connection):
        for entry_id, payload, recorded_at in rows:
            said = {**json.loads(payload), "answer_text": text, "prev_hash": previous.hex()}
            said |= {"recorded_at": recorded_at}
            changed = json.dumps(said, ensure_ascii=False).encode()
            now = entry_hash(previous, changed)
            admin_connection.execute(
                "UPDATE ledger.entry SET answer_text = %s, payload = %s, prev_hash = %s, entry_hash = %s WHERE id = %s",
                [text, changed, previous, now, entry_id],
            )
            previous = now
        admin_connection.execute("UPDATE ledger.head SET entry_hash = %s WHERE conversation_id = %s", [previous, talk])


def releafed(admin_connection):
    """Number every entry anew, without a gap, and write the hashes that the entries have now into the leaves."""
    with unprotected(admin_connection):
        admin_connection.execute(
            "DELETE FROM ledger.leaf l WHERE NOT EXISTS (SELECT FROM ledger.entry e WHERE e.id = l.entry_id)"
        )
        admin_connection.execute(
            "UPDATE ledger.leaf l SET entry_hash = e.entry_hash FROM ledger.entry e WHERE e.id = l.entry_id"
        )
        admin_connection.execute("UPDATE ledger.leaf SET number = number + 1000000")
        admin_connection.execute(
            "UPDATE ledger.leaf l SET number = n.place - 1 FROM"
            " (SELECT number, row_number() OVER (ORDER BY number) AS place FROM ledger.leaf) n"
            " WHERE n.number = l.number"
        )


def test_an_untouched_ledger_fits_its_checkpoints(told, settings):
    status, layers, totals, _ = verify()

    assert (status, layers, totals["problems"], totals["first"]) == (0, set(), 0, None)
    assert totals["checkpoints"] == 2
    assert totals["covered"] == sealed_size(settings)
    assert totals["only_chained"]["count"] == 3


def sealed_size(settings):
    return folder(settings).newest().says.size


def test_a_deleted_newest_entry_whose_head_was_moved_back_is_named(told, tamper):
    tamper(
        "DELETE FROM ledger.entry WHERE conversation_id = %(talk)s AND position = 3",
        "UPDATE ledger.head h SET position = 2, entry_hash = e.entry_hash FROM ledger.entry e"
        " WHERE e.conversation_id = h.conversation_id AND e.position = 2 AND h.conversation_id = %(talk)s",
    )

    status, layers, totals, _ = verify()

    assert (status, layers) == (1, {"leaves"})
    assert (totals["first"]["conversation_id"], totals["first"]["position"]) == (told[0], 3)
    assert totals["first"]["message"] == "the entry that was sealed here is gone"


def test_the_same_with_its_leaf_is_found_by_the_checkpoint(told, tamper, admin_connection):
    tamper(
        "DELETE FROM ledger.entry WHERE conversation_id = %(talk)s AND position = 3",
        "UPDATE ledger.head h SET position = 2, entry_hash = e.entry_hash FROM ledger.entry e"
        " WHERE e.conversation_id = h.conversation_id AND e.position = 2 AND h.conversation_id = %(talk)s",
    )
    releafed(admin_connection)

    status, layers, totals, said = verify()

    assert (status, layers) == (1, {"checkpoints"})
    assert "do not give the root of checkpoint 1" in said
    assert totals["first"]["layer"] == "checkpoints"


def test_a_conversation_taken_out_with_its_head_and_leaves_is_found(told, tamper, admin_connection, settings):
    tamper(
        "DELETE FROM ledger.fact USING ledger.entry e WHERE e.id = entry_id AND e.conversation_id = %(talk)s",
        "DELETE FROM ledger.entry WHERE conversation_id = %(talk)s",
        "DELETE FROM ledger.head WHERE conversation_id = %(talk)s",
        of=told[1],
    )
    status, layers, totals, _ = verify()
    assert (status, layers, totals["first"]["conversation_id"]) == (1, {"leaves"}, told[1])

    releafed(admin_connection)
    status, layers, _, said = verify()

    assert (status, layers) == (1, {"checkpoints"})
    assert "at least 3 were taken out; the first " in said
    assert "are as at checkpoint 1" in said


def test_a_conversation_written_anew_with_every_hash_right_is_named(told, tamper, admin_connection):
    rechained(admin_connection, told[0])

    status, layers, totals, _ = verify()

    assert (status, layers) == (1, {"leaves"})
    assert (totals["first"]["conversation_id"], totals["first"]["position"]) == (told[0], 1)
    assert "its hash is another" in totals["first"]["message"]


def test_the_same_with_its_leaves_is_found_by_the_checkpoint(told, tamper, admin_connection):
    rechained(admin_connection, told[1])
    releafed(admin_connection)

    status, layers, _, said = verify()

    assert (status, layers) == (1, {"checkpoints"})
    assert "do not give the root of checkpoint 2" in said
    assert "are as at checkpoint 1" in said


def test_an_entry_put_in_afterwards_under_an_early_date_is_named(told, tamper, admin_connection, settings):
    late = another()
    tamper(
        "UPDATE ledger.entry SET recorded_at = recorded_at - interval '3 days' WHERE conversation_id = %(talk)s",
        of=late,
    )
    rechained(admin_connection, late)

    _, layers, totals, _ = verify()
    assert layers == {"leaves"}
    assert (totals["first"]["conversation_id"], totals["first"]["position"]) == (late, 1)
    assert "by its own account, but not there at checkpoint 2" in totals["first"]["message"]

    sealed(settings)
    assert verify()[1] == {"leaves"}


def test_yesterdays_backup_is_found_by_the_copies_outside(told, tamper, admin_connection):
    with unprotected(admin_connection):
        admin_connection.execute("DELETE FROM ledger.checkpoint WHERE number = 2")
        admin_connection.execute("DELETE FROM ledger.leaf WHERE conversation_id = %s", [told[1]])
        admin_connection.execute("DELETE FROM ledger.fact f USING ledger.entry e WHERE e.id = f.entry_id")
        admin_connection.execute("DELETE FROM ledger.entry WHERE conversation_id <> %s", [told[0]])
        admin_connection.execute("DELETE FROM ledger.head WHERE conversation_id <> %s", [told[0]])

    status, layers, _, said = verify()

    assert (status, layers) == (1, {"checkpoints"})
    assert "the database ends with checkpoint 1" in said
    assert "at least 3 were taken out" in said
    assert "an older copy" in said


def test_a_database_without_any_checkpoint_is_found_by_the_copies_outside(told, tamper, admin_connection):
    begin_anew(admin_connection)

    status, layers, _, said = verify()

    assert (status, layers) == (1, {"checkpoints"})
    assert "the database holds none" in said


def test_a_checkpoint_forged_with_another_key_is_found(told, settings, tmp_path):
    mine = signing.load("checkpoints")
    newest = folder(settings).newest()
    forger = tmp_path / "forger.pem"
    signing.create(forger)
    other = signing.read(forger, "")
    says = replace(newest.says, number=3, previous=2, previous_hash=newest.note_hash, size=newest.says.size)
    forged = signed(replace(says, public_key=other.public_key), other.sign)
    folder(settings).put(forged)

    status, layers, _, said = verify()

    assert (status, layers) == (1, {"checkpoints"})
    assert f"signed by key {other.key_id}, which nobody here knows" in said
    assert f"signed by key {other.key_id}, which checkpoint 2" in said
    assert mine.key_id != other.key_id


def test_a_checkpoint_that_was_changed_is_found(told, settings):
    file = folder(settings).path / "checkpoint-000000001.txt"
    file.chmod(0o644)
    file.write_text(file.read_text().replace("number 1", "number 7"))

    assert "does not bear the signature of the key that it names" in verify()[3]


def test_a_text_that_is_no_checkpoint_is_found(told, settings):
    (folder(settings).path / "checkpoint-000000009.txt").write_text("hello")

    status, layers, _, said = verify()

    assert (status, layers) == (1, {"checkpoints"})
    assert "checkpoint-000000009.txt: this is no checkpoint" in said


def test_two_forms_of_one_checkpoint_are_found(told, settings, admin_connection):
    with unprotected(admin_connection):
        admin_connection.execute("DELETE FROM ledger.checkpoint WHERE number = 2")
    kept_elsewhere = folder(settings).path.rename(folder(settings).path.with_name("elsewhere"))
    another()
    sealed(settings)

    status, layers, _, said = verify(checkpoints=[folder(settings).path, kept_elsewhere])

    assert (status, layers) == (1, {"checkpoints"})
    assert "checkpoint 2 exists in 2 forms" in said


def test_a_missing_checkpoint_is_found(told, settings, admin_connection):
    another()
    sealed(settings)
    (folder(settings).path / "checkpoint-000000002.txt").unlink()
    status, layers, _, said = verify()
    assert (status, layers) == (1, {"checkpoints"})
    assert "lacks checkpoint 2, which the database holds" in said

    with unprotected(admin_connection):
        admin_connection.execute("DELETE FROM ledger.checkpoint WHERE number = 2")

    assert "checkpoint 2, which checkpoint 3" in verify()[3]


def test_columns_of_a_checkpoint_that_differ_from_its_text_are_found(told, settings, admin_connection):
    with unprotected(admin_connection):
        admin_connection.execute("UPDATE ledger.checkpoint SET root = sha256(root) WHERE number = 1")

    assert "the columns beside it say" in verify()[3]


def test_a_leaf_that_was_taken_out_is_found(told, tamper):
    tamper("DELETE FROM ledger.leaf WHERE number = 1")

    status, layers, _, said = verify()

    assert (status, layers) == (1, {"leaves", "checkpoints"})
    assert "number 1 is missing" in said


def test_verification_follows_a_rotated_key_from_either_end(told, settings):
    first = signing.load("checkpoints").public_key.hex()
    call_command("rotate_checkpoint_key", stdout=StringIO())
    another()
    sealed(settings)
    second = signing.load("checkpoints").public_key.hex()

    for keys in (None, [first], [second], [first, second]):
        status, _, totals, said = verify(key=keys)
        assert (status, totals["checkpoints"]) == (0, 4), said


def test_a_retired_key_signs_nothing_any_more(told, settings, tmp_path):
    retired = tmp_path / "retired.pem"
    shutil.copy(signing.key_file("checkpoints"), retired)
    call_command("rotate_checkpoint_key", stdout=StringIO())
    newest = folder(settings).newest()
    says = replace(newest.says, number=4, previous=3, previous_hash=newest.note_hash, next_key=None)
    folder(settings).put(signed(says, signing.read(retired, "").sign))

    status, layers, _, said = verify()

    assert (status, layers) == (1, {"checkpoints"})
    assert "which checkpoint 3" in said
    assert "does not announce" in said


def test_a_key_that_the_lost_one_could_not_announce_needs_to_be_named(told, settings):
    first = signing.load("checkpoints").public_key.hex()
    signing.key_file("checkpoints").unlink()
    another()
    call_command("seal_ledger", new_key=True, stdout=StringIO())
    second = signing.load("checkpoints").public_key.hex()

    assert "does not announce" in verify()[3]
    assert verify(key=[first, second])[0] == 0


def test_a_wrong_key_trusts_no_checkpoint(told):
    status, layers, totals, said = verify(key=["ab" * 32])

    assert (status, layers, totals["checkpoints"]) == (1, {"checkpoints"}, 0)
    assert "which nobody here knows" in said


def test_a_key_may_be_given_as_a_file(told, tmp_path):
    file = tmp_path / "key.pub"
    file.write_text(signing.load("checkpoints").public_key.hex())

    assert verify(key=[str(file)])[0] == 0


def test_one_kept_file_is_enough_to_find_that_the_folder_and_the_database_are_older(told, settings, tmp_path, tamper):
    mailed = tmp_path / "mailed.txt"
    shutil.copy(folder(settings).path / "checkpoint-000000002.txt", mailed)
    (folder(settings).path / "checkpoint-000000002.txt").unlink()
    tamper(
        "DELETE FROM ledger.checkpoint WHERE number = 2",
        "DELETE FROM ledger.leaf WHERE number >= 3",
        "DELETE FROM ledger.fact USING ledger.entry e WHERE e.id = entry_id AND e.conversation_id <> %(talk)s",
        "DELETE FROM ledger.entry WHERE conversation_id <> %(talk)s",
        "DELETE FROM ledger.head WHERE conversation_id <> %(talk)s",
    )

    assert verify()[0] == 0
    assert "an older copy" in verify(checkpoints=[folder(settings).path, mailed])[3]


@pytest.mark.parametrize("options", [{"checkpoints": [Path("/nowhere/at/all.txt")]}, {"key": ["/nowhere.pub"]}])
def test_what_cannot_be_read_ends_with_another_status(told, options):
    with pytest.raises(CommandError, match="Nothing was checked") as ended:
        call_command("verify_ledger", stdout=StringIO(), **options)

    assert ended.value.returncode == 2


def test_without_a_copy_outside_it_says_so(told, settings):
    shutil.rmtree(folder(settings).path)
    out = StringIO()

    with pytest.raises(SystemExit) as ended:
        call_command("verify_ledger", stdout=out)

    assert ended.value.code == 1
    assert f"{folder(settings).path} holds none of the database's checkpoints: it is gone" in out.getvalue()
    assert "`manage.py export_checkpoint --all`" in out.getvalue()
    assert "against 2 checkpoints, 1 problem." in out.getvalue()
    assert "in the database alone; none was found outside" in out.getvalue()

    call_command("export_checkpoint", all=True, stdout=StringIO())
    assert verify()[0] == 0


def test_the_newest_copy_may_be_on_its_way_and_is_missing_when_it_does_not_come(told, settings, monkeypatch):
    (folder(settings).path / "checkpoint-000000002.txt").unlink()
    assert verify()[0] == 0

    monkeypatch.setattr(outside, "COPIED_WITHIN", timedelta(0))
    assert "lacks checkpoint 2, which the database holds" in verify()[3]


def test_before_the_first_sealing_no_folder_is_missed(settings):
    another()

    status, layers, totals, _ = verify()

    assert (status, layers, totals["problems"]) == (0, set(), 0)


def test_what_an_auditor_kept_need_not_be_every_checkpoint(told, settings):
    status, _, totals, _ = verify(checkpoints=[folder(settings).path / "checkpoint-000000001.txt"])

    assert (status, totals["checkpoints"]) == (0, 2)


def test_it_says_since_when_entries_are_only_chained(told):
    call_command("verify_ledger", stdout=(out := StringIO()))

    assert (
        "Covered by a fitting checkpoint kept outside: 6 entries. Only chain-protected: 3 entries since"
        in out.getvalue()
    )


def test_the_first_bad_entry_is_named_at_the_end_and_the_list_is_cut(told, tamper):
    tamper("UPDATE ledger.entry SET answer_text = 'Something else.' WHERE position = 2")
    out = StringIO()

    with pytest.raises(SystemExit):
        call_command("verify_ledger", most=1, stdout=out)

    more, counted, _, first = out.getvalue().splitlines()[-4:]
    assert more == "… and 2 more problems."
    assert "3 problems." in counted
    assert first.startswith(f"First: columns: conversation {told[0]}, entry 2 (")


def test_one_conversation_can_be_checked_alone(told, tamper):
    tamper("UPDATE ledger.entry SET answer_text = 'Something else.' WHERE position = 2")
    out = StringIO()

    with pytest.raises(SystemExit):
        call_command("verify_ledger", conversation=told[1], format="json", stdout=out)

    problem, totals = map(json.loads, out.getvalue().splitlines())
    assert (problem["conversation_id"], totals["entries"], totals["conversations"]) == (told[1], 3, 1)


def test_a_conversation_that_nobody_knows_is_not_called_fine(told):
    with pytest.raises(CommandError, match="no such conversation in the ledger: 'nobody'") as ended:
        verify(conversation="nobody")

    assert ended.value.returncode == 2


def test_a_conversation_of_which_only_leaves_are_left_is_a_problem(told, tamper):
    tamper(
        "DELETE FROM ledger.fact USING ledger.entry e WHERE e.id = entry_id AND e.conversation_id = %(talk)s",
        "DELETE FROM ledger.entry WHERE conversation_id = %(talk)s",
        "DELETE FROM ledger.head WHERE conversation_id = %(talk)s",
    )

    status, layers, totals, _ = verify(conversation=told[0])

    assert (status, layers, totals["problems"]) == (1, {"leaves"}, 3)
    assert totals["first"]["message"] == "the entry that was sealed here is gone"
    assert verify(conversation=told[1])[0] == 0


def test_a_conversation_of_many_entries_is_followed_in_stretches(settings, monkeypatch):
    talk = another()
    monkeypatch.setattr(verification, "BATCH", 2)

    stretches = [(one.entries, one.problems) for one in queries.verify() if one.conversation_id == talk]

    assert stretches == [(2, ()), (1, ())]


def test_problems_are_found_across_stretches(tamper, told, monkeypatch):
    monkeypatch.setattr(verification, "BATCH", 1)
    tamper("DELETE FROM ledger.entry WHERE conversation_id = %(talk)s AND position = 2")

    found = [p for one in queries.verify() if one.conversation_id == told[0] for p in one.problems]

    assert [(problem.layer, problem.position) for problem in found] == [("chain", 3), ("chain", 3)]
