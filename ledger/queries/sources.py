"""Question keys and policy versions, as decisions and screens need them."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import date, datetime

from django.db import connection
from django.db.models import Exists, OuterRef, Q, QuerySet

from ledger.decisions.router import in_force
from ledger.decisions.vocabulary import (
    CommitmentClass,
    DocumentKind,
    KeyEntry,
    Statement,
    Version,
    VersionStatus,
)
from ledger.models import Entry, PolicyStatement, PolicyVersion, QuestionKey


@dataclass(frozen=True, slots=True)
class KeyView:
    """A registered key with what a screen shows beside it."""

    entry: KeyEntry
    is_in_use: bool
    answered_by: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class VersionView:
    """A version with its history; `is_in_use` when ledger entries rest on it, `applies` on the day asked about."""

    version: Version
    is_in_use: bool
    applies: bool
    published_at: datetime | None
    published_by: str | None
    retired_at: datetime | None
    retired_by: str | None


@dataclass(frozen=True, slots=True)
class DocumentView:
    """A document with all its versions, the newest first."""

    doc_id: str
    title: str
    kind: DocumentKind
    deciding_date: str
    versions: tuple[VersionView, ...]


def registry() -> dict[str, KeyEntry]:
    """Return every registered key by name."""
    rows = QuestionKey.objects.select_related("owner").order_by("key")
    return {row.key: _key_entry(row) for row in rows}


def keys() -> tuple[KeyView, ...]:
    """Return every key with the documents that have an active statement for it."""
    used = set(QuestionKey.objects.filter(_has_entries()).values_list("key", flat=True))
    answered: dict[str, set[str]] = {}
    rows = PolicyStatement.objects.filter(version__status=VersionStatus.ACTIVE)
    for key, doc_id in rows.values_list("question_key_id", "version__document_id"):
        answered.setdefault(key, set()).add(doc_id)
    return tuple(KeyView(entry, key in used, tuple(sorted(answered.get(key, ())))) for key, entry in registry().items())


def key_owners() -> dict[str, str]:
    """Return the user name of each key's policy owner, where one is named."""
    return {key: entry.owner for key, entry in registry().items() if entry.owner is not None}


def versions(keys: Collection[str] | None = None) -> tuple[Version, ...]:
    """Return every version but drafts, of the documents that have a statement for one of `keys` (None: of all).

    All versions of such a document are returned: one that no longer answers the key still succeeds one that does.
    """
    rows = with_statements(PolicyVersion.objects.exclude(status=VersionStatus.DRAFT))
    if keys is not None:
        answering = PolicyStatement.objects.filter(question_key__in=keys).values("version__document")
        rows = rows.filter(document__in=answering)
    return tuple(as_version(row) for row in rows)


def version_names() -> frozenset[str]:
    """Return the name of every version but drafts, whatever document it belongs to."""
    return frozenset(PolicyVersion.objects.exclude(status=VersionStatus.DRAFT).values_list("version", flat=True))


def versions_of(doc_ids: Iterable[str]) -> tuple[Version, ...]:
    """Return every version of the named documents with its whole text, drafts too."""
    rows = with_statements(PolicyVersion.objects.filter(document__in=list(doc_ids))).defer(None)
    return tuple(as_version(row, body=row.body) for row in rows)


def documents(*, on: date | None = None) -> tuple[DocumentView, ...]:
    """Return every document with its versions; `on` is the day, in the organisation's zone, that `applies` is about."""
    return tuple(_document_views(PolicyVersion.objects.all(), on))


def document(doc_id: str, *, on: date | None = None) -> DocumentView | None:
    """Return one document with its versions, or None."""
    return next(iter(_document_views(PolicyVersion.objects.filter(document=doc_id), on)), None)


def used_versions(doc_ids: Iterable[str] | None = None) -> frozenset[tuple[str, str]]:
    """Return (document, version) of every version that a ledger entry rests on."""
    query = """
        SELECT v.document_id, v.version FROM ledger_policyversion v
        WHERE (%(all)s OR v.document_id = ANY (%(doc_ids)s)) AND ledger_rests_on(v.document_id, v.version)
    """
    with connection.cursor() as cursor:
        cursor.execute(query, {"all": doc_ids is None, "doc_ids": list(doc_ids or ())})
        return frozenset((str(doc_id), str(version)) for doc_id, version in cursor.fetchall())


def _has_entries() -> Q:
    """Match keys under which something was promised, asked directly or through an adjacent key."""
    answered = Entry.objects.filter(question_key=OuterRef("pk"))
    asked = Entry.objects.filter(asked_key=OuterRef("pk"))
    return Q(Exists(answered)) | Q(Exists(asked))


def with_statements(rows: QuerySet[PolicyVersion]) -> QuerySet[PolicyVersion]:
    """Load versions together with document and statements, by document and first day; their whole texts stay away."""
    ordered = rows.select_related("document").prefetch_related("statements").defer("body")
    return ordered.order_by("document_id", "effective_from", "version")


def _document_views(rows: QuerySet[PolicyVersion], on: date | None) -> Iterable[DocumentView]:
    stored = list(with_statements(rows).select_related("document", "published_by", "retired_by"))
    used = used_versions({row.document_id for row in stored})
    by_document: dict[str, list[PolicyVersion]] = {}
    for row in stored:
        by_document.setdefault(row.document_id, []).append(row)
    for doc_id, own in by_document.items():
        newest_first = own[::-1]
        yield DocumentView(
            doc_id=doc_id,
            title=newest_first[0].title,
            kind=DocumentKind(own[0].document.kind),
            deciding_date=own[0].document.deciding_date,
            versions=tuple(_version_view(row, used, on) for row in newest_first),
        )


def _version_view(row: PolicyVersion, used: frozenset[tuple[str, str]], on: date | None) -> VersionView:
    version = as_version(row)
    return VersionView(
        version=version,
        is_in_use=(row.document_id, row.version) in used,
        applies=on is not None and in_force(version, on),
        published_at=row.published_at,
        published_by=row.published_by.get_username() if row.published_by else None,
        retired_at=row.retired_at,
        retired_by=row.retired_by.get_username() if row.retired_by else None,
    )


def _key_entry(row: QuestionKey) -> KeyEntry:
    return KeyEntry(
        key=row.key,
        question_canonical=row.question_canonical,
        commitment_class=CommitmentClass(row.commitment_class),
        deciding_facts=tuple(row.deciding_facts),
        parent=row.parent_id,
        boundary=row.boundary,
        examples=tuple(row.examples),
        owner=row.owner.get_username() if row.owner else None,
    )


def as_version(row: PolicyVersion, *, statements: tuple[Statement, ...] | None = None, body: str = "") -> Version:
    """Return a stored version as decisions take it, with its own statements unless they are given.

    Decisions about answers need no whole text, so `body` is the caller's to load.
    """
    return Version(
        doc_id=row.document_id,
        version=row.version,
        title=row.title,
        kind=DocumentKind(row.document.kind),
        channels=frozenset(row.channels),
        deciding_date=row.document.deciding_date,
        effective_from=row.effective_from,
        effective_until=row.effective_until,
        status=VersionStatus(row.status),
        statements=_statements(row) if statements is None else statements,
        body=body or None,
        permitted=row.document.answers_because is not None,
    )


def _statements(row: PolicyVersion) -> tuple[Statement, ...]:
    return tuple(Statement(s.question_key_id, s.section, s.text) for s in row.statements.all())
