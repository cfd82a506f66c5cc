"""The log of corrections: the newest first, narrowed by what somebody looks for, in pages or as a whole."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.contrib.auth.models import AnonymousUser, User
from django.db.models import OuterRef, Q, QuerySet
from django.db.models.fields.json import KeyTextTransform

from drafts.models import Correction
from drafts.queries.visibility import may_read
from ledger import queries as ledger

READ_AT_ONCE = 500


@dataclass(frozen=True, slots=True)
class Narrowing:
    """What a correction must meet to be listed; `since` is included, `until` is not."""

    since: datetime | None = None
    until: datetime | None = None
    question_key: str = ""
    owner: str = ""
    document: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Logged:
    """A correction with what its ledger entry says: the question as it was asked then, and the source."""

    correction: Correction
    question: str
    source: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class LogChoices:
    """The questions, owners and documents that occur in the log."""

    keys: tuple[str, ...]
    owners: tuple[User, ...]
    documents: tuple[str, ...]


def corrections_page(
    user: User | AnonymousUser, narrowing: Narrowing, *, before: tuple[datetime, UUID] | None = None, limit: int
) -> tuple[Logged, ...]:
    """Return the newest corrections; `before` continues behind a row's (`corrected_at`, `id`)."""
    found = _narrowed(user, narrowing)
    if before is not None:
        at, pk = before
        found = found.filter(Q(corrected_at__lt=at) | Q(corrected_at=at, id__gt=pk))
    return tuple(_logged(row) for row in found[:limit])


def every_correction(user: User | AnonymousUser, narrowing: Narrowing) -> Iterator[Logged]:
    """Yield all corrections, the newest first, held in memory a few hundred at a time."""
    return (_logged(row) for row in _narrowed(user, narrowing).iterator(chunk_size=READ_AT_ONCE))


def messages_of_corrections(user: User | AnonymousUser, conversation: int) -> Mapping[str, str]:
    """Return what the customer of a conversation is told by each of its corrections, by the ledger entry's id."""
    found = _visible(user).filter(conversation=conversation).order_by()
    return {str(entry_id): message for entry_id, message in found.values_list("entry_id", "message")}


def log_choices(user: User | AnonymousUser) -> LogChoices:
    """Return by what the log can be narrowed: only what occurs in it."""
    found = _visible(user).order_by()
    keys = found.values_list("question_key", flat=True).distinct()
    owners = User.objects.filter(pk__in=found.values("owner")).order_by("username")
    document = KeyTextTransform("doc_id", ledger.column_of_entry("answer_source", OuterRef("entry_id")))
    documents = found.annotate(document=document).values_list("document", flat=True).distinct()
    return LogChoices(tuple(sorted(keys)), tuple(owners), tuple(sorted(filter(None, documents))))


def _visible(user: User | AnonymousUser) -> QuerySet[Correction]:
    return Correction.objects.all() if may_read(user) else Correction.objects.none()


def _with_entry(found: QuerySet[Correction]) -> QuerySet[Correction]:
    return found.annotate(
        source=ledger.column_of_entry("answer_source", OuterRef("entry_id")),
        question=ledger.column_of_entry("question_canonical", OuterRef("entry_id")),
    )


def _narrowed(user: User | AnonymousUser, narrowing: Narrowing) -> QuerySet[Correction]:
    asked = {
        "corrected_at__gte": narrowing.since,
        "corrected_at__lt": narrowing.until,
        "question_key": narrowing.question_key,
        "owner__username": narrowing.owner,
        "source__doc_id": narrowing.document,
        "reason__icontains": narrowing.reason,
    }
    found = _with_entry(_visible(user)).filter(**{name: value for name, value in asked.items() if value})
    related = ("conversation", "owner", "corrected_by", "decision")
    return found.select_related(*related).order_by("-corrected_at", "id")


def _logged(row: Correction) -> Logged:
    return Logged(row, getattr(row, "question", None) or "", getattr(row, "source", None) or {})
