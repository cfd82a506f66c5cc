"""Every way to change or remove what was written, tried by each role that could try it."""

import psycopg
import pytest
from django.db import connection, transaction
from django.db.utils import DatabaseError

from ledger import queries
from ledger.models import Entry, Head, TypedFact
from tests.db.ledger_help import KEY, answered, append, own, published, raw, written_columns

REWRITES = [
    "UPDATE ledger.entry SET answer_text = 'x'",
    "UPDATE ledger.entry SET answer_text = answer_text WHERE false",
    "DELETE FROM ledger.entry",
    "DELETE FROM ledger.entry WHERE false",
    "TRUNCATE ledger.entry CASCADE",
    "TRUNCATE ledger.fact",
    "TRUNCATE ledger.head CASCADE",
    "DELETE FROM ledger.head",
    "UPDATE ledger.head SET position = position - 1",
    "UPDATE ledger.head SET position = position + 1",
    "UPDATE ledger.head SET entry_hash = sha256('x')",
    "UPDATE ledger.fact SET low = 1",
    "DELETE FROM ledger.fact",
    "MERGE INTO ledger.entry t USING ledger.entry s ON t.id = s.id WHEN MATCHED THEN UPDATE SET answer_text = 'x'",
    "MERGE INTO ledger.entry t USING ledger.entry s ON t.id = s.id WHEN MATCHED THEN DELETE",
    "INSERT INTO ledger.entry (id) SELECT id FROM ledger.entry ON CONFLICT (id) DO UPDATE SET answer_text = 'x'",
    "WITH gone AS (DELETE FROM ledger.entry RETURNING *) SELECT * FROM gone",
    "UPDATE ledger.leaf SET number = number + 1",
    "UPDATE ledger.leaf SET entry_hash = sha256(entry_hash)",
    "DELETE FROM ledger.leaf",
    "DELETE FROM ledger.leaf WHERE false",
    "TRUNCATE ledger.leaf",
    "UPDATE ledger.checkpoint SET root = sha256(root)",
    "UPDATE ledger.checkpoint SET note = note WHERE false",
    "DELETE FROM ledger.checkpoint",
    "TRUNCATE ledger.checkpoint",
]
SEIZURES = [
    "INSERT INTO ledger.entry (id) SELECT id FROM ledger.entry",
    "INSERT INTO ledger.head VALUES ('x', 0, sha256('x'))",
    "INSERT INTO ledger.fact SELECT * FROM ledger.fact",
    "COPY ledger.entry FROM '/dev/null'",
    "INSERT INTO ledger.leaf SELECT number + 1, entry_id, conversation_id, position, entry_hash FROM ledger.leaf",
    "INSERT INTO ledger.checkpoint SELECT * FROM ledger.checkpoint",
    "COPY ledger.leaf FROM '/dev/null'",
    "ALTER TABLE ledger.leaf DISABLE TRIGGER ALL",
    "DROP TRIGGER checkpoint_stays ON ledger.checkpoint",
    "DROP TABLE ledger.leaf CASCADE",
    "CREATE OR REPLACE FUNCTION ledger.leaf_count() RETURNS bigint LANGUAGE sql AS 'SELECT 0::bigint'",
    "SELECT ledger.leaf_count()",
    "LOCK TABLE ledger.checkpoint IN EXCLUSIVE MODE",
    "ALTER TABLE ledger.entry DISABLE TRIGGER ALL",
    "ALTER TABLE ledger.entry DISABLE TRIGGER entry_stays",
    "ALTER TABLE ledger.entry ENABLE REPLICA TRIGGER entry_stays",
    "DROP TRIGGER entry_stays ON ledger.entry",
    "DROP TABLE ledger.entry CASCADE",
    "DROP SCHEMA ledger CASCADE",
    "DROP VIEW ledger.answer_ledger CASCADE",
    "DROP FUNCTION ledger.append(jsonb)",
    "ALTER TABLE ledger.entry ALTER COLUMN answer_text TYPE varchar(3)",
    "ALTER TABLE ledger.entry DROP COLUMN answer_text CASCADE",
    "ALTER TABLE ledger.entry DROP CONSTRAINT entry_one_place",
    "ALTER TABLE ledger.entry OWNER TO CURRENT_USER",
    "ALTER FUNCTION ledger.append(jsonb) SET search_path = public",
    "CREATE OR REPLACE FUNCTION ledger.append(given jsonb) RETURNS ledger.entry LANGUAGE sql AS 'SELECT NULL'",
    "CREATE OR REPLACE FUNCTION ledger.refuse_change() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN OLD; END'",
    "CREATE RULE quiet AS ON UPDATE TO ledger.entry DO INSTEAD NOTHING",
    "CREATE TRIGGER own BEFORE INSERT ON ledger.entry EXECUTE FUNCTION suppress_redundant_updates_trigger()",
    "CREATE INDEX own ON ledger.entry (kind)",
    "CREATE FUNCTION public.sha256(bytea) RETURNS bytea LANGUAGE sql AS 'SELECT $1'",
    "CREATE TABLE public.entry (id uuid)",
    "CREATE TEMPORARY TABLE entry (id uuid)",
    "CREATE TABLE child () INHERITS (ledger.entry)",
    "LOCK TABLE ledger.entry IN EXCLUSIVE MODE",
    "SELECT * FROM ledger.entry FOR UPDATE",
    "SELECT * FROM ledger.entry FOR KEY SHARE",
    "SET session_replication_role = replica",
    "SET SESSION AUTHORIZATION countersign_ledger",
    "SET ROLE countersign_ledger",
    "SET ROLE countersign_owner",
    "SELECT ledger.payload_of(NULL, NULL)",
    "SELECT ledger.genesis('x')",
    "REASSIGN OWNED BY countersign_ledger TO CURRENT_USER",
    "REFRESH MATERIALIZED VIEW ledger.answer_ledger",
    "INSERT INTO public.ledger_policycoverage (channel) VALUES ('x')",
    "DELETE FROM public.ledger_policycoverage",
    "ALTER TABLE public.ledger_policyversion DISABLE TRIGGER USER",
    "UPDATE answer_ledger SET answer_text = 'x'",
    "DELETE FROM answer_ledger",
]
NOT_ALLOWED = (
    psycopg.errors.InsufficientPrivilege,
    psycopg.errors.WrongObjectType,
    psycopg.errors.ObjectNotInPrerequisiteState,  # a view over joins takes no writes at all
)


