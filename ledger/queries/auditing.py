"""The audit's checks on the ledger and the sources, each with the rows behind its number (rule 3.8).

Every check can come back to zero by the product's own means, or a number above it would soon be one that nobody reads.
What is wrong stays in the ledger; what is asked is whether it was put right *for the customer* since:

1. Several distinct answers under one key are joined by a CORRECTION on that key that came after the last of them: it
   names what was said, withdraws it and gives the one answer that holds. A replay that says something else than what it
   replays is a second answer too.
2. A key is no longer contested when its conflict is settled (keep one version, retire or narrow the others).
4. A correction without reason or owner is made good by a complete one on the same key after it.
5. An answer without a source is made good by a correction with one after it.

Check 3 is about replies, which the ledger does not hold; it stands in `drafts.queries.auditing`. What was withdrawn
before it left was never told: it breaks nothing, and mends nothing.

Each query touches few rows of a large ledger. Checks 4 and 5 read a partial index that holds offending rows alone.
Check 1 tells texts apart by their digests, in an index that holds nothing else, and reads the entries of those
questions alone that were told several (`OFFSET 0` keeps the planner from reading all).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import connection, transaction

from ledger.decisions.policies import competing
from ledger.decisions.vocabulary import Version
from ledger.models.shared import VISIBLE
from ledger.queries.sources import registry, versions

type Rows = tuple[Mapping[str, object], ...]

NAMES = {
    1: "Conversations with more than one distinct answer per key not joined by a correction",
    2: "Keys backed by more than one active document",
    3: "Repeats answered from fresh retrieval",
    4: "Corrections without a reason or an owner",
    5: "Commitment answers without a source",
}
TITLES = {
    1: "Two answers to one question",
    2: "Questions that several documents answer",
    3: "Repeats answered anew",
    4: "Corrections without a reason or an owner",
    5: "Answers without a source",
}
"""What a check is called wherever people read of it; its whole name (`NAMES`) is for programs and the command."""
FIRST_ROWS = 100
"""Rows of one check that are read unless a part of them is asked for."""
READ_AT_ONCE = 500

_UNDONE = "EXISTS (SELECT FROM ledger.entry undo WHERE undo.supersedes = {0}.id AND undo.kind = 'WITHDRAWAL')"
_CORRECTED = """EXISTS (
    SELECT FROM ledger.entry mend
    WHERE mend.conversation_id = {0}.conversation_id AND mend.question_key = {0}.question_key
    AND mend.position > {0}.position AND mend.kind = 'CORRECTION' AND mend.replays IS NULL AND {1} AND NOT {2}
)"""
_COMPLETE = f"coalesce(mend.reason, '') ~ '{VISIBLE}' AND coalesce(mend.owner, '') ~ '{VISIBLE}'"
_SOURCED = "mend.answer_source ->> 'doc_id' IS NOT NULL AND mend.answer_source ->> 'version' IS NOT NULL"


def _mended(row: str, how: str) -> str:
    return _CORRECTED.format(row, how, _UNDONE.format("mend"))


SEVERAL_TEXTS = """
    SELECT conversation_id, question_key FROM ledger.entry WHERE kind <> 'WITHDRAWAL' {0}
    GROUP BY conversation_id, question_key HAVING count(DISTINCT answer_digest) > 1
"""
"""The questions whose customer was told several texts, found in an index alone; a condition may narrow it."""
_SEVERAL_ANSWERS = f"""
    WITH several_texts AS MATERIALIZED ({SEVERAL_TEXTS.format("")}), said AS (
        SELECT t.conversation_id, t.question_key, e.answer_text, e.position
        FROM several_texts t CROSS JOIN LATERAL (
            SELECT e.answer_text, e.position FROM ledger.entry e
            WHERE e.conversation_id = t.conversation_id AND e.question_key = t.question_key
            AND e.kind = 'ANSWER' AND NOT {_UNDONE.format("e")}
            UNION ALL
            SELECT unnest(ARRAY[r.answer_text, told.answer_text]), r.position
            FROM ledger.entry r JOIN ledger.entry told ON told.id = r.replays
            WHERE r.conversation_id = t.conversation_id AND r.question_key = t.question_key
            AND r.kind = 'REPLAY' AND r.answer_text <> told.answer_text AND NOT {_UNDONE.format("r")}
            OFFSET 0
        ) e
    ), several AS (
        SELECT conversation_id, question_key, count(DISTINCT answer_text) AS distinct_answers,
            array_agg(DISTINCT answer_text) AS answers, max(position) AS position
        FROM said GROUP BY conversation_id, question_key HAVING count(DISTINCT answer_text) > 1
    )
    SELECT conversation_id, question_key, distinct_answers, answers FROM several
    WHERE NOT {_mended("several", "true")}
    ORDER BY conversation_id, question_key
