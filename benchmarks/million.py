"""A ledger of a million entries, with valid hashes, for what must stay quick at that size.

Two hundred thousand conversations with five entries each, spread over a year: two answers, replays of both, and in one
conversation of ten a correction. The rows are made in SQL, place after place so that each chains to the one before,
with the product's own `ledger.payload_of`, and inserted in the order of their time, as they would have arrived. The
ledger's triggers are switched off meanwhile and stand as `ENABLE ALWAYS` afterwards; constraints stay on.

    DATA_DIR=/somewhere/new python benchmarks/million.py      fills a new installation and leaves it running
"""

import subprocess
import sys
from collections.abc import Callable

import psycopg
from common import ROOT
from common import django as set_up
from psycopg.conninfo import make_conninfo

ENTRIES = 1_000_000
PLACES = 5
AT_ONCE = 10_000
TABLES = ("ledger.entry", "ledger.fact", "ledger.head")
FIRST, SECOND = "return_window::online_store", "delivery_time::standard"
CORRECTED = "An unused lamp can be returned within 30 days of receipt."
DELIVERY = "Standard delivery takes 3 to 5 business days after dispatch."

COLUMNS = """
    id, conversation_id, customer_id, channel, position, kind, question_key, asked_key, question_canonical,
    matched_by, answer_text, answer_source, commitment_class, deciding_facts, supersedes, replays, reason, owner,
    decided_by, decision_id, effective_at, recorded_at, format_version, prev_hash, payload, entry_hash
"""
"""What is written; the database works the other columns out itself."""
STAGE = f"CREATE TEMPORARY TABLE stage ON COMMIT DELETE ROWS AS SELECT {COLUMNS} FROM ledger.entry WITH NO DATA"
HEADS = """
    INSERT INTO ledger.head (conversation_id, position, entry_hash)
    SELECT 'million-' || n, 0, ledger.genesis('million-' || n)
    FROM generate_series(%(first)s::integer, %(last)s::integer) n
"""
PLACE = """
    INSERT INTO stage ({columns})
    SELECT
        x.id, x.conversation_id, x.customer_id, x.channel, x.position, x.kind, x.question_key, x.asked_key,
        x.question_canonical, x.matched_by, x.answer_text, x.answer_source, x.commitment_class, x.deciding_facts,
        x.supersedes, x.replays, x.reason, x.owner, x.decided_by, x.decision_id, x.effective_at, x.recorded_at,
        x.format_version, x.prev_hash, h.payload, sha256('\\x00'::bytea || x.prev_hash || sha256(h.payload))
    FROM (
        SELECT
            md5('million' || n || '-' || {place})::uuid AS id,
            'million-' || n AS conversation_id,
            'customer-' || n / 3 AS customer_id,
            'online-store' AS channel,
            {place}::bigint AS position,
            k.kind, q.key AS question_key, q.key AS asked_key, q.question_canonical, 'form' AS matched_by,
            CASE WHEN k.kind = 'CORRECTION' THEN %(corrected)s ELSE s.text END AS answer_text,
            jsonb_build_object(
                'doc_id', v.document_id, 'version', v.version, 'title', v.title, 'kind', 'own_policy',
                'deciding_date', 'received_on', 'section', s.section, 'effective_from', v.effective_from,
                'effective_until', v.effective_until, 'retrieved_score', NULL, 'passage', s.text,
                'passage_digest', encode(sha256(convert_to(s.text, 'UTF8')), 'hex')
            ) AS answer_source,
            q.commitment_class, '{{"received_on": "2026-01-02"}}'::jsonb AS deciding_facts,
            CASE WHEN k.kind = 'CORRECTION' THEN md5('million' || n || '-1')::uuid END AS supersedes,
            CASE WHEN k.kind = 'REPLAY' THEN md5('million' || n || '-' || {answer})::uuid END AS replays,
            CASE WHEN k.kind = 'CORRECTION' THEN 'The page was out of date.' END AS reason,
            CASE WHEN k.kind = 'CORRECTION' THEN 'owner' END AS owner,
            'agent' AS decided_by, 'million-' || n || '-' || {place} AS decision_id,
            at.said AS effective_at, at.said AS recorded_at, 1::smallint AS format_version,
            coalesce(b.entry_hash, ledger.genesis('million-' || n)) AS prev_hash
        FROM generate_series(%(first)s::integer, %(last)s::integer) n
        CROSS JOIN LATERAL (SELECT {kind} AS kind) k
        CROSS JOIN LATERAL (
            SELECT now() - interval '360 days' + interval '355 days' * n / %(conversations)s::integer
                + interval '1 day' * ({place} - 1) AS said
        ) at
        JOIN ledger_questionkey q ON q.key = %(key)s
        JOIN ledger_policystatement s ON s.question_key_id = q.key
        JOIN ledger_policyversion v ON v.id = s.version_id
        LEFT JOIN stage b ON b.conversation_id = 'million-' || n AND b.position = {place} - 1
    ) x
    CROSS JOIN LATERAL (
        SELECT ledger.payload_of(
            jsonb_populate_record(NULL::ledger.entry, to_jsonb(x)),
            CASE WHEN x.kind = 'REPLAY' THEN '[]'::jsonb ELSE %(facts)s::jsonb END
        ) AS payload
    ) h
"""
WRITE = f"""
    INSERT INTO ledger.entry ({COLUMNS}) SELECT {COLUMNS} FROM stage ORDER BY recorded_at;
    INSERT INTO ledger.fact
        SELECT id, 0, 'duration', 'day', 14, 14, 'within', NULL, 'receipt', NULL, true, 34, 48, '["return"]'
        FROM stage WHERE kind <> 'REPLAY';
    UPDATE ledger.head h SET position = s.position, entry_hash = s.entry_hash
        FROM stage s WHERE s.conversation_id = h.conversation_id AND s.position = 5;
"""
FACTS = """[{
    "ordinal": 0, "kind": "duration", "unit": "day", "low": "14", "high": "14", "bound": "within", "per": null,
    "anchor": "receipt", "applies_to": null, "polarity": true, "span_start": 34, "span_end": 48, "topics": ["return"]
}]"""
DESK = """
    INSERT INTO drafts_conversation (external_id, customer_id, channel, created_at)
        SELECT conversation_id, customer_id, channel, recorded_at FROM ledger.entry WHERE position = 1
        AND conversation_id LIKE 'million-%';
    INSERT INTO drafts_message (conversation_id, external_id, ordinal, role, text, received_at, through_desk)
        SELECT c.id, 'm' || e.position || r.role, 2 * e.position - (r.role = 'customer')::integer, r.role,
            CASE r.role WHEN 'agent' THEN e.answer_text ELSE e.question_canonical END, e.recorded_at, r.role = 'agent'
        FROM ledger.entry e JOIN drafts_conversation c ON c.external_id = e.conversation_id,
            (VALUES ('customer'), ('agent')) r (role)
        WHERE e.conversation_id LIKE 'million-%';
"""
KINDS = ("'ANSWER'", "'REPLAY'", "'ANSWER'", "CASE WHEN n % 10 = 0 THEN 'CORRECTION' ELSE 'REPLAY' END", "'REPLAY'")
ASKED = (FIRST, FIRST, SECOND, FIRST, SECOND)
ANSWERED_AT = (1, 1, 3, 1, 3)

