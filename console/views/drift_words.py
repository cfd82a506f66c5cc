"""The words in which the screens tell drift reports and their questions."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from ledger import queries as ledger
from ledger.decisions.default_keys import default_registry
from ledger.decisions.keys import topic_of
from ledger.decisions.vocabulary import KeyEntry

if TYPE_CHECKING:
    from drafts.models import DriftReport

STATES = {
    "waiting": ("Waiting", "○", "way"),
    "running": ("Being read", "▸", "way"),
    "done": ("Done", "✓", "good"),
    "failed": ("Failed", "■", "bad"),
    "cancelled": ("Cancelled", "■", "open"),
}
"""Each state's label, shape and look."""


def question_words() -> Mapping[str, str]:
    """Return each topic as a question: the first of its registered keys, else the one an installation starts with."""
    return {**_by_topic(default_registry().values()), **_by_topic(ledger.registry().values())}


def told(report: "DriftReport") -> str:
    """Say in one sentence what a report counted."""
    counts = report.counts
    read = counts.get("conversations", 0)
    if not read:
        return ""
    asked, two, three = (
        counts.get(name, 0) for name in ("asked_three_or_more", "two_answers_or_more", "three_answers_or_more")
    )
    of = f"Of {read:,} conversations" if read > 1 else "Of one conversation"
    return f"{of}, {asked:,} asked one question three times or more; {two:,} got two answers or more, {three:,} three."


def _by_topic(entries: Iterable[KeyEntry]) -> dict[str, str]:
    roots = sorted((entry for entry in entries if entry.parent is None), key=lambda entry: entry.key, reverse=True)
    return {topic_of(entry.key): entry.question_canonical for entry in roots}
