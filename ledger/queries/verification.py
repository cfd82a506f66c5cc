"""Prove that the stored ledger still says what was hashed: one pass over all rows, never all of them in memory."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import batched, chain, groupby
from operator import itemgetter

from django.db import connection, transaction

from ledger.decisions.anchors import Known
from ledger.decisions.chain import Head, Layer, LineCheck, Problem, Row
from ledger.decisions.leaves import Covered, Leaf, TreeCheck, beside_entry
from ledger.queries.checkpoints import as_bytes

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
    SELECT conversation_id, h.position, h.entry_hash,
        {", ".join(map(_selected, _COLUMNS))}
    FROM (SELECT * FROM ledger.head {{of}}) h FULL JOIN (SELECT * FROM ledger.entry {{of}}) e USING (conversation_id)
    ORDER BY 1, e.position, e.id
"""  # noqa: S608 - names of columns, all constants
_CHANGED_SOURCES = """
    SELECT e.conversation_id, e.position, e.id::text, e.answer_source ->> 'doc_id', e.answer_source ->> 'version'
    FROM (SELECT * FROM ledger.entry {of}) e
    LEFT JOIN ledger_policyversion v
        ON v.document_id = e.answer_source ->> 'doc_id' AND v.version = e.answer_source ->> 'version'
    LEFT JOIN ledger_policystatement s ON s.version_id = v.id AND s.question_key_id = e.question_key
    WHERE e.kind IN ('ANSWER', 'CORRECTION') AND e.answer_source IS NOT NULL AND (
        s.text IS DISTINCT FROM e.answer_source ->> 'passage'
        OR to_char(v.effective_from, 'YYYY-MM-DD') IS DISTINCT FROM e.answer_source ->> 'effective_from'
    )
    ORDER BY e.conversation_id, e.position
"""
_LEAVES = """
    SELECT l.number, l.entry_id::text, l.conversation_id, l.position, l.entry_hash, e.entry_hash,
        CASE WHEN isfinite(e.recorded_at) THEN e.recorded_at END,
        e.conversation_id = l.conversation_id AND e.position = l.position
    FROM (SELECT * FROM ledger.leaf {of}) l LEFT JOIN ledger.entry e ON e.id = l.entry_id
    ORDER BY l.number
"""
_WITHOUT_LEAF = """
    SELECT NULL, e.id::text, e.conversation_id, e.position, e.entry_hash, e.entry_hash,
        CASE WHEN isfinite(e.recorded_at) THEN e.recorded_at END, true
    FROM ledger.entry e WHERE NOT EXISTS (SELECT FROM ledger.leaf l WHERE l.entry_id = e.id)
    ORDER BY e.recorded_at, e.conversation_id, e.position
"""
BATCH = 500


@dataclass(frozen=True, slots=True)
class Verified:
    """A stretch of the check: so many entries of a conversation followed, and what does not fit in them.

    `leaves` counts those whose place in the tree was looked at, and the last stretch says how many are `covered`. A
    long conversation comes in several stretches.
    """

    conversation_id: str | None
    entries: int
    problems: tuple[Problem, ...]
    leaves: int = 0
    covered: Covered | None = None


def verify(*, conversation_id: str | None = None, accepted: Sequence[Known] | None = None) -> Iterator[Verified]:
    """Yield every conversation, or one, with what does not fit; then entries whose source says something else today.

    Of one conversation the leaves that name it are looked at too. With `accepted` checkpoints the whole tree is
    followed, and they are held against it. All is read from one snapshot, in batches, so memory does not grow with the
    ledger. Nothing is yielded of a conversation that the ledger does not know.
    """
    is_outermost = not connection.in_atomic_block
    with transaction.atomic():
        if is_outermost:
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
                # sorting a large ledger takes longer than a page may, and a reader may pause a printed list
                cursor.execute("SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0")
        for name, rows in groupby(_stream(_LINES, of=conversation_id), itemgetter(0)):
            yield from _verified_line(str(name), rows)
        for row in _stream(_CHANGED_SOURCES, of=conversation_id):
            problem = _changed(row)
            yield Verified(problem.conversation_id, 0, (problem,))
        if conversation_id is not None:
            yield from _verified_leaves(conversation_id)
        if accepted is not None:
            yield from _verified_tree(accepted)