type Session = psycopg.Connection[tuple[object, ...]]


def fill(session: Session, *, entries: int = ENTRIES, told: Callable[[int], None] = lambda _: None) -> None:
    """Append so many entries; `session` may act as the ledger's owner. `told` hears how many stand so far.

    The two questions and their passages must be there (see `sources`). Filling twice is refused by the ledger's keys.
    """
    conversations = entries // PLACES
    session.execute(STAGE)
    session.commit()
    for first in range(1, conversations + 1, AT_ONCE):
        last = min(first + AT_ONCE - 1, conversations)
        _switch(session, "DISABLE TRIGGER USER")
        session.execute(HEADS, {"first": first, "last": last})
        for place in range(1, PLACES + 1):
            _place(session, place, first=first, last=last, conversations=conversations)
        for statement in WRITE.split(";")[:-1]:
            session.execute(statement)
        _stand_guard(session)
        session.commit()
        told(last * PLACES)


def _place(session: Session, place: int, *, first: int, last: int, conversations: int) -> None:
    session.execute("ANALYZE stage")
    values = {
        "first": first,
        "last": last,
        "conversations": conversations,
        "key": ASKED[place - 1],
        "corrected": CORRECTED,
        "facts": FACTS,
    }
    kind = KINDS[place - 1].replace("%", "%%")
    session.execute(PLACE.format(columns=COLUMNS, place=place, kind=kind, answer=ANSWERED_AT[place - 1]), values)


def _switch(session: Session, how: str) -> None:
    for table in TABLES:
        session.execute(f"ALTER TABLE {table} {how}")


def _stand_guard(session: Session) -> None:
    """Put every trigger of the ledger back as it was."""
    session.execute("SET CONSTRAINTS ALL IMMEDIATE")
    own = session.execute(
        "SELECT tgrelid::regclass::text, tgname FROM pg_trigger WHERE NOT tgisinternal"
        " AND tgrelid = ANY (%s::regclass[])",
        [list(TABLES)],
    )
    for table, trigger in own.fetchall():
        session.execute(f"ALTER TABLE {table} ENABLE ALWAYS TRIGGER {trigger}")


def sources() -> None:
    """Publish the two documents that the entries rest on, through the product's own services."""
    from django.contrib.auth.models import User

    from tests import builders

    owner = User.objects.get(username="owner")
    builders.return_policy(owner)
    builders.key(SECOND, by=owner, question_canonical="How long does delivery take?", deciding_facts=())
    builders.version(by=owner, doc_id="delivery", name="DEL-1", key=SECOND, passage=DELIVERY)


def settle(session: Session) -> None:
    """Let the planner know the new sizes and the index-only scans what is visible, as autovacuum would."""
    session.autocommit = True
    session.execute("VACUUM (ANALYZE)")
    session.autocommit = False


def million(*, entries: int = ENTRIES, with_desk: bool = True) -> None:
    """Prepare the database of DATA_DIR and fill it, unless it is filled already. Leaves an embedded server running."""
    for command in (["database", "start"], ["prepare_database"]):
        subprocess.run([sys.executable, str(ROOT / "manage.py"), *command], check=True, stdout=subprocess.DEVNULL)
    set_up()
    from console.database.places import current_place

    with psycopg.connect(make_conninfo(**current_place().admin)) as session:
        session.execute("SET statement_timeout = 0")
        if session.execute("SELECT 1 FROM ledger.head WHERE conversation_id = 'million-1'").fetchone():
            return
        sources()
        fill(session, entries=entries, told=_show)
        for statement in DESK.split(";")[:-1] if with_desk else ():
            session.execute(statement)
        session.commit()
        settle(session)


def _show(done: int) -> None:
    if sys.stderr.isatty() or done % 200_000 == 0:
        print(f"  {done:,} entries", end="\r" if sys.stderr.isatty() else "\n", file=sys.stderr, flush=True)


if __name__ == "__main__":
    million()
