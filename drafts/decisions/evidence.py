"""The evidence pack of one conversation: what is in it, and its exact bytes. The same values give the same bytes.

A pack is one line of canonical JSON: members sorted, no spaces, UTF-8, no floating point, so that changing any byte of
it, white space included, is found. `drafts/evidence_verifier` reads it back without this product.
"""

import base64
import hashlib
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from datetime import UTC, datetime
from urllib.parse import urlsplit

from drafts.decisions import evidence_words as words
from drafts.decisions.evidence_records import Making, Records
from ledger.decisions.chain import Head, Problem, Row, verify_line

FORMAT = "countersign evidence 1"
SIGNED_JSON = b"countersign evidence 1: pack\n"
"""Stands before what is signed, so that this signature can be taken for no other."""
MOST_TURNS = 20_000
"""Messages and ledger entries that a pack holds at most; a longer conversation gets none, rather than half of one."""

CHAINED = ("entries", "head")

type Json = bool | int | str | list[Json] | dict[str, Json] | None


class TooLarge(Exception):
    """The conversation is larger than one pack can be; the message says how large both are."""


@dataclass(frozen=True, slots=True)
class Packed:
    """A pack's exact bytes, and the digest of its content, which does not depend on who had it made and when."""

    data: bytes
    digest: str


def refuse_too_large(turns: int) -> None:
    """Raise TooLarge where a conversation holds more messages and ledger entries than one pack may."""
    if turns > MOST_TURNS:
        raise TooLarge(
            f"This conversation holds {turns} messages and ledger entries; a pack holds at most {MOST_TURNS}. "
            "Nothing was made: half a pack would prove little."
        )


def pack(records: Records, making: Making, sign: Callable[[bytes], bytes]) -> Packed:
    """Return a signed pack. Raises ValueError for what canonical JSON cannot hold."""
    content = content_of(records)
    digest = hashlib.sha256(canonical(content)).hexdigest()
    unsigned: dict[str, Json] = {
        "format": FORMAT,
        "content": content,
        "content_sha256": digest,
        "made": {"at": stamp(making.at), "by": making.by, "by_name": making.by_name, "time_zone": making.zone},
        "key": {
            "algorithm": "Ed25519",
            "public_key": making.public_key.hex(),
            "fingerprint_sha256": hashlib.sha256(making.public_key).hexdigest(),
            "key_id": making.key_id,
        },
    }
    signature = sign(SIGNED_JSON + canonical(unsigned))
    return Packed(canonical({**unsigned, "signature": signature.hex()}) + b"\n", digest)


def content_of(records: Records) -> dict[str, Json]:
    """Return what a pack says, apart from who had it made: the same records give the same content."""
    return {
        **{field.name: plain(getattr(records, field.name)) for field in fields(records) if field.name not in CHAINED},
        "entries": [_entry(row) for row in records.entries],
        "head": _head(records.head),
        "not_covered": list(not_covered(records)),
        "found_when_made": [problem.message for problem in problems(records)],
        "absent": list(absences(records)),
        "proves": list(words.PROVES),
        "does_not_prove": list(words.DOES_NOT_PROVE),
        "how_to_verify": list(words.HOW_TO_VERIFY),
    }


def not_covered(records: Records) -> Iterator[int]:
    """Yield the positions of the entries that no checkpoint of the pack covers."""
    covered = {one.position for seal in records.checkpoints for one in seal.inclusions}
    return (row.position for row in records.entries if row.position not in covered)


def absences(records: Records) -> Iterator[str]:
    """Say what the pack names and does not hold: messages no longer kept, texts erased, decisions that are gone."""
    kept = {turn.ordinal for turn in records.transcript}
    gone = [number for number in range(1, max(kept, default=0) + 1) if number not in kept]
    if gone:
        yield f"Messages that were numbered and are no longer kept: {', '.join(map(str, gone))}."
    empty = [turn.ordinal for turn in records.transcript if not turn.text]
    if empty:
        yield f"Messages whose text is no longer kept: {', '.join(map(str, empty))}."
    undated = sum(turn.sent_at is None for turn in records.transcript)
    if undated:
        yield f"Messages for which the helpdesk named no time of sending: {undated}."
    decided = {decision.id for decision in records.decisions} | {made.id for made in records.corrections}
    for row in records.entries:
        if row.columns["decision_id"] not in decided:
            yield f"The decision behind ledger entry {row.position} is no longer kept."
    if records.customer_id is None:
        yield "The helpdesk did not name the customer."


def without_secrets(address: str) -> str:
    """Return an address without the log-in and the query that may open it: packs are handed out."""
    parts = urlsplit(address)
    host = f"[{parts.hostname}]" if ":" in (parts.hostname or "") else parts.hostname or ""
    port = f":{parts.port}" if parts.port else ""
    return f"{parts.scheme}://{host}{port}{parts.path}" + ("?…" if parts.query else "")


def stamp(at: datetime) -> str:
    """Write an instant in UTC to the microsecond, in the form that the ledger hashes."""
    return at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def canonical(value: Json) -> bytes:
    """Write JSON in its one form. Raises ValueError for a floating point number or a lone surrogate."""
    written = json.dumps(value, ensure_ascii=False, allow_nan=False, sort_keys=True, separators=(",", ":"))
    return written.encode()


def plain(value: object) -> Json:
    """Return a value as JSON: instants in UTC, names of fields as members. Raises ValueError for a float."""
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, datetime):
        return stamp(value)
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, Mapping):
        return {str(name): plain(inner) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return [plain(inner) for inner in value]
    if is_dataclass(value):
        return {field.name: plain(getattr(value, field.name)) for field in fields(value)}
    raise ValueError(f"A pack cannot hold a {type(value).__name__}.")


def _entry(row: Row) -> Json:
    """Return a ledger entry: the hashed bytes, its place in the chain, and its columns to be read beside them."""
    return {
        "position": row.position,
        "prev_hash": row.prev_hash.hex(),
        "entry_hash": row.entry_hash.hex(),
        "payload_base64": base64.b64encode(row.payload).decode(),
        "columns": plain(_without_floats(row.columns)),
    }


def _head(head: Head | None) -> Json:
    return None if head is None else {"position": head.position, "entry_hash": head.entry_hash.hex()}


def _without_floats(value: object) -> object:
    """Write each floating point number of a ledger entry as text; only a retrieval score is one."""
    if isinstance(value, float):
        return repr(value)
    if isinstance(value, Mapping):
        return {name: _without_floats(inner) for name, inner in value.items()}
    return [_without_floats(inner) for inner in value] if isinstance(value, list | tuple) else value


def problems(records: Records) -> tuple[Problem, ...]:
    """Return what does not fit in the conversation's chain as it is stored; a pack is made of it all the same."""
    if records.head is None and not records.entries:
        return ()
    return verify_line(records.conversation_id, records.entries, records.head)
