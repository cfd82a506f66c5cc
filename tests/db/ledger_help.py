"""What the tests of the ledger say over and over: keys, policy versions, and entries of a conversation of their own.

Ledger rows outlive a test, so every conversation and document has a name of its own.
"""

import json
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, date, datetime

import psycopg
from psycopg.types.json import Jsonb

from ledger.decisions.vocabulary import (
    CommitmentClass,
    DocumentKind,
    KeyEntry,
    KeyOrigin,
    Statement,
    Version,
    VersionStatus,
)
from ledger.services import entries
from ledger.services.keys import put_key
from ledger.services.policies import put_version

NOW = datetime(2026, 5, 4, 10, 0, tzinfo=UTC)
KEY = "guarantee_term::bicycle"
ADJACENT = "guarantee_term::bicycle_fork"
HOURS = "opening_hours::shop"
PASSAGE = "Every bicycle has a guarantee of 36 months from the day of purchase."
FIVE_YEARS = "Every bicycle has a guarantee of 60 months from the day of purchase."

BICYCLE = KeyEntry(KEY, "How long is the guarantee on a bicycle?", deciding_facts=("bought_on",))
FORK = KeyEntry(
    ADJACENT,
    "How long is the guarantee on the fork?",
    parent=KEY,
    boundary="The fork belongs to the bicycle; it has no term of its own.",
)
OPENING_HOURS = KeyEntry(HOURS, "When are you open?", CommitmentClass.INFORMATION)
TERMS = Version(
    doc_id="terms",
    version="T1",
    title="Terms of sale",
    kind=DocumentKind.OWN_POLICY,
    channels=frozenset({"chat", "mail"}),
    deciding_date="bought_on",
    effective_from=date(2026, 1, 1),
    effective_until=None,
    status=VersionStatus.ACTIVE,
    statements=(Statement(KEY, "§ 4", PASSAGE),),
)


def written_columns(admin: psycopg.Connection, table: str = "ledger.entry") -> str:
    """Return the names of the columns that whoever writes a row gives; the database works out the others."""
    (names,) = admin.execute(
        "SELECT string_agg(quote_ident(attname), ', ' ORDER BY attnum) FROM pg_attribute"
        " WHERE attrelid = %s::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = ''",
        [table],
    ).fetchone()
    return str(names)


def own(prefix: str) -> str:
    """Return a name that nothing else uses."""
    return f"{prefix}-{uuid.uuid4()}"


def register() -> None:
    """Register the keys."""
    for key in (BICYCLE, FORK, OPENING_HOURS):
        put_key(key, actor=None, now=NOW)


def published(**changes: object) -> Version:
    """Publish a version, of a document of its own unless one is named, changed as said."""
    register()
    version = replace(TERMS, **{"doc_id": own("d"), **changes})
    put_version(version, actor=None, now=NOW)
    return version


def asking(conversation: str, **changes: object) -> dict[str, object]:
    """Return what every entry of a conversation says about its ask and decision."""
    return {
        "conversation_id": conversation,
        "customer_id": "customer-7",
        "channel": "chat",
        "question_key": KEY,
        "asked_key": KEY,
        "matched_by": KeyOrigin.FORM,
        "decided_by": "ana",
        "decision_id": own("decision"),
        "effective_at": NOW,
        **changes,
    }


def answered(conversation: str, version: Version, text: str = PASSAGE, **more: object) -> str:
    """Lock an answer that rests on a version, and return its entry id."""
    facts = more.pop("facts", {"bought_on": "2026-02-01"})
    return entries.record_answer(
        **asking(conversation, **more), answer_text=text, version=version, statement=version.statements[0], facts=facts
    ).entry_id


def replayed(conversation: str, live: str, **more: object) -> str:
    """Repeat an answer, and return the entry id."""
    return entries.record_replay(**asking(conversation), replays=live, **more).entry_id


