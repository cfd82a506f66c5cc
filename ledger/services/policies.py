"""Publish, change, end, retire and discard policy versions. Part of other services; needs an open transaction."""

from dataclasses import dataclass
from datetime import date, datetime

from django.contrib.auth.models import User
from django.db.models import ProtectedError

from ledger.decisions.policies import Plan, Refused, RefusedBecause, plan_version
from ledger.decisions.sending import Malformed, check_version
from ledger.decisions.text import day_in_words, is_blank, unfit_name
from ledger.decisions.vocabulary import DocumentKind, Version, VersionStatus
from ledger.models import PolicyDocument, PolicyStatement, PolicyVersion, QuestionKey
from ledger.queries import used_versions, versions_of

type VersionIn = Version


class VersionRefused(Exception):
    """The version cannot be stored; `field` names the place, `because` the sort of reason."""

    def __init__(self, field: str, message: str, because: RefusedBecause = RefusedBecause.MALFORMED) -> None:
        super().__init__(f"{field}: {message}")
        self.field = field
        self.message = message
        self.because = because


@dataclass(frozen=True, slots=True)
class PutVersion:
    """A version as it stands now, whether this call made or changed it, and which predecessors it ended."""

    version: Version
    created: bool
    changed: bool
    closed: tuple[str, ...] = ()


def put_version(
    version: VersionIn, *, actor: User | None, now: datetime, prepared_by: User | None = None
) -> PutVersion:
    """Publish, change or retire a version; sending the same again changes nothing. `now` is an instant.

    `prepared_by` is noted where somebody wrote the version here; who prepared it stays where it is left out.
    Raises VersionRefused: malformed, a new name that cannot be told apart, overlapping other versions of the
    document (all are named), or a change to what ledger entries rest on.
    """
    _check(version)
    document, created_document = PolicyDocument.objects.select_for_update().get_or_create(
        pk=version.doc_id, defaults={"kind": version.kind.value, "deciding_date": version.deciding_date}
    )
    rows = {row.version: row for row in document.versions.select_for_update().order_by("pk")}
    _check_new_names(version, is_new=(created_document, version.version not in rows))
    plan = _plan(version)
    if not plan.changed:
        return PutVersion(plan.version, created=False, changed=False)
    if not created_document:
        _put_document(document, version)
    for closing in plan.closes:
        _end(rows[closing.version], closing.effective_until)
    row = rows.get(version.version) or PolicyVersion(document=document, version=version.version)
    row.prepared_by = prepared_by or row.prepared_by
    _store(plan.version, row, actor, now)
    return PutVersion(
        plan.version, created=version.version not in rows, changed=True, closed=tuple(v.version for v in plan.closes)
    )


def retire(*, doc_id: str, version: str, actor: User | None, now: datetime) -> None:
    """Retire an active version; one that is retired stays so. Raises PolicyVersion.DoesNotExist."""
    row = PolicyVersion.objects.select_for_update().get(document=doc_id, version=version)
    if row.status != VersionStatus.RETIRED:
        row.status, row.retired_at, row.retired_by = VersionStatus.RETIRED, now, actor
        row.save(update_fields=["status", "retired_at", "retired_by"])


def end_earlier(*, doc_id: str, version: str, on: date) -> None:
    """Let an active version hold no more from a day on, which must lie before its end.

    Raises VersionRefused, PolicyVersion.DoesNotExist.
    """
    row = PolicyVersion.objects.select_for_update().get(document=doc_id, version=version)
    if row.status != VersionStatus.ACTIVE:
        raise VersionRefused("status", f"{version} is {row.status}, so there is nothing to end.")
    if on <= row.effective_from:
        message = (
            f"The version begins on {day_in_words(row.effective_from)}; the first day without it must lie after that."
        )
        raise VersionRefused("effective_until", f"{message} Retire it if it shall not hold at all.")
    if row.effective_until is not None and on >= row.effective_until:
        ends = day_in_words(row.effective_until)
        raise VersionRefused("effective_until", f"The version ends on {ends} already; give an earlier day.")
    _end(row, on)


def discard(*, doc_id: str, version: str) -> None:
    """Delete a draft that was never published, and its document where nothing is left of it.

    Raises VersionRefused, PolicyVersion.DoesNotExist.
    """
    row = PolicyVersion.objects.select_for_update().get(document=doc_id, version=version)
    if row.status != VersionStatus.DRAFT:
        raise VersionRefused("status", f"{version} is {row.status}. Only a draft can be discarded; retire it instead.")
    try:
        row.delete()
    except ProtectedError:
        message = f"{version} took part in a conflict before it became a draft again, so it is kept."
        raise VersionRefused("status", message) from None
    document = PolicyDocument.objects.select_for_update().get(pk=doc_id)
    if not document.versions.exists():
        document.delete()


