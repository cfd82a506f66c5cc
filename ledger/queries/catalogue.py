"""Documents as the screens list and show them: a part at a time, in a fixed number of queries."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime

from django.db.models import Count, Exists, OuterRef

from ledger.decisions.policies import rivals
from ledger.decisions.router import in_force
from ledger.decisions.vocabulary import DocumentKind, Version, VersionStatus
from ledger.models import (
    Conflict,
    ConflictVersion,
    PolicyCoverage,
    PolicyDocument,
    PolicyStatement,
    PolicyVersion,
    QuestionKey,
)
from ledger.queries.conflicts import shown_name
from ledger.queries.sources import as_version, with_statements

MOST_CHANNELS = 200


@dataclass(frozen=True, slots=True)
class VersionLine:
    """One version without its passages; `answers` counts them, `applies` on the day and channel asked about."""

    version: str
    title: str
    channels: tuple[str, ...]
    effective_from: date
    effective_until: date | None
    status: VersionStatus
    answers: int
    applies: bool


@dataclass(frozen=True, slots=True)
class DocumentRow:
    """A document as a list shows it; `drafts` names its unpublished versions.

    `conflicts` counts the open ones that one of its versions takes part in.
    """

    doc_id: str
    title: str
    kind: DocumentKind
    permitted: bool
    deciding_date: str
    channels: tuple[str, ...]
    versions: int
    drafts: tuple[str, ...]
    applying: tuple[VersionLine, ...]
    conflicts: int


@dataclass(frozen=True, slots=True)
class PassageView:
    """A passage with the question it answers, in words."""

    question_key: str
    question_canonical: str
    section: str
    text: str


@dataclass(frozen=True, slots=True)
class FullVersion:
    """One version with its passages and its history."""

    line: VersionLine
    passages: tuple[PassageView, ...]
    body: str
    prepared_by: str | None
    published_at: datetime | None
    published_by: str | None
    retired_at: datetime | None
    retired_by: str | None


@dataclass(frozen=True, slots=True)
class Contested:
    """A question that other documents answer as well: those that can meet this one, as (document, version)."""

    question_key: str
    question_canonical: str
    others: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Permission:
    """Whether a third party's document may answer for us, and who said so, when and why."""

    doc_id: str
    because: str | None
    by_name: str | None
    since: datetime | None


@dataclass(frozen=True, slots=True)
class DocumentPage:
    """A document with a part of its versions, the newest first; `applying` are those of the day, whatever the part."""

    doc_id: str
    title: str
    kind: DocumentKind
    permission: Permission
    deciding_date: str
    channels: tuple[str, ...]
    applying: tuple[VersionLine, ...]
    versions: tuple[FullVersion, ...]
    contested: tuple[Contested, ...]


def permission_of(document: PolicyDocument) -> Permission:
    """Return what was permitted to a document, which was loaded with the person who did."""
    return Permission(
        document.doc_id, document.answers_because, shown_name(document.answers_by), document.answers_since
    )


def channels() -> tuple[str, ...]:
    """Return the channels on which some active version holds, by name."""
    return tuple(
        PolicyCoverage.objects.values_list("channel", flat=True).distinct().order_by("channel")[:MOST_CHANNELS]
    )


def document_rows(*, on: date, channel: str | None, start: int, limit: int) -> tuple[DocumentRow, ...]:
    """Return a part of the documents by id; `channel` leaves out those that no version of which names it.

    `on` is the day, in the organisation's zone, that `applying` is about.
    """
    found = PolicyDocument.objects.order_by("doc_id")
    if channel is not None:
        holding = PolicyVersion.objects.filter(document=OuterRef("pk"), channels__contains=[channel])
        found = found.filter(Exists(holding))
    documents = list(found[start : start + limit])
    lines = _lines_of([document.pk for document in documents], on, channel)
    conflicts = _conflicts_of([document.pk for document in documents])
    return tuple(_document_row(d, lines.get(d.pk, ()), on, conflicts.get(d.pk, 0)) for d in documents)


