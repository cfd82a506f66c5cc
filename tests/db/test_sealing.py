"""Every entry is sealed once, whoever seals and however often; what is wrong stops the sealer with a reason."""

import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from io import StringIO

import psycopg
import pytest
from django.core.management import CommandError, call_command
from django.db import IntegrityError, connection, transaction
from django.utils import timezone
from psycopg.conninfo import make_conninfo

from ledger import queries, tasks
from ledger.decisions import merkle
from ledger.decisions.checkpoints import origin_of, read
from ledger.gateways import signing
from ledger.gateways.checkpoint_files import CopyDiffers, FolderUnusable
from ledger.services import sealing
from tests.db.ledger_help import answered, append, own, published, raw, register, replayed, unprotected
from tests.db.sealing_help import begin_anew, folder, key, point_settings_at, sealed

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
    name = own("talk")
    with transaction.atomic():
        replayed(name, answered(name, published()))
    return name


def stored_hashes(admin_connection):
    found = admin_connection.execute(
        "SELECT e.entry_hash FROM ledger.entry e JOIN ledger.leaf l ON l.entry_id = e.id ORDER BY l.number"
    )
    return [bytes(row[0]) for row in found]


def numbers(admin_connection):
    return [row[0] for row in admin_connection.execute("SELECT number FROM ledger.leaf ORDER BY number")]


def unnumbered(admin_connection):
    query = "SELECT count(*) FROM ledger.entry WHERE NOT EXISTS (SELECT FROM ledger.leaf l WHERE l.entry_id = entry.id)"
    return admin_connection.execute(query).fetchone()[0]


def test_the_first_checkpoint_covers_every_entry(talk, settings, admin_connection):
    made = sealed(settings)

    hashes = stored_hashes(admin_connection)
    assert (made.says.number, made.says.size, made.says.previous) == (1, len(hashes), None)
    assert made.says.root == merkle.root_of(hashes)
    assert made.says.origin == origin_of(hashes[0])
    assert unnumbered(admin_connection) == 0
    assert signing.load("checkpoints").public_key == made.says.public_key


def test_the_next_one_goes_on_from_the_stored_edge(talk, settings, admin_connection):
    first = sealed(settings)
    another()

    second = sealed(settings)

    assert (second.says.number, second.says.size) == (2, first.says.size + 2)
    assert (second.says.previous, second.says.previous_hash) == (1, first.note_hash)
    assert second.says.root == merkle.root_of(stored_hashes(admin_connection))


def test_nothing_new_makes_no_checkpoint(talk, settings):
    sealed(settings)

    assert sealed(settings) is None
    assert len(folder(settings).numbers()) == 1


def test_a_clock_that_was_put_back_does_not_put_checkpoints_back(talk, settings):
    first = sealed(settings)
    another()

    assert sealed(settings, later=-timedelta(days=1)).says.sealed_at == first.says.sealed_at


def test_a_checkpoint_goes_into_a_file_of_its_own_and_stands_in_the_database(talk, settings):
    made = sealed(settings)

    [file] = folder(settings).path.iterdir()
    assert file.name == "checkpoint-000000001.txt"
    assert file.read_text() == made.note == queries.newest_checkpoint().note
    assert read(file.read_text()) == made


def test_an_edge_that_was_changed_is_worked_out_anew(talk, settings, admin_connection):
    sealed(settings)
    with unprotected(admin_connection):
        admin_connection.execute("UPDATE ledger.checkpoint SET edge = sha256(edge)")
    another()

    assert sealed(settings).says.root == merkle.root_of(stored_hashes(admin_connection))


def test_a_tree_that_was_changed_is_not_signed_over(talk, settings, admin_connection):
    sealed(settings)
    with unprotected(admin_connection):
        admin_connection.execute("UPDATE ledger.checkpoint SET edge = sha256(edge)")
        admin_connection.execute("UPDATE ledger.leaf SET entry_hash = sha256(entry_hash) WHERE number = 0")
    another()

    with pytest.raises(sealing.SealRefused, match="no longer give the root that checkpoint 1"):
        sealed(settings)


def test_an_entry_committed_late_is_sealed_although_later_ones_were(settings, admin_connection, database_place):
    with transaction.atomic():
        register()
    late, talk = own("late"), own("talk")
    with psycopg.connect(make_conninfo(**database_place.app)) as slow:
        append(slow, raw(late))
        with transaction.atomic():
            answered(talk, published())
        sealed(settings)
        assert unnumbered(admin_connection) == 0
        slow.commit()

    made = sealed(settings)

    assert unnumbered(admin_connection) == 0
    assert made.says.root == merkle.root_of(stored_hashes(admin_connection))