@pytest.fixture
def told(db):
    """A locked answer, in the run-time role's own session."""
    return answered(own("talk"), published())


def attempt(statement):
    """Run a statement as the run-time role and return the SQLSTATE that refused it."""
    with pytest.raises(DatabaseError) as refusal, transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement)
    return refusal.value.__cause__


@pytest.mark.parametrize("statement", REWRITES + SEIZURES)
def test_the_run_time_role_lacks_the_right(told, statement):
    assert isinstance(attempt(statement), NOT_ALLOWED)


def test_a_setting_that_switches_other_libraries_triggers_off_does_nothing(told):
    with connection.cursor() as cursor:
        cursor.execute("SELECT set_config('pgtrigger.ignore', '{ledger.entry:entry_stays}', true)")

    assert isinstance(attempt("UPDATE ledger.entry SET answer_text = 'x'"), psycopg.errors.InsufficientPrivilege)


def test_granting_itself_a_right_gives_none(told):
    with connection.cursor() as cursor:
        cursor.execute("GRANT UPDATE ON ledger.entry TO CURRENT_USER")

    assert isinstance(attempt("UPDATE ledger.entry SET answer_text = 'x'"), psycopg.errors.InsufficientPrivilege)


@pytest.mark.parametrize("path", ["", "pg_temp", "pg_temp, public, ledger, pg_catalog"])
def test_another_search_path_changes_nothing_in_what_is_written(told, path):
    with connection.cursor() as cursor:
        cursor.execute("SELECT set_config('search_path', %s, true)", [path])
        cursor.execute("SELECT id FROM ledger.append(%s::jsonb)", [_json(raw(own("talk")))])
        cursor.execute("SELECT set_config('search_path', 'public', true)")

    assert [problem for line in queries.verify() for problem in line.problems if problem.layer != "sources"] == []


