"""What became of the versions that old answers rest on."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import date, datetime

from ledger.models import PolicyVersion


@dataclass(frozen=True, slots=True)
class VersionNow:
    """A policy version as it stands now; `passages` are its texts by question key. `retired_at` is an instant."""

    status: str
    retired_at: datetime | None
    effective_from: date
    effective_until: date | None
    passages: Mapping[str, str]


def versions_now(named: Collection[tuple[str, str]]) -> dict[tuple[str, str], VersionNow]:
    """Return the named versions, (document, version), as they stand now; one that is known no more is absent."""
    if not named:
        return {}
    documents, versions = {doc_id for doc_id, _ in named}, {version for _, version in named}
    rows = PolicyVersion.objects.filter(document__in=documents, version__in=versions).prefetch_related("statements")
    return {
        (row.document_id, row.version): VersionNow(
            status=row.status,
            retired_at=row.retired_at,
            effective_from=row.effective_from,
            effective_until=row.effective_until,
            passages={statement.question_key_id: statement.text for statement in row.statements.all()},
        )
        for row in rows.defer("body")
        if (row.document_id, row.version) in named
    }