def test_sealers_and_writers_at_once_miss_nothing_and_number_nothing_twice(settings, admin_connection, database_place):
    with transaction.atomic():
        register()
    signing.load("checkpoints")
    begun = threading.Barrier(8)

    def write(_):
        with psycopg.connect(make_conninfo(**database_place.app), autocommit=True) as session:
            begun.wait()
            for _ in range(20):
                append(session, raw(own("race")))

    def seal(_):
        begun.wait()
        try:
            return [sealed(settings) for _ in range(10)]
        finally:
            connection.close()

    with ThreadPoolExecutor(8) as pool:
        writing, sealing_ = [pool.submit(write, n) for n in range(5)], [pool.submit(seal, n) for n in range(3)]
        for one in (*writing, *sealing_):
            one.result()
    sealed(settings)

    hashes = stored_hashes(admin_connection)
    assert unnumbered(admin_connection) == 0
    assert numbers(admin_connection) == list(range(len(hashes)))
    made = [read(row.note).says for row in queries.checkpoints()]
    assert [one.number for one in made] == list(range(1, len(made) + 1))
    assert [one.root for one in made] == [merkle.root_of(hashes[: one.size]) for one in made]
    assert folder(settings).numbers() == {one.number for one in made}


def test_a_copy_that_could_not_be_written_is_written_the_next_time(talk, settings, tmp_path):
    settings.CHECKPOINT_DIR = str(tmp_path / "mount")
    (tmp_path / "mount").write_text("")
    with pytest.raises(FolderUnusable):
        sealed(settings)
    (tmp_path / "mount").unlink()

    sealed(settings)

    assert folder(settings).numbers() == {1}


def test_a_checkpoint_whose_copy_was_not_made_gets_one_later(talk, settings):
    sealing.number_entries()
    made = sealing.add_checkpoint(key(), None, now=timezone.now())

    assert sealed(settings) is None
    assert folder(settings).newest() == made


def test_a_missing_copy_is_written_when_all_are_asked_for(talk, settings):
    sealed(settings)
    another()
    sealed(settings)
    (folder(settings).path / "checkpoint-000000001.txt").unlink()

    call_command("export_checkpoint", all=True, stdout=(out := StringIO()))

    assert folder(settings).numbers() == {1, 2}
    assert out.getvalue().startswith("1 checkpoint written")


def test_a_copy_with_other_content_is_not_written_over(talk, settings):
    made = sealed(settings)
    file = folder(settings).path / "checkpoint-000000001.txt"
    file.chmod(0o644)
    file.write_text("another")

    with pytest.raises(CopyDiffers, match="is not the checkpoint 1"):
        folder(settings).put(made)
    with pytest.raises(FolderUnusable, match="no checkpoint"):
        sealed(settings)
    assert file.read_text() == "another"


def test_an_older_copy_of_the_database_is_not_sealed(talk, settings, admin_connection):
    sealed(settings)
    another()
    sealed(settings)
    with unprotected(admin_connection):
        admin_connection.execute("DELETE FROM ledger.checkpoint WHERE number = 2")
    another()

    with pytest.raises(sealing.SealRefused, match=r"outside stands checkpoint 2 .* in the database checkpoint 1"):
        sealed(settings)


def test_another_key_is_refused_until_it_is_told_to_begin_anew(talk, settings):
    sealed(settings)
    another()
    signing.key_file("checkpoints").unlink()

    with pytest.raises(sealing.SealRefused, match="signed by another key"):
        sealed(settings)
    call_command("seal_ledger", new_key=True, stdout=StringIO())
    another()

    assert sealed(settings).says.number == 3


def test_a_row_that_nobody_signed_does_not_stop_the_sealer(talk, settings):
    first = sealed(settings)
    another()
    sealing.number_entries()
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT ledger.add_checkpoint(2, ledger.size, %s, 1, now(), '0123456789abcdef', NULL, 'said', %s)"
            " FROM (SELECT max(number) + 1 AS size FROM ledger.leaf) ledger",
            [b"\0" * 32, b"\0" * 32],
        )

    made = sealed(settings)

    assert (made.says.number, made.says.previous, made.says.previous_hash) == (3, 1, first.note_hash)


def test_rotation_announces_the_next_key_and_lets_it_take_over(talk, settings, tmp_path):
    first = sealed(settings)

    call_command("rotate_checkpoint_key", stdout=StringIO())

    announced = read(queries.newest_checkpoint().note).says
    assert (announced.size, announced.public_key) == (first.says.size, first.says.public_key)
    assert announced.next_key == signing.load("checkpoints").public_key
    another()
    assert sealed(settings).says.public_key == announced.next_key
    assert signing.known_public_keys("checkpoints") == {announced.public_key, announced.next_key}
    assert not signing.next_key_file("checkpoints").exists()


