"""What one customer was told in all of their conversations."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby

from ledger.decisions.line import Link, Standing, standing_answers
from ledger.decisions.vocabulary import EntryKind
from ledger.models import Entry
from ledger.queries.answers import link_of, typed_fact


@dataclass(frozen=True, slots=True)
class Said:
    """One answer or correction; `is_live` says that it counts now. `said_at` is the instant of the decision."""

    entry_id: str
    conversation_id: str
    position: int
    kind: str
    question_key: str
    question_canonical: str
    text: str
    source: Mapping[str, object] | None
    deciding_facts: Mapping[str, object]
    typed_facts: tuple[Mapping[str, object], ...]
    said_at: datetime
    is_live: bool
    replay_count: int


def said_in(conversations: Collection[str]) -> tuple[Said, ...]:
    """Return what was answered and corrected in conversations, in order; what was undone is left out."""
    rows = Entry.objects.filter(conversation_id__in=list(conversations)).defer("payload", "prev_hash", "entry_hash")
    ordered = rows.prefetch_related("typed_facts").order_by("conversation_id", "position")
    found: list[Said] = []
    for _, line in groupby(ordered, key=lambda row: row.conversation_id):
        found += _said(list(line))
    return tuple(found)


def _said(line: list[Entry]) -> list[Said]:
    links: list[Link] = [link_of(row) for row in line]
    standing = {one.entry_id: one for one in standing_answers(links).values()}
    undone = {link.supersedes for link in links if link.kind is EntryKind.WITHDRAWAL}
    told = (EntryKind.ANSWER, EntryKind.CORRECTION)
    return [_one(row, standing.get(str(row.pk))) for row in line if row.kind in told and str(row.pk) not in undone]


def _one(row: Entry, standing: Standing | None) -> Said:
    return Said(
        entry_id=str(row.pk),
        conversation_id=row.conversation_id,
        position=row.position,
        kind=row.kind,
        question_key=row.question_key,
        question_canonical=row.question_canonical,
        text=row.answer_text,
        source=row.answer_source,
        deciding_facts=standing.facts if standing else row.deciding_facts,
        typed_facts=tuple(typed_fact(fact) for fact in sorted(row.typed_facts.all(), key=lambda fact: fact.ordinal)),
        said_at=row.effective_at,
        is_live=standing is not None,
        replay_count=standing.replay_count if standing else 0,
    )
