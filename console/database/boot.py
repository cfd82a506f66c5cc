"""The check before serving: the run-time role must be unable to rewrite the ledger, and the tables must be current."""

from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor

CONSTRAINTS = """
    entry_answer_complete entry_commitment_class_check entry_commitment_has_a_source entry_conversation_id_fkey
    entry_correction_complete entry_deciding_facts_check entry_entry_hash_key entry_format_version_check
    entry_hash_follows entry_key_grammar entry_kind_check entry_matched_by_check entry_names_who_decided
    entry_one_first_answer entry_one_place entry_only_corrections_have_owners entry_only_withdrawals_restore
    entry_payload_check entry_pkey entry_position_check entry_prev_hash_check entry_replay_complete
    entry_replays_in_line entry_restores_in_line entry_says_something entry_superseded_once
    entry_supersedes_another entry_supersedes_in_line entry_withdrawal_complete entry_within_its_line
    fact_entry_id_fkey fact_limits fact_ordinal_check fact_pkey fact_span fact_topics_check
    head_conversation_id_check head_entry_hash_check head_pkey head_position_check
    leaf_entry_hash_check leaf_entry_id_fkey leaf_entry_id_key leaf_number_check leaf_pkey
    checkpoint_check checkpoint_edge_check checkpoint_key_id_check checkpoint_names_what_it_extends
    checkpoint_next_key_id_check checkpoint_note_check checkpoint_number_check checkpoint_pkey
    checkpoint_previous_fkey checkpoint_previous_hash_check checkpoint_root_check checkpoint_size_check
"""
"""What the ledger's tables refuse of themselves, whoever writes; one of them is a unique index."""

RULES = {
    "the run-time role is a superuser or bypasses row security": """
        SELECT rolname FROM pg_roles WHERE rolname IN (current_user, session_user) AND (rolsuper OR rolbypassrls)
    """,
    "the run-time role may become an owner of tables": """
        SELECT rolname FROM pg_roles
        WHERE rolname IN ('countersign_owner', 'countersign_ledger') AND pg_has_role(session_user, oid, 'MEMBER')
    """,
    "the run-time role owns part of the ledger": """
        SELECT relname FROM pg_class
        WHERE relnamespace = 'ledger'::regnamespace AND pg_has_role(session_user, relowner, 'USAGE')
        UNION ALL
        SELECT proname FROM pg_proc
        WHERE pronamespace = 'ledger'::regnamespace AND pg_has_role(session_user, proowner, 'USAGE')
    """,
    "the run-time role may write to the ledger's tables": """
        SELECT relname FROM pg_class
        WHERE relnamespace = 'ledger'::regnamespace AND relkind IN ('r', 'p', 'v')
        AND (has_table_privilege(oid, 'INSERT, UPDATE, DELETE, TRUNCATE, TRIGGER')
             OR has_any_column_privilege(oid, 'INSERT, UPDATE'))
    """,
    "the run-time role may create objects": """
        SELECT nspname FROM pg_namespace
        WHERE nspname IN ('public', 'ledger') AND has_schema_privilege(oid, 'CREATE')
    """,
    "a trigger of the ledger can be switched off": """
        SELECT tgname FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid
        WHERE relnamespace = 'ledger'::regnamespace AND NOT tgisinternal AND tgenabled <> 'A'
    """,
    "a table of the ledger has no trigger that refuses DELETE and TRUNCATE": """
        SELECT relname FROM pg_class
        WHERE relnamespace = 'ledger'::regnamespace AND relkind IN ('r', 'p')
        AND 8 + 32 <> (8 + 32) & coalesce(
            (SELECT bit_or(tgtype)::int FROM pg_trigger WHERE tgrelid = pg_class.oid AND NOT tgisinternal), 0)
    """,
    "a table of the ledger is missing": """
        SELECT name FROM unnest(ARRAY['entry', 'fact', 'head', 'leaf', 'checkpoint']) AS name
        WHERE to_regclass('ledger.' || name) IS NULL
    """,
    "a constraint of the ledger is missing": f"""
        SELECT name FROM regexp_split_to_table('{CONSTRAINTS.strip()}', '[[:space:]]+') AS name
        WHERE name NOT IN (
            SELECT conname FROM pg_constraint c
            WHERE connamespace = 'ledger'::regnamespace
            AND coalesce((to_jsonb(c) ->> 'conenforced')::boolean, true)  -- a column since PostgreSQL 18
            UNION ALL
            SELECT relname FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
            WHERE relnamespace = 'ledger'::regnamespace AND indisunique AND indisvalid)
        ORDER BY name
    """,  # noqa: S608 - names of constraints, all constants
    "the run-time role may call more of the ledger than its doors": """
        SELECT proname FROM pg_proc
        WHERE pronamespace = 'ledger'::regnamespace AND has_function_privilege(oid, 'EXECUTE')
        AND proname <> ALL (ARRAY['append', 'number_leaves', 'add_checkpoint', 'one_sealer_at_a_time'])
    """,
    "a door of the ledger looks for names where others may create them": """
        SELECT proname FROM pg_proc
        WHERE pronamespace = 'ledger'::regnamespace AND prosecdef
        AND NOT coalesce('search_path=pg_catalog, pg_temp' = ANY (proconfig), false)
    """,
}


class NotReadyToServe(Exception):
    """Serving would be unsafe or would fail; the message says why and what to do."""


def require_ready() -> None:
    """Raise NotReadyToServe with every reason."""
    found = problems()
    connection.close()  # a server forks or hands over to threads after this
    if found:
        raise NotReadyToServe("Countersign does not serve: " + "; ".join(found))


def problems() -> list[str]:
    """Return every reason not to serve, each in one sentence; empty means ready."""
    try:
        if not _names("SELECT nspname FROM pg_namespace WHERE nspname = 'ledger'"):
            return ["the database is not prepared: run `python manage.py prepare_database`"]
        broken = {meaning: _names(query) for meaning, query in RULES.items()}
        return [
            *(f"{meaning}: {', '.join(names)}" for meaning, names in broken.items() if names),
            *_missing_migrations(),
        ]
    except DatabaseError as error:
        return [f"the database does not answer: {str(error).strip().splitlines()[0]}"]


def _names(query: str) -> list[str]:
    with connection.cursor() as cursor:
        cursor.execute(query)
        return [str(row[0]) for row in cursor.fetchall()]


def _missing_migrations() -> list[str]:
    executor = MigrationExecutor(connection)
    plan = executor.migration_plan(executor.loader.graph.leaf_nodes())
    if not plan:
        return []
    return [f"{len(plan)} migrations are missing: run `python manage.py prepare_database`"]