"""  # noqa: S608 - constants of this module
INCOMPLETE = f"kind = 'CORRECTION' AND NOT (coalesce(reason, '') ~ '{VISIBLE}' AND coalesce(owner, '') ~ '{VISIBLE}')"
"""What a partial index of the ledger holds, word for word, so that the planner knows it again (migrations)."""
_INCOMPLETE_CORRECTIONS = f"""
    SELECT id::text AS entry_id, conversation_id, question_key, answer_text, reason, owner, decided_by, recorded_at
    FROM ledger.entry e
    WHERE {INCOMPLETE} AND NOT {_UNDONE.format("e")} AND NOT {_mended("e", _COMPLETE)}
    ORDER BY conversation_id, position
"""  # noqa: S608 - constants of this module
UNSOURCED = (
    "kind IN ('ANSWER', 'CORRECTION') AND commitment_class <> 'information'"
    " AND (answer_source ->> 'doc_id' IS NULL OR answer_source ->> 'version' IS NULL)"
)
"""See INCOMPLETE."""
_UNSOURCED = f"""
    SELECT id::text AS entry_id, conversation_id, question_key, answer_text, decided_by, recorded_at
    FROM ledger.entry e
    WHERE {UNSOURCED} AND NOT {_UNDONE.format("e")} AND NOT {_mended("e", _SOURCED)}
    ORDER BY conversation_id, position
"""  # noqa: S608 - constants of this module
_OF_THE_LEDGER = {1: _SEVERAL_ANSWERS, 4: _INCOMPLETE_CORRECTIONS, 5: _UNSOURCED}


@dataclass(frozen=True, slots=True)
class AuditCheck:
    """One check: how many rows break it, and the part of them that was asked for. Its threshold is 0."""

    id: int
    name: str
    count: int
    rows: Rows
    threshold: int = 0

    @property
    def healthy(self) -> bool:
        """Say whether no more rows were found than the threshold allows."""
        return self.count <= self.threshold


def check(number: int, *, start: int = 0, limit: int = FIRST_ROWS) -> AuditCheck:
    """Run a check of the ledger or the sources and return its count with one part of its rows; not check 3."""
    if number == 2:
        contested = contested_keys()
        return AuditCheck(number, NAMES[number], len(contested), contested[start : start + limit])
    return counted(number, _OF_THE_LEDGER[number], start=start, limit=limit)


def every_row(number: int) -> Iterator[Mapping[str, object]]:
    """Yield all rows of a check of the ledger or the sources while they are read; not check 3."""
    return iter(contested_keys()) if number == 2 else streamed(_OF_THE_LEDGER[number])


def counted(number: int, query: str, *, start: int, limit: int) -> AuditCheck:
    """Run a check's query once, for its count and one part of its rows.

    Beyond the last row the part is empty, and the count is found by asking for the beginning.
    """
    counting = f"SELECT found.*, count(*) OVER () AS how_many FROM ({query}) found OFFSET %s LIMIT %s"  # noqa: S608
    found = rows_of(counting, start, limit)
    if not found and start:
        return AuditCheck(number, NAMES[number], counted(number, query, start=0, limit=1).count, ())
    count = int(str(found[0]["how_many"])) if found else 0
    rows = tuple({name: value for name, value in row.items() if name != "how_many"} for row in found)
    return AuditCheck(number, NAMES[number], count, rows)


def streamed(query: str, *values: datetime | int) -> Iterator[Mapping[str, object]]:
    """Yield the rows of a query in batches, from one snapshot, whatever their number."""
    with transaction.atomic(), connection.chunked_cursor() as cursor:
        cursor.execute(query, values or None)
        names: Sequence[str] = ()
        while batch := cursor.fetchmany(READ_AT_ONCE):
            names = names or [column.name for column in cursor.description or ()]
            for row in batch:
                yield dict(zip(names, row, strict=True))


def contested_keys() -> Rows:
    """Return each root key that several active documents of ours answer on one channel, with their versions.

    The channels are those on which they compete.
    """
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
                    "channels": _contested_channels(found, key),
                }
            )
    return tuple(rows)


def _contested_channels(found: Sequence[Version], key: str) -> list[str]:
    """Return the channels on which they really meet; each may answer alone on others."""
    named = frozenset[str]().union(*(version.channels for version in found))
    return sorted(channel for channel in named if competing(found, key, channel))


def rows_of(query: str, *values: datetime | int) -> Rows:
    """Return the rows of a query by the names of its columns."""
    with connection.cursor() as cursor:
        cursor.execute(query, values)
        names = [column.name for column in cursor.description or ()]
        return tuple(dict(zip(names, row, strict=True)) for row in cursor.fetchall())
