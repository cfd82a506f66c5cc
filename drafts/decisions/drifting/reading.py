"""Reading transcripts from a file, JSON Lines or CSV; what cannot be read is named with its line and the reason."""

import csv
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, BinaryIO

from drafts.decisions.drifting.transcripts import Transcript, Turn, known_role
from drafts.decisions.textgate import BODY_LIMIT_BYTES, TextRefused, check_text, parse_json

if TYPE_CHECKING:
    from _csv import Reader

ID_LIMIT_BYTES = 200
MESSAGES_LIMIT = 2_000
COLUMNS = ("conversation_id", "role", "text")
_MARK = b"\xef\xbb\xbf"
_SEPARATORS = {";": "semicolons", "\t": "tabs", "|": "bars"}
_NO_CHARACTER = re.compile("[\x00\udc80-\udcff]")
_ROLE_NAMES = "customer or agent (or user, assistant, bot; system and tool messages may stand between them)"


@dataclass(frozen=True, slots=True)
class BrokenLine:
    """A line that cannot be read: its number from 1, and why in one sentence. Line 0 speaks of the whole file."""

    line: int
    why: str


class _Refused(Exception):
    """Why one line or one message is no transcript."""


def bounded_lines(stream: BinaryIO) -> Iterator[bytes]:
    """Yield the lines of a file without ever holding more of one than is needed to refuse it as too long."""
    while line := stream.readline(BODY_LIMIT_BYTES + 2):
        yield line
        while not line.endswith(b"\n") and line:
            line = stream.readline(BODY_LIMIT_BYTES)


def read_jsonl(lines: Iterable[bytes | str]) -> Iterator[Transcript | BrokenLine]:
    """Yield a transcript or a broken line for each line that is not blank; nothing is raised.

    A line is `{"conversation_id", "messages": [{"role", "text", "sent_at"?}]}`; other members are left alone. A second
    line with the id of an earlier one is broken. A file without a line that says anything yields one broken line 0.
    """
    seen: dict[str, int] = {}
    empty = True
    for number, line in enumerate(lines, 1):
        raw = line.encode("utf-8", "surrogatepass") if isinstance(line, str) else line
        raw = (raw.removeprefix(_MARK) if number == 1 else raw).strip(b" \t\r\n")
        if not raw:
            continue
        empty = False
        try:
            transcript = _transcript(raw)
            _refuse_twice(transcript.conversation_id, seen, number)
        except _Refused as refused:
            yield BrokenLine(number, str(refused))
        else:
            yield transcript
    if empty:
        yield BrokenLine(0, "The file is empty. Send one conversation to a line.")


def read_csv(lines: Iterable[bytes | str]) -> Iterator[Transcript | BrokenLine]:
    """Yield the broken lines of a CSV file as they come, then its conversations in the order of their first message.

    The header names `conversation_id`, `role` and `text`, and may name `sent_at`; each further record is one message.
    Messages of a conversation keep the order of the file and need not stand together. Nothing is raised.
    """
    records = csv.reader(_decoded(lines), strict=True)
    header = _next_record(records)
    if header is None or isinstance(header, BrokenLine):
        yield header or BrokenLine(0, "The file is empty. Begin with a header of column names.")
        return
    names = [name.strip().lower() for name in header]
    if missing := [name for name in COLUMNS if name not in names]:
        yield BrokenLine(1, _header_fault(header, missing))
        return
    held: dict[str, list[Turn]] = {}
    while (record := _next_record(records)) is not None:
        fault = record if isinstance(record, BrokenLine) else _keep(record, names, held, records.line_num)
        if fault:
            yield fault
    yield from (Transcript(name, tuple(turns)) for name, turns in held.items())
    if not held:
        yield BrokenLine(0, "The file has no message that can be read.")


def _header_fault(header: Sequence[str], missing: Sequence[str]) -> str:
    """Say why the first line is no header; one cell with other separators in it is most likely another separator."""
    if any(_NO_CHARACTER.search(cell) for cell in header):
        return "The file is not UTF-8; it may be UTF-16. Save it as UTF-8."
    told = f"The header lacks {', '.join(missing)}. Name the columns {', '.join(COLUMNS)}."
    separator = next((name for sign, name in _SEPARATORS.items() if len(header) == 1 and sign in header[0]), None)
    return f"{told} The columns seem to be separated by {separator}; separate them by commas." if separator else told