def places_of(entry_ids: Sequence[str]) -> Mapping[str, int]:
    """Return the number that each entry has among all, without those that have none yet."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT entry_id::text, number FROM ledger.leaf WHERE entry_id = ANY (%s::uuid[])", [list(entry_ids)]
        )
        return {str(entry_id): int(number) for entry_id, number in cursor.fetchall()}


def entry_count() -> int:
    """Return how many entries there are."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM ledger.entry")
        [count] = cursor.fetchone()
    return int(count)


def _stream(query: str, *, of: str | None = None) -> Iterator[Sequence[object]]:
    """Yield the rows of a query, of one conversation where it is named."""
    restriction = "" if of is None else "WHERE conversation_id = %s"
    with connection.chunked_cursor() as cursor:
        cursor.execute(query.format(of=restriction), [of] * query.count("{of}") if of is not None else [])
        while batch := cursor.fetchmany(BATCH):
            yield from batch


def _verified_line(conversation_id: str, rows: Iterator[Sequence[object]]) -> Iterator[Verified]:
    line = LineCheck(conversation_id)
    head: Head | None = None
    for some in batched(rows, BATCH):
        _, position, entry_hash, *_ = some[0]
        head = None if position is None else Head(int(str(position)), as_bytes(entry_hash))
        stored = [_row(values[3:]) for values in some if values[3] is not None]
        problems = tuple(problem for row in stored for problem in line.follow(row))
        yield Verified(conversation_id, len(stored), problems)
    if problems := line.end(head):
        yield Verified(conversation_id, 0, problems)


def _verified_leaves(conversation_id: str) -> Iterator[Verified]:
    for some in batched(_stream(_LEAVES, of=conversation_id), BATCH):
        problems = tuple(problem for row in some for problem in beside_entry(_leaf(row)))
        yield Verified(conversation_id, 0, problems, leaves=len(some))


def _verified_tree(accepted: Sequence[Known]) -> Iterator[Verified]:
    tree = TreeCheck(accepted)
    for some in batched(chain(_stream(_LEAVES), _stream(_WITHOUT_LEAF)), BATCH):
        yield Verified(None, 0, tuple(p for row in some for p in tree.follow(_leaf(row))), leaves=len(some))
    yield Verified(None, 0, tuple(tree.end()), covered=tree.covered)


def _leaf(row: Sequence[object]) -> Leaf:
    number, entry_id, conversation_id, position, leaf_hash, entry_hash, recorded_at, fits = row
    return Leaf(
        number=None if number is None else int(str(number)),
        entry_id=str(entry_id),
        conversation_id=str(conversation_id),
        position=int(str(position)),
        leaf_hash=as_bytes(leaf_hash),
        entry_hash=None if entry_hash is None else as_bytes(entry_hash),
        recorded_at=recorded_at if isinstance(recorded_at, datetime) else None,
        fits=bool(fits),
    )


def _changed(row: Sequence[object]) -> Problem:
    conversation_id, position, entry_id, doc_id, version = row
    message = f"the policy {doc_id}/{version} no longer holds the passage that was recorded"
    return Problem(Layer.SOURCES, str(conversation_id), int(str(position)), str(entry_id), message)


def _row(values: Sequence[object]) -> Row:
    read = dict(zip(_COLUMNS, values, strict=True))
    columns: dict[str, object] = {name: None if read[name] is None else str(read[name]) for name in _TEXTS}
    columns |= {name: json.loads(str(read[name])) if read[name] is not None else None for name in _JSON}
    columns |= {name: read[name] for name in (*_INSTANTS, *_NUMBERS)}
    columns["prev_hash"] = as_bytes(read["prev_hash"]).hex()
    return Row(
        entry_id=str(read["id"]),
        position=int(str(read["position"])),
        payload=as_bytes(read["payload"]),
        prev_hash=as_bytes(read["prev_hash"]),
        entry_hash=as_bytes(read["entry_hash"]),
        columns=columns,
    )
