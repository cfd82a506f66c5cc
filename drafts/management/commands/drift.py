"""Find questions with more than one answer in old conversations; needs no database and no set-up."""

import csv
import json
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import count
from pathlib import Path
from typing import override

from django.core.management.base import BaseCommand, CommandError, CommandParser

from drafts.decisions.drifting import (
    BrokenLine,
    Counts,
    DriftRow,
    Passage,
    Transcript,
    bounded_lines,
    read_csv,
    read_jsonl,
    rows_of,
    sheet,
)
from ledger.decisions.policy_files import read_file
from ledger.decisions.sending import Malformed
from ledger.decisions.vocabulary import Version

BAR_WIDTH = 30
POLICY_ENDINGS = frozenset({".json", ".md"})
BROKEN_SHOWN = 20


class Command(BaseCommand):
    """Read transcripts, list the questions that were asked or answered more than once, and count conversations."""

    help = (
        "Find repeated commitment questions in old conversations, and which of them got more than one answer. "
        'FILE is JSON Lines, {"conversation_id", "messages": [{"role", "text", "sent_at"?}]}, or a .csv with the '
        "columns conversation_id, role, text and sent_at."
    )
    requires_system_checks = ()

    @override
    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", help="transcripts, .csv or JSON Lines; - reads JSON Lines from standard input")
        parser.add_argument("--format", choices=["table", "json"], default="table")
        parser.add_argument("--csv", type=Path, metavar="OUT", help="write every answer to this file for a spreadsheet")
        parser.add_argument(
            "--policies", nargs="+", type=Path, default=[], metavar="PATH",
            help="policy files or folders of them: say which documents state each answer",
        )  # fmt: skip

    @override
    def handle(self, *args: object, **options: object) -> None:
        passages = _passages(options["policies"])
        counts, rows, broken = Counts(), list[DriftRow](), list[BrokenLine]()
        for item in _read(str(options["file"])):
            if isinstance(item, BrokenLine):
                broken.append(item)
                continue
            found = rows_of(item, passages)
            counts.add(found)
            rows += found
        if not counts.conversations:
            raise CommandError(_nothing_read(broken))
        rows.sort(key=lambda row: (-len(row.distinct_answers), -row.times_asked))
        if isinstance(out := options["csv"], Path):
            _write_csv(out, rows)
        self.stdout.write(_json(counts, rows, broken) if options["format"] == "json" else _table(counts, rows, broken))


def _nothing_read(broken: Sequence[BrokenLine]) -> str:
    """Say why no conversation could be read: the first reason, which is as a rule that of every line."""
    if not broken:
        return "No conversation could be read."
    first, more = broken[0], len(broken) - 1
    place = f"line {first.line}: " if first.line else ""
    others = f" {more} more {'line' if more == 1 else 'lines'} could not be read either." if more else ""
    return f"No conversation could be read. {place}{_printable(first.why)}{others}"


def _read(path: str) -> Iterator[Transcript | BrokenLine]:
    """Yield what a file holds, with a progress bar on a terminal."""
    if path == "-":
        yield from read_jsonl(bounded_lines(sys.stdin.buffer))
        return
    try:
        with Path(path).open("rb") as stream:
            if path.lower().endswith(".csv"):
                items = list(read_csv(bounded_lines(stream)))
                places = count(1)
                yield from _with_progress(items, len(items), lambda: next(places))
            else:
                yield from _with_progress(read_jsonl(bounded_lines(stream)), Path(path).stat().st_size, stream.tell)
    except OSError as error:
        raise CommandError(f"{path} cannot be read: {error.strerror}") from error