def permit(*, doc_id: str, because: str, actor: User, now: datetime) -> None:
    """Let a third party's document answer for us from now on. Raises VersionRefused, PolicyDocument.DoesNotExist."""
    document = PolicyDocument.objects.select_for_update().get(pk=doc_id)
    if document.kind != DocumentKind.THIRD_PARTY:
        raise VersionRefused("kind", "This document is our own and answers anyway.")
    if is_blank(because):
        raise VersionRefused("because", "Say why, in a sentence that a colleague will understand.")
    if document.answers_because is not None:
        raise VersionRefused("permission", "This was permitted already. Take it back first to give another reason.")
    document.answers_because, document.answers_by, document.answers_since = because, actor, now
    document.save(update_fields=["answers_because", "answers_by", "answers_since"])


def take_back_permission(*, doc_id: str) -> None:
    """Let a third party's document answer no more; what was answered from it stays. Raises as `permit` does."""
    document = PolicyDocument.objects.select_for_update().get(pk=doc_id)
    if document.answers_because is None:
        raise VersionRefused("permission", "This document does not answer for us, so there is nothing to take back.")
    document.answers_because = document.answers_by = document.answers_since = None
    document.save(update_fields=["answers_because", "answers_by", "answers_since"])


def _check(version: Version) -> None:
    try:
        check_version(version)
    except Malformed as malformed:
        raise VersionRefused(malformed.field, malformed.message) from None
    wanted = [statement.question_key for statement in version.statements]
    known = set(QuestionKey.objects.filter(pk__in=wanted).values_list("pk", flat=True))
    for place, key in enumerate(wanted):
        if key not in known:
            field = f"statements[{place}].question_key"
            raise VersionRefused(field, f"The key {key!r} is not in the registry. Create it with PUT /keys/{{key}}.")


def _check_new_names(version: Version, *, is_new: tuple[bool, bool]) -> None:
    """Refuse names by which nothing could be told apart or reached; what is called so already keeps its name."""
    for field, name, new in zip(("doc_id", "version"), (version.doc_id, version.version), is_new, strict=True):
        if new and (fault := unfit_name(name)):
            raise VersionRefused(field, fault)


def _plan(version: Version) -> Plan:
    stored = {v.version: v for v in versions_of([version.doc_id])}
    used = used_versions([version.doc_id])
    plan = plan_version(
        version,
        stored=stored.get(version.version),
        others=[v for name, v in stored.items() if name != version.version],
        in_use=(version.doc_id, version.version) in used,
        document_in_use=bool(used),
    )
    if isinstance(plan, Refused):
        raise VersionRefused(plan.field, plan.message, plan.because)
    return plan


def _put_document(document: PolicyDocument, version: Version) -> None:
    if (document.kind, document.deciding_date) == (version.kind.value, version.deciding_date):
        return
    if document.kind != version.kind.value:  # what was permitted was permitted to a document of that kind
        document.answers_because = document.answers_by = document.answers_since = None
    document.kind, document.deciding_date = version.kind.value, version.deciding_date
    document.save()


def _end(row: PolicyVersion, day: date | None) -> None:
    row.effective_until = day
    row.save(update_fields=["effective_until"])


def _store(version: Version, row: PolicyVersion, actor: User | None, now: datetime) -> None:
    row.title, row.body = version.title, version.body or ""
    row.channels = sorted(version.channels)
    row.effective_from, row.effective_until = version.effective_from, version.effective_until
    _set_status(row, version.status, actor, now)
    row.save()
    _store_statements(row, version)


def _set_status(row: PolicyVersion, status: VersionStatus, actor: User | None, now: datetime) -> None:
    row.status = status
    if status is VersionStatus.DRAFT:
        row.published_at = row.published_by = row.retired_at = row.retired_by = None
    elif status is VersionStatus.ACTIVE:
        if row.published_at is None:
            row.published_at, row.published_by = now, actor
        row.retired_at = row.retired_by = None
    elif row.retired_at is None:
        row.retired_at, row.retired_by = now, actor


def _store_statements(row: PolicyVersion, version: Version) -> None:
    """Write only what differs: the passages of a version in use cannot even be written again."""
    held = {s.question_key_id: s for s in row.statements.all()}
    wanted = {s.question_key: s for s in version.statements}
    for key in held.keys() - wanted.keys():
        held[key].delete()
    for key, statement in wanted.items():
        one = held.get(key) or PolicyStatement(version=row, question_key_id=key)
        if (one.section, one.text) != (statement.section, statement.text):
            one.section, one.text = statement.section, statement.text
            one.save()
