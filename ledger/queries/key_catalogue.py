"""Question keys as the screens list and show them: a part at a time, in a fixed number of queries."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from django.db.models import Count

from ledger.decisions.keys import root_of
from ledger.decisions.vocabulary import CommitmentClass, DocumentKind, KeyEntry, VersionStatus
from ledger.models import PolicyStatement, QuestionKey
from ledger.queries.catalogue import VersionLine, line_of
from ledger.queries.conflicts import shown_name
from ledger.queries.sources import as_version, registry

MOST_ANSWERS = 50
"""Passages, and neighbours, that a page about one question shows; more of them is a fault of the sources."""


@dataclass(frozen=True, slots=True)
class KeyRow:
    """A question key as a list shows it; `documents` counts those whose active versions answer it or its root."""

    key: str
    question_canonical: str
    commitment_class: CommitmentClass
    deciding_facts: tuple[str, ...]
    parent: str | None
    boundary: str | None
    owner_name: str | None
    documents: int


@dataclass(frozen=True, slots=True)
class AnswerView:
    """A passage that answers a question, with the version it stands in."""

    doc_id: str
    kind: DocumentKind
    permitted: bool
    version: VersionLine
    section: str
    text: str


@dataclass(frozen=True, slots=True)
class KeyPage:
    """A question key with its neighbours and with the passages that answer its root, active ones first."""

    row: KeyRow
    root: str
    parent_question: str | None
    examples: tuple[str, ...]
    adjacent: tuple[KeyRow, ...]
    answers: tuple[AnswerView, ...]


def key_rows(*, start: int, limit: int) -> tuple[KeyRow, ...]:
    """Return a part of the question keys by name."""
    found = QuestionKey.objects.select_related("owner").order_by("key")
    return _rows(list(found[start : start + limit]), registry())


def key_page(key: str, *, on: date) -> KeyPage | None:
    """Return one question key with what surrounds it, or None; `on` is the day that `applies` is about."""
    own = QuestionKey.objects.select_related("owner", "parent").filter(pk=key).first()
    if own is None:
        return None
    adjacent = QuestionKey.objects.select_related("owner").filter(parent=key).order_by("key")[:MOST_ANSWERS]
    known = registry()
    row, *neighbours = _rows([own, *adjacent], known)
    root = root_of(key, known)
    return KeyPage(
        row=row,
        root=root,
        parent_question=own.parent.question_canonical if own.parent else None,
        examples=tuple(own.examples),
        adjacent=tuple(neighbours),
        answers=tuple(_answers(root, on)),
    )


def _rows(keys: Sequence[QuestionKey], known: Mapping[str, KeyEntry]) -> tuple[KeyRow, ...]:
    roots = {row.key: root_of(row.key, known) for row in keys}
    active = PolicyStatement.objects.filter(
        question_key__in=set(roots.values()), version__status=VersionStatus.ACTIVE
    ).exclude(version__document__kind=DocumentKind.THIRD_PARTY, version__document__answers_because__isnull=True)
    counted = active.values("question_key").annotate(found=Count("version__document", distinct=True))
    documents = dict(counted.values_list("question_key", "found"))
    return tuple(
        KeyRow(
            key=row.key,
            question_canonical=row.question_canonical,
            commitment_class=CommitmentClass(row.commitment_class),
            deciding_facts=tuple(row.deciding_facts),
            parent=row.parent_id,
            boundary=row.boundary,
            owner_name=shown_name(row.owner),
            documents=documents.get(roots[row.key], 0),
        )
        for row in keys
    )


def _answers(root: str, on: date) -> Iterator[AnswerView]:
    """Yield the passages of active versions; a third party's too, which answers only where it is permitted."""
    rows = PolicyStatement.objects.filter(question_key=root, version__status=VersionStatus.ACTIVE)
    ordered = rows.select_related("version__document").order_by("version__document", "-version__effective_from", "pk")
    for row in ordered[:MOST_ANSWERS]:
        version = as_version(row.version, statements=())
        line = line_of(version, on=on)
        yield AnswerView(version.doc_id, version.kind, version.permitted, line, row.section, row.text)
