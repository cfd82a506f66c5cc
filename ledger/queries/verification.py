"""Prove that the stored ledger still says what was hashed: one pass over all rows, never all of them in memory."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter

from django.db import connection, transaction

from ledger.decisions.chain import Head, Layer, Problem, Row, verify_line

_TEXTS = (
    "id", "conversation_id", "customer_id", "channel", "kind", "question_key", "asked_key", "question_canonical",
    "matched_by", "answer_text", "commitment_class", "supersedes", "replays", "restores", "reason", "owner",
    "decided_by", "decision_id",
)  # fmt: skip
_JSON = ("answer_source", "deciding_facts", "typed_facts")
_INSTANTS = ("effective_at", "recorded_at")
_NUMBERS = ("position", "format_version")
_BYTES = ("payload", "prev_hash", "entry_hash")
_FACTS = """
    (SELECT coalesce(jsonb_agg(jsonb_build_object(
        'ordinal', f.ordinal, 'kind', f.kind, 'unit', f.unit, 'low', f.low::text, 'high', f.high::text,
        'bound', f.bound, 'per', f.per, 'anchor', f.anchor, 'applies_to', f.applies_to, 'polarity', f.polarity,
        'span_start', f.span_start, 'span_end', f.span_end, 'topics', f.topics
    ) ORDER BY f.ordinal), '[]'::jsonb) FROM ledger.fact f WHERE f.entry_id = e.id)
"""
_COLUMNS = (*_TEXTS, *_JSON, *_INSTANTS, *_NUMBERS, *_BYTES)


def _selected(name: str) -> str:
    if name in _INSTANTS:  # as text: a tampered column may hold what no datetime can
        return f"""to_char(e.{name} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')"""
    return _FACTS if name == "typed_facts" else f"e.{name}"


_LINES = f"""
    SELECT coalesce(h.conversation_id, e.conversation_id), h.position, h.entry_hash,
        {", ".join(map(_selected, _COLUMNS))}
    FROM ledger.head h FULL JOIN ledger.entry e ON e.conversation_id = h.conversation_id
    ORDER BY 1, e.position, e.id
"""  # noqa: S608 - names of columns, all constants
_CHANGED_SOURCES = """
    SELECT e.conversation_id, e.position, e.id::text, e.answer_source ->> 'doc_id', e.answer_source ->> 'version'
    FROM ledger.entry e
    LEFT JOIN ledger_policyversion v
        ON v.document_id = e.answer_source ->> 'doc_id' AND v.version = e.answer_source ->> 'version'
    LEFT JOIN ledger_policystatement s ON s.version_id = v.id AND s.question_key_id = e.question_key
    WHERE e.kind IN ('ANSWER', 'CORRECTION') AND e.answer_source IS NOT NULL AND (
        s.text IS DISTINCT FROM e.answer_source ->> 'passage'
        OR to_char(v.effective_from, 'YYYY-MM-DD') IS DISTINCT FROM e.answer_source ->> 'effective_from'
    )
    ORDER BY e.conversation_id, e.position
"""


@dataclass(frozen=True, slots=True)
class Verified:
    """One conversation's line as checked."""

    conversation_id: str
    entries: int
    problems: tuple[Problem, ...]


def verify() -> Iterator[Verified]:
    """Yield every conversation with what does not fit in it, then each entry whose source says something else today.

    All is read from one snapshot, and rows come in batches.
    """
    is_outermost = not connection.in_atomic_block
    with transaction.atomic():
        if is_outermost:
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        for conversation_id, rows in groupby(_stream(_LINES), key=itemgetter(0)):
            yield _verified(str(conversation_id), list(rows))
        for conversation_id, position, entry_id, doc_id, version in _stream(_CHANGED_SOURCES):
            message = f"the policy {doc_id}/{version} no longer holds the passage that was recorded"
            problem = Problem(Layer.SOURCES, str(conversation_id), int(str(position)), str(entry_id), message)
            yield Verified(str(conversation_id), 0, (problem,))


def _stream(query: str) -> Iterator[Sequence[object]]:
    with connection.chunked_cursor() as cursor:
        cursor.execute(query)
        while batch := cursor.fetchmany(500):
            yield from batch


def _verified(conversation_id: str, rows: list[Sequence[object]]) -> Verified:
    _, head_position, head_hash, *_ = rows[0]
    head = None if head_position is None else Head(int(str(head_position)), _bytes(head_hash))
    stored = [_row(values[3:]) for values in rows if values[3] is not None]
    return Verified(conversation_id, len(stored), verify_line(conversation_id, stored, head))


def _row(values: Sequence[object]) -> Row:
    read = dict(zip(_COLUMNS, values, strict=True))
    columns: dict[str, object] = {name: None if read[name] is None else str(read[name]) for name in _TEXTS}
    columns |= {name: json.loads(str(read[name])) if read[name] is not None else None for name in _JSON}
    columns |= {name: read[name] for name in (*_INSTANTS, *_NUMBERS)}
    columns["prev_hash"] = _bytes(read["prev_hash"]).hex()
    return Row(
        entry_id=str(read["id"]),
        position=int(str(read["position"])),
        payload=_bytes(read["payload"]),
        prev_hash=_bytes(read["prev_hash"]),
        entry_hash=_bytes(read["entry_hash"]),
        columns=columns,
    )


def _bytes(value: object) -> bytes:
    return bytes(value) if isinstance(value, bytes | bytearray | memoryview) else b""
