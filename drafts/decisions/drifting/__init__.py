"""The drift report on history: one question of one conversation with more than one answer."""

from drafts.decisions.drifting.reading import BrokenLine, bounded_lines, read_csv, read_jsonl
from drafts.decisions.drifting.rows import rows_of
from drafts.decisions.drifting.transcripts import (
    Answer,
    Counts,
    Document,
    DriftRow,
    Passage,
    Transcript,
    Turn,
    Unread,
    known_role,
)

__all__ = [
    "Answer",
    "BrokenLine",
    "Counts",
    "Document",
    "DriftRow",
    "Passage",
    "Transcript",
    "Turn",
    "Unread",
    "bounded_lines",
    "known_role",
    "read_csv",
    "read_jsonl",
    "rows_of",
]