def document_page(doc_id: str, *, on: date, channel: str | None, start: int, limit: int) -> DocumentPage | None:
    """Return one document with a part of its versions, or None."""
    document = PolicyDocument.objects.select_related("answers_by").filter(pk=doc_id).first()
    if document is None:
        return None
    lines = _lines_of([doc_id], on, channel).get(doc_id, ())
    row = _document_row(document, lines, on, 0)
    own = with_statements(PolicyVersion.objects.filter(document=doc_id)).defer(None)
    people = own.select_related("document", "prepared_by", "published_by", "retired_by")
    shown = people.order_by("-effective_from", "-version")[start : start + limit]
    by_name = {line.version: line for line in lines}
    questions = dict(
        QuestionKey.objects.filter(pk__in=PolicyStatement.objects.filter(version__document=doc_id).values("question_key"))
        .values_list("key", "question_canonical")
    )  # fmt: skip
    return DocumentPage(
        doc_id=doc_id,
        title=row.title,
        kind=row.kind,
        permission=permission_of(document),
        deciding_date=row.deciding_date,
        channels=row.channels,
        applying=row.applying,
        versions=tuple(_full(version, by_name[version.version], questions) for version in shown),
        contested=tuple(_contested(doc_id, questions)),
    )


def line_of(version: Version, *, on: date, channel: str | None = None) -> VersionLine:
    """Return a version as one line; without a channel, `applies` is about any of its own."""
    return VersionLine(
        version=version.version,
        title=version.title,
        channels=tuple(sorted(version.channels)),
        effective_from=version.effective_from,
        effective_until=version.effective_until,
        status=version.status,
        answers=len(version.statements),
        applies=in_force(version, on) and (channel is None or channel in version.channels),
    )


def _lines_of(doc_ids: Sequence[str], on: date, channel: str | None) -> dict[str, tuple[VersionLine, ...]]:
    """Return every version of the documents without its passages, the newest first."""
    rows = PolicyVersion.objects.filter(document__in=doc_ids).select_related("document")
    found: dict[str, list[VersionLine]] = {}
    for row in rows.annotate(answers=Count("statements")).order_by("-effective_from", "-version"):
        line = replace(line_of(as_version(row, statements=()), on=on, channel=channel), answers=row.answers)
        found.setdefault(row.document_id, []).append(line)
    return {doc_id: tuple(lines) for doc_id, lines in found.items()}


def _conflicts_of(doc_ids: Sequence[str]) -> dict[str, int]:
    taking_part = ConflictVersion.objects.filter(conflict__state=Conflict.OPEN, version__document__in=doc_ids)
    counted = taking_part.values("version__document").annotate(found=Count("conflict", distinct=True))
    return dict(counted.values_list("version__document", "found"))


def _heading(lines: Sequence[VersionLine], on: date) -> str:
    """Return the title of the version in force on a day, on whatever channel; else of the newest published, or any."""
    published = [line for line in lines if line.status is not VersionStatus.DRAFT]
    begun = [line for line in published if line.status is VersionStatus.ACTIVE and line.effective_from <= on]
    standing = [line for line in begun if line.effective_until is None or on < line.effective_until]
    return next((line.title for line in (*standing, *published, *lines)), "")


def _document_row(document: PolicyDocument, lines: Sequence[VersionLine], on: date, conflicts: int) -> DocumentRow:
    return DocumentRow(
        doc_id=document.doc_id,
        title=_heading(lines, on) or document.doc_id,
        kind=DocumentKind(document.kind),
        permitted=document.answers_because is not None,
        deciding_date=document.deciding_date,
        channels=tuple(sorted({channel for line in lines for channel in line.channels})),
        versions=len(lines),
        drafts=tuple(line.version for line in lines if line.status is VersionStatus.DRAFT),
        applying=tuple(line for line in lines if line.applies),
        conflicts=conflicts,
    )


def _full(row: PolicyVersion, line: VersionLine, questions: Mapping[str, str]) -> FullVersion:
    return FullVersion(
        line=line,
        passages=tuple(
            PassageView(s.question_key_id, questions[s.question_key_id], s.section, s.text)
            for s in row.statements.all()
        ),
        body=row.body,
        prepared_by=shown_name(row.prepared_by),
        published_at=row.published_at,
        published_by=shown_name(row.published_by),
        retired_at=row.retired_at,
        retired_by=shown_name(row.retired_by),
    )


def _contested(doc_id: str, questions: Mapping[str, str]) -> Iterator[Contested]:
    """Yield the questions that active versions of other documents answer too, where the two can meet."""
    answering = PolicyStatement.objects.filter(version=OuterRef("pk"), question_key__in=list(questions))
    rows = with_statements(PolicyVersion.objects.filter(Exists(answering), status=VersionStatus.ACTIVE))
    stored = [as_version(row) for row in rows]
    own = [version for version in stored if version.doc_id == doc_id]
    others = [version for version in stored if version.doc_id != doc_id]
    for key in sorted(questions):
        if met := rivals(own, others, key):
            yield Contested(key, questions[key], tuple((version.doc_id, version.version) for version in met))