def _with_progress(
    items: Iterable[Transcript | BrokenLine], total: int, place: Callable[[], int]
) -> Iterator[Transcript | BrokenLine]:
    terminal, shown = sys.stderr, -1
    for item in items:
        yield item
        percent = min(100, 100 * place() // max(1, total))
        if terminal.isatty() and percent > shown:
            shown = percent
            bar = "#" * (BAR_WIDTH * percent // 100)
            terminal.write(f"\r[{bar:<{BAR_WIDTH}}] {percent:>3} %")
            terminal.flush()
    if shown >= 0:
        terminal.write("\n")


def _passages(paths: object) -> tuple[Passage, ...]:
    files = [file for path in paths for file in _files(path)] if isinstance(paths, list) else []
    return tuple(
        Passage(version.doc_id, version.version, statement.section, statement.question_key, statement.text)
        for file in files
        for version in _versions(file)
        for statement in version.statements
    )


def _files(path: Path) -> Sequence[Path]:
    if path.is_dir():
        return sorted(file for file in path.rglob("*") if file.suffix in POLICY_ENDINGS)
    if path.is_file():
        return (path,)
    raise CommandError(f"There is no file or folder {path}.")


def _versions(file: Path) -> Sequence[Version]:
    try:
        return read_file(file.name, file.read_bytes().decode("utf-8")).versions
    except UnicodeDecodeError as broken:
        raise CommandError(f"{file}: this is not UTF-8: {broken}") from broken
    except (Malformed, OSError) as malformed:
        raise CommandError(f"{file}: {malformed}") from malformed


def _write_csv(out: Path, rows: Iterable[DriftRow]) -> None:
    try:
        # The mark tells a spreadsheet that this is UTF-8.
        with out.open("w", encoding="utf-8-sig", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(sheet.COLUMNS)
            for row in rows:
                writer.writerows(sheet.sheet_lines(row))
    except OSError as error:
        raise CommandError(f"{out} cannot be written: {error.strerror}") from error


def _json(counts: Counts, rows: Iterable[DriftRow], broken: Iterable[BrokenLine]) -> str:
    # ASCII escapes keep control characters writable on any terminal.
    return json.dumps(
        {
            **counts.as_dict(),
            "rows": [row.as_dict() for row in rows],
            "broken": [{"line": one.line, "why": one.why} for one in broken],
        }
    )


def _table(counts: Counts, rows: Iterable[DriftRow], broken: Sequence[BrokenLine]) -> str:
    blocks = [_block(row) for row in rows]
    summary = [
        f"{_counted(counts.conversations, 'conversation')} read.",
        f"{_have(counts.asked_three_or_more)} a question that was asked three times or more.",
        f"{_have(counts.two_answers_or_more)} a question with two distinct answers or more.",
        f"{_have(counts.three_answers_or_more)} one with three or more.",
    ]
    if broken:
        summary.append(f"{_counted(len(broken), 'line')} could not be read:")
        summary += [f"  line {one.line}: {_printable(one.why)}" for one in broken[:BROKEN_SHOWN]]
        summary += [f"  and {len(broken) - BROKEN_SHOWN} more"] if len(broken) > BROKEN_SHOWN else []
    return "\n\n".join([*blocks, "\n".join(summary)])


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _have(number: int) -> str:
    return f"{number} {'has' if number == 1 else 'have'}"


def _block(row: DriftRow) -> str:
    answers = len(row.distinct_answers)
    told = f"{answers or 'no'} {'answer' if answers == 1 else 'answers'}"
    lines = [f"{_printable(row.conversation_id)}  {row.question_key}: asked {_times(row.times_asked)}, {told}"]
    for answer in row.distinct_answers:
        lines.append(f"  {_printable(answer)}")
        lines += [f"    message {one.turn:>3}: {_printable(one.text)}" for one in row.evidence if one.value == answer]
        lines += [
            f"    stated by {_printable(f'{one.doc_id}, {one.version}, {one.section}')}"
            for one in row.documents
            if one.answer == answer
        ]
    return "\n".join(lines)


def _times(number: int) -> str:
    return {0: "never", 1: "once", 2: "twice"}.get(number, f"{number} times")


def _printable(text: str) -> str:
    return "".join(char if char.isprintable() else " " for char in text)
