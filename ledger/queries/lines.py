"""One conversation's line as it is stored: the hashed bytes of every entry with the columns beside them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal

from django.db import connection

from ledger.decisions.chain import Head as ChainHead
from ledger.decisions.chain import Row
from ledger.models import Entry, Head, TypedFact

TEXTS = (
    "conversation_id", "customer_id", "channel", "kind", "question_key", "asked_key", "question_canonical",
    "matched_by", "answer_text", "commitment_class", "reason", "owner", "decided_by", "decision_id",
)  # fmt: skip
LINKS = ("supersedes", "replays", "restores")
AS_STORED = ("answer_source", "deciding_facts", "position", "format_version")
FIRST_COVERING = """
    SELECT note, size FROM ledger.checkpoint
    WHERE size > (SELECT max(number) FROM ledger.leaf WHERE entry_id = ANY (%s::uuid[])) ORDER BY number LIMIT 1
"""
FACT_TEXTS = ("kind", "unit", "bound", "per", "anchor", "applies_to", "polarity", "topics", "ordinal")


@dataclass(frozen=True, slots=True)
class Line:
    """The entries in the order of their positions, and what the head row says; None without one."""

    rows: tuple[Row, ...]
    head: ChainHead | None


@dataclass(frozen=True, slots=True)
class Covering:
    """A checkpoint's signed text, and how many entries of the whole ledger it covers."""

    note: str
    size: int


def line(conversation_id: str) -> Line:
    """Return what the ledger holds of one conversation; its columns stand under the names that the bytes use."""
    found = Entry.objects.filter(conversation_id=conversation_id).prefetch_related("typed_facts").order_by("position")
    head = Head.objects.filter(pk=conversation_id).first()
    return Line(
        rows=tuple(_row(entry) for entry in found),
        head=ChainHead(head.position, bytes(head.entry_hash)) if head else None,
    )


def first_covering(entry_ids: Sequence[str]) -> Covering | None:
    """Return the first checkpoint that covers every sealed one of these entries; None where none is sealed.

    It stays the same whatever is sealed later.
    """
    with connection.cursor() as cursor:
        cursor.execute(FIRST_COVERING, [list(entry_ids)])
        found = cursor.fetchone()
    return Covering(*found) if found else None


def _row(entry: Entry) -> Row:
    columns: dict[str, object] = {name: getattr(entry, name) for name in (*TEXTS, *AS_STORED)}
    columns |= {name: _text(getattr(entry, f"{name}_id")) for name in LINKS}
    columns |= {"id": str(entry.pk), "prev_hash": bytes(entry.prev_hash).hex()}
    columns |= {"effective_at": _instant(entry.effective_at), "recorded_at": _instant(entry.recorded_at)}
    columns["typed_facts"] = [_fact(fact) for fact in sorted(entry.typed_facts.all(), key=lambda fact: fact.ordinal)]
    return Row(
        entry_id=str(entry.pk),
        position=entry.position,
        payload=bytes(entry.payload),
        prev_hash=bytes(entry.prev_hash),
        entry_hash=bytes(entry.entry_hash),
        columns=columns,
    )


def _fact(fact: TypedFact) -> dict[str, object]:
    said: dict[str, object] = {name: getattr(fact, name) for name in FACT_TEXTS}
    said |= {"low": _number(fact.low), "high": _number(fact.high)}
    return {**said, "span_start": fact.start, "span_end": fact.end}


def _text(value: object) -> str | None:
    return None if value is None else str(value)


def _number(value: Decimal | None) -> str | None:
    return None if value is None else format(value, "f")


def _instant(at: datetime) -> str:
    """Write an instant as the database writes it into the bytes."""
    return at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
