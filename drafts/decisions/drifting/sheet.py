"""A drift report as a table and as words, one line for each sentence in which an answer was given."""

from collections.abc import Iterator

from drafts.decisions.drifting.transcripts import DriftRow

COLUMNS = (
    "conversation_id", "question_key", "times_asked", "distinct_answers", "answer", "turn", "sentence", "documents",
)  # fmt: skip
_FORMULA_SIGNS = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")


def sheet_lines(row: DriftRow) -> Iterator[tuple[str | int, ...]]:
    """Yield one line of cells for each sentence of a row's evidence, or one without a sentence where there is none.

    A reply that was not understood has a line with its sentence and no answer.
    Texts that a spreadsheet would take for a formula begin with an apostrophe.
    """
    head = (as_text(row.conversation_id), row.question_key, row.times_asked, len(row.distinct_answers))
    for answer in row.evidence:
        named = "; ".join(
            f"{document.doc_id} {document.version} {document.section}".strip()
            for document in row.documents
            if document.answer == answer.value
        )
        yield (*head, as_text(answer.value), answer.turn, as_text(answer.text), as_text(named))
    for reply in row.unread:
        yield (*head, "", reply.turn, as_text(reply.text), "")
    if not row.evidence and not row.unread:
        yield (*head, "", "", "", "")


def as_text(value: str) -> str:
    """Return a cell that a spreadsheet shows as text."""
    return f"'{value}" if value.startswith(_FORMULA_SIGNS) or value.lstrip().startswith(_FORMULA_SIGNS) else value
