"""What policy owners need to know before they publish, retire or permit."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from datetime import datetime

from ledger.decisions.policies import Refused
from ledger.decisions.previewing import Preview, preview
from ledger.decisions.vocabulary import Version, VersionStatus
from ledger.models import PolicyDocument, PolicyStatement, PolicyVersion, PublishedEntry
from ledger.queries.catalogue import Permission, permission_of
from ledger.queries.conflicts import shown_name
from ledger.queries.sources import as_version, used_versions, versions, versions_of, with_statements


@dataclass(frozen=True, slots=True)
class Managed:
    """A version as its owners handle it; `prepared_by` is the name its author signs in with."""

    version: Version
    prepared_by: str | None
    prepared_by_name: str | None
    is_in_use: bool


@dataclass(frozen=True, slots=True)
class Holder:
    """A conversation that holds a locked answer; `told_at` is the database's own clock."""

    conversation_id: str
    answer_text: str
    source: str
    told_at: datetime


def managed(doc_id: str, version: str) -> Managed | None:
    """Return one version with its whole text and its history, or None."""
    rows = with_statements(PolicyVersion.objects.filter(document=doc_id, version=version)).defer(None)
    row = rows.select_related("document", "prepared_by").first()
    if row is None:
        return None
    return Managed(
        version=as_version(row, body=row.body),
        prepared_by=row.prepared_by.get_username() if row.prepared_by else None,
        prepared_by_name=shown_name(row.prepared_by),
        is_in_use=(doc_id, version) in used_versions([doc_id]),
    )


def preview_of(version: Version) -> Preview | Refused:
    """Say what storing a version as it is given here would mean, against everything that stands now."""
    own = {one.version: one for one in versions_of([version.doc_id])}
    used = used_versions([version.doc_id])
    return preview(
        version,
        stored=own.get(version.version),
        others=[one for name, one in own.items() if name != version.version],
        elsewhere=elsewhere(version),
        in_use=(version.doc_id, version.version) in used,
        document_in_use=bool(used),
    )


def publishing_preview(version: Version) -> Preview | Refused:
    """Say what publishing a stored draft would mean."""
    return preview_of(replace(version, status=VersionStatus.ACTIVE))


def elsewhere(version: Version) -> tuple[Version, ...]:
    """Return the published versions of other documents that answer one of the version's keys."""
    keys = {statement.question_key for statement in version.statements}
    return tuple(one for one in versions(keys) if one.doc_id != version.doc_id) if keys else ()


def document_keys(doc_ids: Iterable[str]) -> frozenset[str]:
    """Return the keys that some version of the documents answers."""
    answered = PolicyStatement.objects.filter(version__document__in=list(doc_ids))
    return frozenset(answered.values_list("question_key_id", flat=True))


def permission(doc_id: str) -> Permission | None:
    """Return whether a document was permitted to answer, or None where there is no such document."""
    row = PolicyDocument.objects.select_related("answers_by").filter(pk=doc_id).first()
    return None if row is None else permission_of(row)


def holding_counts(keys: Collection[str], *, most: int) -> dict[str, int]:
    """Count the conversations that hold a locked answer, by root key; beyond `most` no further."""
    held = {key: PublishedEntry.objects.filter(question_key=key, locked=True)[: most + 1].count() for key in keys}
    return {key: found for key, found in held.items() if found}


def holders(key: str, *, start: int, limit: int) -> tuple[Holder, ...]:
    """Return a part of the conversations that hold a locked answer to a root key, the newest answer first."""
    rows = PublishedEntry.objects.filter(question_key=key, locked=True).order_by("-locked_at", "entry_id")
    return tuple(
        Holder(row.conversation_id, row.answer_text, _source(row), row.locked_at) for row in rows[start : start + limit]
    )


def _source(row: PublishedEntry) -> str:
    source = row.answer_source or {}
    return f"{source['doc_id']}/{source['version']}" if source else ""
