"""Records of a small conversation as plain values, and a key, for tests of evidence packs without a database."""

import hashlib
import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from drafts.decisions.evidence import canonical, pack
from drafts.decisions.evidence_document import document
from drafts.decisions.evidence_records import (
    Corrected,
    Decided,
    Edit,
    Inclusion,
    Left,
    Making,
    Records,
    Seal,
    Tried,
    Turn,
)
from ledger.decisions.chain import Head, Row, entry_hash, genesis
from ledger.decisions.checkpoints import Checkpoint, signed
from ledger.decisions.merkle import hashes_of, inclusion_ranges, root_of

NAME = "conversation-1"
AT = datetime(2026, 3, 2, 9, 30, tzinfo=UTC)
KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
OTHER_KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(1, 33)))
PASSAGE = "An unused lamp can be returned within 14 days of receipt."


def public(key=KEY):
    """The raw public key."""
    return key.public_key().public_bytes_raw()


def making(key=KEY, **changes):
    """Who has the pack made."""
    raw = public(key)
    given = Making(AT, "manager", "Diego Ferreira", "Europe/Berlin", raw, hashlib.sha256(raw).hexdigest()[:16])
    return replace(given, **changes)


def said(position, previous, **changes):
    """One entry's columns, under the names of its payload."""
    return {
        "format_version": 1, "id": f"00000000-0000-4000-8000-{position:012}", "conversation_id": NAME,
        "customer_id": "customer-1", "channel": "online-store", "position": position, "kind": "ANSWER",
        "question_key": "return_window::online_store", "asked_key": "return_window::online_store",
        "question_canonical": "How long can an item be returned?", "matched_by": "form", "answer_text": PASSAGE,
        "answer_source": {
            "doc_id": "returns", "version": "RET-1", "title": "Returns", "kind": "own_policy", "section": "2",
            "effective_from": "2026-01-01", "effective_until": None, "retrieved_score": 0.83, "passage": PASSAGE,
            "passage_digest": hashlib.sha256(PASSAGE.encode()).hexdigest(), "deciding_date": "received_on",
        },
        "commitment_class": "binding_policy", "deciding_facts": {"received_on": "2026-02-20"}, "supersedes": None,
        "replays": None, "restores": None, "reason": None, "owner": None, "decided_by": "agent",
        "decision_id": "decision-1", "effective_at": "2026-03-01T08:00:00.000000Z",
        "recorded_at": "2026-03-01T08:00:00.250000Z", "prev_hash": previous.hex(),
        "typed_facts": [{
            "ordinal": 0, "kind": "duration", "unit": "days", "low": None, "high": "14", "bound": "within",
            "per": None, "anchor": "receipt", "applies_to": None, "polarity": True, "span_start": 0, "span_end": 9,
            "topics": [],
        }],
        **changes,
    }  # fmt: skip


def chained(*entries, name=NAME):
    """Rows whose hashes follow; each entry is what it changes in the columns."""
    rows, previous = [], genesis(name)
    for position, changes in enumerate(entries, start=1):
        columns = said(position, previous, conversation_id=name, **changes)
        payload = json.dumps(columns, ensure_ascii=False).encode()
        rows.append(Row(columns["id"], position, payload, previous, entry_hash(previous, payload), columns))
        previous = rows[-1].entry_hash
    return tuple(rows)


def records(rows=None, **changes):
    """A conversation with one message and what the entries say."""
    rows = chained({}) if rows is None else rows
    given = Records(
        conversation_id=NAME,
        customer_id="customer-1",
        channel="online-store",
        first_seen_at=AT - timedelta(days=1),
        transcript=(Turn(1, "m1", "customer", "How long?", AT, AT, False, ()),),
        entries=rows,
        head=Head(rows[-1].position, rows[-1].entry_hash) if rows else None,
        checkpoints=(),
        decisions=(),
        corrections=(),
        deliveries=(),
        people={"agent": "Ada Moreau"},
    )
    return replace(given, **changes)


def everything(text="How long?"):
    """Records in which every part holds something; `text` stands wherever people or programs may write."""
    rows = chained({}, {"kind": "CORRECTION", "supersedes": said(1, b"")["id"], "reason": text, "owner": "owner",
                        "answer_text": text, "question_canonical": text, "decided_by": "agent"})  # fmt: skip
    tried = Tried(1, "https://desk.example/in", AT, AT, "taken", 200, text)
    return records(
        rows,
        transcript=(
            Turn(1, text, "customer", text, AT, AT, False, (Edit(text, AT, AT),)),
            Turn(2, "m2", "note", text, None, AT, False, ()),
            Turn(4, "m4", "agent", text, AT, AT, True, ()),
        ),
        decisions=(
            Decided("decision-1", text, "approve", text, text, text, "owner", 1, (), "agent", AT, AT, None, text),
        ),
        corrections=(
            Corrected("c1", rows[1].entry_id, 4, text, text, text, text, text, "owner", "agent", AT, AT, "agent", text),
        ),
        deliveries=(
            Left("d1", "decision-1", None, text, "sent", text, AT, AT, text, "agent", (tried,)),
            Left("d2", None, "c1", text, "dead", None, AT, None, text, None, ()),
        ),
        people={"agent": text},
        checkpoints=(sealed(rows),),
    )


def sealed(rows, *, before=3, after=2, key=OTHER_KEY):
    """A checkpoint over the rows, with other conversations' entries before and after them."""
    others = [hashlib.sha256(bytes([number])).digest() for number in range(before + after)]
    leaves = [*others[:before], *(row.entry_hash for row in rows), *others[before:]]
    proofs = []
    for number, row in enumerate(rows, start=before):
        ranges = inclusion_ranges(number, len(leaves))
        found = hashes_of(ranges, leaves)
        proofs.append(Inclusion(row.position, number, tuple(found[one] for one in ranges)))
    claim = Checkpoint("countersign/ledger/" + "0" * 16, len(leaves), root_of(leaves), 7, 6, bytes(32), AT, public(key))
    return Seal(signed(claim, key.sign).note, tuple(proofs))


def packed(given=None, key=KEY, **changes):
    """The bytes of a JSON pack."""
    return pack(given or records(), making(key, **changes), key.sign).data


def documented(given=None, key=KEY, **changes):
    """The bytes of a readable document."""
    given, made = given or records(), making(key, **changes)
    return document(given, made, pack(given, made, key.sign), key.sign)


def signed_again(data, change, key=KEY):
    """A JSON pack after a change to its parsed form, signed anew as its maker would."""
    told = json.loads(data)
    change(told)
    told["content_sha256"] = hashlib.sha256(canonical(told["content"])).hexdigest()
    fingerprint = hashlib.sha256(public(key)).hexdigest()
    told["key"] |= {"public_key": public(key).hex(), "fingerprint_sha256": fingerprint, "key_id": fingerprint[:16]}
    unsigned = {name: value for name, value in told.items() if name != "signature"}
    signature = key.sign(b"countersign evidence 1: pack\n" + canonical(unsigned))
    return canonical({**unsigned, "signature": signature.hex()}) + b"\n"