def _keep(record: Sequence[str], names: Sequence[str], held: dict[str, list[Turn]], line: int) -> BrokenLine | None:
    """Add one record to the conversation that it names, or say why it cannot be read."""
    if not any(cell.strip() for cell in record):
        return None
    if len(record) < len(names):
        return BrokenLine(line, f"This line has {len(record)} fields; the header names {len(names)}.")
    if any(_NO_CHARACTER.search(cell) for cell in record):
        return BrokenLine(line, "This line holds NUL or is not UTF-8. Save the file as UTF-8.")
    try:
        cells = dict(zip(names, record, strict=False))
        name = _conversation_id(cells["conversation_id"])
        turn = _turn("", {**cells, "sent_at": cells.get("sent_at") or None})
    except _Refused as refused:
        return BrokenLine(line, str(refused))
    if len(held.get(name, ())) >= MESSAGES_LIMIT:
        return BrokenLine(line, f"This conversation has more than {MESSAGES_LIMIT:,} messages. Split it.")
    held.setdefault(name, []).append(turn)
    return None


def _next_record(records: "Reader") -> list[str] | BrokenLine | None:
    try:
        return next(records, None)
    except csv.Error as error:
        return BrokenLine(records.line_num, f"This is no CSV ({error}). Put texts with commas or quotes in quotes.")


def _decoded(lines: Iterable[bytes | str]) -> Iterator[str]:
    """Decode as UTF-8; a byte that is none becomes half of a surrogate pair, which the check of the text refuses."""
    for number, line in enumerate(lines):
        text = line if isinstance(line, str) else line.decode("utf-8", "surrogateescape")
        yield text if number else text.removeprefix("\ufeff")


def _transcript(raw: bytes) -> Transcript:
    if len(raw) > BODY_LIMIT_BYTES:
        raise _Refused(f"This line is longer than {BODY_LIMIT_BYTES:,} bytes. Split the conversation.")
    if raw == b"[" or raw.startswith(b"[{"):
        raise _Refused("A list begins here. Send JSON Lines: one object to a line, without a list around them.")
    try:
        body = parse_json(raw)
    except TextRefused as refused:
        raise _Refused(_without_body(refused)) from None
    if not isinstance(body, Mapping):
        raise _Refused("This line is no JSON object. Send an object with conversation_id and messages.")
    messages = body.get("messages")
    name = _conversation_id(body.get("conversation_id"))
    if not isinstance(messages, list) or not messages:
        raise _Refused("messages is missing, empty or no list. Send a list of objects with role and text.")
    if len(messages) > MESSAGES_LIMIT:
        raise _Refused(f"This conversation has more than {MESSAGES_LIMIT:,} messages. Split it.")
    return Transcript(name, tuple(_turn(f"messages[{at}].", message) for at, message in enumerate(messages)))


def _conversation_id(value: object) -> str:
    if isinstance(value, int) and not isinstance(value, bool):
        value = str(value)
    if not isinstance(value, str) or not value.strip():
        raise _Refused("conversation_id is missing, blank or no text.")
    return _text("conversation_id", value.strip(), ID_LIMIT_BYTES)


def _turn(where: str, message: object) -> Turn:
    if not isinstance(message, Mapping):
        raise _Refused(f"{where.rstrip('.')} is no object with role and text.")
    role = message.get("role")
    known = known_role(role) if isinstance(role, str) else None
    if known is None:
        shown = ascii(role)[:40] if isinstance(role, str) else "missing or no text"
        raise _Refused(f"{where}role is {shown}. Send {_ROLE_NAMES}.")
    text = message.get("text")
    if not isinstance(text, str):
        raise _Refused(f"{where}text is missing or no text.")
    return Turn(known, _text(f"{where}text", text), _instant(f"{where}sent_at", message.get("sent_at")))


def _text(where: str, value: str, limit: int | None = None) -> str:
    try:
        return check_text(where, value, limit_bytes=limit) if limit else check_text(where, value)
    except TextRefused as refused:
        raise _Refused(_without_body(refused)) from None


def _instant(where: str, value: object) -> datetime | None:
    if value is None:
        return None
    try:
        return datetime.fromisoformat(str(value))
    except ValueError:
        raise _Refused(f"{where} is no ISO instant such as 2026-03-10T10:00:00Z.") from None


def _without_body(refused: TextRefused) -> str:
    return refused.message if refused.field == "body" else f"{refused.field}: {refused.message}"


def _refuse_twice(name: str, seen: dict[str, int], number: int) -> None:
    if name in seen:
        raise _Refused(f"The conversation_id {name!a} stands on line {seen[name]} already.")
    seen[name] = number
