"""Read what the ledger knows, as plain values."""

from ledger.queries.answers import (
    Correction,
    Told,
    column_of_entry,
    corrections,
    entries,
    entry,
    live_answers,
    recorded_texts_by_key,
    told,
)
from ledger.queries.auditing import AuditCheck, audit
from ledger.queries.conflicts import ConflictMember, ConflictView, conflict, conflicts
from ledger.queries.sources import (
    DocumentView,
    KeyView,
    VersionView,
    document,
    documents,
    key_owners,
    keys,
    registry,
    used_versions,
    version_names,
    versions,
    versions_of,
)
from ledger.queries.verification import Verified, verify

__all__ = [
    "AuditCheck",
    "ConflictMember",
    "ConflictView",
    "Correction",
    "DocumentView",
    "KeyView",
    "Told",
    "Verified",
    "VersionView",
    "audit",
    "column_of_entry",
    "conflict",
    "conflicts",
    "corrections",
    "document",
    "documents",
    "entries",
    "entry",
    "key_owners",
    "keys",
    "live_answers",
    "recorded_texts_by_key",
    "registry",
    "told",
    "used_versions",
    "verify",
    "version_names",
    "versions",
    "versions_of",
]