def corrected(conversation: str, live: str, version: Version, text: str = FIVE_YEARS) -> str:
    """Correct an answer, and return the entry id."""
    return entries.record_correction(
        **asking(conversation), supersedes=live, answer_text=text, version=version, statement=version.statements[0],
        reason="The leaflet was out of date.", owner="olga", facts={"bought_on": "2026-02-01"},
    ).entry_id  # fmt: skip


def undone(conversation: str, entry_id: str) -> str:
    """Withdraw an entry, and return the withdrawal's id."""
    return entries.record_withdrawal(**asking(conversation), supersedes=entry_id).entry_id


SOURCE = {
    "doc_id": "terms",
    "version": "T1",
    "section": "§ 4",
    "effective_from": "2026-01-01",
    "effective_until": None,
    "retrieved_score": None,
    "passage": PASSAGE,
}


def raw(conversation: str, **changes: object) -> dict[str, object]:
    """Return an ANSWER as `ledger.append` takes it, changed as said; None leaves a member out."""
    entry = {
        "id": str(uuid.uuid4()),
        "kind": "ANSWER",
        "conversation_id": conversation,
        "question_key": KEY,
        "question_canonical": "How long is the guarantee on a bicycle?",
        "matched_by": "form",
        "answer_text": PASSAGE,
        "answer_source": SOURCE,
        "commitment_class": "binding_policy",
        "decided_by": "ana",
        "decision_id": "d-1",
        **changes,
    }
    return {name: value for name, value in entry.items() if value is not None}


def append(connection: psycopg.Connection, entry: dict[str, object]) -> tuple[str, int]:
    """Write an entry through the one door, and return its id and position."""
    row = connection.execute("SELECT id::text, position FROM ledger.append(%s)", [Jsonb(entry)]).fetchone()
    return row[0], row[1]


@contextmanager
def unprotected(connection: psycopg.Connection) -> Iterator[None]:
    """Switch the ledger's triggers off, as only its owner or a superuser can, and on again."""
    tables = ("ledger.entry", "ledger.fact", "ledger.head", "ledger.leaf", "ledger.checkpoint")
    for table in tables:
        connection.execute(f"ALTER TABLE {table} DISABLE TRIGGER ALL")
    try:
        yield
    finally:
        for table in tables:
            connection.execute(f"ALTER TABLE {table} ENABLE TRIGGER ALL")
        own_triggers = connection.execute(
            "SELECT tgrelid::regclass::text, tgname FROM pg_trigger JOIN pg_class c ON c.oid = tgrelid"
            " WHERE relnamespace = 'ledger'::regnamespace AND NOT tgisinternal"
        )
        for table, trigger in own_triggers.fetchall():
            connection.execute(f"ALTER TABLE {table} ENABLE ALWAYS TRIGGER {trigger}")


@contextmanager
def kept(connection: psycopg.Connection, conversation: str) -> Iterator[None]:
    """Put a conversation's ledger rows back as they were, whatever was done to them."""
    entry_ids = f"SELECT id FROM ledger.entry WHERE conversation_id = '{conversation}'"
    parts = {
        "ledger.head": f"conversation_id = '{conversation}'",
        "ledger.entry": f"conversation_id = '{conversation}'",
        "ledger.fact": f"entry_id IN ({entry_ids})",
    }
    saved = {
        table: connection.execute(f"SELECT to_jsonb(t) FROM {table} t WHERE {where}").fetchall()
        for table, where in parts.items()
    }
    try:
        yield
    finally:
        with unprotected(connection):
            for table in reversed(parts):
                connection.execute(f"DELETE FROM {table} WHERE {parts[table]}")
            for table, rows in saved.items():
                names = written_columns(connection, table)
                for (row,) in rows:
                    connection.execute(
                        f"INSERT INTO {table} ({names}) SELECT {names} FROM jsonb_populate_record(NULL::{table}, %s)",
                        [json.dumps(row)],
                    )
