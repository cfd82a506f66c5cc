"""The audit: five checks, each with the rows behind its number (rule 3.8)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.db import connection

from ledger.decisions.policies import competing
from ledger.queries.sources import registry, versions

type Rows = tuple[Mapping[str, object], ...]

NAMES = {
    1: "Conversations with more than one distinct answer per key not joined by a correction",
    2: "Keys backed by more than one active document",
    3: "Repeats answered from fresh retrieval",
    4: "Corrections without a reason or an owner",
    5: "Commitment answers without a source",
}

_STANDING = """
    SELECT e.* FROM ledger.entry e WHERE NOT EXISTS (
        SELECT FROM ledger.entry undo WHERE undo.supersedes = e.id AND undo.kind = 'WITHDRAWAL'
    )
"""
_SEVERAL_ANSWERS = f"""
    WITH standing AS ({_STANDING})
    SELECT conversation_id, question_key, count(DISTINCT answer_text) AS distinct_answers,
        jsonb_agg(DISTINCT answer_text) AS answers
    FROM standing WHERE kind = 'ANSWER'
    GROUP BY conversation_id, question_key HAVING count(DISTINCT answer_text) > 1
    UNION ALL
    SELECT r.conversation_id, r.question_key, 2, jsonb_build_array(told.answer_text, r.answer_text)
    FROM standing r JOIN ledger.entry told ON told.id = r.replays
    WHERE r.kind = 'REPLAY' AND r.answer_text <> told.answer_text
    ORDER BY 1, 2
"""  # noqa: S608 - constants of this module
_INCOMPLETE_CORRECTIONS = """
    SELECT id::text AS entry_id, conversation_id, question_key, reason, owner FROM ledger.entry
    WHERE kind = 'CORRECTION' AND (coalesce(reason, '') !~ '[^[:space:]]' OR coalesce(owner, '') !~ '[^[:space:]]')
    ORDER BY conversation_id, position
"""
_UNSOURCED = """
    SELECT id::text AS entry_id, conversation_id, question_key, answer_text FROM ledger.entry
    WHERE kind IN ('ANSWER', 'CORRECTION') AND commitment_class <> 'information'
    AND (answer_source ->> 'doc_id' IS NULL OR answer_source ->> 'version' IS NULL)
    ORDER BY conversation_id, position
"""


@dataclass(frozen=True, slots=True)
class AuditCheck:
    """One check with the rows that break it. Its threshold is 0 unless told otherwise."""

    id: int
    name: str
    rows: Rows
    threshold: int = 0

    @property
    def healthy(self) -> bool:
        """Say whether no more rows were found than the threshold allows."""
        return len(self.rows) <= self.threshold


def audit(more: Mapping[int, Sequence[Mapping[str, object]]] | None = None) -> tuple[AuditCheck, ...]:
    """Run the five checks. `more` adds rows that the ledger cannot see, by check id: check 3 comes from the replies."""
    found: dict[int, Rows] = {
        1: _rows(_SEVERAL_ANSWERS),
        2: contested_keys(),
        3: (),
        4: _rows(_INCOMPLETE_CORRECTIONS),
        5: _rows(_UNSOURCED),
    }
    added = more or {}
    return tuple(AuditCheck(number, NAMES[number], (*found[number], *added.get(number, ()))) for number in NAMES)


def contested_keys() -> Rows:
    """Return each root key that several active documents of ours answer on one channel, with their versions."""
    known, stored = registry(), versions()
    rows = []
    for key, entry in known.items():
        found = competing(stored, key) if entry.parent is None else ()
        if found:
            rows.append(
                {
                    "question_key": key,
                    "documents": sorted({v.doc_id for v in found}),
                    "versions": [v.version for v in found],
                    "channels": sorted(frozenset[str]().union(*(v.channels for v in found))),
                }
            )
    return tuple(rows)


def _rows(query: str) -> Rows:
    with connection.cursor() as cursor:
        cursor.execute(query)
        names = [column.name for column in cursor.description or ()]
        return tuple(dict(zip(names, row, strict=True)) for row in cursor.fetchall())
