"""Which entry of a conversation answers each question now, and how often it was repeated (rule 3.4)."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from ledger.decisions.vocabulary import EntryKind


@dataclass(frozen=True, slots=True)
class Link:
    """An entry's place in its question's line: what it supersedes, repeats or, as an undo, brings back."""

    entry_id: str
    position: int
    kind: EntryKind
    question_key: str
    supersedes: str | None = None
    replays: str | None = None
    restores: str | None = None
    facts: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Standing:
    """The live entry of one question: its replays (undone ones subtracted), and the newest known deciding facts."""

    entry_id: str
    replay_count: int
    facts: Mapping[str, object]


def standing_answers(links: Iterable[Link]) -> dict[str, Standing]:
    """Return the live entry of each root key; a key whose answer was withdrawn has none."""
    ordered = sorted(links, key=lambda link: link.position)
    live = {}
    for link in ordered:
        if link.kind is EntryKind.REPLAY or link.replays is not None:
            continue
        live[link.question_key] = link.restores if link.kind is EntryKind.WITHDRAWAL else link.entry_id
    counts = replay_counts(ordered)
    return {
        key: Standing(entry_id, counts[entry_id], _facts(ordered, entry_id))
        for key, entry_id in live.items()
        if entry_id is not None
    }


def replay_counts(links: Iterable[Link]) -> Counter[str]:
    """Count the replays of each entry; an undo subtracts its own."""
    counts: Counter[str] = Counter()
    for link in links:
        if link.replays is not None:
            counts[link.replays] += 1 if link.kind is EntryKind.REPLAY else -1
    return counts


def _facts(ordered: Sequence[Link], entry_id: str) -> dict[str, object]:
    """Lay the facts known at later replays over those the answer was given under."""
    undone = {link.supersedes for link in ordered if link.kind is EntryKind.WITHDRAWAL}
    facts: dict[str, object] = {}
    for link in ordered:
        if link.entry_id == entry_id or (link.replays == entry_id and link.entry_id not in undone):
            facts.update({name: value for name, value in link.facts.items() if value is not None})
    return facts
