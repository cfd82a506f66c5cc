"""Questions with several answers: the published query over the view `answer_ledger` (docs/analysts.md)."""

from collections.abc import Iterator, Mapping
from datetime import datetime

from ledger.queries.auditing import rows_of, streamed

QUERY = """
    SELECT conversation_id, question_key, count(DISTINCT answer_text) AS distinct_answers, count(*) AS times_asked,
        min(locked_at) AS first_answered, array_agg(DISTINCT answer_source ->> 'doc_id') AS sources_used
    FROM answer_ledger
    WHERE locked_at > %s
    GROUP BY conversation_id, question_key
    HAVING count(DISTINCT answer_text) > 1
    ORDER BY times_asked DESC, conversation_id, question_key
"""


def several_answers(*, since: datetime, start: int, limit: int) -> tuple[Mapping[str, object], ...]:
    """Return a part of the questions that one customer was given more than one text for since an instant.

    The most often asked first. A corrected question is among them: its customer was told two answers.
    """
    return rows_of(f"{QUERY} OFFSET %s LIMIT %s", since, start, limit)


def every_several_answers(*, since: datetime) -> Iterator[Mapping[str, object]]:
    """Yield all of them while they are read."""
    return streamed(QUERY, since)
