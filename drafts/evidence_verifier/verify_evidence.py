#!/usr/bin/env python3
"""Check an evidence pack of Countersign. Needs Python 3.9 or later and nothing else, no network either.

    python3 verify_evidence.py PACK [--key KEY] [--checkpoint FILE]

PACK is the JSON file or the readable HTML document. KEY is the signer's public key, or its SHA-256 fingerprint, as you
got it by another way than the pack. FILE is a checkpoint of the ledger that was kept outside, by you or for you.
Exit status: 0 everything holds, 1 something does not, 2 a file was not read.
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import json
import re
import sys
from collections.abc import Sequence
from html.parser import HTMLParser
from pathlib import Path
from typing import TypedDict

FORMAT = "countersign evidence 1"
SIGNED_JSON = b"countersign evidence 1: pack\n"
SIGNED_HTML = b"countersign evidence 1: document\n"
GENESIS = b"countersign ledger 1\n"
MEMBERS = {"content", "content_sha256", "format", "key", "made", "signature"}
OPENING, CLOSING = b'<template id="evidence-pack">', b"</template>"
LAST_LINE = re.compile(rb"<!-- countersign evidence: key ([0-9a-f]{64}) signature ([0-9a-f]{128}) -->\n")
NOTE = re.compile(
    r"(?P<text>countersign/ledger/[0-9a-f]{16}\n(?P<size>[1-9][0-9]{0,17})\n(?P<root>[A-Za-z0-9+/]{43}=)\n"
    r"number (?P<number>[0-9]+)\nextends [^\n]+\nsealed_at (?P<sealed_at>[^\n]+)\nkey (?P<key>[0-9a-f]{64})\n"
    r"(?:next_key [0-9a-f]{64}\n)?)\n— [^\s]+ (?P<mark>[A-Za-z0-9+/]{91}=)\n"
)
HEX = re.compile(r"(?:[0-9a-f]{2})+")


class Entry(TypedDict):
    """A ledger entry: the hashed bytes, and the same in columns to be read."""

    position: int
    prev_hash: str
    entry_hash: str
    payload_base64: str
    columns: dict[str, object]


class Head(TypedDict):
    """What the conversation's head names as its newest entry."""

    position: int
    entry_hash: str


class Inclusion(TypedDict):
    """The way from one entry to the root of a checkpoint; `number` is the entry's place in the whole ledger."""

    position: int
    number: int
    path: list[str]


class Seal(TypedDict):
    """A signed checkpoint, and which entries it covers."""

    note: str
    inclusions: list[Inclusion]


class Content(TypedDict):
    """What a pack says, as far as it is looked at here."""

    conversation_id: str
    entries: list[Entry]
    head: Head | None
    checkpoints: list[Seal]
    not_covered: list[int]
    transcript: list[dict[str, object]]
    corrections: list[dict[str, object]]
    does_not_prove: list[str]


class Pack(TypedDict):
    """A whole pack."""

    content: Content
    content_sha256: str
    format: str
    key: dict[str, str]
    made: dict[str, str]
    signature: str


class Broken(Exception):
    """Something does not hold, and nothing after it can be looked at."""


class Report:
    """What holds, what does not, and what this cannot show."""

    def __init__(self) -> None:
        self.holds: list[str] = []
        self.broken: list[str] = []
        self.unproven: list[str] = []
        self.key = ""
        self.digest = ""

    def note(self, problems: Sequence[str], otherwise: str) -> None:
        """Take down problems, or what holds without any."""
        self.broken += problems
        if not problems:
            self.holds.append(otherwise)


# --- Ed25519, RFC 8032 section 5.1, in the strict reading: canonical points, S below the group's order ---

P = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P
ROOT_OF_MINUS_ONE = pow(2, (P - 1) // 4, P)
Point = tuple[int, int, int, int]
NEUTRAL: Point = (0, 1, 1, 0)


def _sum(a: Point, b: Point) -> Point:
    left, right = (a[1] - a[0]) * (b[1] - b[0]) % P, (a[1] + a[0]) * (b[1] + b[0]) % P
    skew, scale = 2 * a[3] * b[3] * D % P, 2 * a[2] * b[2] % P
    e, f, g, h = right - left, scale - skew, scale + skew, right + left
    return e * f % P, g * h % P, f * g % P, e * h % P


def _point(encoded: bytes) -> Point | None:
    """Return the point that 32 bytes encode; None where they encode none, or one in another than its only form."""
    number = int.from_bytes(encoded, "little")
    y, sign = number & (2**255 - 1), number >> 255
    if len(encoded) != 32 or y >= P:
        return None
    square = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P:
        x = x * ROOT_OF_MINUS_ONE % P
    if (x * x - square) % P or (x == 0 and sign):
        return None
    if x & 1 != sign:
        x = P - x
    return x, y, 1, x * y % P


def _encoded(point: Point) -> bytes:
    inverse = pow(point[2], P - 2, P)
    x, y = point[0] * inverse % P, point[1] * inverse % P
    return (y | (x & 1) << 255).to_bytes(32, "little")


BASE = _point((4 * pow(5, P - 2, P) % P).to_bytes(32, "little")) or NEUTRAL


def _twice(a: int, first: Point, b: int, second: Point) -> Point:
    """Return a times the first point plus b times the second."""
    both, result = _sum(first, second), NEUTRAL
    for bit in range(max(a.bit_length(), b.bit_length()) - 1, -1, -1):
        result = _sum(result, result)
        chosen = (a >> bit & 1, b >> bit & 1)
        if chosen != (0, 0):
            result = _sum(result, both if chosen == (1, 1) else first if chosen == (1, 0) else second)
    return result


def is_signed(public_key: bytes, message: bytes, signature: bytes) -> bool:
    """Say whether the owner of an Ed25519 key signed exactly this message."""
    key = _point(public_key)
    if key is None or len(signature) != 64 or _encoded(_twice(8, key, 0, NEUTRAL)) == _encoded(NEUTRAL):
        return False
    s = int.from_bytes(signature[32:], "little")
    if s >= ORDER:
        return False
    challenge = int.from_bytes(hashlib.sha512(signature[:32] + public_key + message).digest(), "little") % ORDER
    minus_key = (P - key[0], key[1], 1, P - key[3])
    return _encoded(_twice(s, BASE, challenge, minus_key)) == signature[:32]


# --- The two forms of a file ---


def canonical(value: object) -> bytes:
    """Write JSON in its one form: sorted members, no spaces, UTF-8."""
    written = json.dumps(value, ensure_ascii=False, allow_nan=False, sort_keys=True, separators=(",", ":"))
    return written.encode("utf-8")


def _no_float(text: str) -> object:
    raise Broken(f"The number {text} is none that a pack can hold.")


def read_json(data: bytes, report: Report) -> Pack:
    """Return the pack in a JSON file after its form and its signature were looked at. Raises Broken."""
    try:
        pack: Pack = json.loads(data.decode("utf-8"), parse_float=_no_float, parse_constant=_no_float)
        as_it_must_be = canonical(pack) + b"\n"
    except (ValueError, RecursionError) as problem:
        raise Broken(f"The file is no JSON: {problem}") from problem
    if as_it_must_be != data:
        raise Broken("The file is not byte for byte in the form in which packs are written: it was changed.")
    if not isinstance(pack, dict) or set(pack) != MEMBERS or pack["format"] != FORMAT:
        raise Broken(f"The file is no pack in the form “{FORMAT}”.")
    report.key = _hex(pack["key"]["public_key"], 32)
    signature = bytes.fromhex(_hex(pack["signature"], 64))
    unsigned = {name: value for name, value in pack.items() if name != "signature"}
    if not is_signed(bytes.fromhex(report.key), SIGNED_JSON + canonical(unsigned), signature):
        raise Broken("The signature does not fit: the pack was changed after it was signed.")
    report.digest = hashlib.sha256(canonical(pack["content"])).hexdigest()
    if report.digest != pack["content_sha256"]:
        raise Broken("The digest of the content is not that of the content.")
    if (pack["key"]["fingerprint_sha256"], pack["key"]["key_id"]) != _names(report.key)[1:]:
        raise Broken("The pack names its key by another fingerprint than the key has.")
    report.holds.append("The pack is byte for byte what the holder of the key below signed.")
    return pack


def read_html(data: bytes, report: Report) -> Pack:
    """Return the pack inside a document after the whole document's signature was looked at. Raises Broken."""
    start = data.rfind(b"\n", 0, -1) + 1
    last = LAST_LINE.fullmatch(data, start)
    if last is None:
        raise Broken("The document does not end with the line that carries its signature.")
    key, signature = last.group(1).decode(), bytes.fromhex(last.group(2).decode())
    if not is_signed(bytes.fromhex(key), SIGNED_HTML + data[:start], signature):
        raise Broken("The signature does not fit: the document was changed after it was signed.")
    report.holds.append("The document is byte for byte what the holder of the key below signed.")
    if data.count(OPENING) != 1:
        raise Broken("The document does not hold exactly one pack.")
    embedded = data.split(OPENING)[1].split(CLOSING)[0]
    pack = read_json(base64.b64decode(embedded, validate=True), report)
    if report.key != key:
        raise Broken("The document and the pack in it are signed with different keys.")
    check_shown(data.decode("utf-8"), pack["content"], report)
    return pack


def _hex(text: object, length: int) -> str:
    if not isinstance(text, str) or not HEX.fullmatch(text) or len(text) != 2 * length:
        raise Broken(f"“{text}” is not {length} bytes in hexadecimal digits.")
    return text


class Shown(HTMLParser):
    """The texts that a document shows to the letter, each with the place in the pack that it stands for."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.texts: list[tuple[str, str]] = []
        self.place: str | None = None
        self.in_chip = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Begin a text, or read which characters a chip stands for."""
        named = dict(attrs)
        if tag == "bdi" and "data-shows" in named:
            self.place = named["data-shows"] or ""
            self.texts.append((self.place, ""))
        elif self.place is not None:
            point, _, times = (named["data-is"] or "").partition("*")
            self._add(chr(int(point, 16)) * int(times))
            self.in_chip = True

    def handle_endtag(self, tag: str) -> None:
        """End a text or a chip."""
        self.in_chip = False
        if tag == "bdi":
            self.place = None

    def handle_data(self, data: str) -> None:
        """Take what is shown; the name of a chip stands for another character."""
        if self.place is not None and not self.in_chip:
            self._add(data)

    def _add(self, text: str) -> None:
        place, before = self.texts[-1]
        self.texts[-1] = (place, before + text)


def check_shown(document: str, content: Content, report: Report) -> None:
    """Compare the texts that the document shows with those of the pack inside it."""
    reader = Shown()
    reader.feed(document)
    reader.close()
    problems = [
        f"The document shows another text than the pack holds ({place})."
        for place, text in reader.texts
        if _at(content, place) != text
    ]
    told = {place for place, _ in reader.texts}
    must = [f"transcript/{number}/text" for number, turn in enumerate(content["transcript"]) if turn["text"]]
    must += [f"entries/{number}/columns/answer_text" for number in range(len(content["entries"]))]
    must += [f"corrections/{number}/message" for number in range(len(content["corrections"]))]
    problems += [f"The document leaves out a text of the pack ({place})." for place in must if place not in told]
    report.note(problems, f"The {len(reader.texts)} texts that the document shows are those of the pack inside it.")


def _at(content: object, place: str) -> object:
    for step in place.split("/"):
        content = content[int(step)] if isinstance(content, list) else content[step]  # type: ignore[index]
    return content


# --- The ledger ---


def check_ledger(content: Content, report: Report) -> None:
    """Compute every hash anew from the stored bytes, and compare every readable column with them."""
    previous = hashlib.sha256(GENESIS + str(content["conversation_id"]).encode()).digest()
    entries, problems = content["entries"], list[str]()
    for place, entry in enumerate(entries, start=1):
        payload = base64.b64decode(entry["payload_base64"], validate=True)
        after = hashlib.sha256(b"\x00" + previous + hashlib.sha256(payload).digest()).digest()
        where = f"Ledger entry {place}"
        if (entry["position"], entry["prev_hash"]) != (place, previous.hex()):
            problems.append(f"{where}: it does not follow the entry before it.")
        if entry["entry_hash"] != after.hex():
            problems.append(f"{where}: its hash does not follow from its bytes.")
        problems += [f"{where}: {problem}" for problem in _columns(content, entry, payload)]
        previous = after
    head = content["head"] or {"position": 0, "entry_hash": previous.hex()}
    if (head["position"], head["entry_hash"]) != (len(entries), previous.hex()):
        problems.append("The newest entry is not the one that the conversation's head names.")
    report.note(problems, f"Every hash of the chain follows from the bytes: {_counted(len(entries))} without a gap.")


def _columns(content: Content, entry: Entry, payload: bytes) -> list[str]:
    said = json.loads(payload, parse_float=lambda text: repr(float(text)))
    problems = []
    if said != entry["columns"]:
        names = sorted(n for n in set(said) | set(entry["columns"]) if said.get(n) != entry["columns"].get(n))
        problems.append(f"what can be read differs from the hashed bytes ({', '.join(names)}).")
    mine = (said["conversation_id"], said["position"], said["prev_hash"])
    if mine != (content["conversation_id"], entry["position"], entry["prev_hash"]):
        problems.append("its bytes belong to another place.")
    source = said["answer_source"] or {}
    passage = source.get("passage")
    if passage is not None and hashlib.sha256(passage.encode()).hexdigest() != source.get("passage_digest"):
        problems.append("the passage is not the one whose digest was recorded.")
    return problems


def check_corrections(content: Content, report: Report) -> None:
    """Compare each correction as it was told with its entry in the ledger."""
    by_id = {entry["columns"]["id"]: entry["columns"] for entry in content["entries"]}
    problems = []
    for told in content["corrections"]:
        recorded = by_id.get(told["entry_id"])
        if recorded is None:
            problems.append(f"Correction {told['id']}: the ledger has no entry for it.")
            continue
        owned = (("reason", "reason"), ("owner", "owner")) if recorded["kind"] == "CORRECTION" else ()
        for name, column in (("new_text", "answer_text"), *owned):
            if told[name] != recorded[column]:
                problems.append(f"Correction {told['id']}: its {name} is not what the ledger recorded.")
    report.note(problems, "Every correction says what its ledger entry says.")


# --- Checkpoints: signed roots of one tree over the whole ledger (RFC 6962) ---


def _leads_to_root(entry_hash: bytes, inclusion: Inclusion, size: int, root: bytes) -> bool:
    place, last = inclusion["number"], size - 1
    joined = hashlib.sha256(b"\x00" + entry_hash).digest()
    for step in inclusion["path"]:
        beside = bytes.fromhex(step)
        if last == 0:
            return False
        if place & 1 or place == last:
            joined = hashlib.sha256(b"\x01" + beside + joined).digest()
            while not place & 1 and place:
                place, last = place >> 1, last >> 1
        else:
            joined = hashlib.sha256(b"\x01" + joined + beside).digest()
        place, last = place >> 1, last >> 1
    return last == 0 and joined == root


def check_checkpoints(content: Content, kept: bytes, report: Report) -> None:
    """Look at each checkpoint's signature and at the way of each entry to it; `kept` is one from outside, or empty."""
    covered: set[int] = set()
    for seal in content["checkpoints"]:
        note = _note(seal["note"])
        hashes = {entry["position"]: bytes.fromhex(entry["entry_hash"]) for entry in content["entries"]}
        size, root = int(note["size"]), base64.b64decode(note["root"])
        name = f"Checkpoint {note['number']} of {note['sealed_at']}"
        problems = [
            f"{name} does not cover ledger entry {one['position']}, as the pack says it does."
            for one in seal["inclusions"]
            if not 0 <= one["number"] < size or not _leads_to_root(hashes[one["position"]], one, size, root)
        ]
        positions = sorted(one["position"] for one in seal["inclusions"])
        covered.update(positions)
        told = f"{name}, signed with key {_names(note['key'])[2]}, covers {_entries(positions)}."
        report.note(problems, told)
        if kept == seal["note"].encode():
            _tie(positions, sorted(hashes), problems, report)
    _kept(content, kept, report)
    beyond = sorted({entry["position"] for entry in content["entries"]} - covered)
    if beyond != content["not_covered"]:
        report.broken.append("The pack names other entries as not covered than those that no checkpoint covers.")
    if beyond:
        were, them = ("was", "it") if len(beyond) == 1 else ("were", "them")
        report.unproven.append(f"That {_entries(beyond)} {were} not written anew: no checkpoint covers {them}.")


def _tie(positions: Sequence[int], every: Sequence[int], problems: Sequence[str], report: Report) -> None:
    """Say what the checkpoint that somebody keeps shows: nothing about entries that it does not cover."""
    if not positions:
        report.broken.append(
            "Your checkpoint covers none of these entries: the pack is not tied to it. It was sealed before they were, "
            "and shows nothing about them. Compare with one that was sealed later."
        )
    elif not problems:
        all_of_them = "it" if len(positions) == 1 else "they"
        which = all_of_them if list(positions) == list(every) else f"of these entries only {_list(positions)}"
        report.holds.append(f"It is the very checkpoint that you keep: {which} stood in the ledger when it was sealed.")


def _kept(content: Content, kept: bytes, report: Report) -> None:
    notes = [seal["note"].encode() for seal in content["checkpoints"]]
    if not kept and notes:
        report.unproven.append(
            "That the checkpoint is the one that was published: compare it with a copy from outside (--checkpoint)."
        )
    elif kept and kept not in notes:
        mine = _note(kept.decode("utf-8"))
        same = any(_note(note.decode())["number"] == mine["number"] for note in notes)
        report.broken.append(
            f"Checkpoint {mine['number']} reads otherwise in the pack than in the copy that you keep: one was forged."
            if same
            else f"The pack is not tied to checkpoint {mine['number']}, which you keep. Ask for one that is: "
            "manage.py evidence … --checkpoint FILE."
        )


def _note(text: str) -> re.Match[str]:
    note = NOTE.fullmatch(text)
    if note is None:
        raise Broken("A checkpoint is not in the form in which checkpoints are written.")
    mark = base64.b64decode(note["mark"], validate=True)
    if not is_signed(bytes.fromhex(note["key"]), note["text"].encode(), mark[4:]):
        raise Broken(f"Checkpoint {note['number']} does not bear the signature of the key that it names.")
    return note


def _list(positions: Sequence[int]) -> str:
    return ", ".join(map(str, positions))


def _entries(positions: Sequence[int]) -> str:
    if len(positions) == 1:
        return f"entry {positions[0]}"
    return f"the entries {_list(positions)}" if positions else "none of these entries"


def _counted(number: int) -> str:
    return "1 entry" if number == 1 else f"{number} entries"


# --- The command ---


def examine(data: bytes, wanted: str = "", kept: bytes = b"") -> Report:
    """Look at a whole file.

    `wanted` is a public key or its fingerprint in hexadecimal digits, `kept` a checkpoint; empty where unknown.
    """
    report = Report()
    try:
        pack = read_html(data, report) if data[:1] == b"<" else read_json(data, report)
        if wanted and wanted not in _names(report.key):
            report.broken.append("The pack is signed with another key than the one you named.")
        check_ledger(pack["content"], report)
        check_corrections(pack["content"], report)
        check_checkpoints(pack["content"], kept, report)
        report.unproven += pack["content"]["does_not_prove"]
    except Broken as problem:
        report.broken.append(str(problem))
    except (KeyError, TypeError, ValueError, AttributeError, IndexError, RecursionError) as problem:
        report.broken.append(f"The pack is not in the form that it names ({type(problem).__name__}: {problem}).")
    return report


def _names(key: str) -> tuple[str, ...]:
    fingerprint = hashlib.sha256(bytes.fromhex(key)).hexdigest()
    return key, fingerprint, fingerprint[:16]


def told(report: Report, wanted: str) -> str:
    """Put a report in words."""
    lines = [f"holds         {line}" for line in report.holds]
    lines += [f"DOES NOT HOLD {line}" for line in report.broken]
    if report.key:
        _, fingerprint, short = _names(report.key)
        lines += ["", f"Signed with the key {report.key}", f"       fingerprint {fingerprint}"]
        if not wanted:
            lines.append(
                f"Whose key that is, the pack cannot say. Ask the organisation for its key id by another way than\n"
                f"the one by which the pack came to you, and compare: {short}. Or run this again with --key."
            )
    if report.digest:
        lines += ["", f"Digest of the content {report.digest}", "(two packs with this digest hold the same records)"]
    if report.unproven:
        lines += ["", "Not proven by this:", *(f"- {line}" for line in report.unproven)]
    lines += ["", "SOMETHING DOES NOT HOLD." if report.broken else "Everything that can be checked holds."]
    return "\n".join(lines) + "\n"


def main(arguments: Sequence[str] | None = None) -> int:
    """Check the file that is named; return the exit status."""
    parser = argparse.ArgumentParser(description="Check an evidence pack of Countersign.")
    parser.add_argument("pack", metavar="PACK", help="the JSON file or the HTML document")
    parser.add_argument("--key", default="", help="the signer's public key or fingerprint, in hexadecimal digits")
    parser.add_argument("--checkpoint", metavar="FILE", help="a checkpoint that was kept outside")
    asked = parser.parse_args(arguments)
    wanted = re.sub(r"[\s:]", "", asked.key).lower()
    try:
        data = Path(asked.pack).read_bytes()
        kept = Path(asked.checkpoint).read_bytes() if asked.checkpoint else b""
    except OSError as problem:
        sys.stderr.write(f"A file cannot be read: {problem}\n")
        return 2
    report = examine(data, wanted, kept)
    sys.stdout.write(told(report, wanted))
    return 1 if report.broken else 0


if __name__ == "__main__":
    sys.exit(main())
