"""Tables for spreadsheets: rows leave as they are read, and no cell can be taken for a formula."""

import csv
from collections.abc import Iterable, Iterator, Sequence

from django.http import StreamingHttpResponse

BYTE_ORDER_MARK = "\ufeff"
"""Without it a spreadsheet takes UTF-8 for the machine's own alphabet."""
FORMULA_SIGNS = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")
"""What a spreadsheet may read as the beginning of a formula, in full width too."""


class _Line:
    """Hands on what the csv writer writes."""

    def write(self, line: str) -> str:
        return line


def cell(value: object) -> str:
    """Write a value so that a spreadsheet shows it as text, with an apostrophe before what looks like a formula."""
    text = "" if value is None else str(value)
    is_formula = text.startswith(FORMULA_SIGNS) or text.lstrip().startswith(FORMULA_SIGNS)
    return f"'{text}" if is_formula else text


def table(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> Iterator[str]:
    """Yield a table line by line, the names of its columns first."""
    writer = csv.writer(_Line())
    yield BYTE_ORDER_MARK + writer.writerow(columns)
    for row in rows:
        yield writer.writerow([cell(value) for value in row])


def download(name: str, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> StreamingHttpResponse:
    """Answer with a file of every row, sent while it is read; `name` is plain ASCII without quotes."""
    response = StreamingHttpResponse(table(columns, rows), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    response["Cache-Control"] = "no-store"
    return response
