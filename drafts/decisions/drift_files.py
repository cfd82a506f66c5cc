"""An uploaded file of conversations: what is refused at once, its lines, and the batches that are worked off."""

import codecs
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from itertools import chain

from drafts.decisions.drifting import BrokenLine, Transcript, Turn, read_csv, read_jsonl

LARGEST_FILE = 50_000_000
"""Bytes of one upload. More is for `manage.py drift`, which reads a file where it lies."""
PIECE = 1_000_000
BATCH_CONVERSATIONS, BATCH_CHARACTERS = 10, 30_000
"""A batch is the work between two looks at the clock: about half a second."""
LONGEST_CONVERSATION = 1_000_000
"""Characters of one conversation, as it is written in a batch; a worker would sit for minutes over a longer one."""
BROKEN_SHOWN = 1_000
"""Broken lines that a report lists; all are counted."""

_SIGNATURES = (
    (b"\x1f\x8b", "This is a compressed file (gzip). Unpack it and choose the file inside."),
    (b"PK\x03\x04", "This is a workbook or a compressed file. Save it as CSV, or unpack it, and choose that file."),
    (b"%PDF", "This is a PDF. Choose a file of conversations: JSON Lines or CSV."),
    (codecs.BOM_UTF16_LE, "This file is written in UTF-16. Save it as UTF-8."),
    (codecs.BOM_UTF16_BE, "This file is written in UTF-16. Save it as UTF-8."),
)
_EMPTY = "The file is empty."
_NOT_UTF8 = "The file is not UTF-8 text (byte {place:,}). Save it as UTF-8 and try again."
_BINARY = "This is no text file. Choose a file of conversations: JSON Lines or CSV."
_LIST = (
    "This is one JSON list. Write one conversation on each line instead (JSON Lines), as in the example on this page."
)
_NEITHER = "This is no JSON Lines, so it was read as CSV. {why}"
_TOO_LONG = "The conversation “{name}” is longer than {limit:,} characters. Split it."
_TOO_LARGE = "The file is larger than {limit} MB."


class FileRefused(Exception):
    """A file that no report can be made of; the message says why, for people."""


@dataclass(slots=True)
class SortedOut:
    """A file, read once: batches of whole conversations as JSON Lines, and what could not be read."""

    batches: list[bytes] = field(default_factory=list)
    conversations: int = 0
    broken: list[BrokenLine] = field(default_factory=list)
    broken_lines: int = 0


def pieces_of(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Hand a file on in pieces of one size while it is looked at.

    Raises FileRefused for what is empty, too large, no UTF-8 text, or plainly no list of conversations.
    """
    decoder = codecs.getincrementaldecoder("utf-8")()
    held, size = bytearray(), 0
    for chunk in chunks:
        size += len(chunk)
        if size > LARGEST_FILE:
            raise FileRefused(_TOO_LARGE.format(limit=LARGEST_FILE // 1_000_000))
        _look_at(chunk, decoder, size)
        held += chunk
        if len(held) >= PIECE:
            yield from _first_piece(bytes(held), is_first=size == len(held))
            held.clear()
    _look_at(b"", decoder, size, final=True)
    yield from _first_piece(bytes(held), is_first=size == len(held))


def _look_at(chunk: bytes, decoder: codecs.IncrementalDecoder, size: int, *, final: bool = False) -> None:
    try:
        text = decoder.decode(chunk, final)
    except UnicodeDecodeError as error:
        raise FileRefused(
            _signed(chunk) or _NOT_UTF8.format(place=size - len(error.object) + error.start + 1)
        ) from error
    if "\x00" in text:
        raise FileRefused(_signed(chunk) or _BINARY)


def _first_piece(piece: bytes, *, is_first: bool) -> Iterator[bytes]:
    """Yield a piece that holds something; the first is looked at for what the file plainly is."""
    if is_first:
        begins = piece.removeprefix(codecs.BOM_UTF8).lstrip()
        if not begins:
            raise FileRefused(_EMPTY)
        if told := _signed(piece):
            raise FileRefused(told)
        if begins.startswith(b"["):
            raise FileRefused(_LIST)
        if not begins.startswith(b"{"):
            _look_at_header(begins)
    if piece:
        yield piece


def _look_at_header(begins: bytes) -> None:
    """Refuse what is no JSON and has no header of a CSV file of conversations."""
    header = begins.partition(b"\n")[0].decode("utf-8", "replace")
    fault = next(read_csv([header]), None)
    if isinstance(fault, BrokenLine) and fault.line == 1:
        raise FileRefused(_NEITHER.format(why=fault.why))


def _signed(begins: bytes) -> str:
    return next((told for signature, told in _SIGNATURES if begins.startswith(signature)), "")


def lines_of(pieces: Iterable[bytes]) -> Iterator[str]:
    """Yield the lines of a file that was taken in, with their ends; a byte order mark is no part of the first."""
    decoder = codecs.getincrementaldecoder("utf-8-sig")()
    rest = ""
    for piece in pieces:
        *whole, rest = (rest + decoder.decode(piece)).split("\n")
        yield from (f"{line}\n" for line in whole)
    if rest:
        yield rest


def sorted_out(lines: Iterable[str]) -> SortedOut:
    """Read a file into batches. What begins with a brace is JSON Lines, anything else CSV."""
    found = SortedOut()
    waiting: list[str] = []
    for one in _read(lines):
        if isinstance(one, BrokenLine):
            _note(one, found)
        elif len(written := _written(one)) > LONGEST_CONVERSATION:
            _note(BrokenLine(0, _TOO_LONG.format(name=one.conversation_id, limit=LONGEST_CONVERSATION)), found)
        else:
            _keep(written, found, waiting)
    _close(found, waiting)
    return found


def conversations_in(batch: bytes) -> Iterator[Transcript]:
    """Yield the conversations of one batch."""
    for line in batch.split(b"\n"):
        name, turns = json.loads(line)
        yield Transcript(name, tuple(Turn(role, text, _instant(sent_at)) for role, text, sent_at in turns))


def _read(lines: Iterable[str]) -> Iterator[Transcript | BrokenLine]:
    """Look at the first line that holds something, and read all of them as what it is."""
    ahead = iter(lines)
    first: list[str] = []
    while not first or not first[-1].strip():
        line = next(ahead, None)
        if line is None:
            break
        first.append(line)
    reader = read_jsonl if first and first[-1].lstrip().startswith("{") else read_csv
    return reader(chain(first, ahead))


def _written(one: Transcript) -> str:
    turns = [(turn.role, turn.text, turn.sent_at.isoformat() if turn.sent_at else None) for turn in one.turns]
    return json.dumps([one.conversation_id, turns], ensure_ascii=False)


def _instant(written: str | None) -> datetime | None:
    return datetime.fromisoformat(written) if written else None


def _note(broken: BrokenLine, found: SortedOut) -> None:
    found.broken_lines += 1
    if len(found.broken) < BROKEN_SHOWN:
        found.broken.append(broken)


def _keep(written: str, found: SortedOut, waiting: list[str]) -> None:
    is_full = len(waiting) == BATCH_CONVERSATIONS
    if is_full or (waiting and sum(map(len, waiting)) + len(written) > BATCH_CHARACTERS):
        _close(found, waiting)
    waiting.append(written)
    found.conversations += 1


def _close(found: SortedOut, waiting: list[str]) -> None:
    if waiting:
        found.batches.append("\n".join(waiting).encode("utf-8"))
        waiting.clear()
