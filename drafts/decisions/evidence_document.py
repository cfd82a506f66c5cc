"""The readable form of an evidence pack: one HTML file that prints, needs nothing beside it, and can do nothing.

Its last line carries a signature over every byte before it; the pack itself stands in an element that is not shown.
"""

import base64
import hashlib
from collections.abc import Callable, Iterable, Sequence
from zoneinfo import ZoneInfo

from drafts.decisions import evidence_words as words
from drafts.decisions.evidence import Packed, absences, not_covered, problems
from drafts.decisions.evidence_markup import Html, letter, moment, pairs, section, table, tag
from drafts.decisions.evidence_records import Making, Records, Seal
from drafts.decisions.evidence_sections import Teller
from drafts.decisions.evidence_style import STYLE, page_style

SIGNED_HTML = b"countersign evidence 1: document\n"
SHORT = 16
LONGEST_TITLE = 60


def document(records: Records, making: Making, packed: Packed, sign: Callable[[bytes], bytes]) -> bytes:
    """Return the signed document for a pack that was made of the same records at the same time."""
    zone = ZoneInfo(making.zone)
    style = STYLE + page_style(
        f"Evidence pack: conversation {_shortened(records.conversation_id)}", _foot(making, packed)
    )
    body = tag(
        "body",
        _opening(records, making, packed, zone),
        tag("main", Teller(records, zone).sections(), _chain(records), _verification(records, making, packed)),
        tag("template", base64.b64encode(packed.data).decode(), id="evidence-pack"),
    )
    shown = tag("html", _head(records, style), body, lang="en")
    written = f"<!doctype html>\n{shown}\n".encode()
    signature = sign(SIGNED_HTML + written)
    last = f"<!-- countersign evidence: key {making.public_key.hex()} signature {signature.hex()} -->\n"
    return written + last.encode()


def _head(records: Records, style: str) -> Html:
    """Return the head; its policy lets this very style in and nothing else, however the file is opened."""
    allowed = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{allowed}'; base-uri 'none'; form-action 'none'"
    return tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", http_equiv="Content-Security-Policy", content=policy),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", name="referrer", content="no-referrer"),
        tag("title", f"Evidence pack: conversation {records.conversation_id}"),
        tag("style", Html(style)),
    )


def _opening(records: Records, making: Making, packed: Packed, zone: ZoneInfo) -> Html:
    faults = [problem.message for problem in problems(records)]
    found = tag(
        "p", tag("strong", "Something did not fit when this pack was made: "), "; ".join(faults), class_="warning"
    )
    return tag(
        "header",
        tag("p", "Evidence pack", class_="quiet"),
        tag("h1", "Conversation ", letter(records.conversation_id)),
        pairs(
            (
                ("Customer", letter(records.customer_id) if records.customer_id else "not named"),
                ("Channel", letter(records.channel) if records.channel else "not known"),
                ("First seen", moment(records.first_seen_at, zone)),
                ("Made", moment(making.at, zone)),
                ("Made by", letter(f"{making.by_name} ({making.by})" if making.by else making.by_name)),
                ("Times are shown in", making.zone),
                ("Signed with key", tag("code", making.key_id)),
                ("Digest of the records", tag("code", packed.digest)),
            )
        ),
        found if faults else Html(),
    )


def _chain(records: Records) -> Html:
    rows = ((str(row.position), tag("code", row.entry_hash.hex())) for row in records.entries)
    lead = (
        "Each entry's hash covers its exact bytes and the hash before it, so that no entry can be changed, left out or "
        "put in between without changing every later hash. The bytes themselves are in the pack inside this file."
    )
    shown = table(("Entry", "SHA-256"), rows, caption="The chain of this conversation")
    seals = [_seal(seal) for seal in records.checkpoints]
    beyond = tuple(not_covered(records))
    told = (
        f"No checkpoint covers {_entries(beyond)} yet; only the chain protects {'it' if len(beyond) == 1 else 'them'}."
    )
    nothing = tag("p", "There is no entry, so there is no chain.")
    inside = (tag("p", lead), shown, *seals, *([tag("p", told)] if beyond else ())) if records.entries else (nothing,)
    return section("The chain", *inside, id_="chain")


def _seal(seal: Seal) -> Html:
    covered = _entries(tuple(one.position for one in seal.inclusions))
    return tag(
        "article",
        tag("h3", "Checkpoint of the whole ledger"),
        tag("p", f"Signed over every entry of the ledger at that time; of this conversation it covers {covered}."),
        tag("p", "Compare it with the copy that is kept outside."),
        tag("pre", seal.note),
    )


def _verification(records: Records, making: Making, packed: Packed) -> Html:
    absent = list(absences(records))
    return section(
        "What this proves, and how to check it",
        tag("h3", "It proves"),
        _list(words.PROVES),
        tag("h3", "It does not prove"),
        _list(words.DOES_NOT_PROVE),
        tag("h3", "What is not in it"),
        _list(absent or ["Nothing that this pack names is missing from it."]),
        tag("h3", "How to check it"),
        _list(words.HOW_TO_VERIFY),
        pairs(
            (
                ("Public key", tag("code", making.public_key.hex())),
                ("Its fingerprint", tag("code", hashlib.sha256(making.public_key).hexdigest())),
                ("Digest of the records", tag("code", packed.digest)),
            )
        ),
        id_="checking",
    )


def _entries(positions: Sequence[int]) -> str:
    if len(positions) == 1:
        return f"entry {positions[0]}"
    return f"the entries {', '.join(map(str, positions))}" if positions else "no entry"


def _list(lines: Iterable[str]) -> Html:
    return tag("ul", *(tag("li", line) for line in lines))


def _foot(making: Making, packed: Packed) -> str:
    return f"Made {making.at:%Y-%m-%d %H:%M} UTC, digest of the records {packed.digest[:SHORT]}, key {making.key_id}"


def _shortened(text: str) -> str:
    return text if len(text) <= LONGEST_TITLE else f"{text[:LONGEST_TITLE]}…"