def test_a_rotation_that_was_cut_short_is_finished_by_the_next(talk, settings):
    sealed(settings)
    signing.create(signing.next_key_file("checkpoints"))
    following = signing.read(signing.next_key_file("checkpoints"), "")
    sealed(settings, next_key=following.public_key)
    another()

    with pytest.raises(sealing.SealRefused, match=r"for key .* to sign"):
        sealed(settings)
    call_command("rotate_checkpoint_key", stdout=StringIO())

    assert signing.load("checkpoints").key_id == following.key_id
    assert sealed(settings).says.key_id == following.key_id


def test_an_operators_key_is_followed_by_another_file_of_theirs(talk, settings, tmp_path):
    present, following = tmp_path / "one.pem", tmp_path / "two.pem"
    signing.create(present)
    signing.create(following)
    settings.CHECKPOINT_KEY_FILE = str(present)
    sealed(settings)

    with pytest.raises(CommandError, match="--to FILE"):
        call_command("rotate_checkpoint_key")
    call_command("rotate_checkpoint_key", to=following, stdout=(out := StringIO()))
    settings.CHECKPOINT_KEY_FILE = str(following)
    another()

    assert f"CHECKPOINT_KEY_FILE={following}" in out.getvalue()
    assert sealed(settings).says.key_id == signing.read(following, "").key_id


def test_rotation_before_anything_was_sealed_changes_the_key_alone(settings, admin_connection):
    before = signing.load("checkpoints").key_id

    call_command("rotate_checkpoint_key", stdout=StringIO())

    assert signing.load("checkpoints").key_id != before


def test_the_task_seals_and_says_what_hinders_it(talk, settings, caplog):
    tasks.seal()
    assert folder(settings).numbers() == {1}

    settings.CHECKPOINT_KEY_FILE = "/nowhere/key.pem"
    tasks.seal()

    assert "The ledger was not sealed: There is no key file /nowhere/key.pem" in caplog.text


def test_the_commands_seal_and_print(talk, settings):
    call_command("seal_ledger", stdout=(said := StringIO()))
    call_command("seal_ledger", stdout=(again := StringIO()))
    call_command("export_checkpoint", stdout=(printed := StringIO()))

    assert said.getvalue().startswith("Checkpoint 1 covers ")
    assert again.getvalue() == "Nothing is new since the last checkpoint.\n"
    assert printed.getvalue() == queries.newest_checkpoint().note


def test_nothing_can_be_printed_before_anything_was_sealed(talk):
    with pytest.raises(CommandError, match="Nothing was sealed yet"):
        call_command("export_checkpoint")


def test_proofs_lead_from_entries_to_the_root(talk, settings):
    first = sealed(settings)
    another()
    second = sealed(settings)
    ids = [row["entry_id"] for row in queries.entries(talk)]

    proofs = queries.inclusions([*ids, "00000000-0000-0000-0000-000000000000"], size=second.says.size)

    assert [proof.entry_id for proof in proofs] == ids
    hashes = list(queries.leaf_hashes(0, second.says.size))
    for proof in proofs:
        leaf = hashes[proof.number]
        assert merkle.is_included(leaf, proof.number, second.says.size, proof.path, second.says.root)
    between = queries.consistency(first.says.size, second.says.size)
    assert merkle.is_extended(first.says.size, first.says.root, second.says.size, second.says.root, between)


def test_what_is_not_sealed_yet_is_counted(talk, settings):
    first = sealed(settings)
    assert queries.unsealed(size=first.says.size).count == 0

    another()
    before_numbering = queries.unsealed(size=first.says.size)
    sealing.number_entries()

    assert before_numbering.count == 2
    assert queries.unsealed(size=first.says.size) == before_numbering


NOT_EXTENDING = [
    pytest.param({"number": 5}, id="a-number-left-out"),
    pytest.param({"size": 1}, id="fewer-entries-than-there-are"),
    pytest.param({"previous": 9}, id="extending-one-that-is-not-there"),
    pytest.param({"root": b"short"}, id="no-root"),
    pytest.param({"key_id": "no key"}, id="no-key"),
    pytest.param({"edge": b""}, id="no-edge"),
    pytest.param({"note": "x" * 5000}, id="too-long"),
    pytest.param({"next_key_id": None, "size": None}, id="nothing-new"),
]


@pytest.mark.parametrize("changes", NOT_EXTENDING)
def test_the_database_refuses_a_checkpoint_that_extends_nothing(talk, settings, changes):
    size = sealed(settings).says.size
    given = {
        "number": 2, "size": size, "root": b"\0" * 32, "previous": 1, "sealed_at": timezone.now(),
        "key_id": "0123456789abcdef", "next_key_id": "0123456789abcdef", "note": "said", "edge": b"\0" * 32,
    }  # fmt: skip
    given |= {"size": size} | {name: value for name, value in changes.items() if name != "size" or value is not None}

    with pytest.raises(IntegrityError), connection.cursor() as cursor:
        cursor.execute(f"SELECT ledger.add_checkpoint({', '.join(['%s'] * 9)})", list(given.values()))