def _json(entry):
    return psycopg.types.json.Jsonb(entry)


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(lambda entry: Entry.objects.filter(pk=entry.pk).update(answer_text="x"), id="update"),
        pytest.param(lambda entry: Entry.objects.filter(pk=entry.pk).delete(), id="delete"),
        pytest.param(lambda entry: entry.save(), id="save"),
        pytest.param(lambda entry: entry.delete(), id="delete-one"),
        pytest.param(lambda entry: Entry.objects.bulk_update([entry], ["answer_text"]), id="bulk-update"),
        pytest.param(lambda _: Entry.objects.create(pk=own("")[1:], conversation_id="x"), id="create"),
        pytest.param(lambda _: Head.objects.update(position=0), id="head"),
        pytest.param(lambda _: TypedFact.objects.all().delete(), id="facts"),
        pytest.param(lambda entry: list(Entry.objects.select_for_update().filter(pk=entry.pk)), id="lock"),
    ],
)
def test_no_path_through_the_models_leads_to_a_change(told, change):
    entry = Entry.objects.get(pk=told)

    with pytest.raises(DatabaseError) as refusal, transaction.atomic():
        change(entry)

    assert isinstance(refusal.value.__cause__, (psycopg.errors.InsufficientPrivilege, psycopg.errors.NotNullViolation))


@pytest.fixture
def written(admin_connection):
    """A superuser's session with an entry in it, undone afterwards."""
    with admin_connection.transaction(force_rollback=True):
        append(admin_connection, raw(own("talk"), typed_facts=[FACT]))
        yield admin_connection


FACT = {"kind": "duration", "unit": "months", "low": "36", "high": "36", "bound": "exactly", "polarity": True}
FACT |= {"start": 0, "end": 5}


@pytest.mark.parametrize("statement", [s for s in REWRITES if "position + 1" not in s])
@pytest.mark.parametrize("role", ["countersign_ledger", "superuser", "replica"])
def test_the_ledgers_own_triggers_stop_whoever_has_the_right(written, role, statement):
    if role == "countersign_ledger":
        written.execute("SET LOCAL ROLE countersign_ledger")
    elif role == "replica":
        written.execute("SET LOCAL session_replication_role = replica")

    with pytest.raises(psycopg.errors.CheckViolation), written.transaction():
        written.execute(statement)


@pytest.mark.parametrize("statement", REWRITES)
def test_the_owner_of_the_other_tables_lacks_the_right(owner_connection, statement):
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        owner_connection.execute(statement)


def test_an_entry_written_past_the_door_must_still_join_the_end(written):
    names = written_columns(written)
    copied = f"""
        INSERT INTO ledger.entry ({names}) SELECT {names}
        FROM (SELECT (jsonb_populate_record(e, %s)).* FROM ledger.entry e ORDER BY recorded_at DESC LIMIT 1) changed
    """
    for change in ({"position": 7}, {"position": 2}, {"position": 1}):
        given = psycopg.types.json.Jsonb({**change, "id": "22222222-2222-4222-8222-222222222222", "kind": "REPLAY"})
        with pytest.raises(psycopg.errors.CheckViolation), written.transaction():
            written.execute(copied, [given])


def test_nothing_cascades_into_the_ledger_or_out_of_it(admin_connection):
    cascading = admin_connection.execute(
        "SELECT conname FROM pg_constraint WHERE contype = 'f' AND (confdeltype <> 'a' OR confupdtype <> 'a')"
        " AND (connamespace = 'ledger'::regnamespace"
        " OR confrelid IN (SELECT oid FROM pg_class WHERE relnamespace = 'ledger'::regnamespace))"
    ).fetchall()

    assert cascading == []


def test_every_trigger_of_the_ledger_fires_always(admin_connection):
    weak = admin_connection.execute(
        "SELECT tgname FROM pg_trigger JOIN pg_class c ON c.oid = tgrelid"
        " WHERE relnamespace = 'ledger'::regnamespace AND NOT tgisinternal AND tgenabled <> 'A'"
    ).fetchall()

    assert weak == []


def test_only_the_doors_of_the_ledger_can_be_called(admin_connection):
    callable_ = admin_connection.execute(
        "SELECT proname, prosecdef, proconfig FROM pg_proc"
        " WHERE pronamespace = 'ledger'::regnamespace AND has_function_privilege('countersign_app', oid, 'EXECUTE')"
    ).fetchall()

    doors = {"append": True, "number_leaves": True, "add_checkpoint": True, "one_sealer_at_a_time": False}
    assert {name: definer for name, definer, _ in callable_} == doors
    assert all("search_path=pg_catalog, pg_temp" in settings for _, _, settings in callable_)


def test_a_key_with_promises_keeps_its_place(told):
    for statement in (
        f"DELETE FROM ledger_questionkey WHERE key = '{KEY}'",
        f"UPDATE ledger_questionkey SET parent_id = 'opening_hours::shop', boundary = 'Apart.' WHERE key = '{KEY}'",
    ):
        assert isinstance(attempt(statement), psycopg.errors.CheckViolation)
