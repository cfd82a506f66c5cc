"""Questions with several answers: the rows of the published query over the view `answer_ledger` (docs/analysts.md).

The published query reads every entry of its stretch of time. This one first finds in an index which questions were told
several texts, and reads those. The stretch is one of the database's clock, as in the view; when something was first
told is when it was decided, which is earlier where a ledger was brought in from elsewhere.
"""

from collections.abc import Iterator, Mapping
from datetime import datetime

from ledger.queries.auditing import SEVERAL_TEXTS, rows_of, streamed

QUERY = f"""
    SELECT conversation_id, question_key, count(DISTINCT answer_text) AS distinct_answers, count(*) AS times_asked,
        min(effective_at) AS first_told, array_agg(DISTINCT answer_source ->> 'doc_id') AS sources_used
    FROM ({SEVERAL_TEXTS.format("AND recorded_at > %s")}) several CROSS JOIN LATERAL (
        SELECT a.answer_text, e.effective_at, a.answer_source
        FROM answer_ledger a JOIN ledger.entry e ON e.id = a.entry_id
        WHERE a.conversation_id = several.conversation_id AND a.question_key = several.question_key
        AND a.locked_at > %s OFFSET 0
    ) told
    GROUP BY conversation_id, question_key
    HAVING count(DISTINCT answer_text) > 1
    ORDER BY times_asked DESC, conversation_id, question_key
"""  # noqa: S608 - constants


def several_answers(*, since: datetime, start: int, limit: int) -> tuple[Mapping[str, object], ...]:
    """Return a part of the questions that one customer was given more than one text for since an instant.

    The most often asked first. A corrected question is among them: its customer was told two answers.
    """
    return rows_of(f"{QUERY} OFFSET %s LIMIT %s", since, since, start, limit)


def every_several_answers(*, since: datetime) -> Iterator[Mapping[str, object]]:
    """Yield all of them while they are read."""
    return streamed(QUERY, since, since)
